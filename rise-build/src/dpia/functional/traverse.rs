//! Children of phrases: the only recursion scheme of functional DPIA.

use super::{Fun, Kind, Phrase};

impl Phrase {
    /// Visits the direct sub-phrases in order of evaluation; the flag says that a child is the body of a
    /// function.
    pub fn for_each_child(&self, visit: &mut dyn FnMut(&Phrase, bool)) {
        match &self.kind {
            Kind::Var(_) | Kind::Literal(_) | Kind::Nat(_) => {}
            Kind::Let(_, value, body) => [value, body].into_iter().for_each(|child| visit(child, false)),
            Kind::Scalar(_, parts) | Kind::Tuple(parts) | Kind::View(_, parts) | Kind::MakeArray(parts) => {
                parts.iter().for_each(|part| visit(part, false));
            }
            Kind::Product(_, factors) => factors.iter().for_each(|factor| visit(factor, false)),
            Kind::Select(parts) => parts.iter().for_each(|part| visit(part, false)),
            Kind::Proj(_, inner) | Kind::ToMem(_, inner) => visit(inner, false),
            Kind::Idx(index, array) => [index, array].into_iter().for_each(|child| visit(child, false)),
            Kind::Generate(fun) => visit(&fun.body, true),
            Kind::MapView(fun, array)
            | Kind::Map(_, fun, array)
            | Kind::DepMap(_, fun, array)
            | Kind::Iterate(_, fun, array)
            | Kind::CircularBuffer(_, _, fun, array)
            | Kind::RotateValues(_, fun, array) => {
                visit(array, false);
                visit(&fun.body, true);
            }
            Kind::Update(fun, operands) => {
                operands.iter().for_each(|operand| visit(operand, false));
                visit(&fun.body, true);
            }
            Kind::Reduce { fun, start, array, .. }
            | Kind::ReducePar(fun, start, array)
            | Kind::Scan(fun, start, array) => {
                visit(array, false);
                visit(start, false);
                visit(&fun.body, true);
            }
        }
    }

    /// Whether `holds` is true anywhere inside.
    pub fn any(&self, holds: &dyn Fn(&Phrase) -> bool) -> bool {
        let mut found = holds(self);
        self.for_each_child(&mut |child, _| found = found || child.any(holds));
        found
    }

    /// The functions of a pattern.
    pub fn fun(&self) -> Option<&Fun> {
        match &self.kind {
            Kind::Generate(fun)
            | Kind::MapView(fun, _)
            | Kind::Map(_, fun, _)
            | Kind::DepMap(_, fun, _)
            | Kind::Iterate(_, fun, _)
            | Kind::Update(fun, _)
            | Kind::CircularBuffer(_, _, fun, _)
            | Kind::RotateValues(_, fun, _)
            | Kind::Reduce { fun, .. }
            | Kind::ReducePar(fun, ..)
            | Kind::Scan(fun, ..) => Some(fun),
            _ => None,
        }
    }
}
