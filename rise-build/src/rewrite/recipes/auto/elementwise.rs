//! Rows that are folded element by element are columns that are folded.
//!
//! ```text
//! reduce (λacc row. map g (zip acc row)) z rows  →  map (λ(t, column). reduce (λa x. g (a, x)) t column) (zip z (T rows))
//! ```
//!
//! In: any term. Out: the same, where rows lie in memory and their elements are scalars. What else belongs to a row, as a
//! weight does, is beside each of its elements. Each column is folded in the order of the rows.

use crate::expr::{Arg, Expr, Lambda, MapForm, Param, Primitive, ReduceForm, free_names, map_children, proj};
use crate::names::Name;
use crate::rewrite::rules::generate::generated;
use crate::rewrite::rules::support::{
    FoldView, Rewritten, beta_copy, component, fold, independent, make, make_fold, map_over, operands2,
    param1, plain_map, retyped, tuple,
};
use crate::types::DataType;

use super::strips::is_layout;
use crate::rewrite::ways::way;

/// All such folds inside.
pub fn everywhere(expr: &Expr) -> Expr {
    let inside = map_children(expr, &mut everywhere);
    by_columns(&inside).unwrap_or(inside)
}

fn by_columns(expr: &Expr) -> Option<Expr> {
    let view = fold(expr).ok()?;
    let is_in_order = matches!(view.form, ReduceForm::Plain | ReduceForm::Seq(_));
    let rows = Rows::of(view).filter(|_| is_in_order)?;
    let columns = make(Primitive::Transpose, [rows.array.clone()]).ok()?;
    let all = match constant(view.start) {
        Some(start) => {
            map_over(MapForm::Plain, "column", columns, |column| rows.folded(start.clone(), column))
        }
        None => make(Primitive::Zip, [view.start.clone(), columns]).and_then(|both| {
            let each = |both: Expr| rows.folded(component(0, &both), component(1, &both));
            map_over(MapForm::Plain, "column", both, each)
        }),
    };
    Some(retyped(all.ok()?, expr.ty()).with_labels(expr.labels().to_vec()).with_origin(expr.origin()))
}

/// What all elements of an array are.
fn constant(array: &Expr) -> Option<&Expr> {
    generated(array).ok().filter(|f| independent(&f.body, f)).map(|f| &f.body)
}

/// Rows that are folded element by element.
struct Rows<'a> {
    view: FoldView<'a>,
    array: &'a Expr,
    /// What else belongs to each row, a number.
    beside: Option<&'a Expr>,
    /// The step of an element, which takes what was folded and the element, alone or with what is beside it.
    step: Lambda,
}

impl<'a> Rows<'a> {
    fn of(view: FoldView<'a>) -> Option<Rows<'a>> {
        let [acc, row] = view.f.params.as_slice() else { return None };
        let each = plain_map(&view.f.body).ok()?;
        let pair = param1(each.f).ok()?;
        let sides = operands2(each.xs, |primitive| matches!(primitive, Primitive::Zip)).ok()?;
        let side = sides.iter().position(|side| side.is_named(&acc.name))?;
        let (array, beside) = match sides[1 - side].as_prim() {
            None if sides[1 - side].is_named(&row.name) => (view.xs, None),
            _ => {
                let at = part_of(sides[1 - side], &row.name).filter(|at| *at < 2)?;
                let both = operands2(view.xs, |primitive| matches!(primitive, Primitive::Zip)).ok()?;
                (both[at], Some((1 - at, both[1 - at])))
            }
        };
        let element = array.ty().as_array()?.1.as_array()?.1.clone();
        let other = beside.and_then(|(_, beside)| beside.ty().as_array()).map(|(_, ty)| ty.clone());
        let is_scalar = |ty: &DataType| ty.scalar().is_some();
        let are_scalars = is_scalar(&element) && is_scalar(each.f.body.ty()) && other.iter().all(is_scalar);
        let are_there = is_layout(array) && beside.is_none_or(|(_, beside)| is_layout(beside));

        let a = Param::fresh("a", each.f.body.ty().clone());
        let x = match other {
            None => Param::fresh("x", element),
            Some(other) => Param::fresh("x", DataType::Tuple(vec![element, other].into())),
        };
        let own = if beside.is_some() { proj(0, x.expr()) } else { x.expr() };
        let both = if side == 0 { [a.expr(), own] } else { [own, a.expr()] };
        let body = match beside {
            None => each.f.body.clone(),
            Some((at, _)) => with_part(&each.f.body, &row.name, at, &proj(1, x.expr())),
        };
        let each = Lambda { nats: Vec::new(), params: vec![pair.clone()], body };
        let body = beta_copy(&each, &[tuple(both)]);
        let is_whole = |name: &Name| !free_names(&body).contains(name);
        let is_found = are_scalars && are_there && is_whole(&acc.name) && is_whole(&row.name);
        let step = Lambda { nats: Vec::new(), params: vec![a, x], body };
        is_found.then_some(Rows { view, array, beside: beside.map(|(_, beside)| beside), step })
    }

    /// The fold of a column.
    fn folded(&self, start: Expr, column: Expr) -> Rewritten {
        let elements = match self.beside {
            Some(beside) => make(Primitive::Zip, [column, beside.clone()])?,
            None => column,
        };
        let Some(apart) = apart(&self.step) else {
            return make_fold(self.view.form, self.step.clone(), start, elements);
        };
        let computed = map_over(MapForm::Plain, "x", elements, |x| Ok(beta_copy(&apart.computed, &[x])))?;
        make_fold(self.view.form, apart.operator, start, computed)
    }
}

/// Which part of the named tuple the term is.
pub fn part_of(expr: &Expr, name: &Name) -> Option<usize> {
    match way(expr, name)?[..] {
        [at] => Some(at),
        _ => None,
    }
}

/// The term with that in place of a part of the named tuple.
pub fn with_part(expr: &Expr, name: &Name, at: usize, part: &Expr) -> Expr {
    match part_of(expr, name) {
        Some(other) if other == at => part.clone(),
        _ => map_children(expr, &mut |child| with_part(child, name, at, part)),
    }
}

/// A step that combines what was folded with what is computed of an element.
struct Apart {
    operator: Lambda,
    computed: Lambda,
}

fn apart(step: &Lambda) -> Option<Apart> {
    let [a, x] = step.params.as_slice() else { return None };
    let Some((Primitive::Binary(op), [Arg::Expr(left), Arg::Expr(right)])) = step.body.as_prim() else {
        return None;
    };
    let computed = match (left.is_named(&a.name), right.is_named(&a.name)) {
        (true, false) => right,
        (false, true) => left,
        _ => return None,
    };
    if free_names(computed).contains(&a.name) {
        return None;
    }
    let v = Param::fresh("v", computed.ty().clone());
    let sides = if left.is_named(&a.name) { [a.expr(), v.expr()] } else { [v.expr(), a.expr()] };
    let body = make(Primitive::Binary(*op), sides).ok()?;
    let lambda = |params: Vec<Param>, body: Expr| Lambda { nats: Vec::new(), params, body };
    Some(Apart {
        operator: lambda(vec![a.clone(), v], body),
        computed: lambda(vec![x.clone()], computed.clone()),
    })
}
