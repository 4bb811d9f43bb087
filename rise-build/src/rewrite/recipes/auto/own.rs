//! The columns of a nest: those that all rows share, and what each row has for itself beside them.
//!
//! ```text
//! map (λ(row, c). map (λ(column, x). α · dot row column + x) (zip columns c)) (zip rows cs)
//! ```
//!
//! Panels are of the shared ones, which do not depend on the row. Each row takes the same part of its own.

use std::vec::IntoIter;

use crate::expr::{Expr, Lambda, MapForm, Param, Primitive, apply, proj};
use crate::nat::Nat;
use crate::rewrite::context::Reason;
use crate::rewrite::rules::support::{
    Rewritten, beta, beta_copy, fun1, independent, len, make, make_map, map_over, operands2, parts,
    plain_map, tuple, zip_all,
};
use crate::types::DataType;

/// What is beside each other in the inner map.
#[derive(Default)]
struct Sides {
    shared: Vec<Expr>,
    own: Vec<Expr>,
}

/// The nest with the inner map over pairs of what is shared and what rows have for themselves, if they have anything.
pub fn apart(expr: &Expr) -> Rewritten {
    let outer = plain_map(expr)?;
    let inner = plain_map(&outer.f.body)?;
    let mut sides = Sides::default();
    sides.divide(inner.xs, outer.f);
    if sides.own.is_empty() || sides.shared.is_empty() {
        return Ok(expr.clone());
    }
    let Sides { shared, own } = sides;
    let counts = [shared.len(), own.len()];
    let both = make(Primitive::Zip, [zip_all(shared)?, zip_all(own)?])?;
    let (_, element) = both.ty().as_array().ok_or(Reason::mismatch("it is no array"))?;
    let x = Param::fresh("x", element.clone());
    let [shared, own] = [0, 1].map(|side| parts(&proj(side, x.expr()), counts[side]));
    let value = element_of(inner.xs, outer.f, &mut shared.into_iter(), &mut own.into_iter())?;
    let map = make_map(MapForm::Plain, fun1(x, beta(inner.f, &[value])), both)?;
    with_inner(expr, map)
}

impl Sides {
    fn divide(&mut self, xs: &Expr, row: &Lambda) {
        match operands2(xs, |p| matches!(p, Primitive::Zip)) {
            _ if independent(xs, row) => self.shared.push(xs.clone()),
            Ok([a, b]) => [a, b].into_iter().for_each(|side| self.divide(side, row)),
            Err(_) => self.own.push(xs.clone()),
        }
    }
}

/// An element of what was divided, from the elements of its parts.
fn element_of(xs: &Expr, row: &Lambda, shared: &mut IntoIter<Expr>, own: &mut IntoIter<Expr>) -> Rewritten {
    let next = match operands2(xs, |p| matches!(p, Primitive::Zip)) {
        _ if independent(xs, row) => shared.next(),
        Ok([a, b]) => {
            let a = element_of(a, row, shared, own)?;
            return Ok(tuple([a, element_of(b, row, shared, own)?]));
        }
        Err(_) => own.next(),
    };
    next.ok_or(Reason::mismatch("its parts are others"))
}

/// What the inner map works on, or the part of it that is the same for all rows.
pub fn columns(expr: &Expr) -> Rewritten {
    let outer = plain_map(expr)?;
    let all = plain_map(&outer.f.body)?.xs;
    let shared = of_row(expr)?.map_or(all, |[shared, _]| shared);
    match independent(shared, outer.f) {
        true => Ok(shared.clone()),
        false => Err(Reason::refused("each row has columns of its own")),
    }
}

/// The nest on other columns that all rows share, and what is made of those that each has for itself.
pub fn with_columns(expr: &Expr, columns: Expr, own: impl FnOnce(Expr) -> Rewritten) -> Rewritten {
    let columns = match of_row(expr)? {
        Some([_, of_row]) => make(Primitive::Zip, [columns, own(of_row.clone())?])?,
        None => columns,
    };
    with_all(expr, |_| Ok(columns))
}

/// The nest on what is made of all columns.
pub fn with_all(expr: &Expr, change: impl FnOnce(Expr) -> Rewritten) -> Rewritten {
    let outer = plain_map(expr)?;
    let inner = plain_map(&outer.f.body)?;
    with_inner(expr, make_map(MapForm::Plain, inner.f.clone(), change(inner.xs.clone())?)?)
}

/// The nest on a part of its columns: the same of those that are shared and of the others.
pub fn with_part(expr: &Expr, part: impl Fn(Expr) -> Rewritten) -> Rewritten {
    with_columns(expr, part(columns(expr)?)?, &part)
}

/// The nest panel by panel of so many columns, with what is made of each.
pub fn by_panels(expr: &Expr, size: &Nat, each: impl FnOnce(Expr) -> Rewritten) -> Rewritten {
    let split = |columns: Expr| make(Primitive::Split(size.clone()), [columns]);
    let pieces = split(columns(expr)?)?;
    if of_row(expr)?.is_none() {
        return map_over(MapForm::Plain, "panel", pieces, |panel| each(with_columns(expr, panel, Ok)?));
    }
    map_over(MapForm::Plain, "panel", numbered(pieces)?, |panel| {
        let own = |own| make(Primitive::Idx, [proj(1, panel.clone()), split(own)?]);
        each(with_columns(expr, proj(0, panel.clone()), own)?)
    })
}

/// What is made of the rows at each column: of an element of the columns, and of the function of the inner map at it.
pub fn by_columns(
    expr: &Expr,
    each: impl FnOnce(Expr, &dyn Fn(Expr) -> Rewritten) -> Rewritten,
) -> Rewritten {
    let inner = plain_map(&plain_map(expr)?.f.body)?;
    let Some([_, own]) = of_row(expr)? else {
        return map_over(MapForm::Plain, "column", columns(expr)?, |column| {
            each(column, &|value| Ok(beta_copy(inner.f, &[value])))
        });
    };
    map_over(MapForm::Plain, "column", numbered(columns(expr)?)?, |column| {
        let at = proj(1, column.clone());
        each(proj(0, column), &|value| {
            let own = make(Primitive::Idx, [at.clone(), own.clone()])?;
            Ok(beta_copy(inner.f, &[tuple([value, own])]))
        })
    })
}

/// The elements with their positions.
fn numbered(xs: Expr) -> Rewritten {
    let index = Param::fresh("position", DataType::Idx(len(&xs)?));
    let position = index.expr();
    make(Primitive::Zip, [xs, apply(Primitive::Generate, vec![fun1(index, position).into()])?])
}

/// What is shared and what is not, where [`apart`] found both.
pub fn of_row(expr: &Expr) -> Result<Option<[&Expr; 2]>, Reason> {
    let outer = plain_map(expr)?;
    let all = plain_map(&outer.f.body)?.xs;
    let both = operands2(all, |p| matches!(p, Primitive::Zip)).ok();
    Ok(both.filter(|_| !independent(all, outer.f)))
}

/// The nest with another map inside.
fn with_inner(expr: &Expr, map: Expr) -> Rewritten {
    let outer = plain_map(expr)?;
    let like = &outer.f.body;
    let body = map.with_labels(like.labels().to_vec()).with_origin(like.origin());
    let whole = make_map(MapForm::Plain, Lambda { body, ..outer.f.clone() }, outer.xs.clone())?;
    Ok(whole.with_labels(expr.labels().to_vec()).with_origin(expr.origin()))
}
