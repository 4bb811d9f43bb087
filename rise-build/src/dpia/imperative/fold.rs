//! Folds: where the accumulator lies, and how a step replaces it.

use crate::dpia::functional::{Fun, LoopForm, Phrase};
use crate::expr::AddressSpace;
use crate::names::Name;
use crate::nat::Nat;
use crate::types::DataType;

use super::in_place::is_in_place;
use super::stream::{Source, count};
use super::translate::Translator;
use super::{Acc, Block, Comm, Exp};

/// Memory that holds the start of a fold.
pub(super) enum Accumulator {
    /// One memory; a step reads what it overwrites, and nothing else of it.
    Single(Acc, Exp),
    /// A step reads the first and writes the second; then they change places.
    Double(Name, Name),
}

/// Elements of one chunk of a parallel fold.
const CHUNK: i64 = 4096;
/// The same, if elements are arrays.
const ARRAYS: i64 = 64;

impl Accumulator {
    /// What can be read after the last step.
    pub(super) fn result(&self) -> Exp {
        match self {
            Accumulator::Single(_, exp) => exp.clone(),
            Accumulator::Double(current, _) => Exp::Var(current.clone()),
        }
    }
}

impl Translator {
    /// Memory for a fold with this step, holding `start`. Small values lie in a register.
    pub(super) fn accumulator(
        &mut self,
        space: AddressSpace,
        fun: &Fun,
        start: &Phrase,
        out: &mut Block,
    ) -> Accumulator {
        let accumulator = self.empty_accumulator(space, fun, out);
        match &accumulator {
            Accumulator::Single(acc, _) => self.write(start, acc, out),
            Accumulator::Double(current, _) => self.write(start, &Acc::Var(current.clone()), out),
        }
        accumulator
    }

    fn empty_accumulator(&mut self, space: AddressSpace, fun: &Fun, out: &mut Block) -> Accumulator {
        let ty = self.ty(&fun.body.ty);
        let space = if ty.is_small() { AddressSpace::Private } else { space };
        let first = self.declare("accum", &ty, space, out);
        if ty.is_small() || is_in_place(fun) {
            return Accumulator::Single(Acc::Var(first.clone()), Exp::Var(first));
        }
        let second = self.declare("next", &ty, space, out);
        Accumulator::Double(first, second)
    }

    /// All steps.
    pub(super) fn fold(
        &mut self,
        form: LoopForm,
        fun: &Fun,
        (len, source): (&Nat, &Source),
        accumulator: &Accumulator,
        out: &mut Block,
    ) {
        self.each(form, len.clone(), out, |this, i, out| {
            let element = this.next(source, &i, out);
            this.step(fun, element, accumulator, out);
            this.finish(source, out);
        });
    }

    /// One step.
    pub(super) fn step(&mut self, fun: &Fun, element: Exp, accumulator: &Accumulator, out: &mut Block) {
        self.apply(fun, &[], vec![accumulator.result(), element], out);
        match accumulator {
            Accumulator::Single(acc, _) => self.write_step(&fun.body, acc, out),
            Accumulator::Double(current, next) => {
                self.write(&fun.body, &Acc::Var(next.clone()), out);
                out.push(Comm::Swap(current.clone(), next.clone()));
            }
        }
    }

    /// A fold whose result is read.
    pub(super) fn read_reduce(
        &mut self,
        (form, space): (LoopForm, AddressSpace),
        fun: &Fun,
        start: &Phrase,
        array: &Phrase,
        out: &mut Block,
    ) -> Exp {
        let len = count(&self.ty(&array.ty));
        let source = self.source(array, form, out);
        let accumulator = self.accumulator(space, fun, start, out);
        self.fold(form, fun, (&len, &source), &accumulator, out);
        accumulator.result()
    }

    /// A fold of arrays whose result goes to `acc`, which serves as accumulator where a step allows it.
    pub(super) fn write_reduce(
        &mut self,
        (form, space): (LoopForm, AddressSpace),
        fun: &Fun,
        start: &Phrase,
        array: &Phrase,
        acc: &Acc,
        out: &mut Block,
    ) {
        let readable = if is_in_place(fun) { self.readable(acc) } else { None };
        let Some(exp) = readable else {
            let ty = self.ty(&fun.body.ty);
            let exp = self.read_reduce((form, space), fun, start, array, out);
            return self.copy(&ty, acc, exp, out);
        };
        let len = count(&self.ty(&array.ty));
        let source = self.source(array, form, out);
        self.write(start, acc, out);
        let accumulator = Accumulator::Single(acc.clone(), exp);
        self.fold(form, fun, (&len, &source), &accumulator, out);
    }

    /// Chunks of fixed size in parallel, each from its first element on; then the chunks' results from the
    /// start on. The grouping depends on the length alone.
    pub(super) fn read_reduce_par(
        &mut self,
        fun: &Fun,
        start: &Phrase,
        array: &Phrase,
        out: &mut Block,
    ) -> Exp {
        let len = count(&self.ty(&array.ty));
        let ty = self.ty(&fun.body.ty);
        let exp = self.read(array, out);
        let size = Nat::lit(if ty.is_small() { CHUNK } else { ARRAYS });
        let chunks = len.ceil_div(&size);
        let partial_ty = DataType::array(chunks.clone(), ty.clone());
        let partials = self.declare("partials", &partial_ty, AddressSpace::Default, out);
        self.each(LoopForm::Par, chunks.clone(), out, |this, chunk, out| {
            let first = &chunk * &size;
            let accumulator = this.empty_accumulator(AddressSpace::Default, fun, out);
            this.copy_into(&accumulator, &ty, element(&first, &exp), out);
            let rest = Nat::min(&size, &(&len - &first)) - 1;
            this.each_seq(rest, out, |this, i, out| {
                this.step(fun, element(&(&first + 1 + &i), &exp), &accumulator, out);
            });
            let partial = super::copy::element_acc(chunk, &Acc::Var(partials.clone()));
            this.copy(&ty, &partial, accumulator.result(), out);
        });
        let accumulator = self.accumulator(AddressSpace::Default, fun, start, out);
        self.each_seq(chunks, out, |this, chunk, out| {
            this.step(fun, element(&chunk, &Exp::Var(partials)), &accumulator, out);
        });
        accumulator.result()
    }

    fn copy_into(&mut self, accumulator: &Accumulator, ty: &DataType, exp: Exp, out: &mut Block) {
        match accumulator {
            Accumulator::Single(acc, _) => self.copy(ty, acc, exp, out),
            Accumulator::Double(current, _) => self.copy(ty, &Acc::Var(current.clone()), exp, out),
        }
    }

    /// Every prefix: the accumulator is written out after each step.
    pub(super) fn write_scan(
        &mut self,
        fun: &Fun,
        start: &Phrase,
        array: &Phrase,
        acc: &Acc,
        out: &mut Block,
    ) {
        let len = count(&self.ty(&array.ty));
        let ty = self.ty(&fun.body.ty);
        let source = self.source(array, LoopForm::Seq, out);
        let accumulator = self.accumulator(AddressSpace::Default, fun, start, out);
        self.each_seq(len, out, |this, i, out| {
            let element = this.next(&source, &i, out);
            this.step(fun, element, &accumulator, out);
            this.finish(&source, out);
            this.copy(&ty, &super::copy::element_acc(i, acc), accumulator.result(), out);
        });
    }
}

fn element(index: &Nat, array: &Exp) -> Exp {
    Exp::Idx(index.clone(), std::sync::Arc::new(array.clone()))
}
