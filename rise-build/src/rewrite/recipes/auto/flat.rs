//! Two maps as one.
//!
//! ```text
//! map (λx. map f e) xs  →  split n (map f (join (map (λx. e) xs))), where f does not use x, and n = length of e
//! ```
//!
//! Rows of rows are then as good as rows: those of all windows of an image are the rows of one product.

use crate::expr::{Expr, Kind, Lambda, MapForm, Primitive, occurrences};
use crate::nat::Nat;
use crate::rewrite::rules::support::{len, make, make_map, plain_map};

/// The map without the `split`, and the length of the pieces.
pub fn flattened(expr: &Expr) -> Option<(Expr, Nat)> {
    let outer = plain_map(expr).ok()?;
    let inner = plain_map(&outer.f.body).ok()?;
    let [x] = outer.f.params.as_slice() else { return None };
    if occurrences(&inner.f.body, &x.name) > 0 {
        return None;
    }
    let length = len(inner.xs).ok()?;
    let rows = if matches!(inner.xs.kind(), Kind::Var(name) if *name == x.name) {
        outer.xs.clone()
    } else {
        let f = Lambda { body: inner.xs.clone(), ..outer.f.clone() };
        make_map(MapForm::Plain, f, outer.xs.clone()).ok()?
    };
    let flat = make_map(MapForm::Plain, inner.f.clone(), make(Primitive::Join, [rows]).ok()?).ok()?;
    Some((flat.with_labels(inner.expr.labels().to_vec()).with_origin(expr.origin()), length))
}
