//! Reductions over contiguous memory, in vectors with several accumulators.
//!
//! In: any term. Out: the same, where each innermost `reduce` with a known commutative operator folds
//! [`COUNT`] vectors at a time, then single vectors, then the lanes pairwise, then what is left over. It reads
//! in order and is right for all lengths; how it associates depends on lengths alone. Sums of products are
//! contracted, as in tiles. Where a map reduces rows, several rows are folded side by side, in one vector each.

use crate::expr::{
    AddressSpace, Arg, Expr, Kind, Lambda, MapForm, Param, Primitive, ReduceForm, free_names, let_in,
    map_children, nat, proj, refresh, refresh_lambda, to_mem,
};
use crate::names::Name;
use crate::nat::Nat;
use crate::rewrite::context::Reason;
use crate::rewrite::predicate::computes;
use crate::rewrite::recipes::loops::natural_width;
use crate::rewrite::rules::folds::associative;
use crate::rewrite::rules::fusion::composed;
use crate::rewrite::rules::operators::{commutes, neutral};
use crate::rewrite::rules::support::{
    FoldView, Rewritten, beta_copy, bind, component, fold, fun1, len, make, make_fold, make_map, map_over,
    plain_map, retyped, tuple,
};
use crate::types::{DataType, Scalar};

use super::When;
use super::abreast;
use super::across;
use super::before;
use super::behind;
use super::narrow;
use super::nest::{contract, terms_one_by_one};
use super::scattered;
use super::strides::{Known, Leaf, Stride};
use super::sums;
use super::tile::{folds_apart, only_folds};
use super::vectors::is_row_of;
use crate::rewrite::ways::components;

/// Vectors that are folded independently of each other, to hide the latency of the operator.
const COUNT: i64 = 8;

/// Folds of fewer elements than these are not worth lanes that are added up in the end.
pub const LONG: i64 = 64;

/// Folds of so many elements are written out by compilers, which find lanes for integers, and for what is around.
pub const WRITTEN_OUT: i64 = 32;

/// Rows that are folded side by side where there are many: memory answers several streams sooner than one, and what
/// all rows share is read once. Their accumulators fit into sixteen registers of half a vector.
const ROWS: i64 = 6;

/// Parts of a vector in which elements that fill none go before single ones do.
const PARTS: [i64; 2] = [2, 4];

/// Elements of a block of a reduction that runs in parallel.
const BLOCK: i64 = 1 << 16;

/// All such reductions inside. Where no loop is around, and `parallel` is asked for, they fold blocks of
/// [`BLOCK`] elements in parallel, and then the blocks' results.
pub fn everywhere(expr: &Expr, known: &mut Known, parallel: bool) -> Expr {
    let kind = match expr.kind() {
        Kind::Var(_) | Kind::Literal(_) | Kind::Nat(_) => return expr.clone(),
        Kind::Let(param, value, body) => {
            let reads = known.named(value);
            let value = everywhere(value, known, parallel);
            let body = known.with(param, reads, |known| everywhere(body, known, parallel));
            Kind::Let(param.clone(), value, body)
        }
        Kind::Prim(..) => return prim(expr, known, parallel),
    };
    expr.clone().with_kind(kind)
}

fn prim(expr: &Expr, known: &mut Known, parallel: bool) -> Expr {
    if let Some((enough, new)) = narrow::columns(expr, known) {
        let few = match enough {
            When::Always => expr.clone(),
            When::Never | When::If(_) => row_by_row(expr, known, parallel),
        };
        return enough.select(|| Ok(new), &few).unwrap_or(few);
    }
    row_by_row(expr, known, parallel)
}

/// The same where no columns are joined.
fn row_by_row(expr: &Expr, known: &mut Known, parallel: bool) -> Expr {
    if let Some(named) = before::named_rows(expr) {
        return everywhere(&named, known, parallel);
    }
    in_lanes(expr, across::folds(expr, known), known, parallel)
}

/// The same where rows go abreast if that is worth it, and else folds go in lanes or results do.
fn in_lanes(expr: &Expr, fold_lanes: When, known: &mut Known, parallel: bool) -> Expr {
    match abreast::rows(expr, known) {
        Some((abreast, When::Always)) => abreast,
        Some((abreast, worth)) => {
            let each = each(expr, fold_lanes, known, parallel);
            worth.select(|| Ok(abreast), &each).unwrap_or(each)
        }
        None => each(expr, fold_lanes, known, parallel),
    }
}

