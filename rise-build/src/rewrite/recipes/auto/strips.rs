//! Windows over computed rows, some rows at a time, so that what is computed is still in the cache when it is used.
//!
//! ```text
//! *f ≫ slide n 1 ≫ *g  →  λxs. join (map (λi. (drop (t · i) ≫ take (t + n − 1) ≫ *f ≫ slide n 1 ≫ *g) xs) (generate id))
//! ```
//!
//! In: any term. Out: the same, where windows of few rows slide over rows that are computed from other rows, one from
//! one: `t` rows of the result make a strip, with `n − 1` rows computed again for the next. Rows that fill no strip
//! are the last. Clamped borders are those of the rows that are read. Windows down columns, between two transpositions,
//! are windows over rows. Several arrays between what is read and the result go [together](shared).

mod shared;

use crate::expr::{
    AddressSpace, Arg, Expr, Kind, Lambda, MapForm, Param, Primitive, apply, map_children, refresh_lambda,
};
use crate::nat::Nat;
use crate::rewrite::rules::support::{
    Rewritten, again, fun1, len, make, make_map, map_over, occurs, operand, param1, plain_map, retyped,
};
use crate::types::DataType;

/// Rows of a strip for each row that is computed twice.
const WORTH: i64 = 8;
/// Rows of a strip at least, and at most.
const ROWS: [i64; 2] = [16, 128];

/// Shorter rows go through memory together.
const LONG: i64 = 64;

/// All such windows inside.
pub fn everywhere(expr: &Expr) -> Expr {
    let new = shared::stripped(expr, 2).or_else(|| stripped(expr)).or_else(|| shared::stripped(expr, 1));
    new.unwrap_or_else(|| map_children(expr, &mut everywhere))
}

/// Functions, the first applied first, and what they are applied to.
struct Stages {
    maps: Vec<Lambda>,
    from: Expr,
}

impl Stages {
    /// The maps of an array; those before a padding become maps of padded elements.
    fn of(expr: &Expr) -> Stages {
        if let Some(rows) = down_columns(expr) {
            return Stages::of(&rows);
        }
        if let Ok(map) = plain_map(expr) {
            let mut stages = Stages::of(map.xs);
            stages.maps.push(map.f.clone());
            return stages;
        }
        match expr.as_prim() {
            // A strip of it is stored.
            Some((Primitive::ToMem(AddressSpace::Default), [Arg::Expr(xs)])) if plain_map(xs).is_ok() => {
                Stages::of(xs)
            }
            Some((pad @ Primitive::PadClamp(..), [Arg::Expr(xs)])) => {
                let stages = Stages::of(xs);
                match make(pad.clone(), [stages.from.clone()]) {
                    Ok(from) => Stages { from, ..stages },
                    Err(_) => Stages { maps: Vec::new(), from: expr.clone() },
                }
            }
            _ => Stages { maps: Vec::new(), from: expr.clone() },
        }
    }

    fn on(&self, xs: Expr) -> Rewritten {
        self.maps.iter().try_fold(xs, |xs, f| make_map(MapForm::Plain, refresh_lambda(f), xs))
    }

    /// Whether elements are computed, one from one.
    fn compute(&self) -> bool {
        self.maps.iter().any(|f| param1(f).is_ok() && !is_layout(&f.body))
    }
}

/// `T (map (λc. map g (slide n m (pad c))) (T xs)) → map (λw. map g (T w)) (slide n m (pad xs))`
fn down_columns(expr: &Expr) -> Option<Expr> {
    let is_t = |p: &Primitive| matches!(p, Primitive::Transpose);
    let columns = plain_map(operand(expr, is_t).ok()?).ok()?;
    let (xs, column) = (operand(columns.xs, is_t).ok()?, param1(columns.f).ok()?);
    let (mut maps, mut windows) = (Vec::new(), &columns.f.body);
    while let Ok(map) = plain_map(windows) {
        maps.push(map.f);
        windows = map.xs;
    }
    if !matches!(windows.as_prim(), Some((Primitive::Slide(..), _)))
        || maps.iter().any(|f| occurs(&f.body, column))
    {
        return None;
    }
    let windows = on_rows(windows, column, xs)?;
    let rows = map_over(MapForm::Plain, "window", windows, |window| {
        let row = make(Primitive::Transpose, [window])?;
        maps.iter().rev().try_fold(row, |row, f| make_map(MapForm::Plain, refresh_lambda(f), row))
    });
    rows.ok().map(|rows| retyped(rows, expr.ty()))
}

