//! What is made of each row of a window alone is made once, and not for each window that the row is part of.
//!
//! ```text
//! slide2D h w ≫ map (map (λnbh. e (map g nbh)))  →  map (slide w ≫ map g) ≫ slide h ≫ map (T ≫ map e)
//! ```
//!
//! In: any term. Out: the same, where such rows are folded.

use crate::expr::{
    Arg, Expr, Kind, Lambda, MapForm, Param, Primitive, map_children, occurrences, refresh_lambda,
};
use crate::rewrite::recipes::separate::Windows;
use crate::rewrite::rules::support::{instead, make, make_map, map_over, occurs, param1, plain_map, retyped};

/// All such windows inside.
pub fn everywhere(expr: &Expr) -> Expr {
    rows_first(expr).unwrap_or_else(|| map_children(expr, &mut everywhere))
}

fn rows_first(expr: &Expr) -> Option<Expr> {
    let outer = plain_map(expr).ok()?;
    let inner = plain_map(&outer.f.body).ok()?;
    let neighbourhood = param1(inner.f).ok()?;
    let is_row = matches!(inner.xs.kind(), Kind::Var(name) if *name == param1(outer.f).ok()?.name);
    let Windows { image, height, width } = Windows::of(outer.xs).filter(|_| is_row)?;
    let made = made_of_rows(&inner.f.body, neighbourhood)?;
    let across = map_over(MapForm::Plain, "row", image, |row| {
        make_map(MapForm::Plain, made.f, make(Primitive::Slide(width.0, width.1), [row])?)
    });
    let lines = make(Primitive::Slide(height.0, height.1), [across.ok()?]).ok()?;
    let whole = map_over(MapForm::Plain, "rows", lines, |rows| {
        let f = Lambda { params: vec![made.column], body: made.body, ..inner.f.clone() };
        let row = make_map(MapForm::Plain, f, make(Primitive::Transpose, [rows])?)?;
        Ok(row.with_labels(inner.expr.labels().to_vec()).with_origin(inner.expr.origin()))
    });
    let whole = whole.ok()?.with_labels(expr.labels().to_vec()).with_origin(expr.origin());
    Some(retyped(whole, expr.ty()))
}

/// What an element is made of.
struct Made {
    /// What is made of a row.
    f: Lambda,
    /// That of all rows of a window.
    column: Param,
    /// The element.
    body: Expr,
}

/// The element, if its only use of the neighbourhood is a map over the rows that folds each.
fn made_of_rows(body: &Expr, neighbourhood: &Param) -> Option<Made> {
    let mapped = rows_of(body, neighbourhood)?;
    let f = plain_map(&mapped).ok()?.f;
    let is_fold = |node: &Expr| matches!(node.as_prim(), Some((Primitive::Reduce(_), _)));
    if !f.body.any(&is_fold) || occurs(&f.body, neighbourhood) {
        return None;
    }
    let column = Param::fresh("column", mapped.ty().clone());
    let new = instead(body, &mapped, &column.expr());
    let used_once = occurrences(&new, &neighbourhood.name) == 0 && occurrences(&new, &column.name) == 1;
    used_once.then(|| Made { f: refresh_lambda(f), column, body: new })
}

/// The operand that is a map over the rows of the window.
fn rows_of(expr: &Expr, neighbourhood: &Param) -> Option<Expr> {
    if let Ok(map) = plain_map(expr)
        && matches!(map.xs.kind(), Kind::Var(name) if *name == neighbourhood.name)
    {
        return Some(expr.clone());
    }
    let (_, args) = expr.as_prim()?;
    args.iter().filter_map(Arg::as_expr).find_map(|arg| rows_of(arg, neighbourhood))
}