/// The same where each row is computed by itself.
fn each(expr: &Expr, fold_lanes: When, known: &mut Known, parallel: bool) -> Expr {
    match fold_lanes {
        When::Always => folds(expr, known, parallel),
        worth => {
            let results = results(expr, known);
            worth.select(|| Ok(folds(expr, known, parallel)), &results).unwrap_or(results)
        }
    }
}

/// The same where folds go in lanes.
fn folds(expr: &Expr, known: &mut Known, parallel: bool) -> Expr {
    if let Some(first) = behind::folds(expr, known) {
        return everywhere(&first, known, parallel);
    }
    if let Some(new) = rows(expr, known) {
        return new;
    }
    if let Some(named) = before::named(expr) {
        return everywhere(&named, known, parallel);
    }
    if let Some(alone) = way_of(expr, known, parallel)
        && let Ok(new) = if parallel && is_long(expr) { blocks(expr, alone) } else { alone(expr) }
    {
        return new;
    }
    match stored(expr).filter(|_| parallel) {
        Some(stored) => everywhere(&stored, known, parallel),
        None => inside(expr, known, parallel),
    }
}

/// How a fold is computed in lanes or by several accumulators; with no loop around it, it may be left to compilers.
fn way_of(expr: &Expr, known: &mut Known, is_alone: bool) -> Option<fn(&Expr) -> Rewritten> {
    match is_reduction(expr, known) {
        true if is_alone && sums::is_of_narrower(expr) => Some(sums::in_order),
        true => Some(reduction),
        false => scattered::is_fold(expr, known).then_some(scattered::fold),
    }
}

/// The fold of elements that take long folds themselves, which are stored first: so they can be computed in parallel, and
/// in lanes whatever they are folded to.
fn stored(expr: &Expr) -> Option<Expr> {
    let view = fold(expr).ok()?;
    let mut values = Vec::new();
    let xs = with_stored(view.xs, &mut values);
    let args = vec![view.f.clone().into(), view.start.clone().into(), xs.into()];
    let whole = expr.clone().with_kind(Kind::Prim(Primitive::Reduce(view.form), args));
    (!values.is_empty()).then(|| before::around(values, whole))
}

/// The array with names for such elements, also of arrays that are side by side.
fn with_stored(xs: &Expr, values: &mut Vec<(Param, Expr)>) -> Expr {
    match xs.as_prim() {
        Some((Primitive::Zip, _)) => map_children(xs, &mut |xs| with_stored(xs, values)),
        _ if across::each_of(xs).is_some_and(|f| f.body.any(&before::takes_long)) => {
            let each = Param::fresh("each", xs.ty().clone());
            let name = each.expr();
            values.push((each, to_mem(AddressSpace::Default, xs.clone())));
            name
        }
        _ => xs.clone(),
    }
}

/// The same in the operand of a map whose results go in lanes, or whose folds are short.
fn results(expr: &Expr, known: &mut Known) -> Expr {
    let Some((primitive, args)) = expr.as_prim() else { return expr.clone() };
    let args = args.iter().map(|arg| match arg {
        Arg::Expr(xs) => Arg::Expr(everywhere(xs, known, false)),
        Arg::Fun(f) => Arg::Fun(f.clone()),
    });
    expr.clone().with_kind(Kind::Prim(primitive.clone(), args.collect()))
}

