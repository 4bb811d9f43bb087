//! A sum over joined rows that lie apart in memory, or are computed row by row, is the sum of their sums.
//!
//! ```text
//! reduce f z xs  →  split n xs ≫ map (reduce f 0) ≫ reduce f z, where n elements of xs follow each other
//! reduce f z (join xss)  →  map (reduce f 0) xss ≫ reduce f z, where xss are computed
//! ```
//!
//! In: any term. Out: the same, where folds that would go in lanes across the ends of rows, or in none, go along the
//! rows: the lanes of one vector would lie in several of them. Operators are re-associated.

use crate::expr::{Arg, Expr, MapForm, Primitive, refresh_lambda};
use crate::names::Name;
use crate::nat::Nat;
use crate::rewrite::rules::folds::associative;
use crate::rewrite::rules::operators::neutral;
use crate::rewrite::rules::support::{
    FoldView, Rewritten, beta_copy, component, element, len, make, make_fold, make_map, map_over, plain_map,
    retyped,
};
use crate::types::DataType;

use super::before::takes_long;
use super::lanes::{LONG, is_reduction};
use super::strides::{Known, Leaf, Stride, descend};

/// All such folds inside.
pub fn everywhere(expr: &Expr, known: &mut Known) -> Expr {
    let new = by_runs(expr, known);
    descend(known, |known| known, new.as_ref().unwrap_or(expr), |known, child| everywhere(child, known))
}

fn by_runs(expr: &Expr, known: &mut Known) -> Option<Expr> {
    let view = associative(expr).ok()?;
    let run = run_of(view, expr, known)?;
    let count = len(view.xs).ok()?.exact_quotient(&run)?;
    let row = DataType::array(run.clone(), element(view.xs).ok()?);
    let rows = retyped(in_rows(view.xs, &run).ok()?, &DataType::array(count, row));
    let sums =
        of_each(&rows, |row| make_fold(view.form, refresh_lambda(view.f), neutral(view)?, row)).ok()?;
    let whole = make_fold(view.form, view.f.clone(), view.start.clone(), sums).ok()?;
    Some(whole.with_labels(expr.labels().to_vec()).with_origin(expr.origin()))
}

/// The length of the rows along which the fold is to go.
fn run_of(view: FoldView<'_>, expr: &Expr, known: &mut Known) -> Option<Nat> {
    let is_long = |length: &Nat| length.as_const().is_none_or(|length| length >= LONG);
    let computed = || computed_rows(view.xs).filter(is_long).filter(|_| !view.xs.any(&takes_long));
    if !is_reduction(expr, known) {
        return computed();
    }
    let leaves = known.folded(view.f, view.xs);
    let element = &view.f.params.last()?.name;
    // Where neighbours in other loops lie side by side, as those of windows do, it is they that go in lanes; but not where
    // that is said only of what all elements share.
    let varying = leaves.iter().filter(|leaf| leaf.along(element) != Stride::Same);
    if known.are_beside_others(&varying.cloned().collect::<Vec<Leaf>>()) {
        return None;
    }
    // Rows of memory are joined as they lie there, but numbers of rows and of their elements are no memory.
    let is_numbered = |node: &Expr| matches!(node.as_prim(), Some((Primitive::Generate, _)));
    run(&leaves, element).or_else(|| computed().filter(|_| view.xs.any(&is_numbered)))
}

/// The length of rows that are joined, where they are computed and lie in no memory.
fn computed_rows(xs: &Expr) -> Option<Nat> {
    match xs.as_prim()? {
        (Primitive::Join, [Arg::Expr(rows)]) => {
            plain_map(rows).ok()?;
            row_length(rows).cloned()
        }
        (Primitive::Map(MapForm::Plain), [_, Arg::Expr(xs)]) => computed_rows(xs),
        (Primitive::Zip, [Arg::Expr(a), Arg::Expr(b)]) => computed_rows(a).or_else(|| computed_rows(b)),
        _ => None,
    }
}

/// The elements in rows of this length: those that were joined, if they have it.
fn in_rows(xs: &Expr, length: &Nat) -> Rewritten {
    match xs.as_prim() {
        Some((Primitive::Join, [Arg::Expr(rows)])) if row_length(rows) == Some(length) => Ok(rows.clone()),
        Some((Primitive::Map(MapForm::Plain), [Arg::Fun(f), Arg::Expr(xs)])) => {
            of_each(&in_rows(xs, length)?, |row| make_map(MapForm::Plain, refresh_lambda(f), row))
        }
        Some((Primitive::Zip, [Arg::Expr(a), Arg::Expr(b)])) => {
            let (a, b) = (in_rows(a, length)?, in_rows(b, length)?);
            let both = make(Primitive::Zip, [made_of(&a).clone(), made_of(&b).clone()])?;
            map_over(MapForm::Plain, "runs", both, |both| {
                let of = |at: usize, rows: &Expr| made_from(rows, component(at, &both));
                make(Primitive::Zip, [of(0, &a), of(1, &b)])
            })
        }
        _ => make(Primitive::Split(length.clone()), [xs.clone()]),
    }
}

/// What the function makes of each row, where it is computed.
fn of_each(rows: &Expr, f: impl FnOnce(Expr) -> Rewritten) -> Rewritten {
    map_over(MapForm::Plain, "run", made_of(rows).clone(), |x| f(made_from(rows, x)))
}

/// What rows are computed of, or themselves.
fn made_of(rows: &Expr) -> &Expr {
    plain_map(rows).map_or(rows, |map| map.xs)
}

/// The row that is made of such an element.
fn made_from(rows: &Expr, x: Expr) -> Expr {
    match plain_map(rows) {
        Ok(map) => beta_copy(map.f, &[x]),
        Err(_) => x,
    }
}

/// How many elements each row has.
fn row_length(rows: &Expr) -> Option<&Nat> {
    rows.ty().as_array()?.1.as_array().map(|(length, _)| length)
}

/// After how many elements what is read goes on elsewhere.
fn run(leaves: &[Leaf], element: &Name) -> Option<Nat> {
    let mut runs = leaves.iter().filter_map(|leaf| leaf.run(element));
    let first = runs.next()?;
    runs.all(|run| run == first).then(|| first.clone())
}
