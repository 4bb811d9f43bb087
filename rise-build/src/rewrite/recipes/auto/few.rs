//! What few filters make of each window is written out, so that windows go side by side, as for one filter they do.
//!
//! In: `xs |> slide(8, 1) |> map(|w| filters |> map(|f| dot(f, w)))` of up to [`FEW`] filters, whose number is known. Out:
//! the same where the results for a window are an array of its elements.

use crate::expr::{Expr, Lambda, MapForm, Primitive, free_names, nat, refresh};
use crate::nat::Nat;
use crate::rewrite::predicate::computes;
use crate::rewrite::rules::support::{FoldView, Rewritten, beta_copy, fold, len, make, make_map, plain_map};

use super::strides::{FEW, Known, Stride, descend};
use super::vectors::is_wide;

/// All such maps inside.
pub fn everywhere(expr: &Expr, known: &mut Known) -> Expr {
    let new = written_out(expr, known);
    descend(known, |known| known, new.as_ref().unwrap_or(expr), |known, child| everywhere(child, known))
}

fn written_out(expr: &Expr, known: &mut Known) -> Option<Expr> {
    let map = plain_map(expr).ok()?;
    let [window] = map.f.params.as_slice() else { return None };
    let inner = plain_map(&map.f.body).ok()?;
    let count = len(inner.xs).ok()?.as_const().filter(|count| (2..=FEW).contains(count))?;
    let is_folded = is_wide(inner.f.body.ty()) && inner.f.body.any(&|node| fold(node).is_ok_and(is_of_many));
    // What is computed is not computed again for each window.
    let is_computed = inner.xs.any(&|node| node.as_prim().is_some_and(|(primitive, _)| computes(primitive)));
    if !is_folded || is_computed || free_names(inner.xs).contains(&window.name) {
        return None;
    }
    let leaves = known.under(map.f, map.xs, |known| known.reads(&map.f.body)).leaves();
    let along: Vec<Stride> = leaves.iter().map(|leaf| leaf.along(&window.name)).collect();
    if !along.contains(&Stride::Next) || along.contains(&Stride::Far) {
        return None;
    }
    let result = |at: i64| -> Rewritten {
        Ok(beta_copy(inner.f, &[make(Primitive::Idx, [nat(Nat::lit(at)), refresh(inner.xs)])?]))
    };
    let results = (0..count).map(result).collect::<Result<Vec<_>, _>>().ok()?;
    let body = make(Primitive::MakeArray, results).ok()?;
    let new = make_map(MapForm::Plain, Lambda { body, ..map.f.clone() }, map.xs.clone()).ok()?;
    Some(new.with_labels(expr.labels().to_vec()).with_origin(expr.origin()))
}

/// Whether it may fold more than one element.
fn is_of_many(view: FoldView<'_>) -> bool {
    len(view.xs).is_ok_and(|len| len.as_const() != Some(1))
}