/// The same in the operands and functions of a primitive.
fn inside(expr: &Expr, known: &mut Known, parallel: bool) -> Expr {
    let Some((primitive, args)) = expr.as_prim() else { return expr.clone() };
    let xs = args.last().and_then(Arg::as_expr);
    // What is chosen by a condition, or is read element by element, stays where it is.
    let inner =
        parallel && (computes(primitive) || matches!(primitive, Primitive::Tuple | Primitive::Proj(_)));
    let is_folded = |xs: &Expr| matches!(primitive, Primitive::Reduce(_)) && across::each_of(xs).is_some();
    let args = args.iter().map(|arg| match arg {
        Arg::Expr(xs) if is_folded(xs) => {
            let fold_lanes = across::inner_folds(xs, known);
            Arg::Expr(in_lanes(xs, fold_lanes, known, inner))
        }
        Arg::Expr(expr) => Arg::Expr(everywhere(expr, known, inner)),
        Arg::Fun(f) => {
            let is_row = |known: &mut Known| xs.is_some_and(|xs| is_row_of(f, xs, known));
            let lanes = known.are_lanes() || matches!(primitive, Primitive::Map(_)) && is_row(known);
            let body = known.in_lanes(lanes, |known| {
                known.inside(primitive, f, xs, |known| everywhere(&f.body, known, false))
            });
            Arg::Fun(Lambda { body, ..f.clone() })
        }
    });
    expr.clone().with_kind(Kind::Prim(primitive.clone(), args.collect()))
}

/// The values of a fold's accumulator that are numbers, each of which is a register.
fn parts(ty: &DataType) -> &[DataType] {
    match ty {
        DataType::Tuple(parts) => parts,
        scalar => std::slice::from_ref(scalar),
    }
}

/// How many vectors are folded at once: accumulators of several parts hide as much by fewer.
fn count(ty: &DataType) -> i64 {
    let parts = parts(ty).len().next_power_of_two();
    i64::try_from(parts).map_or(1, |parts| (COUNT / parts).max(1))
}

/// Whether the reduction may be longer than a block.
fn is_long(expr: &Expr) -> bool {
    fold(expr)
        .and_then(|view| len(view.xs))
        .is_ok_and(|len| len.as_const().is_none_or(|len| len >= 2 * BLOCK))
}

/// Whether the term is an innermost reduction of scalars that lie side by side, alone, in tuples or in close windows, or in no memory.
pub fn is_reduction(expr: &Expr, known: &mut Known) -> bool {
    let Ok(view) = associative(expr) else { return false };
    let parts = parts(expr.ty());
    let Some(scalars) = parts.iter().map(DataType::scalar).collect::<Option<Vec<_>>>() else { return false };
    let is_laned = match scalars.as_slice() {
        // Truth values are as wide as what is compared.
        [scalar] => scalar.bytes() >= 2 || *scalar == Scalar::Bool,
        // Of narrow parts more is lost where an instruction set lacks them than is won elsewhere; beside floats, whose
        // order compilers keep, it is not.
        parts => {
            let are_alike = parts.iter().all(|part| part.bytes() == parts[0].bytes());
            parts.iter().any(|part| part.bytes() >= 4 && (are_alike || part.is_float()))
        }
    };
    let least = match scalars.as_slice() {
        // Compilers write out short folds of integers, which they can add up in any order.
        scalars if scalars.iter().any(|scalar| scalar.is_float()) => natural_width(expr),
        [scalar] if scalar.bytes() >= 4 => WRITTEN_OUT + 1,
        _ => LONG,
    };
    if !is_laned || !before::may_fold(view, least) || !commutes(view.f) || !is_light(view.xs) {
        return false;
    }
    let Some(x) = view.f.params.last() else { return false };
    let leaves = known.folded(view.f, view.xs);
    // Accumulators of several parts are lanes of the loop around, where its iterations lie side by side.
    if parts.len() > 1 && known.are_beside_others(&leaves) {
        return false;
    }
    // Compilers find lanes of their own for integers, and shuffle less.
    let is_float = scalars[0].is_float();
    let is_shuffled =
        |leaf: &Leaf| is_float && leaf.dim(&x.name).is_some_and(|dim| dim.is_shuffled || dim.is_close);
    let stride = |leaf: &Leaf| if is_shuffled(leaf) { Stride::Next } else { leaf.along(&x.name) };
    let along: Vec<Stride> = leaves.iter().map(stride).collect();
    let is_computed = along.iter().all(|stride| *stride == Stride::Same);
    let is_small = |scalar: &Scalar| scalar.bytes() == 2;
    (is_computed || along.contains(&Stride::Next))
        && !along.contains(&Stride::Far)
        && (!scalars.iter().all(is_small) || known.has_small())
}

