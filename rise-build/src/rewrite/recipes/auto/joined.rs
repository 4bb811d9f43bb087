//! Rows of several matrices are rows of one: there may be few in each.
//!
//! ```text
//! map (λm. map f m) x                    →  split p (map f (join x))
//! map (λr. join (map f (split s r))) x   →  split p (join (map f (split s (join x))))
//! ```
//!
//! In: any body. Out: the same, where such a map of arrays that lie in memory is the result, and `f` folds
//! rows. (Loops over single elements are joined later, where more is known of them.)

use crate::expr::{Expr, Kind, Lambda, MapForm, Param, Primitive};
use crate::rewrite::rules::support::{
    independent, inner_len, make, make_map, operand, param1, plain_map, retyped,
};

/// The result, if it is such.
pub fn of_result(body: &Expr) -> Expr {
    if let Kind::Let(param, value, rest) = body.kind() {
        return body.clone().with_kind(Kind::Let(param.clone(), value.clone(), of_result(rest)));
    }
    joined(body).unwrap_or_else(|| body.clone())
}

fn joined(expr: &Expr) -> Option<Expr> {
    let map = plain_map(expr).ok().filter(|map| is_stored(map.xs))?;
    let all = make(Primitive::Join, [map.xs.clone()]).ok()?;
    let all = of_all(&map.f.body, map.f, &all).filter(|new| new.any(&goes_through_rows))?;
    let rows = of_result(&all);
    let split = make(Primitive::Split(inner_len(expr).ok()?), [rows]).ok()?;
    Some(retyped(split, expr.ty()).with_origin(expr.origin()))
}

/// Whether it is an array in memory, or rows of one.
fn is_stored(xs: &Expr) -> bool {
    match operand(xs, |primitive| *primitive == Primitive::Join) {
        Ok(inner) => is_stored(inner),
        Err(_) => matches!(xs.kind(), Kind::Var(_)),
    }
}

/// What the function of a matrix does, done to `all` matrices behind each other.
fn of_all(body: &Expr, f: &Lambda, all: &Expr) -> Option<Expr> {
    let matrix: &Param = param1(f).ok()?;
    let new = match body.kind() {
        Kind::Var(name) => return (*name == matrix.name).then(|| all.clone()),
        Kind::Prim(Primitive::Map(MapForm::Plain), _) => {
            let map = plain_map(body).ok()?;
            let is_same = map.f.params.len() == 1 && independent(&map.f.body, f);
            make_map(MapForm::Plain, is_same.then(|| map.f.clone())?, of_all(map.xs, f, all)?).ok()?
        }
        Kind::Prim(primitive @ (Primitive::Split(_) | Primitive::Join), args) => {
            make(primitive.clone(), [of_all(args[0].expr(), f, all)?]).ok()?
        }
        _ => return None,
    };
    Some(new.with_labels(body.labels().to_vec()).with_origin(body.origin()))
}

/// Whether it is a map of arrays that are folded.
fn goes_through_rows(node: &Expr) -> bool {
    let folds = |node: &Expr| matches!(node.as_prim(), Some((Primitive::Reduce(_) | Primitive::Scan(_), _)));
    let is_row = |f: &Lambda| param1(f).is_ok_and(|row| row.ty.as_array().is_some());
    plain_map(node).is_ok_and(|map| is_row(map.f) && map.f.body.any(&folds))
}
