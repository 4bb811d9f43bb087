//! Repeated application with two buffers: each step reads what the one before has written.
//!
//! The first step reads the input and the last one writes the result, where the number of steps is known.

use std::sync::Arc;

use crate::dpia::functional::{Fun, Kind, LoopForm, Operation, Phrase, View};
use crate::expr::{AddressSpace, Compare, step_factor};
use crate::names::Name;
use crate::nat::Nat;
use crate::types::{DataType, Scalar};

use super::translate::{Translator, array};
use super::{Acc, Block, Comm, Exp};

/// The lengths of an iteration.
struct Steps<'a> {
    fun: &'a Fun,
    /// How many.
    times: Nat,
    /// How much longer the input of a step is than its output.
    factor: Nat,
    /// Length of the result.
    last: Nat,
    element: DataType,
}

impl Steps<'_> {
    /// The length before step `step`, which is the one after step `step - 1`.
    fn before(&self, step: &Nat) -> Nat {
        &self.last * self.factor.pow(&(&self.times - step))
    }

    fn ty(&self, len: Nat) -> DataType {
        DataType::array(len, self.element.clone())
    }

    /// Where the buffers lie: whoever shares in a step sees what the others have written.
    fn space(&self) -> AddressSpace {
        let runs = |phrase: &Phrase, fits: fn(LoopForm) -> bool| matches!(&phrase.kind, Kind::Map(form, ..) | Kind::DepMap(form, ..) if fits(*form));
        let any = |fits: fn(LoopForm) -> bool| self.fun.body.any(&|phrase| runs(phrase, fits));
        if any(|form| matches!(form, LoopForm::Global(_) | LoopForm::WorkGroup(_))) {
            AddressSpace::Global
        } else if any(|form| matches!(form, LoopForm::Local(_))) {
            AddressSpace::Local
        } else {
            AddressSpace::Default
        }
    }
}

impl Translator {
    /// `fun` applied `times` times.
    pub(super) fn write_iterate(
        &mut self,
        (times, result): (&Nat, &DataType),
        fun: &Fun,
        input: &Phrase,
        acc: &Acc,
        out: &mut Block,
    ) {
        let result = self.ty(result);
        let (last, element) = array(&result);
        let [Some((longer, _))] = [fun.params[0].ty.as_array()] else { panic!("bug: a step takes an array") };
        let factor = self.nat(&step_factor(&fun.nats, longer));
        let steps =
            Steps { fun, times: self.nat(times), factor, last: last.clone(), element: element.clone() };
        let exp = self.read(input, out);
        match steps.times.as_const() {
            Some(0) => self.copy(&result, acc, exp, out),
            Some(1) => self.iteration(&steps, &Nat::lit(0), exp, acc, out),
            Some(_) if steps.factor.is_one() => self.iterate_in_output(&steps, exp, acc, out),
            Some(times) => self.iterate_known(&steps, times, exp, acc, out),
            None => self.iterate_symbolic(&steps, exp, acc, out),
        }
    }

    /// Step `step` from `exp`, which begins with its input, to `acc`, which takes its output.
    fn iteration(&mut self, steps: &Steps, step: &Nat, exp: Exp, acc: &Acc, out: &mut Block) {
        let mark = self.mark();
        let length = steps.before(&(step + 1));
        self.apply(steps.fun, &[length], vec![exp], out);
        self.write(&steps.fun.body, acc, out);
        self.release(mark);
    }

    /// Two or more steps.
    fn iterate_known(&mut self, steps: &Steps, times: i64, exp: Exp, acc: &Acc, out: &mut Block) {
        let ty = steps.ty(steps.before(&Nat::lit(1)));
        let current = self.declare("buffer", &ty, steps.space(), out);
        self.iteration(steps, &Nat::lit(0), exp, &Acc::Var(current.clone()), out);
        if times > 2 {
            let next = self.declare("next", &ty, steps.space(), out);
            self.middle(steps, &Nat::lit(1), (&current, &next, &ty), out);
        }
        let last = &steps.times - 1;
        self.iteration(steps, &last, prefix(&current, &ty, steps.before(&last)), acc, out);
    }