/// Whether the elements can be written down three times without much code, and computed in lanes.
pub fn is_light(xs: &Expr) -> bool {
    !xs.any(&|node| {
        matches!(
            node.as_prim(),
            Some((
                Primitive::Reduce(_)
                    | Primitive::Scan(_)
                    | Primitive::Iterate(_)
                    | Primitive::Update
                    | Primitive::ToMem(_)
                    | Primitive::Foreign(_)
                    | Primitive::CircularBuffer(..)
                    | Primitive::RotateValues(_)
                    | Primitive::Map(MapForm::Stream | MapForm::Par | MapForm::Vec),
                _
            ))
        )
    })
}

/// Reductions of rows that lie apart, [`ROWS`] of them side by side, in a vector each, and then single ones.
fn rows(expr: &Expr, known: &mut Known) -> Option<Expr> {
    let found = of_rows(expr, known)?;
    let map = plain_map(expr).ok()?;
    let length = len(map.xs).ok()?;
    let main = length.div(&Nat::lit(ROWS)) * ROWS;
    if main.is_zero() {
        return None;
    }
    let several = || -> Rewritten {
        let groups = make(Primitive::Take(main.clone()), [map.xs.clone()])?;
        let groups = make(Primitive::Split(Nat::lit(ROWS)), [groups])?;
        let groups = map_over(MapForm::Plain, "rows", groups, |group| together(map.f, &found, group))?;
        let groups = make(Primitive::Join, [groups])?;
        let alone =
            |body: Expr, found: &Expr| -> Rewritten { Ok(at_operand(&body, found, &reduction(found)?)) };
        let body = found.iter().try_fold(map.f.body.clone(), alone)?;
        let single = Lambda { body, ..map.f.clone() };
        let rest = make(Primitive::Drop(main.clone()), [refresh(map.xs)])?;
        let rest = make_map(MapForm::Plain, refresh_lambda(&single), rest)?;
        Ok(retyped(make(Primitive::Concat, [groups, rest])?, expr.ty()))
    };
    let new = several().ok()?;
    Some(new.with_labels(expr.labels().to_vec()).with_origin(expr.origin()))
}

/// The reductions that are made of each row, if the term makes such of rows that lie apart. Of several, each reads rows
/// of its own: what one has read of a row is near for the next one only where row after row is reduced.
pub fn of_rows(expr: &Expr, known: &mut Known) -> Option<Vec<Expr>> {
    let map = plain_map(expr).ok()?;
    // Long rows that are read again are no longer near behind others.
    let is_read_again = map.f.body.ty().as_array().is_some();
    let found = if is_read_again { only_folds(&map.f.body) } else { folds_apart(&map.f.body)? };
    let [x] = map.f.params.as_slice() else { return None };
    let is_known = |known: &mut Known| {
        found.iter().all(|found| is_reduction(found, known) && is_apart(found, &x.name, known))
    };
    let parts: Vec<Vec<Vec<usize>>> = found.iter().map(|found| components(found, &x.name)).collect();
    let are_others = parts.iter().enumerate().all(|(at, own)| {
        let mut earlier = parts[..at].iter().flatten();
        earlier.all(|other| own.iter().all(|own| !own.starts_with(other) && !other.starts_with(own)))
    });
    (!found.is_empty() && are_others && known.under(map.f, map.xs, is_known)).then_some(found)
}

/// Whether the reduction reads along rows that are far from each other.
pub fn is_apart(found: &Expr, row: &Name, known: &mut Known) -> bool {
    let Ok(view) = fold(found) else { return false };
    let leaves = known.folded(view.f, view.xs);
    leaves.iter().any(|leaf| leaf.along(row) == Stride::Far)
}

/// What the function makes of each row of a group, where the reductions in it are computed for all of them at once, one
/// reduction after the other.
fn together(f: &Lambda, found: &[Expr], group: Expr) -> Rewritten {
    let all: Vec<Several> =
        found.iter().map(|found| Several::of(f, found, &group)).collect::<Result<_, _>>()?;
    let beside = |row, several: &Several| make(Primitive::Zip, [several.name.expr(), row]);
    let rows = all.iter().rev().try_fold(group, beside)?;
    let each = map_over(MapForm::Plain, "row", rows, |mut row| {
        let mut body = f.body.clone();
        for several in &all {
            body = at_operand(&body, &several.found, &several.rest(&component(0, &row))?);
            row = component(1, &row);
        }
        Ok(beta_copy(&Lambda { body, ..f.clone() }, &[row]))
    })?;
    Ok(all.into_iter().rev().fold(each, |each, several| let_in(several.name, several.lanes, each)))
}

