//! The path rules: what a view does to the path of a read or write, one file for each family.

mod dependent;
mod indexed;
mod layout;
mod pad;
mod vector;

use crate::dpia::imperative::{Acc, Exp, View};
use crate::nat::Nat;
use crate::types::DataType;

use super::super::ir::*;
use super::env::Env;
use super::{Lowering, Path, Small, Step, bug};

impl Lowering {
    /// Reads a view at a path.
    pub(super) fn view(
        &mut self,
        view: &View,
        operands: &[(Exp, DataType)],
        env: &Env,
        mut path: Path,
        out: &mut Block,
    ) -> Small {
        let ty = |position: usize| env.ty(&operands[position].1);
        match view {
            View::Zip | View::DepZip => {
                let position = layout::zip(&mut path);
                self.read(&operands[position].0, env, path, out)
            }
            View::PadClamp(left, _) => {
                self.pad_clamp(&env.nat(left), (&operands[0].0, &ty(0)), env, path, out)
            }
            View::PadCst(left, right) => {
                let edges = (env.nat(left), env.nat(right));
                self.pad_constant(edges, &operands[0].0, (&operands[1].0, &ty(1)), env, path, out)
            }
            View::PadEmpty(_) => self.pad_empty((&operands[0].0, &ty(0)), env, path, out),
            View::Concat => self.concat(&operands[0].0, &operands[1].0, &ty(0), env, path, out),
            View::Gather => self.gather(&operands[0], &operands[1].0, env, path, out),
            View::Scatter => bug(format_args!("a scatter is read")),
            View::AsVector(lanes) => self.as_vector(*lanes, &operands[0].0, env, path, out),
            View::AsScalar => {
                vector::as_scalar(&mut path, &ty(0));
                self.read(&operands[0].0, env, path, out)
            }
            View::DepJoin => self.dep_join(&operands[0].0, &ty(0), env, path, out),
            _ => {
                layout::read(view, &ty(0), env, &mut path);
                self.read(&operands[0].0, env, path, out)
            }
        }
    }

    /// The path in a view's result for a path in the operand that is written, and a condition without which
    /// nothing is written.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn view_target(
        &mut self,
        view: &View,
        operand: usize,
        indices: Option<&Exp>,
        ty: &DataType,
        acc: &Acc,
        env: &Env,
        mut path: Path,
        out: &mut Block,
    ) -> (Option<Value>, Path) {
        let guard = match view {
            View::Zip | View::DepZip => {
                let index = pop_index(&mut path);
                path.extend([Step::Proj(operand), Step::Index(index)]);
                None
            }
            View::Concat => {
                self.concat_target(operand, ty, acc, env, &mut path);
                None
            }
            View::Take(n) => self.take_target(&env.nat(n), &path),
            View::Drop(n) => self.drop_target(&env.nat(n), &mut path),
            View::Gather | View::Scatter => {
                let Some(indices) = indices else { bug(format_args!("a scatter without indices")) };
                self.scatter_target(indices, env, &mut path, out);
                None
            }
            View::AsVector(lanes) => {
                let index = pop_index(&mut path);
                let lanes = Nat::from(*lanes);
                path.extend([Step::Lane(index.rem(&lanes)), Step::Index(index.div(&lanes))]);
                None
            }
            View::AsScalar => {
                vector::as_vector_lane(&mut path, ty);
                None
            }
            View::Partition(parts, lengths) => {
                self.partition_target(&env.nat(parts), lengths, env, &mut path, out);
                None
            }
            View::PadEmpty(_) => None,
            View::Slide(..) | View::PadClamp(..) | View::PadCst(..) => {
                bug(format_args!("{view:?} is written"))
            }
            View::Unzip
            | View::Split(_)
            | View::Join
            | View::Transpose
            | View::Reorder(..)
            | View::DepJoin => {
                layout::write(view, ty, env, &mut path);
                None
            }
        };
        (guard, path)
    }
}

/// Takes the next step of a path, which is an index.
fn pop_index(path: &mut Path) -> Nat {
    match path.pop() {
        Some(Step::Index(index)) => index,
        step => bug(format_args!("{step:?} of an array")),
    }
}

fn array_len(ty: &DataType) -> Nat {
    match ty {
        DataType::Array(len, _) | DataType::DepArray(len, _, _) => len.clone(),
        other => bug(format_args!("{other} is no array")),
    }
}
