//! Copies that the translation itself needs: into accumulators, between buffers.

use std::sync::Arc;

use crate::names::Name;
use crate::nat::Nat;
use crate::types::DataType;

use super::bind::project;
use super::cost::is_atomic;
use super::translate::Translator;
use super::{Acc, Block, Comm, Exp};

impl Translator {
    /// Writes a value of any type, arrays element by element.
    pub(super) fn copy(&mut self, ty: &DataType, acc: &Acc, exp: Exp, out: &mut Block) {
        match ty {
            _ if ty.is_small() => Self::assign(ty, acc, exp, out),
            DataType::Array(len, element) => self.each_seq(len.clone(), out, |this, i, out| {
                let element_exp = Exp::Idx(i.clone(), Arc::new(exp));
                this.copy(element, &element_acc(i, acc), element_exp, out);
            }),
            DataType::DepArray(len, var, element) => self.each_seq(len.clone(), out, |this, i, out| {
                let element = element.subst(var, &i);
                let element_exp = Exp::Idx(i.clone(), Arc::new(exp));
                this.copy(&element, &element_acc(i, acc), element_exp, out);
            }),
            DataType::Tuple(parts) => {
                for (k, part) in parts.iter().enumerate() {
                    self.copy(part, &component_acc(k, acc), project(k, &exp), out);
                }
            }
            _ => Self::assign(ty, acc, exp, out),
        }
    }

    /// Writes a small value. A tuple is complete before its first component is overwritten.
    pub(super) fn assign(ty: &DataType, acc: &Acc, exp: Exp, out: &mut Block) {
        let exp = match ty {
            DataType::Tuple(_) => Self::computed(ty, exp, out),
            _ => exp,
        };
        out.push(Comm::Assign(acc.clone(), exp));
    }

    /// A small value, computed here.
    pub(super) fn computed(ty: &DataType, exp: Exp, out: &mut Block) -> Exp {
        if is_atomic(&exp) {
            return exp;
        }
        let name = Name::fresh("value");
        out.push(Comm::Let(name.clone(), ty.clone(), exp));
        Exp::Var(name)
    }
}

/// Where an element goes.
pub(super) fn element_acc(index: Nat, acc: &Acc) -> Acc {
    Acc::Idx(index, Arc::new(acc.clone()))
}

/// Where a component goes.
pub(super) fn component_acc(position: usize, acc: &Acc) -> Acc {
    match acc {
        Acc::Tuple(parts) => parts[position].clone(),
        acc => Acc::Proj(position, Arc::new(acc.clone())),
    }
}