/// A reduction of each row of a group.
struct Several {
    found: Expr,
    step: Lambda,
    xs: Expr,
    /// How many elements fill vectors or parts of one.
    done: Nat,
    /// What those are folded to, so many lanes for each row, and their name.
    lanes: Expr,
    width: i64,
    name: Param,
}

impl Several {
    fn of(f: &Lambda, found: &Expr, group: &Expr) -> Result<Self, Reason> {
        let view = associative(found)?;
        let (step, xs) = fused(view.f, view.xs)?;
        let count = len(group)?;
        let of_rows = f.params.first().map(|row| (row, group));
        let folded = |start: Expr, Part { from, to, width }: &Part| -> Rewritten {
            let of_row = |row: Expr| beta_copy(&Lambda { body: xs.clone(), ..f.clone() }, &[row]);
            let pieces = map_over(MapForm::Plain, "row", group.clone(), |row| {
                let part = make(Primitive::Take(to.clone()), [of_row(row)])?;
                make(Primitive::Split(Nat::lit(*width)), [make(Primitive::Drop(from.clone()), [part])?])
            })?;
            let steps = make(Primitive::Transpose, [pieces])?;
            let steps = map_over(MapForm::Plain, "pieces", steps, |pieces| make(Primitive::Join, [pieces]))?;
            let lanes = fold_several(&step, start, steps, &Nat::lit(*width), of_rows)?;
            Ok(to_mem(AddressSpace::Private, lanes))
        };
        let [whole, parts @ ..] = in_parts(&len(&xs)?, natural_width(found));
        let start = generate(count, neutral_vector(view, &Nat::lit(whole.width))?);
        let lanes = parts.iter().try_fold(folded(start, &whole)?, |lanes, part| {
            let start = map_over(MapForm::Unroll, "v", lanes, |v| halves(view, v, part.width))?;
            folded(to_mem(AddressSpace::Private, start), part)
        })?;
        let [.., Part { to: done, width, .. }] = parts;
        let name = Param::fresh("lanes", lanes.ty().clone());
        Ok(Self { found: found.clone(), step, xs, done, lanes, width, name })
    }

    /// The reduction of a row, from its lanes.
    fn rest(&self, lanes: &Expr) -> Rewritten {
        rest(&self.found, &self.step, &self.xs, &self.done, lanes, self.width)
    }
}

/// Elements that are folded so many at a time.
struct Part {
    from: Nat,
    to: Nat,
    width: i64,
}

/// Those of so many elements that fill vectors, and those that fill [`PARTS`] of one.
fn in_parts(length: &Nat, width: i64) -> [Part; 3] {
    let filled = |width: i64| length.div(&Nat::lit(width)) * width;
    let [half, quarter] = PARTS.map(|part| width / part);
    let part = |wider: i64, width: i64| Part { from: filled(wider), to: filled(width), width };
    [Part { from: Nat::lit(0), to: filled(width), width }, part(width, half), part(half, quarter)]
}

/// The lower lanes of a vector with the upper ones, of which there are so many.
fn halves(view: FoldView<'_>, vector: Expr, width: i64) -> Rewritten {
    let lower = make(Primitive::Take(Nat::lit(width)), [vector.clone()])?;
    lanewise(view.f, lower, make(Primitive::Drop(Nat::lit(width)), [vector])?)
}

/// The body with another operand in place of that one.
pub fn at_operand(body: &Expr, found: &Expr, new: &Expr) -> Expr {
    match body.same(found) {
        true => new.clone(),
        false => map_children(body, &mut |child| at_operand(child, found, new)),
    }
}

/// The reduction, from the lanes of its first elements.
pub fn rest(found: &Expr, step: &Lambda, xs: &Expr, done: &Nat, lanes: &Expr, width: i64) -> Rewritten {
    let view = associative(found)?;
    let total = pairwise(view, lanes, width)?;
    let start = beta_copy(view.f, &[view.start.clone(), total]);
    let rest = make(Primitive::Drop(done.clone()), [refresh(xs)])?;
    let rest = make_fold(ReduceForm::Seq(AddressSpace::Default), refresh_lambda(step), start, rest)?;
    Ok(rest.with_labels(found.labels().to_vec()).with_origin(found.origin()))
}

