//! Folds of few columns, as of channels or coordinates.
//!
//! ```text
//! T ≫ map (reduce f z)  →  λx. map (λ(lanes, c). reduce f (reduce f z lanes) c)
//!                                 (zip (join (split (k·d) (join x) ≫ columns folded in lanes) ≫ split d ≫ T)
//!                                      (T (drop (n − n%k) x)))
//! ```
//!
//! In: a map of folds over the columns of rows, of which each has `d` numbers. Out: the same, where `k` rows at a time are
//! folded as one long row, which lies in memory without gaps and fills whole vectors; lanes that belong to one column are
//! folded in the end.

use crate::expr::{
    AddressSpace, Expr, Kind, Lambda, MapForm, Param, Primitive, ReduceForm, let_in, refresh, refresh_lambda,
    to_mem,
};
use crate::nat::Nat;
use crate::rewrite::recipes::loops::natural_width;
use crate::rewrite::rules::folds::associative;
use crate::rewrite::rules::operators::commutes;
use crate::rewrite::rules::support::{
    Rewritten, component, independent, len, make, make_fold, map_over, operand, param1, plain_map, retyped,
};
use crate::types::Scalar;

use super::lanes::{LONG, at_operand, fold_several, fused, generate, is_light, neutral_vector};
use super::strides::{Known, Stride};
use super::tile::only_fold;

/// Vectors that are folded independently of each other: enough to hide the latency of the operator, and as many as there
/// are registers.
const VECTORS: [i64; 2] = [4, 16];

/// So many columns fill vectors enough.
const COLUMNS: i64 = 64;

/// The map of folds of few columns, row by row in whole vectors.
pub fn columns(expr: &Expr, known: &mut Known) -> Option<Expr> {
    let map = plain_map(expr).ok()?;
    let rows = operand(map.xs, |primitive| matches!(primitive, Primitive::Transpose)).ok()?;
    let column = param1(map.f).ok()?;
    let found = only_fold(&map.f.body)?;
    let view = associative(&found).ok()?;
    let (step, xs) = fused(view.f, view.xs).ok()?;
    let is_column = matches!(&xs.kind(), Kind::Var(name) if *name == column.name);
    let is_alike = independent(&step.body, map.f) && independent(view.start, map.f);
    let is_number = found.ty().scalar().is_some_and(|scalar| scalar != Scalar::Bool);
    let is_long = len(rows).ok()?.as_const().is_none_or(|rows| rows >= LONG);
    let is_plain = is_column && is_alike && is_number && is_long && commutes(view.f) && is_light(view.xs);
    let width = natural_width(&found);
    let count = vectors(len(map.xs).ok()?.as_const()?, width).filter(|_| is_plain)?;
    if !have_no_gaps(rows, &step, known) {
        return None;
    }
    let few = Columns { expr, rows, found: &found, step, width, count };
    let new = few.folded().ok()?;
    Some(retyped(new, expr.ty()).with_labels(expr.labels().to_vec()).with_origin(expr.origin()))
}

/// Whether the rows, joined, are neighbours in memory.
fn have_no_gaps(rows: &Expr, step: &Lambda, known: &mut Known) -> bool {
    let (Ok(joined), Some(x)) = (make(Primitive::Join, [rows.clone()]), step.params.last()) else {
        return false;
    };
    let leaves = known.folded(step, &joined);
    leaves.iter().all(|leaf| leaf.along(&x.name) == Stride::Next && leaf.run(&x.name).is_none())
}

/// How many vectors rows of so many numbers fill, so that one begins with the first column again.
fn vectors(columns: i64, width: i64) -> Option<i64> {
    let least = (1..=VECTORS[1]).find(|vectors| columns > 0 && vectors * width % columns == 0)?;
    Some(least * (VECTORS[0] + least - 1).div_euclid(least)).filter(|_| (2..COLUMNS).contains(&columns))
}

struct Columns<'a> {
    expr: &'a Expr,
    rows: &'a Expr,
    /// The fold of a column, and its step with what is made of each number.
    found: &'a Expr,
    step: Lambda,
    /// Lanes of a vector, and vectors of several rows.
    width: i64,
    count: i64,
}

impl Columns<'_> {
    fn folded(&self) -> Rewritten {
        let (view, map) = (associative(self.found)?, plain_map(self.expr)?);
        let columns = len(map.xs)?;
        let many = Nat::lit(self.width * self.count);
        let at_once = many.div(&columns);
        let main = len(self.rows)?.div(&at_once) * &at_once;
        let whole = make(Primitive::Take(main.clone()), [self.rows.clone()])?;
        let whole = make(Primitive::Join, [whole])?;
        let whole = make(Primitive::Split(many), [whole])?;
        let width = Nat::lit(self.width);
        let start = generate(Nat::lit(self.count), neutral_vector(view, &width)?);
        let lanes = fold_several(&self.step, start, whole, &width, None)?;
        let param = Param::fresh("lanes", lanes.ty().clone());
        let lanes = to_mem(AddressSpace::Private, lanes);

        let of_columns = make(Primitive::Split(columns), [make(Primitive::Join, [param.expr()])?])?;
        let rest = make(Primitive::Drop(main), [refresh(self.rows)])?;
        let [of_columns, rest] = [of_columns, rest].map(|rows| make(Primitive::Transpose, [rows]));
        let both = make(Primitive::Zip, [of_columns?, rest?])?;
        let each = map_over(MapForm::Plain, "column", both, |both| {
            let total = self.fold(view.f, view.start.clone(), component(0, &both))?;
            let total = self.fold(&self.step, total, component(1, &both))?;
            Ok(refresh(&at_operand(&map.f.body, self.found, &total)))
        })?;
        Ok(let_in(param, lanes, each))
    }

    fn fold(&self, f: &Lambda, start: Expr, xs: Expr) -> Rewritten {
        make_fold(ReduceForm::Seq(AddressSpace::Default), refresh_lambda(f), start, xs)
    }
}
