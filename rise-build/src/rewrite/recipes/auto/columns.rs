//! Maps of folds along columns: what a step of the fold reads is far from what the next one reads, and close to what
//! its neighbour in the map reads.
//!
//! In: any term. Out: the same, where such nests go row by row over one accumulator a column, which stay in the cache:
//! [`ROWS`] rows at a time and up to [`COLUMNS`] columns, pieces of which run in parallel. Each column is folded in
//! its own order.

use crate::expr::{Expr, Lambda, MapForm, Primitive};
use crate::names::Label;
use crate::nat::Nat;
use crate::rewrite::context::Context;
use crate::rewrite::engine::{Engine, Outcome};
use crate::rewrite::recipes::loops::{fuse_once, split_by};
use crate::rewrite::recipes::nests::sort;
use crate::rewrite::recipes::support::{Tail, at, part};
use crate::rewrite::rules::lowering;
use crate::rewrite::rules::split::peel_map;
use crate::rewrite::rules::support::{
    MapView, Rewritten, fold, len, make, make_map, operands2, plain_map, retyped,
};
use crate::rewrite::strategy::Path;

use super::stages;
use super::strides::{Known, Stride, descend};
use super::tile::{MARK, mark_fold, only_fold_of_computed, with, without_marks};
use super::where_it_works;

/// Rows that are folded into an accumulator while it is in a register.
const ROWS: i64 = 8;

/// Columns whose accumulators stay in the first cache beside the rows.
const COLUMNS: i64 = 2048;

/// Fewer columns than these fill a few vectors, which are accumulators themselves.
const FEW: i64 = 64;

/// Folds of fewer rows than these, as windows have them, end while the accumulator is in a register.
const SHORT: i64 = 64;

/// A nest that was found, by its labels.
struct Nest {
    columns: Label,
    fold: Label,
    in_pieces: bool,
}

/// All such nests inside.
pub fn everywhere(engine: &mut Engine, body: &Expr) -> Expr {
    let mut finder = Finder { known: Known::default(), nests: Vec::new(), context: &engine.context };
    let marked = finder.expr(body);
    let nests = finder.nests;
    let turned = nests.iter().fold(marked, |current, nest| {
        where_it_works(engine, &current, &nest.columns, &mut |engine, node| nest.turn(engine, node))
    });
    without_marks(&turned)
}

struct Finder<'c> {
    known: Known,
    nests: Vec<Nest>,
    context: &'c Context,
}

impl Finder<'_> {
    fn expr(&mut self, expr: &Expr) -> Expr {
        if self.is_along_columns(expr)
            && let Ok(marked) = self.pieces(expr)
        {
            return marked;
        }
        descend(self, |finder| &mut finder.known, expr, Self::expr)
    }

    fn is_along_columns(&mut self, expr: &Expr) -> bool {
        let Ok(map) = plain_map(expr) else { return false };
        let Some(found) = only_fold_of_computed(&map.f.body) else { return false };
        let Ok(view) = fold(&found) else { return false };
        let short = |xs: &Expr, least| len(xs).is_ok_and(|len| len.as_const().is_some_and(|len| len < least));
        if !map.f.body.ty().is_numbers() || short(map.xs, FEW) || short(view.xs, SHORT) {
            return false;
        }
        is_apart(&mut self.known, map, view.f, view.xs)
    }

    /// Whole pieces, then the columns that are left over.
    fn pieces(&mut self, expr: &Expr) -> Rewritten {
        if expr.labels().contains(&stages::rows()) {
            return self.labelled(expr, false);
        }
        let columns = len(plain_map(expr)?.xs)?;
        let main = self.context.facts().simplify(&columns.div(&Nat::lit(COLUMNS))) * COLUMNS;
        if main.is_zero() {
            return self.labelled(expr, false);
        }
        if main == columns {
            return self.labelled(expr, true);
        }
        let peeled = peel_map(expr, &main)?;
        let [first, rest] = operands2(&peeled, |p| matches!(p, Primitive::Concat))?;
        let (first, rest) = (self.labelled(first, true)?, self.labelled(rest, false)?);
        Ok(retyped(make(Primitive::Concat, [first, rest])?, expr.ty()))
    }

    fn labelled(&mut self, expr: &Expr, in_pieces: bool) -> Rewritten {
        let number = self.nests.len();
        let label = |text: &str| Label::new(&format!("{MARK}{text}{number}"));
        let nest = Nest { columns: label("column"), fold: label("fold"), in_pieces };
        let map = plain_map(expr)?;
        let body = mark_fold(&map.f.body, &nest.fold);
        let whole = make_map(MapForm::Plain, Lambda { body, ..map.f.clone() }, map.xs.clone())?;
        let whole = with(whole, expr, &nest.columns);
        self.nests.push(nest);
        Ok(whole)
    }
}

/// Whether a fold of `xs` by `f` in each iteration of the map reads far elements, which are close for neighbours.
pub fn is_apart(known: &mut Known, map: MapView<'_>, f: &Lambda, xs: &Expr) -> bool {
    let (Some(element), Some(column)) = (f.params.last(), map.f.params.first()) else { return false };
    let leaves = known.under(map.f, map.xs, |known| known.folded(f, xs));
    let down = |stride| leaves.iter().any(|leaf| leaf.along(&element.name) == stride);
    let across = |stride| leaves.iter().any(|leaf| leaf.along(&column.name) == stride);
    down(Stride::Far) && across(Stride::Next) && !across(Stride::Far)
}

impl Nest {
    fn turn(&self, engine: &mut Engine, expr: &Expr) -> Outcome {
        let [columns, fold] = [&self.columns, &self.fold].map(|label| Path::new(vec![label.clone()]));
        let fused = at(engine, expr, &fold, "fuse", |node, _| {
            let mut current = node.clone();
            while let Ok(next) = fuse_once(&current) {
                current = next;
            }
            Ok(current)
        })?;
        let rows = split_by(engine, &fused, &fold, &[Nat::lit(ROWS)], Tail::Peel)?;
        let inner = part(&fold, "inner");
        let order = [part(&fold, "outer"), columns.clone(), inner.clone()];
        let sorted = match self.in_pieces {
            true => {
                let pieces = split_by(engine, &rows, &columns, &[Nat::lit(COLUMNS)], Tail::Exact)?;
                let order =
                    [part(&columns, "outer"), part(&fold, "outer"), part(&columns, "inner"), inner.clone()];
                sort(engine, &pieces, &order)?
            }
            false => sort(engine, &rows, &order)?,
        };
        at(engine, &sorted, &inner, "unroll", |node, _| lowering::unroll(node))
    }
}