/// A nest of few rows and columns, whose reductions are computed for all pairs of them at once, in a vector each: what is
/// loaded of a row meets all columns.
pub fn in_pairs_of(expr: &Expr, known: &mut Known) -> Rewritten {
    let outer = plain_map(expr)?;
    let inner = plain_map(&outer.f.body)?;
    let found = known.under(outer.f, outer.xs, |known| of_rows(&outer.f.body, known));
    one_long(found)?;
    let of_row = |row: &Expr| {
        let columns = Lambda { body: inner.xs.clone(), ..outer.f.clone() };
        beta_copy(&columns, std::slice::from_ref(row))
    };
    let pairs = map_over(MapForm::Plain, "row", outer.xs.clone(), |row| {
        map_over(MapForm::Plain, "column", of_row(&row), |column| Ok(tuple([row, column])))
    })?;
    let pairs = make(Primitive::Join, [pairs])?;
    let (_, element) = pairs.ty().as_array().ok_or(Reason::mismatch("it is no array"))?;
    let pair = Param::fresh("pair", element.clone());
    let of_column = Lambda { body: inner.f.body.clone(), ..outer.f.clone() };
    let [row, column] = [0, 1].map(|side| proj(side, pair.expr()));
    let body = beta_copy(&of_column, &[row]);
    let body = beta_copy(&Lambda { body, ..inner.f.clone() }, &[column]);
    let found = only_folds(&body);
    let all = together(&fun1(pair, body), &found, pairs)?;
    Ok(retyped(make(Primitive::Split(len(inner.xs)?), [all])?, expr.ty()))
}

/// The only reduction that is made of each row, if it may be long: a tile is better than lanes that are added up often.
fn one_long(found: Option<Vec<Expr>>) -> Rewritten {
    let found = found.and_then(|found| <[Expr; 1]>::try_from(found).ok());
    let found = found.filter(|[found]| fold(found).is_ok_and(|view| before::may_fold(view, LONG)));
    let [found] = found.ok_or(Reason::refused("it makes no one long reduction of rows that lie apart"))?;
    Ok(found)
}

/// The map with each of its rows reduced in the lanes of one vector: what follows the rows of a tile, which are many
/// and short, needs no more. Processors begin with the next row before they end one.
pub fn in_one_vector(expr: &Expr, known: &mut Known) -> Rewritten {
    let found = one_long(of_rows(expr, known))?;
    let (map, view) = (plain_map(expr)?, associative(&found)?);
    let (step, xs) = fused(view.f, view.xs)?;
    let width = Nat::lit(natural_width(&found));
    let vectors = len(&xs)?.div(&width) * &width;
    let whole = make(Primitive::Take(vectors.clone()), [xs.clone()])?;
    let whole = make(Primitive::Split(width.clone()), [whole])?;
    let start = neutral_vector(view, &width)?;
    let lanes = fold_vectors(&step, start, whole, ReduceForm::Seq(AddressSpace::Private))?;
    let row = after_vectors(&found, &step, &xs, lanes)?;
    let body = at_operand(&map.f.body, &found, &row);
    let new = make_map(MapForm::Plain, Lambda { body, ..map.f.clone() }, map.xs.clone())?;
    Ok(new.with_labels(expr.labels().to_vec()).with_origin(expr.origin()))
}

fn reduction(expr: &Expr) -> Rewritten {
    let view = associative(expr)?;
    let (fused, xs) = fused(view.f, view.xs)?;
    let width = Nat::lit(natural_width(expr));
    let length = len(&xs)?;
    let count = count(expr.ty());
    let many = &width * count;
    let whole = length.div(&many) * &many;
    let vectors = length.div(&width) * &width;
    let several = make(Primitive::Take(whole.clone()), [xs.clone()])?;
    let several = make(Primitive::Split(many.clone()), [several])?;
    let start = generate(Nat::lit(count), neutral_vector(view, &width)?);
    let folded = fold_several(&fused, start, several, &width, None)?;
    let single = make(Primitive::Take(vectors.clone()), [refresh(&xs)])?;
    let single = make(Primitive::Drop(whole), [single])?;
    let single = make(Primitive::Split(width.clone()), [single])?;
    let together = in_pairs(view.f, folded, count)?;
    let lanes = fold_vectors(&fused, together, single, ReduceForm::Seq(AddressSpace::Private))?;
    after_vectors(expr, &fused, &xs, lanes)
}

