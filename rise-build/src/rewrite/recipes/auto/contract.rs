//! Sums of products over windows are contracted, like those of tiles.
//!
//! In: a lowered term. Out: the same, where folds of scalars take their elements straight from maps before them if that makes
//! `acc + a * b` of a step, which becomes one operation.

use crate::expr::{Expr, map_children};
use crate::rewrite::recipes::loops::fuse_once;
use crate::rewrite::rules::support::{fold, len};
use crate::types::DataType;

use super::nest::contracted;

/// All such folds inside.
pub fn everywhere(expr: &Expr) -> Expr {
    let inside = map_children(expr, &mut everywhere);
    sum_of_products(&inside).unwrap_or(inside)
}

fn sum_of_products(expr: &Expr) -> Option<Expr> {
    let view = fold(expr).ok().filter(|_| matches!(expr.ty(), DataType::Scalar(_)))?;
    if len(view.xs).ok()?.is_zero() {
        return None;
    }
    let mut fused = expr.clone();
    while let Ok(next) = fuse_once(&fused) {
        fused = next;
    }
    contracted(&fused).ok().filter(|new| !new.same(&fused))
}
