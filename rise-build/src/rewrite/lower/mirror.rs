//! Accumulators that are to be registers: they are started and stored by loops of the same forms as those of
//! the step, so that every index is a constant.

use crate::expr::{Arg, Expr, Kind, MapForm, Primitive, call, map_with};

use super::copy;

/// Whether the step of a fold updates its array by loops that are written out or vectors.
pub(super) fn is_unrolled(step: &Expr) -> bool {
    match step.as_prim() {
        Some((Primitive::Map(MapForm::Unroll | MapForm::Vec), [Arg::Fun(f), Arg::Expr(xs)])) => {
            is_constant(xs) && (f.body.ty().is_small() || is_unrolled(&f.body))
        }
        Some((Primitive::Join | Primitive::Transpose, [Arg::Expr(inner)])) => is_unrolled(inner),
        _ => false,
    }
}

fn is_constant(xs: &Expr) -> bool {
    xs.ty().as_array().is_some_and(|(len, _)| len.as_const().is_some())
}

/// The value written by loops like those of the step.
pub(super) fn written_like(step: &Expr, value: Expr) -> Expr {
    if value.ty().is_small() {
        return value;
    }
    match step.as_prim() {
        Some((Primitive::Map(form), [Arg::Fun(f), _])) => {
            map_with(*form, "x", value, |x| written_like(&f.body, x))
        }
        Some((Primitive::Join, [Arg::Expr(inner)])) => match inner_len(inner) {
            Some(len) => {
                let ty = value.ty().clone();
                let pieces = written_like(inner, call(Primitive::Split(len), [value]));
                call(Primitive::Join, [pieces]).edit(|node| node.ty = ty)
            }
            None => copy(value),
        },
        Some((Primitive::Transpose, [Arg::Expr(inner)])) => {
            call(Primitive::Transpose, [written_like(inner, call(Primitive::Transpose, [value]))])
        }
        _ => copy(value),
    }
}

fn inner_len(xss: &Expr) -> Option<crate::nat::Nat> {
    let (_, row) = xss.ty().as_array()?;
    row.as_array().map(|(len, _)| len.clone())
}

/// Whether somebody has said how the value is written.
pub(super) fn is_written(expr: &Expr) -> bool {
    match expr.kind() {
        Kind::Prim(Primitive::Map(form), _) => *form != MapForm::Plain,
        Kind::Prim(Primitive::Join | Primitive::Transpose, args) => is_written(args[0].expr()),
        _ => false,
    }
}