    /// Steps from `first` up to the last but one.
    fn middle(
        &mut self,
        steps: &Steps,
        first: &Nat,
        (current, next, ty): (&Name, &Name, &DataType),
        out: &mut Block,
    ) {
        self.each_seq(&steps.times - 1 - first, out, |this, i, out| {
            let step = &i + first;
            let input = prefix(current, ty, steps.before(&step));
            let len = steps.before(&(&step + 1));
            let acc = prefix_acc(next, ty, &steps.ty(len));
            this.iteration(steps, &step, input, &acc, out);
            out.push(Comm::Swap(current.clone(), next.clone()));
        });
    }

    /// Any number of steps.
    fn iterate_symbolic(&mut self, steps: &Steps, exp: Exp, acc: &Acc, out: &mut Block) {
        let ty = steps.ty(steps.before(&Nat::lit(0)));
        let none = (Exp::Nat(steps.times.clone()), DataType::Nat);
        let zero = (Exp::Nat(Nat::lit(0)), DataType::Nat);
        let operation = Operation::Compare(Compare::Eq);
        let condition = Exp::Scalar(operation, DataType::Scalar(Scalar::Bool), Arc::from([none, zero]));
        let (mut untouched, mut stepped) = (Block::new(), Block::new());
        self.copy(&steps.ty(steps.last.clone()), acc, exp.clone(), &mut untouched);
        let current = self.declare("buffer", &ty, steps.space(), &mut stepped);
        let next = self.declare("next", &ty, steps.space(), &mut stepped);
        self.copy(&ty, &Acc::Var(current.clone()), exp, &mut stepped);
        self.middle(steps, &Nat::lit(0), (&current, &next, &ty), &mut stepped);
        let last = &steps.times - 1;
        let input = prefix(&current, &ty, steps.before(&last));
        self.iteration(steps, &last, input, acc, &mut stepped);
        out.push(Comm::If(condition, untouched, stepped));
    }

    /// Two or more steps that keep the length: the output is one of the two buffers.
    fn iterate_in_output(&mut self, steps: &Steps, exp: Exp, acc: &Acc, out: &mut Block) {
        let (Some(times), Some(output)) = (steps.times.as_const(), self.readable(acc)) else {
            let times = steps.times.as_const().unwrap_or(2);
            return self.iterate_known(steps, times, exp, acc, out);
        };
        let ty = steps.ty(steps.last.clone());
        let tmp = self.declare("buffer", &ty, steps.space(), out);
        let zero = Nat::lit(0);
        let (tmp_acc, tmp_exp) = (Acc::Var(tmp.clone()), Exp::Var(tmp));
        if times % 2 == 0 {
            self.iteration(steps, &zero, exp, &tmp_acc, out);
            self.iteration(steps, &zero, tmp_exp.clone(), acc, out);
        } else {
            self.iteration(steps, &zero, exp, acc, out);
        }
        let pairs = (times - 1) / 2;
        if pairs > 0 {
            self.each_seq(Nat::lit(pairs), out, |this, _, out| {
                this.iteration(steps, &zero, output, &tmp_acc, out);
                this.iteration(steps, &zero, tmp_exp, acc, out);
            });
        }
    }
}

/// The first elements of a memory.
fn prefix(memory: &Name, ty: &DataType, len: Nat) -> Exp {
    let whole = Exp::Var(memory.clone());
    match ty.as_array() {
        Some((all, _)) if *all == len => whole,
        _ => Exp::View(View::Take(len), Arc::from([(whole, ty.clone())])),
    }
}

/// Where the first elements of a memory go.
fn prefix_acc(memory: &Name, whole: &DataType, ty: &DataType) -> Acc {
    let acc = Acc::Var(memory.clone());
    if whole == ty {
        return acc;
    }
    let rest = array(whole).0 - array(ty).0;
    Acc::View { view: View::PadEmpty(rest), operand: 0, indices: None, ty: ty.clone(), acc: Arc::new(acc) }
}
