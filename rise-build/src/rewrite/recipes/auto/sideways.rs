//! Columns, each of which is worked on by itself, are worked on row by row: windows along them, elements beside what is
//! computed of whole columns, and folds one after the other.
//!
//! ```text
//! T (map (λcolumn. map f (slide n s column)) (T x))  →  map (λrows. map f (T rows)) (slide n s x)
//! T (map (λcolumn. let t = e in map f column) (T x))
//!   →  let ts = map (λcolumn. e) (T x) in map (λrow. map (λ(v, t). f v) (zip row ts)) x
//! map (λcolumn. e (reduce f z column) (reduce g y column)) (T x)
//!   →  let ts = map (reduce f z) (T x) in let us = map (reduce g y) (T x) in map (λ(t, u). e t u) (zip ts us)
//! ```
//!
//! In: any term. Out: the same, where rows are read and written one after the other. Columns of windows may be padded or
//! cropped before, which is then done to the rows. Short columns stay: many of them side by side lie in the caches.

use crate::expr::{
    AddressSpace, Arg, Expr, Kind, MapForm, Param, Primitive, let_in, map_children, refresh, substitute,
    to_mem,
};
use crate::nat::Nat;
use crate::rewrite::rules::fusion::fuse_maps;
use crate::rewrite::rules::support::{
    MapView, Rewritten, fold, independent, is_path, len, make, make_fold, make_map, map_over, operand,
    param1, parts, plain_map, retyped, zip_all,
};

use super::strides::Known;
use super::{When, all_hold, tupled};

/// Columns so short are read twice while they are close.
const SHORT: i64 = 256;

/// Fewer columns are a few vectors, which go down all rows together.
const MANY: i64 = 64;

/// All such columns inside.
pub fn everywhere(expr: &Expr) -> Expr {
    let inside = map_children(expr, &mut everywhere);
    windows(&inside).or_else(|| elements(&inside)).or_else(|| results(&inside)).unwrap_or(inside)
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
    let (computed, body) = Computed::of(&columns.f.body, columns.xs, column)?;
    let each = fused(&body);
    let each = plain_map(&each).ok()?;
    let is_column = each.xs.is_named(&column.name);
    if computed.is_empty() || !is_column || !independent(&each.f.body, columns.f) {
        return None;
    }
    let element = param1(each.f).ok()?;
    let turned =
        map_over(MapForm::Plain, "row", rows.clone(), |row| beside(&row, &computed, element, &each.f.body));
    let turned = retyped(turned.ok()?.with_origin(expr.origin()), expr.ty());
    match all_hold([(len(rows).ok()?, Nat::lit(SHORT))]) {
        When::Always => None,
        short => short.select(|| Ok(expr.clone()), &after(computed, turned)).ok(),
    }
}

/// What is made of several folds of each column, which are made of all columns one after the other: none of them goes down
/// all rows for a few columns alone.
fn results(expr: &Expr) -> Option<Expr> {
    let columns = plain_map(expr).ok()?;
    let rows = operand(columns.xs, |primitive| matches!(primitive, Primitive::Transpose)).ok()?;
    let column = param1(columns.f).ok()?;
    let body = tupled::everywhere(&columns.f.body, &mut Known::default());
    let (mut computed, body) = Computed::of(&body, columns.xs, column)?;
    let body = Computed::folds(&body, columns.xs, column, &mut computed)?;
    let are_several = computed.len() > 1 || computed.iter().any(|one| one.t.ty.as_tuple().is_some());
    let is_made = are_several && body.ty().is_small() && independent(&body, columns.f);
    let all: Vec<Expr> = computed.iter().map(|one| one.ts.expr()).collect();
    let names: Vec<Param> = computed.iter().map(|one| one.t.clone()).collect();
    let made = map_over(MapForm::Plain, "all", zip_all(all).ok()?, |all| {
        Ok(bound(&body, names.iter().zip(parts(&all, names.len()))))
    });
    let made = retyped(made.ok().filter(|_| is_made)?.with_origin(expr.origin()), expr.ty());
    let long = (Nat::lit(SHORT), len(rows).ok()?);
    match all_hold([long, (Nat::lit(MANY), len(columns.xs).ok()?)]) {
        When::Never => None,
        worth => worth.select(|| Ok(after(computed, made)), expr).ok(),
    }
}

