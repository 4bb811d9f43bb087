//! Checks that phrases are well formed: variables declared, accesses consistent, types of operands right.
//!
//! In: a kernel from stage 4. Out: what is wrong, each a bug of the compiler. Lengths are compared by
//! nobody here: equal lengths may be written in different ways.

use crate::names::Name;
use crate::types::{DataType, Scalar};

use super::{Access, Fun, Kernel, Kind, Operation, Phrase, View};

/// What is wrong with a kernel; nothing, if all is well.
pub fn check(kernel: &Kernel) -> Vec<String> {
    let scope = kernel.params.iter().map(|param| (param.name.clone(), param.ty.clone())).collect();
    let mut checker = Checker { scope, written: Vec::new(), wrong: Vec::new() };
    checker.fits(&kernel.body, Access::Write);
    checker.wrong
}

struct Checker {
    scope: Vec<(Name, DataType)>,
    /// Parameters of functions that change the layout of what is written.
    written: Vec<Name>,
    wrong: Vec<String>,
}

impl Checker {
    fn expect(&mut self, holds: bool, phrase: &Phrase, what: &str) {
        if !holds {
            self.wrong.push(format!("{what}: {phrase}"));
        }
    }

    /// A phrase where this access is demanded.
    fn fits(&mut self, phrase: &Phrase, demanded: Access) {
        let assigned = phrase.access == Access::Read && phrase.ty.is_small();
        self.expect(phrase.access == demanded || assigned, phrase, "has the wrong access");
        self.phrase(phrase, demanded);
    }

    fn read(&mut self, phrase: &Phrase) {
        self.fits(phrase, Access::Read);
    }

    fn fun(&mut self, fun: &Fun, access: Access) {
        let depth = self.scope.len();
        self.scope.extend(fun.params.iter().map(|param| (param.name.clone(), param.ty.clone())));
        self.fits(&fun.body, access);
        self.scope.truncate(depth);
    }

    fn phrase(&mut self, phrase: &Phrase, demanded: Access) {
        match &phrase.kind {
            Kind::Literal(literal) => {
                self.expect(phrase.ty == DataType::Scalar(literal.scalar()), phrase, "has another type");
            }
            Kind::Nat(_) => {
                let fine = matches!(phrase.ty, DataType::Nat | DataType::Idx(_));
                self.expect(fine, phrase, "has another type");
            }
            Kind::Var(name) => self.variable(phrase, name),
            Kind::Let(param, value, body) => {
                self.read(value);
                self.expect(alike(&param.ty, &value.ty), value, "is bound at another type");
                self.scope.push((param.name.clone(), param.ty.clone()));
                self.fits(body, demanded);
                self.scope.pop();
                self.expect(alike(&phrase.ty, &body.ty), phrase, "has not the type of its body");
            }
            Kind::Scalar(op, operands) => self.scalar(phrase, op, operands),
            Kind::Select(parts) => {
                self.read(&parts[0]);
                self.expect(parts[0].ty.scalar() == Some(Scalar::Bool), &parts[0], "is no condition");
                for branch in &parts[1..] {
                    self.fits(branch, demanded);
                    self.expect(alike(&phrase.ty, &branch.ty), branch, "is a branch of another type");
                }
            }
            Kind::Tuple(parts) => {
                parts.iter().for_each(|part| self.fits(part, demanded));
                let types = DataType::Tuple(parts.iter().map(|part| part.ty.clone()).collect());
                self.expect(alike(&phrase.ty, &types), phrase, "has not the types of its parts");
            }
            Kind::Proj(position, tuple) => {
                self.read(tuple);
                let part = tuple.ty.as_tuple().and_then(|parts| parts.get(*position));
                self.expect(part.is_some_and(|part| alike(part, &phrase.ty)), phrase, "is no component");
            }
            Kind::View(view, operands) => self.view(phrase, view, operands, demanded),
            Kind::MakeArray(parts) => parts.iter().for_each(|part| self.fits(part, demanded)),
            Kind::Idx(index, array) => {
                self.read(index);
                self.read(array);
                let index_fits = matches!(index.ty, DataType::Nat | DataType::Idx(_));
                self.expect(index_fits && array.ty.as_array().is_some(), phrase, "is no element");
            }
            _ => self.pattern(phrase, demanded),
        }
    }

