//! Whether a term has a value wherever its variables have one: it may move out of a loop that might not run.
//!
//! `x |> map(|v| x[0] + v)` is right where `x` is empty, but `x[0]` alone is not.

use crate::expr::{Arg, Expr, Kind, Lambda, Primitive};
use crate::nat::{Atom, Facts, Nat, NatVar, Obligation};
use crate::rewrite::condition::Said;
use crate::rewrite::context::Reason;
use crate::types::{DataType, Scalar};

/// Whether all that the term and its parts demand of sizes and indices follows from `facts`.
pub fn is_total(expr: &Expr, facts: &Facts) -> bool {
    let mut demands = demands(expr).into_iter();
    demands.all(|demand| demand.prove(facts))
        && match expr.kind() {
            Kind::Var(_) | Kind::Literal(_) | Kind::Nat(_) => true,
            Kind::Let(_, value, body) => is_total(value, facts) && is_total(body, facts),
            Kind::Prim(Primitive::Select, args) if guards(expr) => {
                let [condition, then, otherwise] = [0, 1, 2].map(|at| args[at].expr());
                let mut chosen = facts.clone();
                Said::by(condition).assume(&mut chosen);
                is_total(condition, facts) && is_total(then, &chosen) && is_total(otherwise, facts)
            }
            Kind::Prim(_, args) => {
                let xs = args.last().and_then(Arg::as_expr);
                args.iter().all(|arg| match arg {
                    Arg::Expr(expr) => is_total(expr, facts),
                    Arg::Fun(f) => !is_partial(&f.body) || is_total(&f.body, &inside(f, xs, facts)),
                })
            }
        }
}

/// Whether what is chosen runs only where it is: cheap branches may both be evaluated, those with folds are not, but
/// arrays are chosen element by element, from branches that have run, and lanes from both branches.
fn guards(choice: &Expr) -> bool {
    let Some((_, [Arg::Expr(condition), Arg::Expr(then), _])) = choice.as_prim() else { return false };
    let folds = |node: &Expr| matches!(node.as_prim(), Some((Primitive::Reduce(_), _)));
    *condition.ty() == DataType::Scalar(Scalar::Bool) && choice.ty().is_small() && then.any(&folds)
}

/// Refuses to move a term out of a loop over `xs` that gives it a value by running.
pub fn may_leave(expr: &Expr, xs: &Expr, facts: &Facts) -> Result<(), Reason> {
    if !is_partial(expr) || is_total(expr, facts) {
        return Ok(());
    }
    let mut running = facts.clone();
    runs(xs, &mut running);
    match is_total(expr, &running) {
        true => {
            Err(Reason::refused("what would move out of the loop has a value only because the loop runs"))
        }
        false => Ok(()),
    }
}

/// Whether some part of the term demands anything.
pub fn is_partial(expr: &Expr) -> bool {
    expr.any(&|node| !demands(node).is_empty())
}

/// What is known in a function that runs for the elements of an array.
pub fn inside(f: &Lambda, xs: Option<&Expr>, facts: &Facts) -> Facts {
    let mut facts = facts.clone();
    f.nats.iter().for_each(|nat| facts.size(nat));
    for param in &f.params {
        if let (Some(nat), DataType::Idx(bound)) = (&param.nat, &param.ty) {
            facts.range(nat, &Nat::lit(0), bound);
        }
    }
    if let Some(xs) = xs {
        runs(xs, &mut facts);
    }
    facts
}

/// A loop over the array runs: its variable has a value.
fn runs(xs: &Expr, facts: &mut Facts) {
    if let Some(len) = count(xs) {
        facts.range(&NatVar::new("i"), &Nat::lit(0), len);
    }
}

/// How often a function runs for the elements of the array.
pub fn count(xs: &Expr) -> Option<&Nat> {
    xs.ty().as_array().map(|(len, _)| len)
}