/// The reduction, from the lanes that the elements are folded to which fill vectors: parts of a vector, then one by one.
fn after_vectors(found: &Expr, step: &Lambda, xs: &Expr, lanes: Expr) -> Rewritten {
    let view = associative(found)?;
    let [_, parts @ ..] = in_parts(&len(xs)?, natural_width(found));
    let mut named = Vec::new();
    let mut name = |lanes: Expr| {
        let param = Param::fresh("lanes", lanes.ty().clone());
        named.push((param.clone(), to_mem(AddressSpace::Private, lanes)));
        param.expr()
    };
    let lanes = parts.iter().try_fold(name(lanes), |lanes, Part { from, to, width }| -> Rewritten {
        let pieces = make(Primitive::Drop(from.clone()), [refresh(xs)])?;
        let pieces = make(Primitive::Take(to - from), [pieces])?;
        let pieces = make(Primitive::Split(Nat::lit(*width)), [pieces])?;
        let start = halves(view, lanes, *width)?;
        Ok(name(fold_vectors(step, start, pieces, ReduceForm::Seq(AddressSpace::Private))?))
    })?;
    let [.., Part { to: done, width, .. }] = parts;
    let all = rest(found, step, xs, &done, &lanes, width)?;
    Ok(named.into_iter().rev().fold(all, |all, (param, lanes)| let_in(param, lanes, all)))
}

/// Blocks in parallel, then their results and what is left over.
fn blocks(expr: &Expr, alone: fn(&Expr) -> Rewritten) -> Rewritten {
    let view = associative(expr)?;
    let (maps, xs) = producers(view.xs);
    let part = |start: Expr, xs: Expr| -> Rewritten {
        let xs = maps.iter().rev().try_fold(xs, |xs, f| make_map(MapForm::Plain, refresh_lambda(f), xs))?;
        alone(&make_fold(ReduceForm::Plain, refresh_lambda(view.f), start, xs)?)
    };
    let main = len(&xs)?.div(&Nat::lit(BLOCK)) * BLOCK;
    let rows = make(Primitive::Take(main.clone()), [xs.clone()])?;
    let rows = make(Primitive::Split(Nat::lit(BLOCK)), [rows])?;
    let partial = map_over(MapForm::Par, "block", rows, |block| part(neutral(view)?, block))?;
    let partial = to_mem(AddressSpace::Default, partial);
    let folded = make_fold(
        ReduceForm::Seq(AddressSpace::Default),
        refresh_lambda(view.f),
        view.start.clone(),
        partial,
    )?;
    let rest = part(folded, make(Primitive::Drop(main), [refresh(&xs)])?)?;
    Ok(rest.with_labels(expr.labels().to_vec()).with_origin(expr.origin()))
}

/// The functions of the maps that compute an array, the last first, and the array that they read.
pub fn producers(xs: &Expr) -> (Vec<Lambda>, Expr) {
    let (mut maps, mut xs) = (Vec::new(), xs.clone());
    while let Ok(map) = plain_map(&xs) {
        maps.push(map.f.clone());
        xs = map.xs.clone();
    }
    (maps, xs)
}

/// The step of a fold over what the maps before it read, and that array: the step takes its elements straight
/// from their functions, and a product that it adds is contracted.
pub fn fused(f: &Lambda, xs: &Expr) -> Result<(Lambda, Expr), Reason> {
    let (maps, xs) = producers(xs);
    let step = maps.iter().try_fold(f.clone(), |f, map| composed(&f, map))?;
    let body = contract(&terms_one_by_one(&step.body));
    Ok((Lambda { body, ..step }, xs))
}