    fn variable(&mut self, phrase: &Phrase, name: &Name) {
        let found = self.scope.iter().rev().find(|(other, _)| other == name).map(|(_, ty)| ty.clone());
        self.expect(found.is_some(), phrase, "is not declared");
        self.expect(found.is_none_or(|ty| alike(&ty, &phrase.ty)), phrase, "has another type");
        let written = self.written.contains(name);
        self.expect((phrase.access == Access::Write) == written, phrase, "has the wrong access");
    }

    fn scalar(&mut self, phrase: &Phrase, op: &Operation, operands: &[Phrase]) {
        operands.iter().for_each(|operand| self.read(operand));
        let arity = match op {
            Operation::Unary(_) | Operation::Cast | Operation::VectorFromScalar => 1,
            Operation::Binary(_) | Operation::Compare(_) => 2,
            Operation::MulAdd | Operation::Fma => 3,
            Operation::Foreign(foreign) => foreign.params.len(),
        };
        self.expect(operands.len() == arity, phrase, "has the wrong number of operands");
        let same = matches!(op, Operation::Unary(_) | Operation::Binary(_) | Operation::MulAdd);
        let fine = !same || operands.iter().all(|operand| operand.ty == phrase.ty);
        self.expect(fine, phrase, "has operands of other types");
    }

    fn view(&mut self, phrase: &Phrase, view: &View, operands: &[Phrase], demanded: Access) {
        let arity = match view {
            View::Zip | View::Concat | View::PadCst(..) | View::Gather | View::Scatter | View::DepZip => 2,
            _ => 1,
        };
        self.expect(operands.len() == arity, phrase, "has the wrong number of operands");
        let read_only =
            matches!(view, View::Slide(..) | View::PadClamp(..) | View::Gather | View::Partition(..));
        self.expect(!(read_only && demanded == Access::Write), phrase, "cannot be written");
        self.expect(*view != View::Scatter || demanded == Access::Write, phrase, "cannot be read");
        for (position, operand) in operands.iter().enumerate() {
            let indices = *view == View::Scatter && position == 0;
            self.fits(operand, if indices { Access::Read } else { demanded });
        }
    }

    fn pattern(&mut self, phrase: &Phrase, demanded: Access) {
        match &phrase.kind {
            Kind::MapView(fun, array) if demanded == Access::Write => {
                self.written.push(fun.params[0].name.clone());
                self.fun(fun, Access::Write);
                self.written.pop();
                self.fits(array, Access::Write);
            }
            Kind::MapView(fun, array) => {
                self.fun(fun, Access::Read);
                self.read(array);
            }
            Kind::Generate(fun) => self.fun(fun, demanded),
            Kind::Map(_, fun, array)
            | Kind::DepMap(_, fun, array)
            | Kind::Iterate(_, fun, array)
            | Kind::CircularBuffer(_, _, fun, array)
            | Kind::RotateValues(_, fun, array) => {
                self.fun(fun, Access::Write);
                self.read(array);
            }
            Kind::Reduce { fun, start, array, .. }
            | Kind::ReducePar(fun, start, array)
            | Kind::Scan(fun, start, array) => {
                self.fun(fun, Access::Write);
                self.fits(start, Access::Write);
                self.read(array);
                self.expect(alike(&fun.body.ty, &start.ty), start, "starts a fold of another type");
            }
            Kind::Update(fun, operands) => {
                self.fun(fun, Access::Write);
                let [index, array] = &**operands;
                self.read(index);
                // Written where it is updated there before.
                self.fits(array, array.access);
                self.expect(alike(&array.ty, &phrase.ty), array, "is an array of another type");
            }
            Kind::ToMem(_, value) => self.fits(value, Access::Write),
            Kind::Product(_, factors) => factors.iter().for_each(|factor| self.read(factor)),
            _ => {}
        }
    }
}

/// Equality of types but for lengths.
pub(in crate::dpia) fn alike(a: &DataType, b: &DataType) -> bool {
    match (a, b) {
        (DataType::Array(_, s), DataType::Array(_, t))
        | (DataType::DepArray(_, _, s), DataType::DepArray(_, _, t)) => alike(s, t),
        (DataType::Tuple(ss), DataType::Tuple(ts)) => {
            ss.len() == ts.len() && ss.iter().zip(ts.iter()).all(|(s, t)| alike(s, t))
        }
        (DataType::Idx(_) | DataType::Nat, DataType::Idx(_) | DataType::Nat) => true,
        _ => a == b,
    }
}
