//! Two maps as one, and two sums as one.
//!
//! ```text
//! map (λx. map f e) xs  →  split n (map f (join (map (λx. e) xs))), where f does not use x, and n = length of e
//! reduce f z (map (λx. reduce f 0 e) xs)  →  reduce f z (join (map (λx. e) xs)), where 0 is neutral
//! ```
//!
//! Rows of rows are then as good as rows: those of all windows of an image are the rows of one product, and a sum over
//! two indices is that of its inner products.

use crate::expr::{Expr, Kind, Lambda, MapForm, Primitive, map_children, nat, occurrences};
use crate::nat::Nat;
use crate::rewrite::rules::folds::associative;
use crate::rewrite::rules::operators::starts_neutral;
use crate::rewrite::rules::support::{
    MapView, Rewritten, independent, len, make, make_fold, make_map, plain_map, same_function,
};

/// Sums of fewer numbers, as windows have them, are written out.
const FEW: i64 = 64;

/// The two maps of a nest with all sums of sums in its elements as one.
pub fn with_flat_sums(expr: &Expr) -> Rewritten {
    let outer = plain_map(expr)?;
    let inner = plain_map(&outer.f.body)?;
    let element = sums(&inner.f.body);
    if element.same(&inner.f.body) {
        return Ok(expr.clone());
    }
    let body = with_body(inner, element);
    Ok(with_body(outer, body))
}

/// The map with another body of its function, of the same type.
fn with_body(map: MapView<'_>, body: Expr) -> Expr {
    let args = vec![Lambda { body, ..map.f.clone() }.into(), map.xs.clone().into()];
    map.expr.clone().with_kind(Kind::Prim(Primitive::Map(map.form), args))
}

/// The term with all sums of sums in it as one.
pub fn sums(expr: &Expr) -> Expr {
    let inside = map_children(expr, &mut sums);
    flat_sum(&inside, FEW).unwrap_or(inside)
}

/// The sum of sums as one, if it is of so many numbers, or if nobody knows of how many.
fn flat_sum(expr: &Expr, fewest: i64) -> Option<Expr> {
    let outer = associative(expr).ok()?;
    let rows = plain_map(outer.xs).ok()?;
    let inner = associative(&rows.f.body).ok()?;
    let count = len(rows.xs).ok()? * len(inner.xs).ok()?;
    if count.as_const().is_some_and(|count| count < fewest) {
        return None;
    }
    // Few numbers are no longer by themselves in it.
    let body = flat_sum(&rows.f.body, 0).unwrap_or_else(|| rows.f.body.clone());
    let inner = associative(&body).ok()?;
    let is_one = same_function(outer.f, inner.f) && starts_neutral(inner).ok()?;
    if !is_one || !independent(&nat(len(inner.xs).ok()?), rows.f) {
        return None;
    }
    let f = Lambda { body: inner.xs.clone(), ..rows.f.clone() };
    let all = make_map(MapForm::Plain, f, rows.xs.clone()).ok()?;
    // What is done to each element is done where it is added.
    let all = match flattened(&all) {
        Some((flat, _)) => flat,
        None => make(Primitive::Join, [all]).ok()?,
    };
    let sum = make_fold(outer.form, outer.f.clone(), outer.start.clone(), all).ok()?;
    Some(sum.with_labels(expr.labels().to_vec()).with_origin(expr.origin()))
}

/// The map without the `split`, and the length of the pieces.
pub fn flattened(expr: &Expr) -> Option<(Expr, Nat)> {
    let outer = plain_map(expr).ok()?;
    let inner = plain_map(&outer.f.body).ok()?;
    let [x] = outer.f.params.as_slice() else { return None };
    if occurrences(&inner.f.body, &x.name) > 0 {
        return None;
    }
    let length = len(inner.xs).ok()?;
    let rows = if inner.xs.is_named(&x.name) {
        outer.xs.clone()
    } else {
        let f = Lambda { body: inner.xs.clone(), ..outer.f.clone() };
        make_map(MapForm::Plain, f, outer.xs.clone()).ok()?
    };
    let flat = make_map(MapForm::Plain, inner.f.clone(), make(Primitive::Join, [rows]).ok()?).ok()?;
    Some((flat.with_labels(inner.expr.labels().to_vec()).with_origin(expr.origin()), length))
}
