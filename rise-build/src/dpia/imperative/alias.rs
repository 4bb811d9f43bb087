//! Copies of memory onto itself, which need not run.
//!
//! A fold whose start is the accumulator of the fold around it copies that accumulator first; where both
//! are one memory the copy does nothing.

use std::sync::Arc;

use crate::dpia::functional::{Fun, Kind, Phrase, View};
use crate::names::Name;
use crate::types::DataType;

use super::Exp;

/// Whether a function returns its argument, element by element.
pub(super) fn is_identity(fun: &Fun) -> bool {
    let [param] = fun.params.as_slice() else { return false };
    is_copy_of(&fun.body, &param.name)
}

fn is_copy_of(phrase: &Phrase, name: &Name) -> bool {
    match &phrase.kind {
        Kind::Var(other) => other == name,
        Kind::Map(_, fun, array) => is_identity(fun) && is_copy_of(array, name),
        _ => false,
    }
}

/// Whether both certainly read the same places of one memory.
pub(super) fn is_same_place(a: &Exp, b: &Exp) -> bool {
    same(&normal(a), &normal(b))
}

fn same(a: &Exp, b: &Exp) -> bool {
    match (a, b) {
        (Exp::Var(x), Exp::Var(y)) => x == y,
        (Exp::Proj(j, x), Exp::Proj(k, y)) => j == k && same(x, y),
        (Exp::Idx(i, x), Exp::Idx(j, y)) => i == j && same(x, y),
        (Exp::Tuple(xs), Exp::Tuple(ys)) => {
            xs.len() == ys.len() && xs.iter().zip(&**ys).all(|(x, y)| same(x, y))
        }
        (Exp::View(v, xs), Exp::View(w, ys)) => {
            v == w && xs.len() == ys.len() && xs.iter().zip(&**ys).all(|((x, _), (y, _))| same(x, y))
        }
        _ => false,
    }
}

/// Elements of pairs as pairs of elements, and no view next to its inverse.
fn normal(exp: &Exp) -> Exp {
    match exp {
        Exp::Idx(index, array) => match normal(array) {
            Exp::View(View::Zip, halves) => Exp::Tuple(
                halves
                    .iter()
                    .map(|(half, _)| normal(&Exp::Idx(index.clone(), Arc::new(half.clone()))))
                    .collect(),
            ),
            array => Exp::Idx(index.clone(), Arc::new(array)),
        },
        Exp::Proj(position, tuple) => match normal(tuple) {
            Exp::Tuple(parts) => parts[*position].clone(),
            tuple => Exp::Proj(*position, Arc::new(tuple)),
        },
        Exp::Tuple(parts) => Exp::Tuple(parts.iter().map(normal).collect()),
        Exp::View(view, operands) => {
            let operands: Arc<[(Exp, DataType)]> =
                operands.iter().map(|(operand, ty)| (normal(operand), ty.clone())).collect();
            cancelled(view, &operands).unwrap_or_else(|| Exp::View(view.clone(), operands))
        }
        other => other.clone(),
    }
}

fn cancelled(view: &View, operands: &[(Exp, DataType)]) -> Option<Exp> {
    let [(Exp::View(inner, below), _)] = operands else { return None };
    let undone = match (view, inner) {
        (View::Join, View::Split(_)) | (View::Transpose, View::Transpose) => true,
        (View::Split(n), View::Join) => {
            let row = below[0].1.as_array()?.1;
            row.as_array()?.0 == n
        }
        _ => false,
    };
    undone.then(|| below[0].0.clone())
}
