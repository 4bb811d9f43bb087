//! Memory: declaring it, its type, and reading what an acceptor writes.

use std::sync::Arc;

use crate::dpia::functional::View;
use crate::expr::{AddressSpace, NatFun, Param};
use crate::names::Name;
use crate::types::DataType;

use super::bind::project;
use super::translate::Translator;
use super::{Acc, Block, Comm, Delayed, Exp};

impl Translator {
    /// New memory, to the end of the block.
    pub(super) fn declare(
        &mut self,
        text: &str,
        ty: &DataType,
        space: AddressSpace,
        out: &mut Block,
    ) -> Name {
        let name = Name::fresh(text);
        self.memories.push((name.clone(), ty.clone()));
        out.push(Comm::New(name.clone(), ty.clone(), space));
        name
    }

    /// The type of what an acceptor takes.
    pub(super) fn acc_ty(&mut self, acc: &Acc) -> DataType {
        match acc {
            Acc::Var(name) => {
                let found = self.memories.iter().rev().find(|(other, _)| other == name);
                found.map_or_else(|| panic!("bug: {name} is no memory"), |(_, ty)| ty.clone())
            }
            Acc::Idx(index, inner) => match self.acc_ty(inner) {
                DataType::Array(_, element) => (*element).clone(),
                DataType::DepArray(_, var, element) => element.subst(&var, index),
                other => panic!("bug: an element of {other} is written"),
            },
            Acc::Proj(position, inner) => match self.acc_ty(inner) {
                DataType::Tuple(parts) => parts[*position].clone(),
                other => panic!("bug: a component of {other} is written"),
            },
            Acc::Tuple(parts) => DataType::Tuple(parts.iter().map(|part| self.acc_ty(part)).collect()),
            Acc::View { ty, .. } => ty.clone(),
            Acc::Map { param, body, acc } => match self.acc_ty(acc) {
                DataType::Array(len, element) => {
                    self.memories.push((param.clone(), (*element).clone()));
                    DataType::Array(len, Arc::new(self.acc_ty(body)))
                }
                other => panic!("bug: elements of {other} are written"),
            },
        }
    }

    /// What an acceptor has written, as something to read.
    pub(super) fn readable(&mut self, acc: &Acc) -> Option<Exp> {
        Some(match acc {
            Acc::Var(name) => Exp::Var(name.clone()),
            Acc::Idx(index, inner) => Exp::Idx(index.clone(), Arc::new(self.readable(inner)?)),
            Acc::Proj(position, inner) => project(*position, &self.readable(inner)?),
            Acc::Tuple(parts) => {
                Exp::Tuple(parts.iter().map(|part| self.readable(part)).collect::<Option<_>>()?)
            }
            Acc::View { view, operand, indices, ty, acc } => {
                let whole = (self.readable(acc)?, self.acc_ty(acc));
                return read_back(view, *operand, indices.as_deref(), ty, whole);
            }
            Acc::Map { param, body, acc } => {
                let ty =
                    self.acc_ty(&Acc::Map { param: param.clone(), body: body.clone(), acc: acc.clone() });
                let (DataType::Array(_, result), DataType::Array(_, element)) = (ty, self.acc_ty(acc)) else {
                    return None;
                };
                let param = Param { name: param.clone(), nat: None, ty: (*element).clone() };
                let (result_exp, inner) = (self.readable(body)?, self.readable(acc)?);
                let delayed =
                    Delayed { param, prelude: Block::new(), result: result_exp, ty: (*result).clone() };
                Exp::Map(Arc::new(delayed), Arc::new(inner))
            }
        })
    }
}

/// The operand of a view, of type `ty`, in what the view has become.
fn read_back(
    view: &View,
    operand: usize,
    indices: Option<&Exp>,
    ty: &DataType,
    whole: (Exp, DataType),
) -> Option<Exp> {
    let len = || ty.as_array().map(|(len, _)| len.clone());
    let inverse = match view {
        View::Split(_) => View::Join,
        View::Join => View::Split(ty.as_array()?.1.as_array()?.0.clone()),
        View::Transpose => View::Transpose,
        View::Reorder(f, g) => View::Reorder(g.clone(), f.clone()),
        View::AsVector(_) => View::AsScalar,
        View::AsScalar => match ty.as_array()?.1 {
            DataType::Vector(_, lanes) => View::AsVector(*lanes),
            _ => return None,
        },
        View::PadEmpty(_) => View::Take(len()?),
        View::Concat if operand == 0 => View::Take(len()?),
        View::Concat => View::Drop(whole.1.as_array()?.0 - len()?),
        View::Zip => {
            let unzipped = Exp::View(View::Unzip, Arc::from([whole]));
            return Some(Exp::Proj(operand, Arc::new(unzipped)));
        }
        View::Unzip => {
            let parts = whole.1.as_tuple()?.to_vec();
            let halves = parts.into_iter().enumerate().map(|(k, part)| (project(k, &whole.0), part));
            return Some(Exp::View(View::Zip, halves.collect()));
        }
        View::Scatter => {
            let bound = whole.1.as_array()?.0.clone();
            let indices_ty = DataType::array(len()?, DataType::Idx(bound));
            return Some(Exp::View(View::Gather, Arc::from([(indices?.clone(), indices_ty), whole])));
        }
        View::DepJoin => match ty {
            DataType::DepArray(parts, var, element) => {
                let body = element.as_array()?.0.clone();
                View::Partition(parts.clone(), NatFun { var: var.clone(), body })
            }
            _ => return None,
        },
        View::Slide(..)
        | View::Take(_)
        | View::Drop(_)
        | View::PadClamp(..)
        | View::PadCst(..)
        | View::Gather
        | View::Partition(..)
        | View::DepZip => return None,
    };
    Some(Exp::View(inverse, Arc::from([whole])))
}
