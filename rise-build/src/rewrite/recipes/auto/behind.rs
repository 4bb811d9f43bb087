//! Functions of what rows are folded to come behind all folds, where they have lanes.
//!
//! ```text
//! map (λx. exp (sum x)) xs  →  let sums = toMem (map sum xs) in map exp sums
//! ```
//!
//! In: a map of rows that lie apart. Out: the same, where it is of several rows.

use crate::expr::{AddressSpace, Expr, MapForm, Param, refresh, refresh_lambda, to_mem};
use crate::rewrite::recipes::loops::natural_width;
use crate::rewrite::rules::support::{Rewritten, fun1, len, make_map, plain_map, retyped};

use super::abreast::is_elementary;
use super::before::around;
use super::lanes::{at_operand, of_rows};
use super::strides::Known;
use super::tables::over;

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
    let arrays = values.iter().map(|(param, _)| param.expr()).chain([refresh(map.xs)]).collect();
    let names: Vec<Param> = names.into_iter().chain([x.clone()]).collect();
    let whole = around(values, retyped(over(&names, arrays, &body)?, expr.ty()));
    Some(whole.with_labels(expr.labels().to_vec()).with_origin(expr.origin()))
}