/// Rows of so many vectors, each folded on its own. Where each is folded for an element of a group, the step may read that.
pub fn fold_several(
    step: &Lambda,
    start: Expr,
    rows: Expr,
    width: &Nat,
    group: Option<(&Param, &Expr)>,
) -> Rewritten {
    let accs = Param::fresh("accs", start.ty().clone());
    let row = Param::fresh("row", rows.ty().as_array().ok_or(Reason::mismatch("it is no array"))?.1.clone());
    let pieces = make(Primitive::Split(width.clone()), [row.expr()])?;
    let both = make(Primitive::Zip, [accs.expr(), pieces])?;
    let body = match group.filter(|(element, _)| free_names(&step.body).contains(&element.name)) {
        None => map_over(MapForm::Unroll, "v", both, |v| lanewise(step, component(0, &v), component(1, &v)))?,
        Some((element, group)) => {
            let all = make(Primitive::Zip, [both, group.clone()])?;
            map_over(MapForm::Unroll, "v", all, |all| {
                let (v, of) = (component(0, &all), component(1, &all));
                let step = Lambda { body: bind(element, &of, step.body.clone()), ..step.clone() };
                lanewise(&step, component(0, &v), component(1, &v))
            })?
        }
    };
    let f = Lambda { nats: Vec::new(), params: vec![accs, row], body };
    make_fold(ReduceForm::Seq(AddressSpace::Private), f, start, rows)
}

/// The vectors in pairs, those in pairs, and so on.
fn in_pairs(step: &Lambda, vectors: Expr, count: i64) -> Rewritten {
    let param = Param::fresh("accs", vectors.ty().clone());
    let vector = |at: i64| make(Primitive::Idx, [nat(Nat::lit(at)), param.expr()]);
    let half = count / 2;
    let pairs = match half {
        0 => return make(Primitive::Idx, [nat(Nat::lit(0)), vectors]),
        1 => to_mem(AddressSpace::Private, lanewise(step, vector(0)?, vector(1)?)?),
        _ => {
            let halves = [
                make(Primitive::Take(Nat::lit(half)), [param.expr()])?,
                make(Primitive::Drop(Nat::lit(half)), [param.expr()])?,
            ];
            let both = make(Primitive::Zip, halves)?;
            map_over(MapForm::Unroll, "v", both, |v| lanewise(step, component(0, &v), component(1, &v)))?
        }
    };
    let folded = if half > 1 { in_pairs(step, pairs, half)? } else { pairs };
    Ok(let_in(param, to_mem(AddressSpace::Private, vectors), folded))
}

/// Vectors folded one after the other.
fn fold_vectors(step: &Lambda, start: Expr, vectors: Expr, form: ReduceForm) -> Rewritten {
    let acc = Param::fresh("acc", start.ty().clone());
    let row = Param::fresh("v", vectors.ty().as_array().ok_or(Reason::mismatch("it is no array"))?.1.clone());
    let body = lanewise(step, acc.expr(), row.expr())?;
    make_fold(form, Lambda { nats: Vec::new(), params: vec![acc, row], body }, start, vectors)
}

fn lanewise(step: &Lambda, accs: Expr, values: Expr) -> Rewritten {
    let both = make(Primitive::Zip, [accs, values])?;
    map_over(MapForm::Vec, "p", both, |p| Ok(beta_copy(step, &[component(0, &p), component(1, &p)])))
}

pub fn neutral_vector(view: FoldView<'_>, width: &Nat) -> Rewritten {
    Ok(generate(width.clone(), neutral(view)?))
}

/// So many of a value.
pub fn generate(count: Nat, value: Expr) -> Expr {
    let ty = DataType::array(count.clone(), value.ty().clone());
    let origin = value.origin();
    let f = fun1(Param::fresh("i", DataType::Idx(count)), value);
    Expr::new(Kind::Prim(Primitive::Generate, vec![f.into()]), ty, origin)
}

/// The lanes in pairs, those in pairs, and so on.
fn pairwise(view: FoldView<'_>, lanes: &Expr, width: i64) -> Rewritten {
    let mut values = Vec::new();
    for lane in 0..width {
        let value = make(Primitive::Idx, [nat(Nat::lit(lane)), lanes.clone()])?;
        values.push(match parts(value.ty()).len() {
            1 => value,
            parts => tuple((0..parts).map(|part| component(part, &value))),
        });
    }
    while values.len() > 1 {
        let half = values.len().div_ceil(2);
        let upper = values.split_off(half);
        for (value, other) in values.iter_mut().zip(upper) {
            *value = beta_copy(view.f, &[value.clone(), other]);
        }
    }
    values.pop().map_or_else(|| neutral(view), Ok)
}
