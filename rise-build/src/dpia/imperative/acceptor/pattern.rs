//! Patterns that are written: loops.

use std::sync::Arc;

use crate::dpia::functional::{Access, Fun, LoopForm, Phrase};
use crate::dpia::notation::{dep_map_name, map_name};
use crate::expr::AddressSpace;
use crate::nat::Nat;
use crate::types::DataType;

use super::super::alias::{is_identity, is_same_place};
use super::super::copy::element_acc;
use super::super::in_place::{is_in_place, replaces};
use super::super::stream::{Source, count};
use super::super::translate::Translator;
use super::super::{Acc, Block, Exp};

impl Translator {
    pub(super) fn write_map(
        &mut self,
        phrase: &Phrase,
        form: LoopForm,
        fun: &Fun,
        array: &Phrase,
        acc: &Acc,
        out: &mut Block,
    ) {
        let comment = out.len();
        Self::comment(phrase, &map_name(form), out);
        let source = self.source(array, form, out);
        if is_identity(fun) && self.is_at(&source, acc) {
            out.remove(comment);
            return;
        }
        let form = if form == LoopForm::Stream { LoopForm::Seq } else { form };
        let len = count(&self.ty(&array.ty));
        self.each(form, len, out, |this, i, out| {
            let element = this.next(&source, &i, out);
            this.apply(fun, &[], vec![element], out);
            this.write(&fun.body, &element_acc(i, acc), out);
            this.finish(&source, out);
        });
    }

    /// Whether an array lies where it is to be written.
    fn is_at(&mut self, source: &Source, acc: &Acc) -> bool {
        match source {
            Source::Array(exp) => self.readable(acc).is_some_and(|there| is_same_place(exp, &there)),
            _ => false,
        }
    }

    pub(super) fn write_dep_map(
        &mut self,
        phrase: &Phrase,
        form: LoopForm,
        fun: &Fun,
        array: &Phrase,
        acc: &Acc,
        out: &mut Block,
    ) {
        Self::comment(phrase, dep_map_name(form), out);
        let exp = Arc::new(self.read(array, out));
        let DataType::DepArray(len, ..) = self.ty(&array.ty) else {
            panic!("bug: depMap over {}", array.ty);
        };
        self.each(form, len, out, |this, i, out| {
            let element = Exp::Idx(i.clone(), exp);
            this.apply(fun, std::slice::from_ref(&i), vec![element], out);
            this.write(&fun.body, &element_acc(i, acc), out);
        });
    }

    /// All elements, unless they lie there, then the one. What it takes is read before others are updated, but for its
    /// own old value.
    pub(super) fn write_update(
        &mut self,
        phrase: &Phrase,
        fun: &Fun,
        [index, array]: &[Phrase; 2],
        acc: &Acc,
        out: &mut Block,
    ) {
        Self::comment(phrase, "update", out);
        let index = self.read(index, out);
        let index = Self::as_nat(index, "index", out);
        if array.access == Access::Write {
            return self.write_updates(fun, index, array, acc, out);
        }
        let exp = self.read(array, out);
        if !self.readable(acc).is_some_and(|there| is_same_place(&exp, &there)) {
            let ty = self.ty(&phrase.ty);
            self.copy(&ty, acc, exp.clone(), out);
        }
        self.apply(fun, &[], vec![Exp::Idx(index.clone(), Arc::new(exp))], out);
        self.write(&fun.body, &element_acc(index, acc), out);
    }

    /// One element after others.
    fn write_updates(&mut self, fun: &Fun, index: Nat, array: &Phrase, acc: &Acc, out: &mut Block) {
        let (ty, element_ty) = (self.ty(&array.ty), self.ty(&fun.body.ty));
        let value = replaces(fun).then(|| {
            let value = self.read(&fun.body, out);
            Self::computed(&element_ty, value, out)
        });
        let all = match self.readable(acc) {
            Some(there) => {
                self.write(array, acc, out);
                there
            }
            None => {
                let updated = self.declare("updated", &ty, AddressSpace::Default, out);
                self.write(array, &Acc::Var(updated.clone()), out);
                self.copy(&ty, acc, Exp::Var(updated.clone()), out);
                Exp::Var(updated)
            }
        };
        let element = element_acc(index.clone(), acc);
        match value {
            Some(value) => Self::assign(&element_ty, &element, value, out),
            None => {
                self.apply(fun, &[], vec![Exp::Idx(index, Arc::new(all))], out);
                // The old value lies where the new one goes.
                if element_ty.is_small() || is_in_place(fun) {
                    return self.write(&fun.body, &element, out);
                }
                let new = self.declare("new", &element_ty, AddressSpace::Default, out);
                self.write(&fun.body, &Acc::Var(new.clone()), out);
                self.copy(&element_ty, &element, Exp::Var(new), out);
            }
        }
    }

    /// `generate` as a loop.
    pub(super) fn write_generate(&mut self, phrase: &Phrase, fun: &Fun, acc: &Acc, out: &mut Block) {
        Self::comment(phrase, "generate", out);
        let len = count(&self.ty(&phrase.ty));
        self.each(LoopForm::Seq, len, out, |this, i, out| {
            this.apply(fun, &[], vec![Exp::Nat(i.clone())], out);
            this.write(&fun.body, &element_acc(i, acc), out);
        });
    }
}
