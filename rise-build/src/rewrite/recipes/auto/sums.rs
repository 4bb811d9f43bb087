//! Sums of integers that are wider than all that they are computed of: of bytes in 32 bits, of products of words. And
//! whether something is true of all of such numbers, or of any.
//!
//! Instruction sets add neighbours while they widen them, which lanes as wide as the sums do not, and masks may be wider
//! than what is compared. Compilers know where.

use crate::expr::{
    AddressSpace, Arg, Binary, Compare, Expr, Kind, Lambda, Primitive, ReduceForm, Unary, alpha_equal,
    map_children,
};
use crate::rewrite::rules::folds::associative;
use crate::rewrite::rules::operators::operator;
use crate::rewrite::rules::support::{Rewritten, make, make_fold, operands2};
use crate::types::{DataType, Scalar};

use super::lanes::{fused, producers};

/// Bytes of numbers that are narrow.
const NARROW: u32 = 2;

/// Whether the term is such a fold.
pub fn is_of_narrower(expr: &Expr) -> bool {
    let Ok(view) = associative(expr) else { return false };
    let is_known = match (operator(view.f), expr.ty().scalar()) {
        (Some(Binary::Add), Some(scalar)) => scalar.is_integer() && scalar.bytes() > NARROW,
        (Some(Binary::And | Binary::Or), scalar) => scalar == Some(Scalar::Bool),
        _ => false,
    };
    let (maps, _) = producers(view.xs);
    is_known && !maps.is_empty() && maps.iter().all(|f| widens(&f.body))
}

/// Whether numbers that are not narrow are converted from such, or computed of those.
fn widens(body: &Expr) -> bool {
    let is_narrow = |ty: &DataType| ty.scalar().is_none_or(|scalar| scalar.bytes() <= NARROW);
    !body.any(&|node| match (node.kind(), node.as_prim()) {
        (Kind::Literal(_), _) => false,
        // Truth values have lanes as wide as what is compared.
        (_, Some((Primitive::Cast(_), [Arg::Expr(of)]))) => {
            !is_narrow(of.ty()) || of.ty().scalar() == Some(Scalar::Bool)
        }
        (_, Some((Primitive::Binary(_) | Primitive::Unary(_) | Primitive::Select, _))) => {
            node.ty().scalar().is_some_and(Scalar::is_float)
        }
        _ => !is_narrow(node.ty()),
    })
}

/// The fold of its elements one after the other.
pub fn in_order(expr: &Expr) -> Rewritten {
    let view = associative(expr)?;
    let (step, xs) = fused(view.f, view.xs)?;
    let step = Lambda { body: with_distances(&step.body), ..step };
    make_fold(ReduceForm::Seq(AddressSpace::Default), step, view.start.clone(), xs)
}

/// The same with distances of bytes as compilers know them.
fn with_distances(expr: &Expr) -> Expr {
    let inside = map_children(expr, &mut with_distances);
    distance(&inside).unwrap_or(inside)
}

/// `(max(a, b) - min(a, b)) as t = abs(a as i32 - b as i32) as t`
fn distance(expr: &Expr) -> Option<Expr> {
    let (cast @ Primitive::Cast(_), [Arg::Expr(of)]) = expr.as_prim()? else { return None };
    let (a, b) = apart(of).filter(|_| of.ty().scalar() == Some(Scalar::U8))?;
    let wide = |byte: &Expr| make(Primitive::Cast(DataType::Scalar(Scalar::I32)), [byte.clone()]).ok();
    let difference = make(Primitive::Binary(Binary::Sub), [wide(a)?, wide(b)?]).ok()?;
    make(cast.clone(), [make(Primitive::Unary(Unary::Abs), [difference]).ok()?]).ok()
}

/// The numbers of which it is the greater without the lesser, as a difference of both or of one of them.
fn apart(expr: &Expr) -> Option<(&Expr, &Expr)> {
    if let (Primitive::Select, [Arg::Expr(by), Arg::Expr(then), Arg::Expr(or)]) = expr.as_prim()? {
        let (Primitive::Compare(op), [Arg::Expr(x), Arg::Expr(y)]) = by.as_prim()? else { return None };
        let (greater, lesser) = match op {
            Compare::Gt | Compare::Ge => (x, y),
            Compare::Lt | Compare::Le => (y, x),
            Compare::Eq | Compare::Ne => return None,
        };
        let is = |result: &Expr, a: &Expr, b: &Expr| {
            difference(result).is_some_and(|[c, d]| alpha_equal(a, c) && alpha_equal(b, d))
        };
        return (is(then, greater, lesser) && is(or, lesser, greater)).then_some((greater, lesser));
    }
    let [greater, lesser] = difference(expr)?;
    let [a, b] = operands2(greater, |primitive| *primitive == Primitive::Binary(Binary::Max)).ok()?;
    let [c, d] = operands2(lesser, |primitive| *primitive == Primitive::Binary(Binary::Min)).ok()?;
    let is_same = |x: &Expr, y: &Expr| alpha_equal(a, x) && alpha_equal(b, y);
    (is_same(c, d) || is_same(d, c)).then_some((a, b))
}

/// The operands of a difference.
fn difference(expr: &Expr) -> Option<[&Expr; 2]> {
    operands2(expr, |primitive| *primitive == Primitive::Binary(Binary::Sub)).ok()
}
