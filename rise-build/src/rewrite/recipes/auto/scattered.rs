//! Folds of floats that lie apart, which no vector loads: by several accumulators, so that no step waits for the one before.
//!
//! In: `zip(x, reverse(y)) |> map(mul) |> reduce(add, 0)`, or any long fold of what is read by an index, or one of many
//! columns. Out: the same, where [`COUNT`] elements at a time are folded to as many accumulators, these pairwise, and then
//! what is left over. How it associates depends on lengths alone. (Compilers do so for integers.)

use crate::expr::{AddressSpace, Expr, Lambda, MapForm, Param, Primitive, ReduceForm, let_in, to_mem};
use crate::nat::Nat;
use crate::rewrite::context::Reason;
use crate::rewrite::rules::folds::associative;
use crate::rewrite::rules::operators::commutes;
use crate::rewrite::rules::support::{Rewritten, beta_copy, component, len, make, make_fold, map_over};
use crate::types::Scalar;

use super::before::may_fold;
use super::lanes::{LONG, fused, is_light, neutral_vector, rest};
use super::strides::{Known, Stride};

/// As many as hide the latency of an addition, and have registers.
const COUNT: i64 = 8;

/// Whether the term is such a fold.
pub fn is_fold(expr: &Expr, known: &mut Known) -> bool {
    let Ok(view) = associative(expr) else { return false };
    let is_float = expr.ty().scalar().is_some_and(Scalar::is_float);
    let Some(x) = view.f.params.last().filter(|_| is_float) else { return false };
    // What is joined is a loop in a loop, and lanes do not wait for each other.
    let is_joined = view.xs.any(&|node| matches!(node.as_prim(), Some((Primitive::Join, _))));
    !known.are_lanes()
        && !is_joined
        && may_fold(view, LONG)
        && commutes(view.f)
        && is_light(view.xs)
        && known.folded(view.f, view.xs).iter().any(|leaf| leaf.along(&x.name) == Stride::Far)
}

/// The same by several accumulators.
pub fn fold(expr: &Expr) -> Rewritten {
    let view = associative(expr)?;
    let (step, xs) = fused(view.f, view.xs)?;
    let count = Nat::lit(COUNT);
    let done = len(&xs)?.div(&count) * &count;
    let groups = make(Primitive::Split(count.clone()), [make(Primitive::Take(done.clone()), [xs.clone()])?])?;
    let start = neutral_vector(view, &count)?;
    let element = groups.ty().as_array().ok_or(Reason::mismatch("it is no array"))?.1.clone();
    let [accs, group] =
        [("accs", start.ty().clone()), ("group", element)].map(|(text, ty)| Param::fresh(text, ty));
    let both = make(Primitive::Zip, [accs.expr(), group.expr()])?;
    let each = |p: Expr| Ok(beta_copy(&step, &[component(0, &p), component(1, &p)]));
    let body = map_over(MapForm::Unroll, "p", both, each)?;
    let f = Lambda { nats: Vec::new(), params: vec![accs, group], body };
    let folded = make_fold(ReduceForm::Seq(AddressSpace::Private), f, start, groups)?;
    let several = Param::fresh("several", folded.ty().clone());
    let all = rest(expr, &step, &xs, &done, &several.expr(), COUNT)?;
    Ok(let_in(several, to_mem(AddressSpace::Private, folded), all))
}
