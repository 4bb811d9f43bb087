//! Rows whose elements lie side by side are folded by a work-group each.
//!
//! ```text
//! map (λ row. reduce f z row) xs  →  map (λ row. let t = toMem (map (reduce f e) (T (split p (take m row)))) in
//!                                     reduce f (reduce f z …) (drop m row)) xs
//! ```
//!
//! In: a nest of maps. Out: the same, where each fold in it that reads a row of its own goes in [`LANES`]: work-items
//! beside each other read neighbours, which those that take a whole row each do not. Rows that are short, as is known
//! only when the kernel runs, stay whole, and so do all where work-items do not run in step.

use crate::expr::{AddressSpace, Arg, Expr, Kind, Lambda, MapForm, Primitive, let_in, occurrences, to_mem};
use crate::names::Name;
use crate::nat::{Nat, NatVar};
use crate::rewrite::context::{Context, Reason};
use crate::rewrite::recipes::auto::all_hold;
use crate::rewrite::recipes::auto::before::may_fold;
use crate::rewrite::recipes::auto::flat::flattened;
use crate::rewrite::recipes::auto::lanes::{self, is_reduction, producers};
use crate::rewrite::recipes::auto::strides::{Known, Stride, descend};
use crate::rewrite::rules::support::{
    MapView, Rewritten, fold, len, make, make_map, map_operands, map_over, operand, plain_map, retyped,
};

use super::columns;
use super::folds::{Source, Stages};
use super::tiles;

/// Work-items that fold a row, and results of the stage behind that, which is done as often as there are work-items for
/// it: all come by, and know what is left over. What only some do, with loops in it, PoCL 3.1 cannot build.
const LANES: [(i64, i64); 2] = [(128, 1), (8, 16)];

/// Rows of fewer elements are folded by a work-item each.
const LONG: i64 = 256;

/// Rows of at most so many elements lie in the memory of a group.
const SHORT: i64 = 512;

/// All such nests.
pub fn everywhere(expr: &Expr, cx: &mut Context) -> Expr {
    outside(
        expr,
        &mut Rows { known: Known::default(), cx, around: Vec::new(), lengths: Vec::new(), staged: 0 },
    )
}

/// What is known where the walk is.
struct Rows<'a> {
    known: Known,
    cx: &'a mut Context,
    /// The variables of the maps around, outermost first.
    around: Vec<Name>,
    /// The lengths of the folds that went in lanes.
    lengths: Vec<Nat>,
    /// How many did.
    staged: usize,
}

/// The same where no map is around.
fn outside(expr: &Expr, rows: &mut Rows<'_>) -> Expr {
    match expr.kind() {
        Kind::Var(_) | Kind::Literal(_) | Kind::Nat(_) => expr.clone(),
        Kind::Let(param, value, body) => {
            let reads = rows.known.named(value);
            let value = outside(value, rows);
            rows.known.push(param, reads);
            let body = outside(body, rows);
            rows.known.pop();
            expr.clone().with_kind(Kind::Let(param.clone(), value, body))
        }
        Kind::Prim(..) => match plain_map(expr) {
            Ok(_) => nest(expr, rows)
                .or_else(|_| columns::in_pieces(expr, &mut rows.known))
                .or_else(|_| tiles::in_tiles(expr, &mut rows.known))
                .unwrap_or_else(|_| expr.clone()),
            Err(_) => map_operands(expr, &mut |operand| outside(operand, rows)),
        },
    }
}

/// A nest in which rows go in lanes where they are long; rows of rows are rows.
fn nest(expr: &Expr, rows: &mut Rows<'_>) -> Rewritten {
    if let Some((flat, count)) = flattened(expr)
        && let Ok(all) = nest(&flat, rows)
    {
        return Ok(retyped(make(Primitive::Split(count), [all])?, expr.ty()));
    }
    let in_lanes = inside(rows, expr);
    let lengths = std::mem::take(&mut rows.lengths);
    let long: Vec<_> = lengths.into_iter().map(|length| (Nat::lit(LONG), length)).collect();
    if long.is_empty() {
        return Err(Reason::refused("no row in it is folded by itself"));
    }
    let in_step = (Nat::lit(2), Nat::var(&NatVar::in_step()));
    all_hold([in_step].into_iter().chain(long)).select(|| Ok(in_lanes), expr)
}

