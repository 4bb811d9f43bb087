//! Folds of elements that are chosen by their indices.

use crate::expr::{
    Arg, Binary, Expr, Kind, Lambda, MapForm, Param, Primitive, ReduceForm, alpha_equal, apply, binary,
    map_children, nat, substitute,
};
use crate::nat::{Facts, Nat, NatVar};
use crate::rewrite::catalog::Row;
use crate::rewrite::condition::Said;
use crate::rewrite::context::Reason;
use crate::rewrite::place::labelled_as;
use crate::types::DataType;

use super::operators::{neutral, right_neutral};
use super::row;
use super::support::{
    FoldView, Rewritten, beta, bind, fold, fun1, is_path, len, make, make_fold, param1, plain_map, tuple,
};

/// The rules of this family.
pub const ROWS: &[Row] = &[
    row!("foldChosen" [] () "generate (λi. if a ≤ i < b then f i else e) ≫ reduce op z → generate (λi. f (a + i)) ≫ reduce op z" "Elements that the operator does not notice, by their indices, are not folded: e is its neutral element, and the index is bounded by comparisons joined by `&&`, in each of which it stands once, or once negative. The index may also come from what is generated beside the arrays that are zipped." "generate(|i| if i <= k { f(i) } else { 0.0 }) |> sum" => "generate(|i: Idx[k + 1]| f(i)) |> sum" |e, _, cx| where_chosen(e, &cx.facts())),
];

const NO_NATURAL: Reason = Reason::mismatch("its index is no natural");

/// `generate (λi. if a ≤ i < b then f i else e) ≫ reduce op z → generate (λi. f (a + i)) ≫ reduce op z`; also used by
/// `auto`.
pub fn where_chosen(expr: &Expr, facts: &Facts) -> Rewritten {
    let view = fold(expr)?;
    let f = generated(view.xs)?;
    let index = param1(&f)?;
    let var = index.nat.as_ref().ok_or(NO_NATURAL)?;
    let choice = choice(view, &f.body)?;
    let indices = [Nat::lit(0), len(view.xs)?];
    let mut inside = facts.clone();
    inside.range(var, &indices[0], &indices[1]);
    choice.said.assume(&mut inside);
    let value = simplified(&choice.where_the_rest_holds()?, &inside);
    let [low, count] = narrowed(indices, &choice.said.at_least_zero, var, facts)
        .ok_or_else(|| Reason::refused("its condition is no range of the index"))?;
    let mut own = choice.names.iter().filter_map(|(name, _)| name.nat.as_ref());
    if own.any(|nat| low.mentions(nat) || count.mentions(nat)) {
        return Err(Reason::refused("its condition depends on what each element reads"));
    }
    let short = Param::fresh(index.name.text(), DataType::Idx(count));
    let from = short.nat.as_ref().map(|nat| low + Nat::var(nat)).ok_or(NO_NATURAL)?;
    let f = fun1(short, substitute(&value, index, &nat(from)));
    let xs =
        labelled_as(apply(Primitive::Generate, vec![f.into()])?, &[view.xs]).with_origin(view.xs.origin());
    let whole = make_fold(view.form, view.f.clone(), view.start.clone(), xs)?;
    Ok(labelled_as(whole, &[expr]).with_origin(expr.origin()))
}

/// What each element of an array is by its index, where indices are among what it is made of.
pub fn generated(xs: &Expr) -> Result<Lambda, Reason> {
    if let Some((Primitive::Generate, [Arg::Fun(f)])) = xs.as_prim() {
        return Ok(f.clone());
    }
    let map = plain_map(xs)?;
    if !is_numbered(map.xs) {
        return Err(Reason::mismatch("it folds nothing that is generated"));
    }
    let index = Param::fresh("i", DataType::Idx(len(xs)?));
    let body = with_indices_named(element_at(xs, &nat(index.nat.as_ref().map(Nat::var).ok_or(NO_NATURAL)?))?);
    Ok(fun1(index, body))
}

/// The element where an index has no second name.
fn with_indices_named(element: Expr) -> Expr {
    match element.kind() {
        Kind::Let(param, value, rest) if matches!(value.kind(), Kind::Nat(_)) => {
            with_indices_named(substitute(rest, param, value))
        }
        Kind::Let(param, value, rest) => {
            let rest = with_indices_named(rest.clone());
            element.clone().with_kind(Kind::Let(param.clone(), value.clone(), rest))
        }
        _ => element,
    }
}

/// Whether one of the arrays that are zipped is generated.
fn is_numbered(xs: &Expr) -> bool {
    match xs.as_prim() {
        Some((Primitive::Zip, args)) => args.iter().filter_map(Arg::as_expr).any(is_numbered),
        Some((Primitive::Generate, _)) => true,
        _ => false,
    }
}

