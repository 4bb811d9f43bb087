//! Folds of elements that are chosen by their indices.

use crate::expr::{
    Arg, Binary, Expr, Kind, Param, Primitive, ReduceForm, alpha_equal, apply, binary, map_children, nat,
    substitute,
};
use crate::nat::{Facts, Nat, NatVar};
use crate::rewrite::catalog::Row;
use crate::rewrite::condition::Said;
use crate::rewrite::context::Reason;
use crate::rewrite::place::labelled_as;
use crate::types::DataType;

use super::operators::{neutral, right_neutral};
use super::row;
use super::support::{FoldView, Rewritten, fold, fun1, len, make, make_fold, param1};

/// The rules of this family.
pub const ROWS: &[Row] = &[
    row!("foldChosen" [] () "generate (λi. if a ≤ i < b then f i else e) ≫ reduce op z → generate (λi. f (a + i)) ≫ reduce op z" "Elements that the operator does not notice, by their indices, are not folded: e is its neutral element, and what bounds the index from each side may be any comparisons joined by `&&`." "generate(|i| if i <= k { f(i) } else { 0.0 }) |> sum" => "generate(|i: Idx[k + 1]| f(i)) |> sum" |e, _, cx| where_chosen(e, &cx.facts())),
];

const NO_RANGE: Reason =
    Reason { text: std::borrow::Cow::Borrowed("its condition is no range of the index"), matched: true };
const NO_NATURAL: Reason = Reason::mismatch("its index is no natural");

/// `generate (λi. if a ≤ i < b then f i else e) ≫ reduce op z → generate (λi. f (a + i)) ≫ reduce op z`; also used by
/// `auto`.
pub fn where_chosen(expr: &Expr, facts: &Facts) -> Rewritten {
    let view = fold(expr)?;
    let Some((Primitive::Generate, [Arg::Fun(f)])) = view.xs.as_prim() else {
        return Err(Reason::mismatch("it folds nothing that is generated"));
    };
    let index = param1(f)?;
    let var = index.nat.as_ref().ok_or(NO_NATURAL)?;
    let (said, value) = choice(view, &f.body)?;
    let indices = [Nat::lit(0), len(view.xs)?];
    let mut inside = facts.clone();
    inside.range(var, &indices[0], &indices[1]);
    said.assume(&mut inside);
    let value = simplified(&among(said.rest, value, view)?, &inside);
    let [low, count] = narrowed(indices, &said.positive, var, facts)?;
    let short = Param::fresh(index.name.text(), DataType::Idx(count));
    let from = short.nat.as_ref().map(|nat| low + Nat::var(nat)).ok_or(NO_NATURAL)?;
    let f = fun1(short, substitute(&value, index, &nat(from)));
    let xs =
        labelled_as(apply(Primitive::Generate, vec![f.into()])?, &[view.xs]).with_origin(view.xs.origin());
    let whole = make_fold(view.form, view.f.clone(), view.start.clone(), xs)?;
    Ok(labelled_as(whole, &[expr]).with_origin(expr.origin()))
}

/// When an element is folded that the operator notices, and that element.
fn choice<'a>(view: FoldView<'_>, element: &'a Expr) -> Result<(Said, &'a Expr), Reason> {
    let Some((Primitive::Select, [Arg::Expr(condition), Arg::Expr(then), Arg::Expr(otherwise)])) =
        element.as_prim()
    else {
        return Err(Reason::mismatch("its elements are not chosen"));
    };
    if is_unnoticed(otherwise, view) {
        return Ok((Said::by(condition), then));
    }
    match Said::by_opposite(condition) {
        Some(said) if is_unnoticed(then, view) => Ok((said, otherwise)),
        _ => Err(Reason::refused("neither choice is the neutral element of its operator")),
    }
}

/// Whether a fold is the same without the element: a fold in order to the bit.
fn is_unnoticed(element: &Expr, view: FoldView<'_>) -> bool {
    let is = |neutral: Rewritten| neutral.is_ok_and(|neutral| alpha_equal(element, &neutral));
    is(right_neutral(view)) || matches!(view.form, ReduceForm::Plain | ReduceForm::Par) && is(neutral(view))
}

/// The element where the rest of its condition holds.
fn among(rest: Vec<Expr>, element: &Expr, view: FoldView<'_>) -> Rewritten {
    match rest.into_iter().reduce(|a, b| binary(Binary::And, a, b)) {
        Some(condition) => make(Primitive::Select, [condition, element.clone(), neutral(view)?]),
        None => Ok(element.clone()),
    }
}

/// The term with its naturals as simple as what is known allows.
fn simplified(expr: &Expr, facts: &Facts) -> Expr {
    match expr.kind() {
        Kind::Nat(nat) => expr.clone().with_kind(Kind::Nat(facts.simplify(nat))),
        _ => map_children(expr, &mut |child| simplified(child, facts)),
    }
}

/// The first index and the number of indices for which all of `positive` is at least 0: none where that is so.
fn narrowed(
    [mut low, mut high]: [Nat; 2],
    positive: &[Nat],
    var: &NatVar,
    facts: &Facts,
) -> Result<[Nat; 2], Reason> {
    if positive.is_empty() {
        return Err(NO_RANGE);
    }
    for nat in positive {
        match nat.affine_in(var) {
            Some((step, rest)) if step.is_one() => low = Nat::max(&low, &-rest),
            Some((step, rest)) if (-&step).is_one() => high = Nat::min(&high, &(rest + 1)),
            _ => return Err(NO_RANGE),
        }
    }
    let high = facts.simplify(&Nat::max(&high, &Nat::lit(0)));
    let low = facts.simplify(&Nat::min(&low, &high));
    let count = &high - &low;
    Ok([low, count])
}
