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
use crate::rewrite::context::Reason;
use crate::rewrite::recipes::loops::natural_width;
use crate::rewrite::rules::folds::associative;
use crate::rewrite::rules::operators::{commutes, neutral};
use crate::rewrite::rules::support::{
    MapView, Rewritten, beta_copy, component, independent, len, make, make_fold, map_over, operand, param1,
    plain_map, retyped,
};
use crate::types::Scalar;

use super::lanes::{LONG, at_operand, fold_several, fused, generate, is_light, neutral_vector};
use super::strides::{Known, Stride};
use super::tile::only_fold_of_choices;

/// Vectors that are folded independently of each other: enough to hide the latency of the operator, and as many as there
/// are registers.
const VECTORS: [i64; 2] = [4, 16];

/// So many columns fill vectors enough.
pub const COLUMNS: i64 = 64;

/// The map of folds of few columns, row by row in whole vectors.
pub fn columns(expr: &Expr, known: &mut Known) -> Option<Expr> {
    let all = Columns::of(expr, known)?;
    let count = vectors(all.count().ok()?.as_const()?, all.width)?;
    Some(all.retyped(all.in_vectors(count).ok()?))
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

/// A map of folds over the columns of rows.
pub struct Columns<'a> {
    pub map: MapView<'a>,
    pub rows: &'a Expr,
    /// The fold of a column, and its step with what is made of each number.
    pub found: Expr,
    step: Lambda,
    /// Lanes of a vector.
    width: i64,
}

impl<'a> Columns<'a> {
    /// If the term is one of many rows in memory without gaps, all of whose columns are folded alike by a known operator
    /// that commutes.
    pub fn of(expr: &'a Expr, known: &mut Known) -> Option<Columns<'a>> {
        let all = Columns::view(expr).ok()?;
        let (f, view) = (all.map.f, associative(&all.found).ok()?);
        let is_alike = [&all.step.body, view.start, &at_operand(&f.body, &all.found, view.start)];
        let is_number = all.found.ty().scalar().is_some_and(|scalar| scalar != Scalar::Bool);
        let is_long = len(all.rows).ok()?.as_const().is_none_or(|rows| rows >= LONG);
        let is_plain = is_alike.into_iter().all(|expr| independent(expr, f)) && is_number && is_long;
        let is_light = is_plain && commutes(view.f) && is_light(view.xs);
        (is_light && have_no_gaps(all.rows, &all.step, known)).then_some(all)
    }

    /// If the term is one, whatever the rows.
    pub fn view(expr: &'a Expr) -> Result<Columns<'a>, Reason> {
        const OTHER: Reason = Reason::mismatch("it is no fold of each column");
        let map = plain_map(expr)?;
        let rows = operand(map.xs, |primitive| matches!(primitive, Primitive::Transpose))?;
        let column = param1(map.f)?;
        let found = only_fold_of_choices(&map.f.body).ok_or(OTHER)?;
        let view = associative(&found)?;
        let (step, xs) = fused(view.f, view.xs)?;
        match xs.kind() {
            Kind::Var(name) if *name == column.name => {
                let width = natural_width(&found);
                Ok(Columns { map, rows, found, step, width })
            }
            _ => Err(OTHER),
        }
    }

    /// How many columns there are.
    pub fn count(&self) -> Result<Nat, Reason> {
        len(self.map.xs)
    }

    /// Whether so few columns are folded in registers.
    pub fn are_in_registers(&self, columns: i64) -> bool {
        vectors(columns, self.width).is_some()
    }

    /// What else is the same map.
    pub fn retyped(&self, new: Expr) -> Expr {
        let old = self.map.expr;
        retyped(new, old.ty()).with_labels(old.labels().to_vec()).with_origin(old.origin())
    }

    /// So many vectors at a time, which stay in registers.
    fn in_vectors(&self, count: i64) -> Rewritten {
        let view = associative(&self.found)?;
        let many = Nat::lit(self.width * count);
        let rows = self.joined(&many.div(&self.count()?))?;
        let whole = make(Primitive::Split(many), [rows.joined])?;
        let width = Nat::lit(self.width);
        let start = generate(Nat::lit(count), neutral_vector(view, &width)?);
        let lanes = fold_several(&self.step, start, whole, &width, None)?;
        let lanes = to_mem(AddressSpace::Private, lanes);
        self.after_lanes(lanes, |lanes| make(Primitive::Join, [lanes]), rows.main)
    }

    /// As many rows as a vector has lanes at a time, which are one long row of whole vectors; `columns` folds the columns
    /// of such rows.
    pub fn in_long_rows(&self, columns: impl FnOnce(Expr) -> Rewritten) -> Rewritten {
        let view = associative(&self.found)?;
        let at_once = Nat::lit(self.width);
        let rows = self.joined(&at_once)?;
        let whole = make(Primitive::Split(self.count()? * at_once), [rows.joined])?;
        let lanes = make(Primitive::Transpose, [whole])?;
        let lanes = map_over(MapForm::Plain, "lane", lanes, |lane| self.folded(neutral(view)?, &lane))?;
        self.after_lanes(to_mem(AddressSpace::Default, columns(lanes)?), Ok, rows.main)
    }

    /// The first rows, which are a multiple of so many.
    fn joined(&self, at_once: &Nat) -> Result<Joined, Reason> {
        let main = len(self.rows)?.div(at_once) * at_once;
        let whole = make(Primitive::Take(main.clone()), [self.rows.clone()])?;
        Ok(Joined { joined: make(Primitive::Join, [whole])?, main })
    }

    /// The fold of another column, from another start.
    pub fn folded(&self, start: Expr, column: &Expr) -> Rewritten {
        let view = associative(&self.found)?;
        let fold = make_fold(view.form, refresh_lambda(view.f), start, view.xs.clone())?;
        Ok(refresh(&beta_copy(&Lambda { body: fold, ..self.map.f.clone() }, std::slice::from_ref(column))))
    }

    /// What is made of a column whose fold is known.
    pub fn made_of(&self, total: &Expr) -> Expr {
        refresh(&at_operand(&self.map.f.body, &self.found, total))
    }

    /// The folds of the columns, from the lanes to which the first rows are folded.
    fn after_lanes(&self, lanes: Expr, flat: impl FnOnce(Expr) -> Rewritten, main: Nat) -> Rewritten {
        let view = associative(&self.found)?;
        let param = Param::fresh("lanes", lanes.ty().clone());
        let of_columns = make(Primitive::Split(self.count()?), [flat(param.expr())?])?;
        let rest = make(Primitive::Drop(main), [refresh(self.rows)])?;
        let [of_columns, rest] = [of_columns, rest].map(|rows| make(Primitive::Transpose, [rows]));
        let both = make(Primitive::Zip, [of_columns?, rest?])?;
        let in_order = |f: &Lambda, start: Expr, xs: Expr| {
            make_fold(ReduceForm::Seq(AddressSpace::Default), refresh_lambda(f), start, xs)
        };
        let each = map_over(MapForm::Plain, "column", both, |both| {
            let total = in_order(view.f, view.start.clone(), component(0, &both))?;
            Ok(self.made_of(&in_order(&self.step, total, component(1, &both))?))
        })?;
        Ok(let_in(param, lanes, each))
    }
}

/// The first rows, one after the other, and how many they are.
struct Joined {
    joined: Expr,
    main: Nat,
}
