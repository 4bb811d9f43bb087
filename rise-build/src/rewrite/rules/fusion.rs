//! Fusion: a consumer takes its elements straight from the producer's function.

use crate::expr::{Arg, Expr, Lambda, Primitive, refresh_lambda};
use crate::rewrite::catalog::Row;
use crate::rewrite::context::Reason;
use crate::rewrite::place::labelled_as;

use super::row;
use super::support::{
    Rewritten, any_map, beta, fold, make, make_fold, make_map, operand, param1, param2, plain_map, sequential,
};

/// The rules of this family.
pub const ROWS: &[Row] = &[
    row!("mapFusion" ["fuseMap", "mapMapFusion"] () "map g ≫ map f → map (g ≫ f)" "Two maps become one; what the second uses more than once is shared." "xs |> map(g) |> map(f)" => "xs |> map(|x| f(g(x)))" |e, _, _| fuse_maps(e)),
    row!("fuseReduceMap" ["reduceMapFusion"] () "map g ≫ reduce f z → reduceSeq (λacc x. f acc (g x)) z" "A reduction takes its elements straight from a map's function. The new operator is not associative, so a `reduceSeq` is left." "xs |> map(g) |> reduce(f, z)" => "xs |> reduceSeq(|acc, x| f(acc, g(x)), z)" |e, _, _| fuse_fold(e)),
    row!("fuseScanMap" ["scanMapFusion"] () "map g ≫ scan f z → scan (λacc x. f acc (g x)) z" "A scan takes its elements straight from a map's function." "xs |> map(g) |> scan(f, z)" => "xs |> scan(|acc, x| f(acc, g(x)), z)" |e, _, _| fuse_scan(e)),
    row!("padEmptyFusion" [] () "padEmpty n ≫ padEmpty m → padEmpty (n + m)" "Padding twice is padding once." "xs |> padEmpty(n) |> padEmpty(m)" => "xs |> padEmpty(n + m)" |e, _, _| {
        let inner = operand(e, |p| matches!(p, Primitive::PadEmpty(_)))?;
        let xs = operand(inner, |p| matches!(p, Primitive::PadEmpty(_)))?;
        match (e.as_prim(), inner.as_prim()) {
            (Some((Primitive::PadEmpty(m), _)), Some((Primitive::PadEmpty(n), _))) => make(Primitive::PadEmpty(n + m), [xs.clone()]),
            _ => Err(Reason::mismatch("it is another pattern")),
        }
    }),
    row!("takeTake" [] () "take n ≫ take m → take m" "The first of the first elements." "xs |> take(n) |> take(m)" => "xs |> take(m)" |e, _, _| {
        let inner = operand(e, |p| matches!(p, Primitive::Take(_)))?;
        let xs = operand(inner, |p| matches!(p, Primitive::Take(_)))?;
        super::support::with_args(e, vec![xs.clone().into()])
    }),
    row!("dropDrop" [] () "drop n ≫ drop m → drop (n + m)" "Dropping twice is dropping once." "xs |> drop(n) |> drop(m)" => "xs |> drop(n + m)" |e, _, _| {
        let inner = operand(e, |p| matches!(p, Primitive::Drop(_)))?;
        let xs = operand(inner, |p| matches!(p, Primitive::Drop(_)))?;
        match (e.as_prim(), inner.as_prim()) {
            (Some((Primitive::Drop(m), _)), Some((Primitive::Drop(n), _))) => {
                Ok(super::support::retyped(make(Primitive::Drop(n + m), [xs.clone()])?, e.ty()))
            }
            _ => Err(Reason::mismatch("it is another pattern")),
        }
    }),
    row!("mulAdd" ["contract"] () "a * b + c → mulAdd a b c" "Contracts a product and a sum; rounds once where the hardware does, so bits may change." "acc + a * b" => "mul_add(a, b, acc)" |e, _, _| contract(e)),
];

const NO_PRODUCER: &str = "what it works on is no map whose form is open";

/// `map g ≫ map f → map (g ≫ f)`; also used by recipes.
pub fn fuse_maps(expr: &Expr) -> Rewritten {
    let outer = any_map(expr)?;
    let inner = plain_map(outer.xs).map_err(|_| Reason::mismatch(NO_PRODUCER))?;
    let body = beta(outer.f, std::slice::from_ref(&inner.f.body));
    let f = Lambda { nats: Vec::new(), params: inner.f.params.clone(), body };
    let fused = make_map(outer.form, f, inner.xs.clone())?;
    Ok(labelled_as(fused, &[expr, outer.xs]))
}

/// `map g ≫ reduce f z → reduceSeq (λacc x. f acc (g x)) z`; also used by recipes.
pub fn fuse_fold(expr: &Expr) -> Rewritten {
    let view = fold(expr)?;
    let map = plain_map(view.xs).map_err(|_| Reason::mismatch(NO_PRODUCER))?;
    let f = composed(view.f, map.f)?;
    let fused = make_fold(sequential(view.form), f, view.start.clone(), map.xs.clone())?;
    Ok(labelled_as(fused, &[expr, view.xs]))
}

/// `map g ≫ scan f z → scan (λacc x. f acc (g x)) z`; also used by recipes.
pub fn fuse_scan(expr: &Expr) -> Rewritten {
    let Some((Primitive::Scan(form), [Arg::Fun(f), Arg::Expr(start), Arg::Expr(xs)])) = expr.as_prim() else {
        return Err(Reason::mismatch("it is no scan"));
    };
    let map = plain_map(xs).map_err(|_| Reason::mismatch(NO_PRODUCER))?;
    let f = composed(f, map.f)?;
    let args = vec![f.into(), start.clone().into(), map.xs.clone().into()];
    Ok(labelled_as(crate::expr::apply(Primitive::Scan(*form), args)?, &[expr, xs]))
}

/// `λacc x. f acc (g x)`; also used by recipes.
pub fn composed(f: &Lambda, g: &Lambda) -> Result<Lambda, Reason> {
    let [acc, _] = param2(f)?;
    let x = param1(g)?.clone();
    let body = beta(f, &[acc.expr(), g.body.clone()]);
    Ok(refresh_lambda(&Lambda { nats: Vec::new(), params: vec![acc.clone(), x], body }))
}

/// `a * b + c → mulAdd a b c`; also used by recipes.
pub fn contract(expr: &Expr) -> Rewritten {
    use crate::expr::Binary;
    let [a, b] = super::support::operands2(expr, |p| matches!(p, Primitive::Binary(Binary::Add)))?;
    if !expr.ty().scalar().is_some_and(crate::types::Scalar::is_float) {
        return Err(Reason::refused("only floats are contracted"));
    }
    let product = |e: &Expr| -> Option<(Expr, Expr)> {
        match e.as_prim()? {
            (Primitive::Binary(Binary::Mul), [x, y]) => Some((x.expr().clone(), y.expr().clone())),
            _ => None,
        }
    };
    let (x, y, sum) = match (product(a), product(b)) {
        (_, Some((x, y))) => (x, y, a.clone()),
        (Some((x, y)), None) => (x, y, b.clone()),
        _ => return Err(Reason::mismatch("it is no sum of a product")),
    };
    make(Primitive::MulAdd, [x, y, sum])
}
