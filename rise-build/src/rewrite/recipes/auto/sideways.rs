//! Columns, each of which is worked on by itself, are worked on row by row: windows along them, and elements beside what is
//! computed of whole columns.
//!
//! ```text
//! T (map (λcolumn. map f (slide n s column)) (T x))  →  map (λrows. map f (T rows)) (slide n s x)
//! T (map (λcolumn. let t = e in map f column) (T x))
//!   →  let ts = map (λcolumn. e) (T x) in map (λrow. map (λ(v, t). f v) (zip row ts)) x
//! ```
//!
//! In: any term. Out: the same, where rows are read and written one after the other. Columns of windows may be padded or
//! cropped before, which is then done to the rows. Short columns stay: many of them side by side lie in the caches.

use crate::expr::{Arg, Expr, Kind, MapForm, Param, Primitive, let_in, map_children, refresh, substitute};
use crate::nat::Nat;
use crate::rewrite::rules::fusion::fuse_maps;
use crate::rewrite::rules::support::{
    MapView, Rewritten, independent, len, make, make_map, map_over, operand, param1, parts, plain_map,
    retyped, zip_all,
};
use crate::types::DataType;

use super::{When, all_hold};

/// Columns so short are read twice while they are close.
const SHORT: i64 = 256;

/// All such columns inside.
pub fn everywhere(expr: &Expr) -> Expr {
    let inside = map_children(expr, &mut everywhere);
    windows(&inside).or_else(|| elements(&inside)).unwrap_or(inside)
}

/// The map over columns, and the rows that they are those of.
fn columns(expr: &Expr) -> Option<(MapView<'_>, &Expr)> {
    let transposed = |expr| operand(expr, |primitive| matches!(primitive, Primitive::Transpose)).ok();
    let columns = plain_map(transposed(expr)?).ok()?;
    Some((columns, transposed(columns.xs)?))
}

/// Windows along columns.
fn windows(expr: &Expr) -> Option<Expr> {
    let (columns, rows) = columns(expr)?;
    let each = plain_map(&columns.f.body).ok()?;
    let column = param1(columns.f).ok()?;
    let (slide @ Primitive::Slide(..), [Arg::Expr(from)]) = each.xs.as_prim()? else { return None };
    if !independent(&each.f.body, columns.f) {
        return None;
    }
    let lines = make(slide.clone(), [instead(from, column, rows)?]).ok()?;
    let turned = || -> Rewritten {
        map_over(MapForm::Plain, "rows", lines, |rows| {
            make_map(MapForm::Plain, each.f.clone(), make(Primitive::Transpose, [rows])?)
        })
    };
    Some(retyped(turned().ok()?.with_origin(expr.origin()), expr.ty()))
}

/// Elements beside what is computed of their columns.
fn elements(expr: &Expr) -> Option<Expr> {
    let (columns, rows) = columns(expr)?;
    let column = param1(columns.f).ok()?;
    let mut computed = Vec::new();
    let mut body = &columns.f.body;
    while let Kind::Let(t, value, rest) = body.kind() {
        if !matches!(value.ty(), DataType::Scalar(_)) {
            return None;
        }
        let all = beside(columns.xs, &computed, column, value).ok()?;
        computed.push(Computed { t: t.clone(), ts: Param::fresh("ts", all.ty().clone()), all });
        body = rest;
    }
    let each = fused(body);
    let each = plain_map(&each).ok()?;
    let is_column = matches!(each.xs.kind(), Kind::Var(name) if *name == column.name);
    if computed.is_empty() || !is_column || !independent(&each.f.body, columns.f) {
        return None;
    }
    let element = param1(each.f).ok()?;
    let turned =
        map_over(MapForm::Plain, "row", rows.clone(), |row| beside(&row, &computed, element, &each.f.body));
    let turned = retyped(turned.ok()?.with_origin(expr.origin()), expr.ty());
    let turned = computed.into_iter().rev().fold(turned, |rest, one| let_in(one.ts, one.all, rest));
    match all_hold([(len(rows).ok()?, Nat::lit(SHORT))]) {
        When::Always => None,
        short => short.select(|| Ok(expr.clone()), &turned).ok(),
    }
}

/// What is computed of each column.
struct Computed {
    /// What it is called where one column is worked on.
    t: Param,
    /// What that of all columns is called.
    ts: Param,
    /// That of all columns.
    all: Expr,
}

/// The map of what is computed of an element and of what belongs to it.
fn beside(xs: &Expr, computed: &[Computed], x: &Param, body: &Expr) -> Rewritten {
    let arrays = std::iter::once(xs.clone()).chain(computed.iter().map(|one| one.ts.expr()));
    let names = || std::iter::once(x).chain(computed.iter().map(|one| &one.t));
    map_over(MapForm::Plain, x.name.text(), zip_all(arrays.collect())?, |all| {
        let own = parts(&all, computed.len() + 1);
        let bound = names().zip(&own).fold(body.clone(), |body, (name, part)| substitute(&body, name, part));
        Ok(refresh(&bound))
    })
}

/// A map of maps as one.
fn fused(expr: &Expr) -> Expr {
    fuse_maps(expr).map_or_else(|_| expr.clone(), |whole| fused(&whole))
}

/// What is made of a column, made of the rows.
fn instead(expr: &Expr, column: &Param, rows: &Expr) -> Option<Expr> {
    match expr.kind() {
        Kind::Var(name) if *name == column.name => Some(rows.clone()),
        Kind::Prim(primitive @ (Primitive::PadClamp(..) | Primitive::Take(_) | Primitive::Drop(_)), args) => {
            let inside = instead(args.first()?.as_expr()?, column, rows)?;
            make(primitive.clone(), [inside]).ok()
        }
        _ => None,
    }
}