/// The element of that index; nothing is computed again for each.
fn element_at(xs: &Expr, index: &Expr) -> Rewritten {
    match xs.as_prim() {
        Some((Primitive::Zip, [Arg::Expr(a), Arg::Expr(b)])) => {
            Ok(tuple([element_at(a, index)?, element_at(b, index)?]))
        }
        Some((Primitive::Generate, [Arg::Fun(f)])) => Ok(beta(f, std::slice::from_ref(index))),
        Some((Primitive::Map(MapForm::Plain), [Arg::Fun(f), Arg::Expr(xs)])) => {
            Ok(beta(f, &[element_at(xs, index)?]))
        }
        _ if is_seen(xs) => make(Primitive::Idx, [index.clone(), xs.clone()]),
        _ => Err(Reason::refused("what is zipped is computed")),
    }
}

/// Whether an array is there, or a view of what is.
pub fn is_seen(xs: &Expr) -> bool {
    let looks = |primitive: &Primitive| primitive.is_view() || matches!(primitive, Primitive::Idx);
    let of_seen = |args: &[Arg]| args.iter().all(|arg| arg.as_expr().is_some_and(is_seen));
    is_path(xs) || xs.as_prim().is_some_and(|(primitive, args)| looks(primitive) && of_seen(args))
}

/// Elements of which the operator does not notice some.
struct Choice<'a> {
    /// When an element is noticed.
    said: Said,
    /// What the element names before it is computed.
    names: Vec<(&'a Param, &'a Expr)>,
    element: &'a Expr,
    unnoticed: &'a Expr,
}

impl Choice<'_> {
    fn where_the_rest_holds(&self) -> Rewritten {
        let element = match self.said.rest.iter().cloned().reduce(|a, b| binary(Binary::And, a, b)) {
            Some(rest) => make(Primitive::Select, [rest, self.element.clone(), self.unnoticed.clone()])?,
            None => self.element.clone(),
        };
        let named = |body, (param, value): &(&Param, &Expr)| bind(param, value, body);
        Ok(self.names.iter().rev().fold(element, named))
    }
}

fn choice<'a>(view: FoldView<'_>, element: &'a Expr) -> Result<Choice<'a>, Reason> {
    if let Kind::Let(param, value, rest) = element.kind() {
        let mut choice = choice(view, rest)?;
        choice.names.insert(0, (param, value));
        return Ok(choice);
    }
    let Some((Primitive::Select, [Arg::Expr(condition), Arg::Expr(then), Arg::Expr(otherwise)])) =
        element.as_prim()
    else {
        return Err(Reason::mismatch("its elements are not chosen"));
    };
    if is_unnoticed(otherwise, view) {
        return Ok(Choice {
            said: Said::by(condition),
            names: Vec::new(),
            element: then,
            unnoticed: otherwise,
        });
    }
    match Said::by_opposite(condition) {
        Some(said) if is_unnoticed(then, view) => {
            Ok(Choice { said, names: Vec::new(), element: otherwise, unnoticed: then })
        }
        _ => Err(Reason::refused("neither choice is the neutral element of its operator")),
    }
}

/// Whether a fold is the same without the element: a fold in order to the bit.
pub fn is_unnoticed(element: &Expr, view: FoldView<'_>) -> bool {
    let is = |neutral: Rewritten| neutral.is_ok_and(|neutral| alpha_equal(element, &neutral));
    is(right_neutral(view)) || matches!(view.form, ReduceForm::Plain | ReduceForm::Par) && is(neutral(view))
}

/// The term with its naturals as simple as what is known allows.
fn simplified(expr: &Expr, facts: &Facts) -> Expr {
    match expr.kind() {
        Kind::Nat(nat) => expr.clone().with_kind(Kind::Nat(facts.simplify(nat))),
        _ => map_children(expr, &mut |child| simplified(child, facts)),
    }
}

/// The first index and the number of indices for which all of `at_least_zero` is at least 0, if that is a range.
fn narrowed(
    [mut low, mut high]: [Nat; 2],
    at_least_zero: &[Nat],
    var: &NatVar,
    facts: &Facts,
) -> Option<[Nat; 2]> {
    for nat in at_least_zero {
        match nat.affine_in(var)? {
            (step, rest) if step.is_one() => low = Nat::max(&low, &-rest),
            (step, rest) if (-&step).is_one() => high = Nat::min(&high, &(rest + 1)),
            _ => return None,
        }
    }
    let high = facts.simplify(&Nat::max(&high, &Nat::lit(0)));
    let low = facts.simplify(&Nat::min(&low, &high));
    let count = &high - &low;
    (!at_least_zero.is_empty()).then_some([low, count])
}
