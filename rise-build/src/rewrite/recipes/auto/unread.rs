//! Maps of zips that read one of the arrays alone are maps of that array: nothing copies, or goes through, the other one.
//!
//! ```text
//! map (λp. f p.0) (zip xs ys)  →  map f xs
//! ```
//!
//! In: any term. Out: the same, without such zips.

use crate::expr::{Expr, Param, Primitive, map_children, refresh_lambda};
use crate::rewrite::rules::support::{
    beta, element, fun1, independent, make_map, operands2, param1, plain_map, retyped, tuple,
};

/// All such maps inside.
pub fn everywhere(expr: &Expr) -> Expr {
    match of_one(expr) {
        Some(one) => everywhere(&one),
        None => map_children(expr, &mut everywhere),
    }
}

/// The map of the array that alone is read.
fn of_one(expr: &Expr) -> Option<Expr> {
    let map = plain_map(expr).ok()?;
    let arrays = operands2(map.xs, |primitive| matches!(primitive, Primitive::Zip)).ok()?;
    let both = param1(map.f).ok()?;
    arrays.iter().enumerate().find_map(|(position, xs)| {
        let own = Param::fresh(both.name.text(), element(xs).ok()?);
        let mut pair = [both.expr(), both.expr()];
        pair[position] = own.expr();
        let body = beta(&refresh_lambda(map.f), &[tuple(pair)]);
        let is_all = independent(&body, map.f);
        let one = is_all.then(|| make_map(map.form, fun1(own, body), (*xs).clone()).ok())??;
        Some(retyped(one, expr.ty()).with_labels(expr.labels().to_vec()).with_origin(expr.origin()))
    })
}
