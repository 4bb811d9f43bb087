//! The continuation translation (RISE & Shine, listing 9): something to read, and what has to run before.

mod choice;
mod pattern;

use std::sync::Arc;

use crate::dpia::functional::{Kind, Operation, Phrase, View};
use crate::types::DataType;

use super::bind::project;
use super::translate::Translator;
use super::{Block, Exp};

impl Translator {
    /// Appends the computation of a phrase that is read, and says how to read its value.
    pub(super) fn read(&mut self, phrase: &Phrase, out: &mut Block) -> Exp {
        match &phrase.kind {
            Kind::Var(name) => self.lookup(name),
            Kind::Literal(literal) => Exp::Literal(*literal),
            Kind::Nat(nat) => Exp::Nat(self.nat(nat)),
            Kind::Let(param, value, body) => {
                let value = self.read(value, out);
                self.bind(param, value, body, out);
                self.read(body, out)
            }
            Kind::Scalar(operation, operands) => self.read_scalar(operation, operands, &phrase.ty, out),
            Kind::Select(parts) => self.read_select(parts, out),
            Kind::Tuple(parts) => Exp::Tuple(parts.iter().map(|part| self.read(part, out)).collect()),
            Kind::Proj(position, tuple) => project(*position, &self.read(tuple, out)),
            Kind::View(view, operands) => self.read_view(view, operands, out),
            Kind::MakeArray(parts) => Exp::MakeArray(parts.iter().map(|part| self.read(part, out)).collect()),
            Kind::Idx(index, array) => {
                let index = self.read(index, out);
                let index = Self::as_nat(index, "index", out);
                Exp::Idx(index, Arc::new(self.read(array, out)))
            }
            Kind::MapView(fun, array) => {
                let array = self.read(array, out);
                Exp::Map(self.delay(fun), Arc::new(array))
            }
            Kind::Generate(fun) => Exp::Generate(self.delay(fun)),
            Kind::ToMem(space, value) => self.read_to_mem(*space, value, out),
            Kind::Reduce { form, space, fun, start, array } => {
                Self::comment(phrase, "reduceSeq", out);
                self.read_reduce((*form, *space), fun, start, array, out)
            }
            Kind::ReducePar(fun, start, array) => {
                Self::comment(phrase, "reducePar", out);
                self.read_reduce_par(fun, start, array, out)
            }
            Kind::Map(_, fun, array) => {
                // Only streams are read: each element when the consumer asks.
                let array = self.read(array, out);
                Exp::Map(self.delay_written(fun), Arc::new(array))
            }
            Kind::CircularBuffer(_, size, fun, array) | Kind::RotateValues(size, fun, array) => {
                self.read_loaded(phrase, size, fun, array, out)
            }
            Kind::DepMap(..) | Kind::Scan(..) | Kind::Iterate(..) | Kind::Update(..) | Kind::Product(..) => {
                panic!("bug: {:?} is read without memory", phrase.kind)
            }
        }
    }

    fn read_scalar(
        &mut self,
        operation: &Operation,
        operands: &[Phrase],
        ty: &DataType,
        out: &mut Block,
    ) -> Exp {
        let read = operands.iter().map(|operand| {
            let exp = self.read(operand, out);
            (exp, self.ty(&operand.ty))
        });
        let read: Arc<[(Exp, DataType)]> = read.collect();
        match (operation, &read[..], ty) {
            (Operation::Cast, [(exp, DataType::Nat | DataType::Idx(_))], DataType::Nat) => exp.clone(),
            _ => Exp::Scalar(operation.clone(), self.ty(ty), read),
        }
    }

    fn read_view(&mut self, view: &View, operands: &[Phrase], out: &mut Block) -> Exp {
        let read = operands.iter().map(|operand| {
            let exp = self.read(operand, out);
            let ty = self.ty(&operand.ty);
            (Self::hoist_fill(view, exp, &ty, out), ty)
        });
        let read: Arc<[(Exp, DataType)]> = read.collect();
        match self.view(view) {
            View::Unzip => unzip(&read),
            view => Exp::View(view, read),
        }
    }

    /// A view in variables of the commands.
    pub(super) fn view(&self, view: &View) -> View {
        view.map_nats(&|nat| self.nat(nat))
    }
}

/// `unzip(zip(a, b))` is `(a, b)`.
fn unzip(read: &Arc<[(Exp, DataType)]>) -> Exp {
    match &read[..] {
        [(Exp::View(View::Zip, halves), _)] => {
            Exp::Tuple(halves.iter().map(|(half, _)| half.clone()).collect())
        }
        _ => Exp::View(View::Unzip, read.clone()),
    }
}