/// The term after what it is made of.
fn after(computed: Vec<Computed>, term: Expr) -> Expr {
    let stored = |rest, one: Computed| let_in(one.ts, to_mem(AddressSpace::Default, one.all), rest);
    computed.into_iter().rev().fold(term, stored)
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

impl Computed {
    /// The numbers that a function of a column names first, and what it makes of them.
    fn of(body: &Expr, columns: &Expr, column: &Param) -> Option<(Vec<Computed>, Expr)> {
        let (mut computed, mut body) = (Vec::new(), body.clone());
        while let Kind::Let(t, value, rest) = body.kind() {
            body = if is_path(value) {
                substitute(rest, t, value)
            } else {
                Computed::push(t, value, columns, column, &mut computed)?;
                rest.clone()
            };
        }
        Some((computed, body))
    }

    fn push(t: &Param, value: &Expr, columns: &Expr, column: &Param, out: &mut Vec<Computed>) -> Option<()> {
        if !value.ty().is_numbers() {
            return None;
        }
        let all = beside(columns, out, column, value).ok()?;
        out.push(Computed { t: t.clone(), ts: Param::fresh("ts", all.ty().clone()), all });
        Some(())
    }

    /// The elements without the names that stand before them, as of a fold that each takes something of.
    fn elements(xs: &Expr, columns: &Expr, column: &Param, out: &mut Vec<Computed>) -> Option<Expr> {
        if let Kind::Let(t, value, rest) = xs.kind() {
            Computed::push(t, value, columns, column, out)?;
            return Computed::elements(rest, columns, column, out);
        }
        let Ok(map) = plain_map(xs) else { return Some(xs.clone()) };
        make_map(MapForm::Plain, map.f.clone(), Computed::elements(map.xs, columns, column, out)?).ok()
    }

    /// The term with names for the folds in it, which are computed always.
    fn folds(body: &Expr, columns: &Expr, column: &Param, out: &mut Vec<Computed>) -> Option<Expr> {
        if let Ok(view) = fold(body) {
            let xs = Computed::elements(view.xs, columns, column, out)?;
            let t = Param::fresh("t", body.ty().clone());
            let whole = make_fold(view.form, view.f.clone(), view.start.clone(), xs).ok()?;
            Computed::push(&t, &whole, columns, column, out)?;
            return Some(t.expr());
        }
        let Kind::Prim(primitive, args) = body.kind() else { return Some(body.clone()) };
        let is_chosen = matches!(primitive, Primitive::Select);
        let args = args.iter().map(|arg| match arg {
            Arg::Expr(inner) if !is_chosen => Some(Arg::Expr(Computed::folds(inner, columns, column, out)?)),
            arg => Some(arg.clone()),
        });
        Some(body.clone().with_kind(Kind::Prim(primitive.clone(), args.collect::<Option<_>>()?)))
    }
}

/// The map of what is computed of an element and of what belongs to it.
fn beside(xs: &Expr, computed: &[Computed], x: &Param, body: &Expr) -> Rewritten {
    let arrays = std::iter::once(xs.clone()).chain(computed.iter().map(|one| one.ts.expr()));
    let names = || std::iter::once(x).chain(computed.iter().map(|one| &one.t));
    map_over(MapForm::Plain, x.name.text(), zip_all(arrays.collect())?, |all| {
        Ok(bound(body, names().zip(parts(&all, computed.len() + 1))))
    })
}

/// A copy of the term with values for its names.
fn bound<'a>(body: &Expr, values: impl Iterator<Item = (&'a Param, Expr)>) -> Expr {
    refresh(&values.fold(body.clone(), |body, (name, value)| substitute(&body, name, &value)))
}

/// A map of maps as one.
pub fn fused(expr: &Expr) -> Expr {
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
