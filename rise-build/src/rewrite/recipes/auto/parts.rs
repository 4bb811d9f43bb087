//! A map that gives several arrays is several maps, each of which gives one, where little is computed: each is written
//! as if it were alone, and loops over the same arrays become one again where that is worth it.
//!
//! ```text
//! unzip (map (λx. (a, b)) xs)    →  (map (λx. a) xs, map (λx. b) xs)
//! let u = e in (u.0, u.1)        →  e
//! let r = map f xs in (map (λp. p.1) r, map (λp. p.0) r)  →  unzip (map (λx. let t = f x in (t.1, t.0)) xs)
//! ```
//!
//! In: any term. Out: the same, where what is written is not stored before in another form.

use crate::expr::{
    Arg, Expr, Kind, Lambda, MapForm, Param, Primitive, call, let_in, map_children, refresh_lambda,
};
use crate::rewrite::rules::support::{
    again, bind, component, make, make_map, operand, plain_map, retyped, tuple,
};

use super::abreast::is_elementary;
use super::lanes::is_light;

/// All such maps inside.
pub fn everywhere(expr: &Expr) -> Expr {
    if let Kind::Let(param, value, body) = expr.kind() {
        if is_put_together(body, param) {
            return everywhere(value);
        }
        if let Some(unzipped) = taken_apart(body, param, value) {
            return everywhere(&unzipped);
        }
        if let Some(parts) = each(value) {
            return everywhere(&bind(param, &parts, body.clone()));
        }
    }
    match each(expr) {
        Some(parts) => everywhere(&parts),
        None => map_children(expr, &mut everywhere),
    }
}

/// Whether it is a tuple of all parts of what the variable stands for.
fn is_put_together(expr: &Expr, whole: &Param) -> bool {
    let Some((Primitive::Tuple, parts)) = expr.as_prim() else { return false };
    let is_part = |(position, part): (usize, &Arg)| match part.expr().as_prim() {
        Some((Primitive::Proj(other), [Arg::Expr(of)])) => *other == position && of.is_named(&whole.name),
        _ => false,
    };
    *expr.ty() == whole.ty && parts.iter().enumerate().all(is_part)
}

/// The unzipped map, if the term is a tuple of parts of all its elements, each once.
fn taken_apart(expr: &Expr, whole: &Param, value: &Expr) -> Option<Expr> {
    let (Primitive::Tuple, parts) = expr.as_prim()? else { return None };
    let map = plain_map(value).ok()?;
    let positions = parts.iter().map(|part| part_of_all(part.expr(), whole)).collect::<Option<Vec<_>>>()?;
    let is_twice = positions.iter().enumerate().any(|(at, part)| positions[..at].contains(part));
    if is_twice {
        return None;
    }
    let body = chosen(&map.f.body, &positions);
    let chosen = make_map(MapForm::Plain, Lambda { body, ..map.f.clone() }, map.xs.clone()).ok()?;
    let chosen = chosen.with_labels(value.labels().to_vec()).with_origin(value.origin());
    Some(retyped(make(Primitive::Unzip, [chosen]).ok()?, expr.ty()))
}

/// The position of the part, if that is what the term takes of each element of the variable.
fn part_of_all(expr: &Expr, whole: &Param) -> Option<usize> {
    let map = plain_map(expr).ok()?;
    let [element] = map.f.params.as_slice() else { return None };
    let of = |expr: &Expr, param: &Param| expr.is_named(&param.name);
    match map.f.body.as_prim()? {
        (Primitive::Proj(position), [Arg::Expr(tuple)]) if of(tuple, element) && of(map.xs, whole) => {
            Some(*position)
        }
        _ => None,
    }
}

/// A tuple of the parts at the positions.
fn chosen(tuple_of: &Expr, positions: &[usize]) -> Expr {
    match tuple_of.kind() {
        Kind::Let(param, value, body) => let_in(param.clone(), value.clone(), chosen(body, positions)),
        Kind::Prim(Primitive::Select, args) => {
            let [condition, then, otherwise] = [0, 1, 2].map(|i| args[i].expr());
            let [then, otherwise] = [then, otherwise].map(|branch| chosen(branch, positions));
            call(Primitive::Select, [condition.clone(), then, otherwise])
        }
        Kind::Prim(Primitive::Tuple, _) => tuple(positions.iter().map(|at| component(*at, tuple_of))),
        _ => {
            let whole = Param::fresh("t", tuple_of.ty().clone());
            let parts = tuple(positions.iter().map(|at| component(*at, &whole.expr())));
            let_in(whole, tuple_of.clone(), parts)
        }
    }
}

/// All arrays that a map gives as one of tuples.
fn each(expr: &Expr) -> Option<Expr> {
    let map = plain_map(operand(expr, |primitive| matches!(primitive, Primitive::Unzip)).ok()?).ok()?;
    if !is_light(&map.f.body) || map.f.body.any(&is_elementary) {
        return None;
    }
    let one = |position: usize| {
        let f = Lambda { body: part(&map.f.body, position), ..map.f.clone() };
        make_map(MapForm::Plain, refresh_lambda(&f), again(map.xs)).ok()
    };
    let parts = (0..map.f.body.ty().as_tuple()?.len()).map(one);
    Some(retyped(tuple(parts.collect::<Option<Vec<_>>>()?), expr.ty()))
}

/// A part of a tuple, computed without the others.
fn part(expr: &Expr, position: usize) -> Expr {
    match expr.kind() {
        Kind::Let(param, value, body) => let_in(param.clone(), value.clone(), part(body, position)),
        Kind::Prim(Primitive::Select, args) => {
            let [condition, then, otherwise] = [0, 1, 2].map(|i| args[i].expr());
            call(Primitive::Select, [condition.clone(), part(then, position), part(otherwise, position)])
        }
        _ => component(position, expr),
    }
}
