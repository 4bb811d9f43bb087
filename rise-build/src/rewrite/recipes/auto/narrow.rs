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
    AddressSpace, Expr, Lambda, MapForm, Param, Primitive, ReduceForm, let_in, refresh, refresh_lambda,
    to_mem,
};
use crate::nat::Nat;
use crate::rewrite::context::Reason;
use crate::rewrite::recipes::loops::natural_width;
use crate::rewrite::rules::folds::associative;
use crate::rewrite::rules::operators::{commutes, neutral};
use crate::rewrite::rules::support::{
    MapView, Rewritten, component, fun1, independent, len, make, make_fold, make_map, map_over, occurs,
    operand, operands2, param1, plain_map, retyped,
};
use crate::types::Scalar;

use super::elementwise::{part_of, with_part};
use super::lanes::{LONG, at_operand, fold_several, fused, generate, is_light, neutral_vector, producers};
use super::strides::{Known, Leaf, Stride};
use super::strips::is_layout;
use super::tile::only_fold_of_computed;
use super::{When, all_hold};

/// Vectors that are folded independently of each other: enough to hide the latency of the operator, and as many as there
/// are registers.
const VECTORS: [i64; 2] = [4, 16];

/// So many columns fill vectors enough.
pub const COLUMNS: i64 = 64;

/// The map of folds of few columns, row by row in whole vectors, and when there are rows enough for that.
pub fn columns(expr: &Expr, known: &mut Known) -> Option<(When, Expr)> {
    let all = Columns::of(expr, known).filter(|all| all.are_alike(known))?;
    let columns = all.count().ok()?.as_const()?;
    let count = vectors(columns, all.width)?;
    let enough = all_hold([(Nat::lit(all.width * count / columns), len(all.rows).ok()?)]);
    Some((enough, all.retyped(all.in_vectors(count).ok()?)))
}

/// How many vectors rows of so many numbers fill, so that one begins with the first column again.
fn vectors(columns: i64, width: i64) -> Option<i64> {
    let least = (1..=VECTORS[1]).find(|vectors| columns > 0 && vectors * width % columns == 0)?;
    Some(least * (VECTORS[0] + least - 1).div_euclid(least)).filter(|_| (2..COLUMNS).contains(&columns))
}

/// A map of folds over the columns of rows, alone or with something beside each column, and something that goes along
/// all of them.
pub struct Columns<'a> {
    pub map: MapView<'a>,
    pub rows: &'a Expr,
    beside: Option<&'a Expr>,
    along: Option<Along>,
    /// The fold of a column, and its step with what is made of each number.
    pub found: Expr,
    step: Lambda,
    /// Lanes of a vector.
    width: i64,
}

