//! Patterns that are read: folds, memory, streams in places where nobody pulls.

use std::sync::Arc;

use crate::dpia::functional::{Fun, LoopForm, Phrase, View};
use crate::expr::{AddressSpace, Param};
use crate::nat::Nat;
use crate::types::DataType;

use super::super::translate::{Translator, array};
use super::super::{Acc, Block, Delayed, Exp};

impl Translator {
    /// Memory for the value; a register if it is small.
    pub(super) fn read_to_mem(&mut self, space: AddressSpace, value: &Phrase, out: &mut Block) -> Exp {
        let ty = self.ty(&value.ty);
        let private = matches!(space, AddressSpace::Default | AddressSpace::Private);
        if ty.is_small() && private {
            let exp = self.read(value, out);
            return Self::shared(exp, &ty, "tmp", out);
        }
        let tmp = self.declare("tmp", &ty, space, out);
        self.write(value, &Acc::Var(tmp.clone()), out);
        Exp::Var(tmp)
    }

    /// A function whose result is written, at each access.
    pub(super) fn delay_written(&mut self, fun: &Fun) -> Arc<Delayed> {
        let [inner] = fun.params.as_slice() else { panic!("bug: a map has a function of one value") };
        let param = Param::fresh(inner.name.text(), self.ty(&inner.ty));
        let mark = self.mark();
        let mut prelude = Block::new();
        let value = match &param.nat {
            Some(var) => Exp::Nat(Nat::var(var)),
            None => Exp::Var(param.name.clone()),
        };
        let (result, ty) = self.applied(fun, value, &mut prelude);
        self.release(mark);
        Arc::new(Delayed { param, prelude, result, ty })
    }

    /// The value of a function whose body is written, in memory of its own if it is no small value.
    pub(in super::super) fn applied(&mut self, fun: &Fun, arg: Exp, out: &mut Block) -> (Exp, DataType) {
        self.apply(fun, &[], vec![arg], out);
        let ty = self.ty(&fun.body.ty);
        let exp = self.read_to_mem(AddressSpace::Default, &fun.body, out);
        (exp, ty)
    }

    /// Windows over loaded elements, all of them in memory.
    pub(super) fn read_loaded(
        &mut self,
        phrase: &Phrase,
        size: &Nat,
        fun: &Fun,
        loaded: &Phrase,
        out: &mut Block,
    ) -> Exp {
        Self::comment(phrase, "load", out);
        let exp = self.read(loaded, out);
        let loaded_ty = self.ty(&loaded.ty);
        let len = array(&loaded_ty).0.clone();
        let ty = DataType::array(len.clone(), self.ty(&fun.body.ty));
        let tmp = self.declare("loaded", &ty, AddressSpace::Default, out);
        let acc = Acc::Var(tmp.clone());
        self.each(LoopForm::Seq, len, out, |this, i, out| {
            this.apply(fun, &[], vec![Exp::Idx(i.clone(), Arc::new(exp))], out);
            this.write(&fun.body, &Acc::Idx(i, Arc::new(acc)), out);
        });
        Exp::View(View::Slide(self.nat(size), Nat::lit(1)), Arc::from([(Exp::Var(tmp), ty)]))
    }
}
