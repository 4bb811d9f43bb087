//! Fission: one pattern becomes two, one after the other.

use crate::expr::{Arg, Expr, Kind, Lambda, MapForm, Param, Primitive};
use crate::rewrite::catalog::Row;
use crate::rewrite::context::Reason;
use crate::rewrite::place::labelled_as;

use super::row;
use super::support::{
    Rewritten, fold, fun1, independent, is_path, make_fold, make_map, occurs, param1, param2, plain_map,
};

/// The rules of this family.
pub const ROWS: &[Row] = &[
    row!("mapLastFission" [] () "map (λx. f (g x)) → map g ≫ map f" "The last stage of a map becomes a map of its own; it must not mention x otherwise." "xs |> map(|x| f(g(x)))" => "xs |> map(|x| g(x)) |> map(f)" |e, _, _| last_fission(e)),
    row!("mapFirstFission" [] () "map (λx. f (g x)) → map g ≫ map f" "The innermost stage of a linear chain becomes a map of its own." "xs |> map(|x| f(g(x)))" => "xs |> map(|x| g(x)) |> map(f)" |e, _, _| first_fission(e)),
    row!("mapFullFission" [] () "map (λx. f (… (g x))) → map g ≫ … ≫ map f" "Every stage of a linear chain becomes a map of its own." "xs |> map(|x| f(g(h(x))))" => "xs |> map(h) |> map(g) |> map(f)" |e, _, _| last_fission_chain(e)),
    row!("reduceMapFission" [] () "reduceX (λacc y. op acc (h y)) z → map h ≫ reduceX op z" "What a fold does with each element before it folds becomes a map; it must not mention the accumulator. The form of the fold stays: a `reduceSeq` does not become associative." "xs |> reduceSeq(|acc, y| acc + h(y), z)" => "xs |> map(h) |> reduceSeq(add, z)" |e, _, _| reduce_map_fission(e)),
];

fn last_fission_chain(expr: &Expr) -> Rewritten {
    let split = last_fission(expr)?;
    match split.as_prim() {
        Some((Primitive::Map(_), [f, Arg::Expr(inner)])) => match last_fission_chain(inner) {
            Ok(deeper) => {
                Ok(crate::expr::apply(Primitive::Map(MapForm::Plain), vec![f.clone(), deeper.into()])?)
            }
            Err(_) => Ok(split),
        },
        _ => Ok(split),
    }
}

/// The operand of the body's root that the variable occurs in, if it is one only.
fn stage<'a>(body: &'a Expr, x: &Param) -> Option<(usize, &'a Expr)> {
    let (_, args) = body.as_prim()?;
    let mut with_x = args.iter().enumerate().filter(|(_, arg)| occurs_in(arg, x));
    let (position, arg) = with_x.next()?;
    match (with_x.next(), arg) {
        (None, Arg::Expr(inner)) => Some((position, inner)),
        _ => None,
    }
}

fn occurs_in(arg: &Arg, x: &Param) -> bool {
    occurs(arg.expr(), x)
        || arg.as_fun().is_some_and(|f| {
            f.params.iter().any(|param| {
                x.nat
                    .as_ref()
                    .is_some_and(|nat| super::support::type_mentions(&param.ty, &|n| n.mentions(nat)))
            })
        })
}

fn last_fission(expr: &Expr) -> Rewritten {
    let map = plain_map(expr)?;
    let x = param1(map.f)?;
    let Some((position, inner)) = stage(&map.f.body, x) else {
        return Err(Reason::mismatch("its function has no last stage that gets all it knows from one value"));
    };
    if is_path(inner) {
        return Err(Reason::mismatch("its function has only one stage"));
    }
    if x.nat.is_some() {
        return Err(Reason::refused("its variable may occur in types"));
    }
    let y = Param::fresh("y", inner.ty().clone());
    let rest = replace_arg(&map.f.body, position, y.expr());
    let first = make_map(map.form, fun1(x.clone(), inner.clone()), map.xs.clone())?;
    let last = make_map(map.form, fun1(y, rest), first)?;
    Ok(labelled_as(last, &[expr]))
}

fn first_fission(expr: &Expr) -> Rewritten {
    let map = plain_map(expr)?;
    let x = param1(map.f)?;
    if x.nat.is_some() {
        return Err(Reason::refused("its variable may occur in types"));
    }
    let mut innermost = None;
    let y = |ty: &crate::types::DataType| Param::fresh("y", ty.clone());
    let rest = peel_first(&map.f.body, x, &mut |stage| {
        let param = y(stage.ty());
        innermost = Some((stage.clone(), param.clone()));
        param.expr()
    });
    match (rest, innermost) {
        (Some(rest), Some((stage, y))) if !matches!(rest.kind(), Kind::Var(_)) => {
            let first = make_map(map.form, fun1(x.clone(), stage), map.xs.clone())?;
            Ok(labelled_as(make_map(map.form, fun1(y, rest), first)?, &[expr]))
        }
        _ => Err(Reason::mismatch("its function has only one stage")),
    }
}

fn peel_first(body: &Expr, x: &Param, put: &mut dyn FnMut(&Expr) -> Expr) -> Option<Expr> {
    let (position, inner) = stage(body, x)?;
    if is_path(inner) {
        return Some(put(body));
    }
    match peel_first(inner, x, put) {
        Some(new) => Some(replace_arg(body, position, new)),
        None => Some(replace_arg(body, position, put(inner))),
    }
}

fn replace_arg(expr: &Expr, position: usize, with: Expr) -> Expr {
    match expr.kind() {
        Kind::Prim(primitive, args) => {
            let mut args = args.clone();
            args[position] = Arg::Expr(with);
            expr.clone().with_kind(Kind::Prim(primitive.clone(), args))
        }
        _ => expr.clone(),
    }
}

fn reduce_map_fission(expr: &Expr) -> Rewritten {
    let view = fold(expr)?;
    let [acc, y] = param2(view.f)?;
    let Some((Primitive::Binary(_) | Primitive::MulAdd, args)) = view.f.body.as_prim() else {
        return Err(Reason::mismatch("its function is no operator at the outside"));
    };
    let with_y: Vec<usize> = (0..args.len()).filter(|at| occurs(args[*at].expr(), y)).collect();
    let [position] = with_y.as_slice() else {
        return Err(Reason::mismatch("the element does not occur in exactly one operand"));
    };
    let h = args[*position].expr();
    if is_path(h) {
        return Err(Reason::mismatch("nothing is done with the element before"));
    }
    if !independent(h, &fun1(acc.clone(), h.clone())) {
        return Err(Reason::refused("what is done with the element mentions the accumulator"));
    }
    let z = Param::fresh(y.name.text(), h.ty().clone());
    let body = replace_arg(&view.f.body, *position, z.expr());
    let mapped = make_map(MapForm::Plain, fun1(y.clone(), h.clone()), view.xs.clone())?;
    let op = Lambda { nats: Vec::new(), params: vec![acc.clone(), z], body };
    Ok(labelled_as(make_fold(view.form, op, view.start.clone(), mapped)?, &[expr]))
}
