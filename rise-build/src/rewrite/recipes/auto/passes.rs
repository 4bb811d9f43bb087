//! Convolutions with separable weights in two passes.
//!
//! In: a kernel's body. Out: the same, where the windows of a grid are folded with weights that are written out and are
//! exactly a column times a row: down the columns first, of which the sums stay in the cache for the pass along the row.
//! Sums are re-associated. Where it is the shapes that say whether that is worth it, there are both forms.

use crate::expr::{Expr, Kind, Lambda, MapForm};
use crate::names::Label;
use crate::nat::Nat;
use crate::rewrite::recipes::separate::Convolution;
use crate::rewrite::rules::support::{inner_len, len, make_map, plain_map, retyped};

use super::tile::{MARK, mark_fold, only_fold, without_marks};
use super::{When, all_hold};

/// What storing and reading the sums costs, in products.
const STORING: i64 = 2;

/// Narrower elements are not computed in vectors.
const BYTES: u32 = 4;

/// Shorter rows are computed before the sums are stored.
const SHORT: i64 = 64;

/// Elements of more bytes are waited for, whatever is computed of them.
const LARGE: i64 = 1 << 22;

/// The convolution that a body ends with.
pub fn of_result(body: &Expr) -> Expr {
    if let Kind::Let(param, value, rest) = body.kind() {
        return body.clone().with_kind(Kind::Let(param.clone(), value.clone(), of_result(rest)));
    }
    chosen(body).unwrap_or_else(|| body.clone())
}

/// Two passes where they are worth it.
fn chosen(expr: &Expr) -> Option<Expr> {
    let convolution = marked(expr)?;
    let passes = retyped(in_two(&convolution)?, expr.ty());
    let (rows, columns) = (len(expr).ok()?, inner_len(expr).ok()?);
    let bytes = i64::from(expr.ty().as_array()?.1.as_array()?.1.scalar()?.bytes());
    match all_hold([(Nat::lit(SHORT), columns.clone()), (rows * columns, Nat::lit(LARGE / bytes))]) {
        When::Never => None,
        worth => worth.select(|| Ok(passes), expr).ok(),
    }
}

fn in_two(marked: &Expr) -> Option<Expr> {
    let label = sum();
    let convolution = Convolution::of(marked, &label).ok()?;
    let factors = convolution.exact_factors(BYTES)?;
    let [rows, columns] = factors.sizes()?;
    (rows + columns + STORING < rows * columns).then_some(())?;
    convolution.down_first(&factors).ok().map(|new| without_marks(&new))
}

fn sum() -> Label {
    Label::new(&format!("{MARK}sum"))
}

/// Two maps with the only fold inside marked.
fn marked(expr: &Expr) -> Option<Expr> {
    let outer = plain_map(expr).ok()?;
    let inner = plain_map(&outer.f.body).ok()?;
    only_fold(&inner.f.body)?;
    let f = Lambda { body: mark_fold(&inner.f.body, &sum()), ..inner.f.clone() };
    let body = make_map(MapForm::Plain, f, inner.xs.clone()).ok()?;
    let body = body.with_labels(inner.expr.labels().to_vec()).with_origin(inner.expr.origin());
    let whole = make_map(MapForm::Plain, Lambda { body, ..outer.f.clone() }, outer.xs.clone()).ok()?;
    Some(whole.with_labels(expr.labels().to_vec()).with_origin(expr.origin()))
}
