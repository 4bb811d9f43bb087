//! A map that gives several arrays is several maps, each of which gives one, where little is computed: each is written
//! as if it were alone, and loops over the same arrays become one again where that is worth it.
//!
//! ```text
//! unzip (map (λx. (a, b)) xs)    →  (map (λx. a) xs, map (λx. b) xs)
//! let u = e in (u.0, u.1)        →  e
//! ```
//!
//! In: any term. Out: the same, where what is written is not stored before in another form.

use crate::expr::{
    Arg, Expr, Kind, Lambda, MapForm, Param, Primitive, call, let_in, map_children, refresh_lambda,
};
use crate::rewrite::rules::support::{again, bind, component, make_map, operand, plain_map, retyped, tuple};

use super::abreast::is_elementary;
use super::lanes::is_light;

/// All such maps inside.
pub fn everywhere(expr: &Expr) -> Expr {
    if let Kind::Let(param, value, body) = expr.kind() {
        if is_put_together(body, param) {
            return everywhere(value);
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
        Some((Primitive::Proj(other), [Arg::Expr(of)])) => {
            *other == position && matches!(of.kind(), Kind::Var(name) if *name == whole.name)
        }
        _ => false,
    };
    *expr.ty() == whole.ty && parts.iter().enumerate().all(is_part)
}

/// Both arrays that a map gives as one of pairs.
fn each(expr: &Expr) -> Option<Expr> {
    let map = plain_map(operand(expr, |primitive| matches!(primitive, Primitive::Unzip)).ok()?).ok()?;
    if !is_light(&map.f.body) || map.f.body.any(&is_elementary) {
        return None;
    }
    let half = |position: usize| {
        let f = Lambda { body: part(&map.f.body, position), ..map.f.clone() };
        make_map(MapForm::Plain, refresh_lambda(&f), again(map.xs)).ok()
    };
    Some(retyped(tuple([half(0)?, half(1)?]), expr.ty()))
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
