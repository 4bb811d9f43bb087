//! Views that rearrange indices and components: pure path arithmetic, and the duals for writes.

use crate::dpia::imperative::View;
use crate::nat::Nat;
use crate::types::DataType;

use super::super::env::Env;
use super::super::{Path, Step, bug, layout};
use super::{array_len, pop_index};

/// `[i, k, …]` of a zip is `[i, …]` of operand `k`.
pub(super) fn zip(path: &mut Path) -> usize {
    let index = pop_index(path);
    let Some(Step::Proj(position)) = path.pop() else { bug(format_args!("a whole pair is read")) };
    path.push(Step::Index(index));
    position
}

/// The path in the operand for a path in the view; `ty` is the operand's type.
pub(super) fn read(view: &View, ty: &DataType, env: &Env, path: &mut Path) {
    if let View::Unzip = view {
        return swap_component(path);
    }
    let i = pop_index(path);
    match view {
        View::Take(_) => path.push(Step::Index(i)),
        View::Drop(n) => path.push(Step::Index(i + env.nat(n))),
        View::Reorder(forward, _) => path.push(Step::Index(env.nat(&forward.body).subst(&forward.var, &i))),
        View::Join => {
            let inner = inner_len(ty, &i);
            path.extend([Step::Index(i.rem(&inner)), Step::Index(i.div(&inner))]);
        }
        View::Split(n) => {
            let j = pop_index(path);
            path.push(Step::Index(i * env.nat(n) + j));
        }
        View::Slide(_, step) => {
            let j = pop_index(path);
            path.push(Step::Index(i * env.nat(step) + j));
        }
        View::Transpose => {
            let j = pop_index(path);
            path.extend([Step::Index(i), Step::Index(j)]);
        }
        View::Partition(_, lengths) => {
            let j = pop_index(path);
            let before = Nat::sum(&lengths.var, &Nat::lit(0), &i, &env.nat(&lengths.body));
            path.push(Step::Index(before + j));
        }
        other => bug(format_args!("{other:?} is no layout")),
    }
}

/// The path in the view for a path in the operand that is written; `ty` is the operand's type.
pub(super) fn write(view: &View, ty: &DataType, env: &Env, path: &mut Path) {
    let i = pop_index(path);
    match view {
        View::Unzip => {
            let Some(Step::Proj(position)) = path.pop() else { bug(format_args!("a whole pair is written")) };
            path.extend([Step::Index(i), Step::Proj(position)]);
        }
        View::Reorder(_, inverse) => path.push(Step::Index(env.nat(&inverse.body).subst(&inverse.var, &i))),
        View::Split(n) => {
            let n = env.nat(n);
            path.extend([Step::Index(i.rem(&n)), Step::Index(i.div(&n))]);
        }
        View::Join => {
            let j = pop_index(path);
            path.push(Step::Index(&i * &inner_len(ty, &i) + j));
        }
        View::Transpose => {
            let j = pop_index(path);
            path.extend([Step::Index(i), Step::Index(j)]);
        }
        View::DepJoin => {
            let j = pop_index(path);
            path.push(Step::Index(before_part(ty, &i) + j));
        }
        other => bug(format_args!("{other:?} is no layout")),
    }
}

/// `[k, i, …]` of an unzip is `[i, k, …]` of the array of pairs.
fn swap_component(path: &mut Path) {
    let Some(Step::Proj(position)) = path.pop() else { bug(format_args!("a whole unzip is read")) };
    let index = pop_index(path);
    path.extend([Step::Proj(position), Step::Index(index)]);
}

/// Length of the elements of an array of arrays.
fn inner_len(ty: &DataType, index: &Nat) -> Nat {
    array_len(&layout::element(ty, index))
}

/// Number of elements in the parts before part `index`.
pub(super) fn before_part(ty: &DataType, index: &Nat) -> Nat {
    match ty {
        DataType::DepArray(_, var, element) => Nat::sum(var, &Nat::lit(0), index, &array_len(element)),
        DataType::Array(_, element) => index * &array_len(element),
        other => bug(format_args!("{other} has no parts")),
    }
}
