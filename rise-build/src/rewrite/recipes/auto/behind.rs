//! Functions of what rows are folded to come behind all folds, where they have lanes.
//!
//! ```text
//! map (λx. exp (sum x)) xs  →  let sums = toMem (map sum xs) in map exp sums
//! ```
//!
//! In: a map of rows that lie apart. Out: the same, where it is of several rows.

use crate::expr::{AddressSpace, Expr, MapForm, Param, refresh, refresh_lambda, substitute, to_mem};
use crate::rewrite::recipes::loops::natural_width;
use crate::rewrite::rules::support::{
    Rewritten, fun1, len, make_map, map_over, parts, plain_map, retyped, zip_all,
};

use super::abreast::is_elementary;
use super::before::around;
use super::lanes::{at_operand, of_rows};
use super::strides::Known;

/// The map with its folds first, if functions are computed of them.
pub fn folds(expr: &Expr, known: &mut Known) -> Option<Expr> {
    let found = of_rows(expr, known)?;
    let map = plain_map(expr).ok()?;
    let x = map.f.params.first()?;
    let named = |text: &str, value: &Expr| Param::fresh(text, value.ty().clone());
    let names: Vec<Param> = found.iter().map(|found| named("fold", found)).collect();
    let each = found.iter().zip(&names);
    let body = each.fold(map.f.body.clone(), |body, (found, name)| at_operand(&body, found, &name.expr()));
    let are_few = len(map.xs).ok()?.as_const().is_some_and(|rows| rows < natural_width(expr));
    if are_few || !body.any(&is_elementary) {
        return None;
    }
    let of_all = |found: &Expr| -> Rewritten {
        let f = refresh_lambda(&fun1(x.clone(), found.clone()));
        Ok(to_mem(AddressSpace::Default, make_map(MapForm::Plain, f, map.xs.clone())?))
    };
    let values = found.iter().map(of_all).collect::<Result<Vec<_>, _>>().ok()?;
    let values: Vec<(Param, Expr)> =
        values.into_iter().map(|value| (named("folds", &value), value)).collect();
    let mut arrays: Vec<Expr> = values.iter().map(|(param, _)| param.expr()).collect();
    arrays.push(refresh(map.xs));
    let count = arrays.len();
    let all = map_over(MapForm::Plain, "row", zip_all(arrays).ok()?, |row| {
        let elements = parts(&row, count);
        let each = names.iter().chain([x]).zip(&elements);
        Ok(refresh(&each.fold(body, |body, (name, element)| substitute(&body, name, element))))
    });
    let whole = around(values, retyped(all.ok()?, expr.ty()));
    Some(whole.with_labels(expr.labels().to_vec()).with_origin(expr.origin()))
}
