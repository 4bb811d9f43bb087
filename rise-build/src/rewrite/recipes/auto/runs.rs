//! A sum over joined rows that lie apart in memory is the sum of their sums.
//!
//! ```text
//! reduce f z xs  →  split n xs ≫ map (reduce f 0) ≫ reduce f z, where n elements of xs follow each other
//! ```
//!
//! In: any term. Out: the same, where folds that would go in lanes across the ends of rows go along the rows: the
//! lanes of one vector would lie in several of them. Operators are re-associated.

use crate::expr::{Expr, MapForm, Primitive, refresh_lambda};
use crate::names::Name;
use crate::nat::Nat;
use crate::rewrite::rules::folds::associative;
use crate::rewrite::rules::operators::neutral;
use crate::rewrite::rules::support::{element, len, make, make_fold, map_over, retyped};
use crate::types::DataType;

use super::lanes::is_reduction;
use super::strides::{Known, Leaf, descend};

/// All such folds inside.
pub fn everywhere(expr: &Expr, known: &mut Known) -> Expr {
    let new = by_runs(expr, known);
    descend(known, |known| known, new.as_ref().unwrap_or(expr), |known, child| everywhere(child, known))
}

fn by_runs(expr: &Expr, known: &mut Known) -> Option<Expr> {
    let view = associative(expr).ok()?;
    if !is_reduction(expr, known) {
        return None;
    }
    let leaves = known.folded(view.f, view.xs);
    // Where neighbours in other loops lie side by side, as those of windows do, it is they that go in lanes.
    if known.are_beside_others(&leaves) {
        return None;
    }
    let run = run(&leaves, &view.f.params.last()?.name)?;
    let count = len(view.xs).ok()?.exact_quotient(&run)?;
    let row = DataType::array(run.clone(), element(view.xs).ok()?);
    let rows = make(Primitive::Split(run), [view.xs.clone()]).ok()?;
    let sums = map_over(MapForm::Plain, "run", retyped(rows, &DataType::array(count, row)), |row| {
        make_fold(view.form, refresh_lambda(view.f), neutral(view)?, row)
    });
    let whole = make_fold(view.form, view.f.clone(), view.start.clone(), sums.ok()?).ok()?;
    Some(whole.with_labels(expr.labels().to_vec()).with_origin(expr.origin()))
}

/// After how many elements what is read goes on elsewhere.
fn run(leaves: &[Leaf], element: &Name) -> Option<Nat> {
    let mut runs = leaves.iter().filter_map(|leaf| leaf.run(element));
    let first = runs.next()?;
    runs.all(|run| run == first).then(|| first.clone())
}
