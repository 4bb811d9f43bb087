//! Products: a work-item folds several rows with several columns at once, so that what it reads serves more than one fold.
//!
//! ```text
//! map (λ row. map (λ col. reduce f z (e row col)) ys) xs  →
//!     map (λ rows. T (map (λ cols. reduceSeq (f, f, …) (z, z, …) (zip (e row₀ col₀) (e row₀ col₁) …)) (T (split q …)))) (split 4 …)
//! ```
//!
//! In: a nest of maps, outside of others. Out: the same, where [`SIDE`] rows and as many columns that lie a quarter apart
//! are folded together; rows and columns that are left over are folded in fours by one side, or alone. Columns that are
//! rows of memory are turned before, so that work-items beside each other read neighbours. Where the results
//! are few, as is known only when the kernel runs, each has a work-item, and so does each where work-items do not run in
//! step: the caches of a CPU hold what others read.

use crate::expr::{
    AddressSpace, Expr, Lambda, MapForm, Param, Primitive, ReduceForm, free_names, lambda2, let_in, nat,
    proj, reduce, refresh, to_mem,
};
use crate::names::Name;
use crate::nat::{Nat, NatVar};
use crate::rewrite::context::Reason;
use crate::rewrite::recipes::auto::all_hold;
use crate::rewrite::recipes::auto::lanes::is_light;
use crate::rewrite::recipes::auto::strides::{Known, Leaf, Stride};
use crate::rewrite::rules::folds::associative;
use crate::rewrite::rules::support::{
    MapView, Rewritten, beta_copy, element, independent, instead, len, make, map_over, param1, parts,
    plain_map, tuple, zip_all,
};

use super::columns::first;

/// Rows, and columns, of a tile.
const SIDE: i64 = 4;

/// Results enough for a device that each work-item computes a tile of them.
const MANY: i64 = 900_000;

/// The same where neighbours would read what lies apart.
const MANY_APART: i64 = 225_000;

/// So many rows read columns that it is worth turning these before, where neighbours lie apart.
const OFTEN: i64 = 64;

/// The nest in tiles where that is worth it.
pub fn in_tiles(expr: &Expr, known: &mut Known) -> Rewritten {
    let nest = Nest::of(expr, known)?;
    let in_step = (Nat::lit(2), Nat::var(&NatVar::in_step()));
    let rows = len(nest.rows.xs)?;
    let least = if nest.lie_apart { MANY_APART } else { MANY };
    let many = (Nat::lit(least), rows.clone() * len(nest.columns.xs)?);
    let bounds = [in_step, many].into_iter().chain(nest.lie_apart.then_some((Nat::lit(OFTEN), rows)));
    all_hold(bounds).select(|| nest.tiled(), expr)
}

/// Two maps, the inner of which folds something of a row and of a column.
struct Nest<'a> {
    rows: MapView<'a>,
    columns: MapView<'a>,
    fold: Expr,
    /// Whether the elements of a column are neighbours, and not those of all columns that a step of the fold reads.
    lie_apart: bool,
}

impl<'a> Nest<'a> {
    fn of(expr: &'a Expr, known: &mut Known) -> Result<Self, Reason> {
        let rows = plain_map(expr)?;
        let columns = plain_map(&rows.f.body)?;
        let (row, column) = (param1(rows.f)?, param1(columns.f)?);
        if !independent(columns.xs, rows.f) || !columns.f.body.ty().is_small() {
            return Err(Reason::refused("it is no product"));
        }
        if [rows.xs, columns.xs].into_iter().any(is_computed) {
            return Err(Reason::refused("what tiles read again and again is computed"));
        }
        let outside = free_names(expr);
        let is_known = |name: &Name| [&row.name, &column.name].contains(&name) || outside.contains(name);
        let is_wanted = |node: &Expr, known: &mut Known| {
            free_names(node).iter().all(is_known) && is_of_both(node, row, column, known)
        };
        let inner = |known: &mut Known| first(&columns.f.body, &mut |node| is_wanted(node, known));
        let fold = known.under(rows.f, rows.xs, |known| known.under(columns.f, columns.xs, inner));
        let fold = fold.ok_or(Reason::refused("no fold in it reads rows and columns"))?;
        let view = associative(&fold)?;
        let leaves = known.under(rows.f, rows.xs, |known| {
            known.under(columns.f, columns.xs, |known| known.folded(view.f, view.xs))
        });
        let x = view.f.params.last().ok_or(Reason::refused("it folds nothing"))?;
        let lies_apart =
            |leaf: Leaf| leaf.along(&column.name) == Stride::Far && leaf.along(&x.name) == Stride::Next;
        let is_matrix = element(columns.xs)?.as_array().is_some_and(|(_, element)| element.is_small());
        let lie_apart = is_matrix && leaves.into_iter().any(lies_apart);
        Ok(Nest { rows, columns, fold, lie_apart })
    }

    /// The nest in tiles, of columns that are turned before if they lie apart.
    fn tiled(&self) -> Rewritten {
        if !self.lie_apart {
            return self.of_columns(self.columns.xs);
        }
        let turned = make(Primitive::Transpose, [self.columns.xs.clone()])?;
        let copy = map_over(MapForm::Plain, "step", turned, |step| map_over(MapForm::Plain, "x", step, Ok))?;
        let turned = Param::fresh("turned", copy.ty().clone());
        let columns = make(Primitive::Transpose, [turned.expr()])?;
        Ok(let_in(turned, to_mem(AddressSpace::Default, copy), self.of_columns(&columns)?))
    }

