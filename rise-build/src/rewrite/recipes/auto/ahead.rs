//! What the steps of a fold or scan fold themselves, of their element alone, is stored before: so it is a map, which waits
//! for no step and goes in lanes and on all threads.
//!
//! ```text
//! reduce (λ(acc, x). e (reduce f z xs[x]) acc x) y ys
//!   →  let all = toMem (map (λx. reduce f z xs[x]) ys) in reduce (λ(acc, (x, t)). e t acc x) y (zip ys all)
//! ```
//!
//! In: a body. Out: the same, where such folds of a number or a tuple of numbers have left the steps outside of functions,
//! unless the element is an index. What a condition chooses stays where it is: it may hold seldom.

use crate::expr::{
    AddressSpace, Arg, Expr, Kind, Lambda, MapForm, Param, Primitive, ReduceForm, let_in, refresh_lambda,
    to_mem,
};
use crate::rewrite::rules::support::{
    FoldView, beta_copy, component, fold, independent, make, make_map, map_operands, occurs,
};
use crate::types::DataType;

use super::before::may_fold;
use super::beside::{first_fold, named};
use super::lanes::at_operand;

/// Steps of fewer numbers wait for so little that they may as well fold them.
const FEW: i64 = 4;

/// All such steps outside of functions: in those of maps it is the maps that go in lanes and on all threads.
pub fn everywhere(expr: &Expr) -> Expr {
    let inside = match expr.kind() {
        Kind::Let(param, value, body) => {
            let kind = Kind::Let(param.clone(), everywhere(value), everywhere(body));
            expr.clone().with_kind(kind)
        }
        _ => map_operands(expr, &mut everywhere),
    };
    stored(&inside).unwrap_or(inside)
}

/// The folds of the elements, and then the steps.
fn stored(expr: &Expr) -> Option<Expr> {
    let (primitive, args) = expr.as_prim()?;
    if !matches!(primitive, Primitive::Reduce(ReduceForm::Plain | ReduceForm::Seq(_)) | Primitive::Scan(_)) {
        return None;
    }
    let [Arg::Fun(step), Arg::Expr(start), Arg::Expr(xs)] = args else { return None };
    let [acc, x] = step.params.as_slice() else { return None };
    // An index may be what sizes are made of, which a component of a pair is not.
    if x.nat.is_some() {
        return None;
    }
    let bound =
        Lambda { nats: Vec::new(), params: [vec![acc.clone()], named(&step.body)].concat(), ..step.clone() };
    let is_wanted = |found: &Expr, view: FoldView<'_>| {
        is_worth_it(view) && independent(found, &bound) && occurs(found, x)
    };
    let found = first_fold(&step.body, &is_wanted)?;
    let each = Lambda { nats: Vec::new(), params: vec![x.clone()], body: found.clone() };
    let each = refresh_lambda(&each);
    let ys = Param::fresh("ys", xs.ty().clone());
    let map = make_map(MapForm::Plain, each, ys.expr()).ok()?;
    let all = Param::fresh("all", map.ty().clone());
    let pairs = make(Primitive::Zip, [ys.expr(), all.expr()]).ok()?;
    let pair = Param::fresh("pair", DataType::Tuple([x.ty.clone(), found.ty().clone()].into()));
    let body = at_operand(&step.body, &found, &component(1, &pair.expr()));
    let taken = Lambda { params: vec![acc.clone(), x.clone()], body, ..step.clone() };
    let body = beta_copy(&taken, &[acc.expr(), component(0, &pair.expr())]);
    let step = Lambda { params: vec![acc.clone(), pair], body, ..step.clone() };
    let args = vec![step.into(), start.clone().into(), pairs.into()];
    let steps = expr.clone().with_kind(Kind::Prim(primitive.clone(), args));
    let steps = let_in(all, to_mem(AddressSpace::Default, map), steps);
    Some(let_in(ys, xs.clone(), steps))
}

/// Whether the fold is long enough for steps to wait for, and takes no folds itself: of one that does there would be a
/// product of matrices, for which few steps are too much code.
fn is_worth_it(view: FoldView<'_>) -> bool {
    let is_flat = |expr: &Expr| !expr.any(&|node| fold(node).is_ok());
    may_fold(view, FEW) && is_flat(&view.f.body) && is_flat(view.xs)
}