/// What a node itself demands.
fn demands(expr: &Expr) -> Vec<Obligation> {
    let below = |index: &Nat, len: &Nat| {
        vec![Obligation::Le(Nat::lit(0), index.clone()), Obligation::Lt(index.clone(), len.clone())]
    };
    let divides = |size: &Nat, xs: &Arg| match count(xs.expr()) {
        Some(len) => {
            vec![Obligation::Le(Nat::lit(1), size.clone()), Obligation::Divides(size.clone(), len.clone())]
        }
        None => Vec::new(),
    };
    let fits = |size: &Nat, xs: &Arg| {
        let at_most = count(xs.expr()).map(|len| Obligation::Le(size.clone(), len.clone()));
        at_most.into_iter().chain(is_size(size)).collect()
    };
    match (expr.kind(), expr.ty()) {
        (Kind::Nat(index), DataType::Idx(len)) => below(index, len),
        (Kind::Prim(Primitive::Cast(_), _), DataType::Idx(len)) => below(&Nat::lit(0), len),
        (Kind::Prim(primitive, args), _) => match (primitive, args.as_slice()) {
            (Primitive::Take(size) | Primitive::Drop(size), [xs]) => fits(size, xs),
            // There may be no windows.
            (Primitive::Slide(size, step), [xs]) => count(xs.expr())
                .map(|len| Obligation::Le(size.clone(), len + step))
                .into_iter()
                .chain(is_size(size))
                .collect(),
            (Primitive::Split(size), [xs]) => divides(size, xs),
            (Primitive::AsVector(lanes), [xs]) => divides(&Nat::from(*lanes), xs),
            (Primitive::PadClamp(l, r), [xs]) => {
                let mut demands: Vec<_> = fits(&Nat::lit(1), xs);
                demands.extend([l, r].into_iter().filter_map(is_size));
                demands
            }
            (Primitive::PadCst(l, r), _) => [l, r].into_iter().filter_map(is_size).collect(),
            (Primitive::PadEmpty(size), _) => is_size(size).into_iter().collect(),
            (Primitive::Generate, _) => count(expr).and_then(is_size).into_iter().collect(),
            (Primitive::Idx, [index, xs]) => match (index.expr().kind(), count(xs.expr())) {
                (Kind::Nat(index), Some(len)) => below(index, len),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// That there can be so many elements, unless that is plain.
fn is_size(size: &Nat) -> Option<Obligation> {
    let is_plain = size
        .terms()
        .all(|(coeff, factors)| coeff > 0 && factors.iter().all(|(atom, _)| matches!(atom, Atom::Var(_))));
    (!is_plain).then(|| Obligation::Le(Nat::lit(0), size.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::{AddressSpace, Binary, Literal, MapForm, Param, ReduceForm, binary, literal, nat};
    use crate::rewrite::engine::holds;
    use crate::rewrite::rules::support::{fun1, make, make_fold, make_map};

    /// `if 1 <= n { value } else { value }`, where the value folds `x[0]`.
    fn chosen(x: &Param, n: &NatVar, value: impl Fn(Expr) -> Expr) -> Expr {
        let f32 = || DataType::Scalar(Scalar::F32);
        let [a, b] = ["a", "b"].map(|text| Param::fresh(text, f32()));
        let add =
            Lambda { nats: Vec::new(), body: binary(Binary::Add, a.expr(), b.expr()), params: vec![a, b] };
        let zero = literal(Literal::zero(Scalar::F32));
        let first = make(Primitive::Idx, [nat(Nat::lit(0)), x.expr()]).unwrap();
        let fold = make_fold(ReduceForm::Seq(AddressSpace::Private), add, zero.clone(), first).unwrap();
        let runs = holds(&Obligation::Le(Nat::lit(1), Nat::var(n)));
        make(Primitive::Select, [runs, value(fold), value(zero)]).unwrap()
    }

    #[test]
    fn a_choice_guards_the_folds_of_a_scalar_but_not_those_of_an_array() {
        let [n, m] = ["n", "m"].map(NatVar::new);
        let row = DataType::array(Nat::var(&m), DataType::Scalar(Scalar::F32));
        let x = Param::fresh("x", DataType::array(Nat::var(&n), row.clone()));
        let mut facts = Facts::default();
        [&n, &m].into_iter().for_each(|nat| facts.size(nat));
        assert!(is_total(&chosen(&x, &n, |value| value), &facts));
        let each = |value| {
            let ys = Param::fresh("ys", row.clone()).expr();
            let y = Param::fresh("y", DataType::Scalar(Scalar::F32));
            make_map(MapForm::Plain, fun1(y, value), ys).unwrap()
        };
        assert!(!is_total(&chosen(&x, &n, each), &facts));
    }
}
