//! A number that is made of each row is made where the row is used.
//!
//! ```text
//! map g (zip xs (map f xs))  →  map (λx. let u = f x in g (x, u)) xs
//! ```
//!
//! In: any term. Out: the same, where `f` folds: each row is near while it is gone through again, and nothing is stored.
//! Not where `g` has loops of loops, which are products of all rows, or functions that take longer than to go through rows.

use crate::expr::{Arg, Expr, Kind, Lambda, MapForm, Param, Primitive, alpha_equal};
use crate::rewrite::rules::support::{
    beta_copy, fun1, independent, make_map, operands2, param1, parts, plain_map, tuple, zip_all,
};

use super::abreast::{is_elementary, is_nest};
use super::before::takes_loops;

/// All such maps inside.
pub fn everywhere(expr: &Expr) -> Expr {
    inside(expr, None)
}

/// The same in a function, if there is one around.
fn inside(expr: &Expr, around: Option<&Lambda>) -> Expr {
    let kind = match expr.kind() {
        Kind::Prim(primitive, args) => {
            let args = args.iter().map(|arg| match arg {
                Arg::Expr(arg) => Arg::Expr(inside(arg, around)),
                Arg::Fun(f) => Arg::Fun(Lambda { body: inside(&f.body, Some(f)), ..f.clone() }),
            });
            Kind::Prim(primitive.clone(), args.collect())
        }
        Kind::Let(param, value, body) => {
            Kind::Let(param.clone(), inside(value, around), inside(body, around))
        }
        _ => return expr.clone(),
    };
    let expr = expr.clone().with_kind(kind);
    together(&expr, around).unwrap_or(expr)
}

/// The map over the arrays of which others are made. What is the same in each iteration of a loop around is made once.
fn together(expr: &Expr, around: Option<&Lambda>) -> Option<Expr> {
    let map = plain_map(expr).ok()?;
    if around.is_some_and(|f| independent(map.xs, f)) {
        return None;
    }
    if map.f.body.any(&|node| is_nest(node) || is_elementary(node)) {
        return None;
    }
    let mut leaves = Vec::new();
    leaves_of(map.xs, &mut leaves);
    let (made, given): (Vec<&Expr>, Vec<&Expr>) =
        leaves.iter().partition(|leaf| source(leaf, &leaves).is_some());
    if made.is_empty() {
        return None;
    }
    let arrays = zip_all(given.iter().map(|leaf| (*leaf).clone()).collect()).ok()?;
    let (_, element) = arrays.ty().as_array()?;
    let x = Param::fresh(param1(map.f).ok()?.name.text(), element.clone());
    let elements = parts(&x.expr(), given.len());
    let of_given = |leaf: &Expr| {
        given.iter().position(|other| alpha_equal(other, leaf)).map(|position| elements[position].clone())
    };
    let of_leaf = |leaf: &&Expr| match source(leaf, &leaves) {
        Some((f, of)) => Some(beta_copy(f, &[of_given(of)?])),
        None => of_given(leaf),
    };
    let each = leaves.iter().map(of_leaf).collect::<Option<Vec<_>>>()?;
    let element = element_of(map.xs, &mut each.into_iter())?;
    let new = make_map(MapForm::Plain, fun1(x, beta_copy(map.f, &[element])), arrays).ok()?;
    Some(new.with_labels(expr.labels().to_vec()).with_origin(expr.origin()))
}

/// The arrays that lie beside each other.
pub fn leaves_of<'a>(xs: &'a Expr, leaves: &mut Vec<&'a Expr>) {
    match operands2(xs, |p| matches!(p, Primitive::Zip)) {
        Ok(both) => both.into_iter().for_each(|side| leaves_of(side, leaves)),
        Err(_) => leaves.push(xs),
    }
}

/// The function that makes a number of each row of an array that is there as well, and that array.
fn source<'a>(leaf: &'a Expr, leaves: &[&'a Expr]) -> Option<(&'a Lambda, &'a Expr)> {
    let map = plain_map(leaf).ok()?;
    let folds = map.f.body.ty().is_numbers() && takes_loops(&map.f.body);
    let is_there = leaves.iter().any(|other| alpha_equal(other, map.xs));
    (folds && is_there).then_some((map.f, map.xs))
}

/// An element of arrays beside each other, of those of each.
pub fn element_of(xs: &Expr, elements: &mut impl Iterator<Item = Expr>) -> Option<Expr> {
    match operands2(xs, |p| matches!(p, Primitive::Zip)) {
        Ok([a, b]) => Some(tuple([element_of(a, elements)?, element_of(b, elements)?])),
        Err(_) => elements.next(),
    }
}