fn inside(rows: &mut Rows<'_>, expr: &Expr) -> Expr {
    if let Ok(new) = in_lanes(rows, expr) {
        return new;
    }
    match (expr.kind(), plain_map(expr)) {
        (_, Ok(map)) => {
            let depth = rows.around.len();
            rows.around.extend(map.f.params.last().map(|param| param.name.clone()));
            let staged = rows.staged;
            let new = descend(rows, |rows| &mut rows.known, expr, inside);
            rows.around.truncate(depth);
            let is_group = rows.staged > staged && map.f.body.ty().is_small();
            if is_group { by_one(&new).unwrap_or(new) } else { new }
        }
        (Kind::Let(param, value, body), _) => {
            // As it was computed, since that tells whose row it is.
            let computed = operand(value, |own| matches!(own, Primitive::ToMem(_))).unwrap_or(value);
            let reads = rows.known.reads(computed);
            let value = inside(rows, value);
            rows.known.push(param, reads);
            let again = occurrences(body, &param.name) > 1 && computes_elements(&value);
            let body = inside(rows, body);
            rows.known.pop();
            expr.clone().with_kind(Kind::Let(param.clone(), if again { stored(value) } else { value }, body))
        }
        _ => {
            let new = descend(rows, |rows| &mut rows.known, expr, inside);
            match new.as_prim() {
                Some((Primitive::ToMem(AddressSpace::Default), [Arg::Expr(value)])) if is_row(value) => {
                    stored(value.clone())
                }
                _ => new,
            }
        }
    }
}

fn is_row(value: &Expr) -> bool {
    value.ty().as_array().is_some_and(|(_, element)| element.is_small())
}

/// The fold of a row that no other iteration of the maps around reads.
fn in_lanes(rows: &mut Rows<'_>, expr: &Expr) -> Rewritten {
    let view = fold(expr)?;
    // Where maps are around that could not become one, they share out the work-items themselves.
    let [row] = rows.around.as_slice() else {
        return Err(Reason::refused("no map, or several, are around it"));
    };
    let row = row.clone();
    if !may_fold(view, lanes::LONG) || !is_reduction(expr, &mut rows.known) {
        return Err(Reason::refused("it folds no long row"));
    }
    let length = len(view.xs)?;
    let Some(x) = view.f.params.last() else { return Err(Reason::refused("it folds nothing")) };
    let own = rows
        .known
        .folded(view.f, view.xs)
        .into_iter()
        .any(|leaf| leaf.along(&x.name) == Stride::Next && leaf.along(&row) != Stride::Same);
    if !own || length.vars().iter().any(|var| !rows.cx.kernel.nats.contains(var)) {
        return Err(Reason::refused("rows are shared, or of different lengths"));
    }
    let (maps, base) = producers(view.xs);
    let new = Stages::of(view, rows.cx).in_lanes(&LANES, view.start.clone(), Source { maps, base })?;
    if !rows.lengths.contains(&length) {
        rows.lengths.push(length);
    }
    rows.staged += 1;
    Ok(new)
}

/// The map where one work-item of each group writes its value.
fn by_one(expr: &Expr) -> Rewritten {
    let MapView { f, xs, .. } = plain_map(expr)?;
    let all = make_map(MapForm::Plain, Lambda { body: alone(&f.body)?, ..f.clone() }, xs.clone())?;
    Ok(retyped(make(Primitive::Join, [all])?, expr.ty()))
}

/// An array of the value alone, which a map writes.
fn alone(value: &Expr) -> Rewritten {
    match value.kind() {
        Kind::Let(param, stored, body) => Ok(let_in(param.clone(), stored.clone(), alone(body)?)),
        _ => map_over(MapForm::Plain, "one", make(Primitive::MakeArray, [value.clone()])?, Ok),
    }
}

/// Whether elements are computed that would be again wherever they are looked at.
fn computes_elements(value: &Expr) -> bool {
    is_row(value)
        && !matches!(value.as_prim(), Some((Primitive::ToMem(_), _)))
        && value.any(&|node| matches!(node.as_prim(), Some((Primitive::Map(_) | Primitive::Generate, _))))
}

/// The row in memory of its group, or in that of all where it may be long.
fn stored(value: Expr) -> Expr {
    let is_short = value.ty().as_array().and_then(|(len, _)| len.as_const()).is_some_and(|len| len <= SHORT);
    to_mem(if is_short { AddressSpace::Default } else { AddressSpace::Global }, value)
}