impl<'a> Columns<'a> {
    /// If the term is one of many rows in memory without gaps, whose columns are folded from one start by a known operator
    /// that commutes.
    pub fn of(expr: &'a Expr, known: &mut Known) -> Option<Columns<'a>> {
        let all = Columns::view(expr).ok()?;
        let (map, view) = (all.map, associative(&all.found).ok()?);
        let column = param1(map.f).ok()?;
        let rest = at_operand(&map.f.body, &all.found, view.start);
        // What belongs to a column beside its elements is there in any part of it.
        let [rest, step] = [&rest, &all.step.body].map(|expr| match all.beside {
            Some(_) => with_part(expr, &column.name, 1, view.start),
            None => expr.clone(),
        });
        let are_apart =
            [view.start, &view.f.body, &rest, &step].into_iter().all(|expr| !occurs(expr, column));
        let is_long = len(all.rows).ok()?.as_const().is_none_or(|rows| rows >= LONG);
        let is_folded = are_apart && is_long && commutes(view.f) && is_light(view.xs);
        (is_folded && all.have_no_gaps(known)).then_some(all)
    }

    /// If the term is one, whatever the rows.
    pub fn view(expr: &'a Expr) -> Result<Columns<'a>, Reason> {
        const OTHER: Reason = Reason::mismatch("it is no fold of each column");
        let map = plain_map(expr)?;
        let transposed = |xs| operand(xs, |primitive| matches!(primitive, Primitive::Transpose));
        let (rows, beside) = match transposed(map.xs) {
            Ok(rows) => (rows, None),
            Err(_) => {
                let [columns, beside] = operands2(map.xs, |primitive| matches!(primitive, Primitive::Zip))?;
                (transposed(columns)?, Some(beside))
            }
        };
        let column = param1(map.f)?;
        let found = only_fold_of_computed(&map.f.body).ok_or(OTHER)?;
        let view = associative(&found)?;
        let (step, xs) = fused(view.f, view.xs)?;
        let is_column = |xs: &Expr| match beside {
            None => xs.is_named(&column.name),
            Some(_) => part_of(xs, &column.name) == Some(0),
        };
        let along = Along::of(&xs, &is_column, column);
        let width = natural_width(&found);
        let is_known = is_column(&xs) || along.is_some();
        is_known.then_some(Columns { map, rows, beside, along, found, step, width }).ok_or(OTHER)
    }

    /// Whether the rows, joined, are neighbours in memory.
    fn have_no_gaps(&self, known: &mut Known) -> bool {
        let Some(joined) = make(Primitive::Join, [self.rows.clone()]).ok().filter(is_layout) else {
            return false;
        };
        let Some((_, element)) = joined.ty().as_array() else { return false };
        let x = Param::fresh("x", element.clone());
        let own = fun1(x.clone(), x.expr());
        let reads = known.under(&own, &joined, |known| known.reads(&own.body));
        reads.leaves().iter().all(|leaf| goes_on(leaf, &x))
    }

    /// Whether numbers of all columns may be folded in one loop, which reads nothing else.
    pub fn are_alike(&self, known: &mut Known) -> bool {
        let is_number = self.found.ty().scalar().is_some_and(|scalar| scalar != Scalar::Bool);
        let is_alone = self.beside.is_none() && self.along.is_none();
        let (Ok(joined), [_, x]) = (make(Primitive::Join, [self.rows.clone()]), &self.step.params[..]) else {
            return false;
        };
        let is_alike = is_number && is_alone && independent(&self.step.body, self.map.f);
        is_alike && known.folded(&self.step, &joined).iter().all(|leaf| goes_on(leaf, x))
    }

    /// The columns of other rows, with what is beside them.
    pub fn of_rows(&self, rows: Expr) -> Rewritten {
        let columns = make(Primitive::Transpose, [rows])?;
        match self.beside {
            Some(beside) => make(Primitive::Zip, [columns, refresh(beside)]),
            None => Ok(columns),
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
        let lanes = map_over(MapForm::Plain, "lane", lanes, |lane| self.folded(neutral(view)?, &lane, None))?;
        self.after_lanes(to_mem(AddressSpace::Default, columns(lanes)?), Ok, rows.main)
    }

    /// The first rows, which are a multiple of so many.
    fn joined(&self, at_once: &Nat) -> Result<Joined, Reason> {
        let main = len(self.rows)?.div(at_once) * at_once;
        let whole = make(Primitive::Take(main.clone()), [self.rows.clone()])?;
        Ok(Joined { joined: make(Primitive::Join, [whole])?, main })
    }

    /// What goes along the columns.
    pub fn along(&self) -> Option<&Expr> {
        self.along.as_ref().map(|along| &along.array)
    }

    /// The fold of another column, from another start, with what goes along it.
    pub fn folded(&self, start: Expr, column: &Expr, along: Option<Expr>) -> Rewritten {
        let view = associative(&self.found)?;
        let elements = if self.beside.is_some() { component(0, column) } else { column.clone() };
        let elements = match (&self.along, along) {
            (Some(Along { side: 0, .. }), Some(along)) => make(Primitive::Zip, [along, elements])?,
            (Some(_), Some(along)) => make(Primitive::Zip, [elements, along])?,
            _ => elements,
        };
        let elements = producers(view.xs).0.iter().rev().try_fold(elements, |xs, f| {
            make_map(MapForm::Plain, Lambda { body: self.of_column(&f.body, column), ..f.clone() }, xs)
        })?;
        Ok(refresh(&make_fold(view.form, view.f.clone(), start, elements)?))
    }

    /// What is made of a column whose fold is known.
    pub fn made_of(&self, total: &Expr, column: &Expr) -> Expr {
        refresh(&self.of_column(&at_operand(&self.map.f.body, &self.found, total), column))
    }

    /// The term with what belongs to another column beside its elements.
    fn of_column(&self, expr: &Expr, column: &Expr) -> Expr {
        match (self.beside, param1(self.map.f)) {
            (Some(_), Ok(own)) => with_part(expr, &own.name, 1, &component(1, column)),
            _ => expr.clone(),
        }
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
            let column = component(1, &both);
            Ok(self.made_of(&in_order(&self.step, total, column.clone())?, &column))
        })?;
        Ok(let_in(param, lanes, each))
    }
}

/// Whether the next element is the next one in memory.
fn goes_on(leaf: &Leaf, x: &Param) -> bool {
    leaf.along(&x.name) == Stride::Next && leaf.run(&x.name).is_none()
}

/// An array that goes along all columns, and on which side of their elements.
struct Along {
    array: Expr,
    side: usize,
}

impl Along {
    fn of(xs: &Expr, is_column: &dyn Fn(&Expr) -> bool, column: &Param) -> Option<Along> {
        let sides = operands2(xs, |primitive| matches!(primitive, Primitive::Zip)).ok()?;
        let side = sides.iter().position(|side| !is_column(side))?;
        let is_one = is_column(sides[1 - side]) && !occurs(sides[side], column);
        is_one.then(|| Along { array: sides[side].clone(), side })
    }
}

/// The first rows, one after the other, and how many they are.
struct Joined {
    joined: Expr,
    main: Nat,
}