/// Windows of a column, with its padding, as those of rows.
fn on_rows(expr: &Expr, column: &Param, rows: &Expr) -> Option<Expr> {
    match (expr.kind(), expr.as_prim()) {
        (Kind::Var(name), _) => (*name == column.name).then(|| rows.clone()),
        (_, Some((primitive @ (Primitive::Slide(..) | Primitive::PadClamp(..)), [Arg::Expr(xs)]))) => {
            make(primitive.clone(), [on_rows(xs, column, rows)?]).ok()
        }
        _ => None,
    }
}

fn stripped(expr: &Expr) -> Option<Expr> {
    let after = Stages::of(expr);
    let (Primitive::Slide(size, step), [Arg::Expr(rows)]) = after.from.as_prim()? else { return None };
    let before = Stages::of(rows);
    let overlap = size.as_const()? - 1;
    let count = len(expr).ok()?;
    let strip = strip_of(overlap, &count)?;
    if !step.is_one() || !before.compute() || !after.compute() || !are_rows(expr) || !are_rows(rows) {
        return None;
    }
    let windows = |strip: &Rows| {
        let rows = before.on(strip.of(&before.from, 0, overlap)?)?;
        after.on(make(Primitive::Slide(size.clone(), step.clone()), [rows])?)
    };
    strips(&count, &Nat::lit(strip), windows).ok().map(|new| retyped(new, expr.ty()))
}

/// Whether it is an array of arrays that are not known to be short.
fn are_rows(xs: &Expr) -> bool {
    let is_long =
        |row: &DataType| row.as_array().is_some() && elements(row).is_none_or(|count| count >= LONG);
    xs.ty().as_array().is_some_and(|(_, row)| is_long(row))
}

/// How many elements there are, no matter how deep they lie, if that is known.
fn elements(ty: &DataType) -> Option<i64> {
    match ty.as_array() {
        Some((len, element)) => Some(len.as_const()?.saturating_mul(elements(element)?)),
        None => Some(1),
    }
}

/// How many rows make a strip of a result of `count` rows, for which `overlap` rows are computed twice.
fn strip_of(overlap: i64, count: &Nat) -> Option<i64> {
    let strip = (overlap * WORTH).clamp(ROWS[0], ROWS[1]);
    let is_short = count.as_const().is_some_and(|count| count < 2 * strip);
    (overlap >= 1 && overlap <= strip && !is_short).then_some(strip)
}

/// The rows of the result that a strip has.
struct Rows {
    start: Nat,
    count: Nat,
    /// Whether they are those up to the end.
    are_last: bool,
}

impl Rows {
    /// Those rows of another array, `from` rows later, and so many more.
    fn of(&self, array: &Expr, from: i64, more: i64) -> Rewritten {
        let rows = make(Primitive::Drop(&self.start + from), [again(array)])?;
        let count = &self.count + more;
        match self.are_last && len(&rows)? == count {
            true => Ok(rows),
            false => make(Primitive::Take(count), [rows]),
        }
    }
}

/// Whole strips, then what is left over: a row at least, since windows have a row.
fn strips(count: &Nat, strip: &Nat, rows: impl Fn(&Rows) -> Rewritten) -> Rewritten {
    let number = (count - 1).div(strip);
    let main = &number * strip;
    let index = Param::fresh("strip", DataType::Idx(number));
    let start = index.nat.as_ref().map_or_else(|| Nat::lit(0), Nat::var) * strip;
    let some = rows(&Rows { start, count: strip.clone(), are_last: false })?;
    let each = Param::fresh("strip", index.ty.clone());
    let value = each.expr();
    let indices = apply(Primitive::Generate, vec![fun1(each, value).into()])?;
    let whole = make(Primitive::Join, [make_map(MapForm::Plain, fun1(index, some), indices)?])?;
    let rest = rows(&Rows { count: count - &main, start: main, are_last: true })?;
    make(Primitive::Concat, [whole, rest])
}

/// Whether nothing is computed.
pub fn is_layout(expr: &Expr) -> bool {
    use Primitive::*;
    let own = match expr.kind() {
        Kind::Var(_) | Kind::Nat(_) => true,
        Kind::Literal(_) | Kind::Let(..) => false,
        Kind::Prim(primitive, _) => {
            primitive.is_view() || matches!(primitive, Map(MapForm::Plain) | Tuple | Proj(_) | Idx)
        }
    };
    own && expr.children().into_iter().all(is_layout)
}