    fn of_columns(&self, columns: &Expr) -> Rewritten {
        let rows = self.rows.xs;
        let (side, height, quarter) =
            (Nat::lit(SIDE), len(rows)?.div(&Nat::lit(SIDE)), len(columns)?.div(&Nat::lit(SIDE)));
        let part = |xs: &Expr, count: &Nat| {
            let main = make(Primitive::Take(count.clone()), [xs.clone()])?;
            Ok::<_, Reason>([main, make(Primitive::Drop(count.clone()), [refresh(xs)])?])
        };
        let [main_rows, last_rows] = part(rows, &(&height * &side))?;
        let [main_columns, last_columns] = part(columns, &(&quarter * &side))?;
        let fours = make(Primitive::Transpose, [make(Primitive::Split(quarter), [main_columns])?])?;
        let blocks = make(Primitive::Split(side), [main_rows])?;
        let main = map_over(MapForm::Plain, "rows", blocks, |rows| {
            let rows = elements(&rows)?;
            let tiles = map_over(MapForm::Plain, "columns", fours, |columns| {
                self.tile(&rows, &elements(&columns)?, |columns| make(Primitive::MakeArray, columns))
            })?;
            let tiles = make(Primitive::Join, [make(Primitive::Transpose, [tiles])?])?;
            let last = map_over(MapForm::Plain, "column", last_columns, |column| {
                self.tile(&rows, &[column], |mut columns| Ok(columns.remove(0)))
            })?;
            make(Primitive::Transpose, [make(Primitive::Concat, [tiles, last])?])
        })?;
        let last = map_over(MapForm::Plain, "row", last_rows, |row| {
            map_over(MapForm::Plain, "column", refresh(columns), |column| {
                Ok(self.at([&row, &column], &self.columns.f.body))
            })
        })?;
        make(Primitive::Concat, [make(Primitive::Join, [main])?, last])
    }

    /// What is made of the results of some rows with some columns, those of each column in an array.
    fn tile(&self, rows: &[Expr], columns: &[Expr], all: impl Fn(Vec<Expr>) -> Rewritten) -> Rewritten {
        let view = associative(&self.fold)?;
        let places: Vec<[&Expr; 2]> =
            columns.iter().flat_map(|column| rows.iter().map(move |row| [row, column])).collect();
        let starts = tuple(places.iter().map(|place| self.at(*place, view.start)));
        let xs = zip_all(places.iter().map(|place| self.at(*place, view.xs)).collect())?;
        let Some((_, element)) = xs.ty().as_array() else { return Err(Reason::refused("it folds no array")) };
        let step = lambda2(["accs", "xs"], [starts.ty().clone(), element.clone()], |accs, xs| {
            let xs = parts(&xs, places.len());
            let steps =
                xs.into_iter().enumerate().map(|(at, x)| beta_copy(view.f, &[proj(at, accs.clone()), x]));
            tuple(steps)
        });
        let folded = reduce(ReduceForm::Seq(AddressSpace::Default), step, starts, xs);
        let tile = Param::fresh("tile", folded.ty().clone());
        let result = |at: usize| {
            let body = instead(&self.columns.f.body, view.expr, &proj(at, tile.expr()));
            self.at(places[at], &body)
        };
        let by_column = (0..columns.len()).map(|column| {
            make(Primitive::MakeArray, (0..rows.len()).map(|row| result(column * rows.len() + row)))
        });
        let by_column: Result<Vec<Expr>, Reason> = by_column.collect();
        Ok(let_in(tile.clone(), folded, all(by_column?)?))
    }

    /// A part of the inner map's body for a row and a column.
    fn at(&self, [row, column]: [&Expr; 2], part: &Expr) -> Expr {
        let body =
            beta_copy(&Lambda { body: part.clone(), ..self.columns.f.clone() }, std::slice::from_ref(column));
        beta_copy(&Lambda { body, ..self.rows.f.clone() }, std::slice::from_ref(row))
    }
}

fn is_computed(xs: &Expr) -> bool {
    xs.any(&|node| {
        matches!(
            node.as_prim(),
            Some((Primitive::Map(_) | Primitive::Generate | Primitive::Reduce(_) | Primitive::Scan(_), _))
        )
    })
}

/// The elements of an array of [`SIDE`].
fn elements(xs: &Expr) -> Result<Vec<Expr>, Reason> {
    (0..SIDE).map(|at| make(Primitive::Idx, [nat(Nat::lit(at)), xs.clone()])).collect()
}

/// Whether it is a fold of something that all columns read, and of something that all rows do.
fn is_of_both(expr: &Expr, row: &Param, column: &Param, known: &mut Known) -> bool {
    let Ok(view) = associative(expr) else { return false };
    let leaves = known.folded(view.f, view.xs);
    let shared = |own: &Param, other: &Param| {
        let is_shared =
            |leaf: &Leaf| leaf.along(&own.name) != Stride::Same && leaf.along(&other.name) == Stride::Same;
        leaves.iter().any(is_shared)
    };
    expr.ty().scalar().is_some() && is_light(view.xs) && shared(row, column) && shared(column, row)
}
