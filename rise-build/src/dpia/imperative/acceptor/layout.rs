//! Layouts that are written: index arithmetic on the acceptor.

use std::sync::Arc;

use crate::dpia::functional::{Fun, Kind, Phrase, View};
use crate::names::Name;
use crate::nat::Nat;
use crate::types::DataType;

use super::super::copy::element_acc;
use super::super::translate::{Translator, array};
use super::super::{Acc, Block, Exp};

impl Translator {
    pub(super) fn write_view(&mut self, view: &View, operands: &[Phrase], acc: &Acc, out: &mut Block) {
        match (view, operands) {
            (View::Zip | View::DepZip | View::Concat, [first, second]) => {
                for (k, operand) in [first, second].into_iter().enumerate() {
                    let inner = self.view_acc(view, k, &operand.ty, None, acc);
                    self.write(operand, &inner, out);
                }
            }
            (View::Scatter, [indices, operand]) => {
                let indices = self.read(indices, out);
                let inner = self.view_acc(view, 1, &operand.ty, Some(indices), acc);
                self.write(operand, &inner, out);
            }
            (View::PadCst(l, r), [value, operand]) => self.write_padded((l, r), value, operand, acc, out),
            (_, [operand]) => {
                let inner = self.view_acc(view, 0, &operand.ty, None, acc);
                self.write(operand, &inner, out);
            }
            _ => panic!("bug: {view:?} of {} operands is written", operands.len()),
        }
    }

    fn view_acc(&self, view: &View, operand: usize, ty: &DataType, indices: Option<Exp>, acc: &Acc) -> Acc {
        let (view, ty) = (self.view(view), self.ty(ty));
        Acc::View { view, operand, indices: indices.map(Arc::new), ty, acc: Arc::new(acc.clone()) }
    }

    /// The array in the middle, the value before and behind it.
    fn write_padded(
        &mut self,
        (l, r): (&Nat, &Nat),
        value: &Phrase,
        operand: &Phrase,
        acc: &Acc,
        out: &mut Block,
    ) {
        let (l, r, ty) = (self.nat(l), self.nat(r), self.ty(&operand.ty));
        let (len, element) = array(&ty);
        let behind = Self::concat_acc(1, len + &r, element, acc);
        let middle = Self::concat_acc(0, len.clone(), element, &behind);
        let right = Self::concat_acc(1, r.clone(), element, &behind);
        self.write_repeated(&l, value, &Self::concat_acc(0, l.clone(), element, acc), out);
        self.write(operand, &middle, out);
        self.write_repeated(&r, value, &right, out);
    }

    fn write_repeated(&mut self, count: &Nat, value: &Phrase, acc: &Acc, out: &mut Block) {
        if !count.is_zero() {
            self.each_seq(count.clone(), out, |this, i, out| this.write(value, &element_acc(i, acc), out));
        }
    }

    /// The first or second part of something that is written in two parts.
    fn concat_acc(operand: usize, len: Nat, element: &DataType, acc: &Acc) -> Acc {
        let ty = DataType::array(len, element.clone());
        Acc::View { view: View::Concat, operand, indices: None, ty, acc: Arc::new(acc.clone()) }
    }

    pub(super) fn write_array(&mut self, parts: &[Phrase], acc: &Acc, out: &mut Block) {
        for (k, part) in parts.iter().enumerate() {
            self.write(part, &element_acc(Nat::from(k), acc), out);
        }
    }

    /// `map` of a function that only changes the layout of the elements that `array` writes.
    pub(super) fn write_map_view(&mut self, fun: &Fun, array: &Phrase, acc: &Acc, out: &mut Block) {
        let inner = self.map_acc(fun, acc, out);
        self.write(array, &inner, out);
    }

    /// `mapAcc`
    fn map_acc(&mut self, fun: &Fun, acc: &Acc, out: &mut Block) -> Acc {
        let param = Name::fresh(fun.params[0].name.text());
        let element = Acc::Var(param.clone());
        let body = self.through(&fun.body, element, out);
        Acc::Map { param, body: Arc::new(body), acc: Arc::new(acc.clone()) }
    }

    /// Where the parameter of a layout function goes if its result goes to `acc`.
    fn through(&mut self, body: &Phrase, acc: Acc, out: &mut Block) -> Acc {
        match &body.kind {
            Kind::Var(_) => acc,
            Kind::MapView(fun, array) => {
                let inner = self.map_acc(fun, &acc, out);
                self.through(array, inner, out)
            }
            Kind::View(View::Scatter, operands) => {
                let indices = self.read(&operands[0], out);
                let inner = self.view_acc(&View::Scatter, 1, &operands[1].ty, Some(indices), &acc);
                self.through(&operands[1], inner, out)
            }
            Kind::View(view, operands) => {
                let inner = self.view_acc(view, 0, &operands[0].ty, None, &acc);
                self.through(&operands[0], inner, out)
            }
            other => panic!("bug: {other:?} is no layout"),
        }
    }
}
