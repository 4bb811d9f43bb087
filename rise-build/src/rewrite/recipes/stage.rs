//! Staging: the pieces that a map or a fold works on are copied into a memory that is near.
//!
//! ```text
//! 'l: map (λx. e)  →  'l: map (λx. let p = toMem ('l.copy: map (λv. v) x) in e with p in place of x)
//! ```
//!
//! In: a map or a fold over pieces of arrays of scalars, or tuples of such. Out: the same with a copy in each iteration,
//! whose maps are open and have labels, so that a group's work-items can share out the copying.

use crate::expr::{Expr, Lambda, MapForm, Param, Primitive, let_in, proj, substitute, to_mem};
use crate::names::Label;
use crate::rewrite::context::Reason;
use crate::rewrite::engine::{Engine, Outcome};
use crate::rewrite::rules::lowering::space;
use crate::rewrite::rules::support::{
    Rewritten, any_map, fold, make, make_fold, make_map, map_over, retyped,
};
use crate::rewrite::strategy::{Path, Value};
use crate::types::DataType;

use super::support::{at, each, last};

/// `stage(Local) @ 'l`
pub fn stage(engine: &mut Engine, expr: &Expr, paths: &[Path], values: &[Value]) -> Outcome {
    let space = space(values);
    each(paths, expr, |expr, path| {
        let label = last(path)?.part("copy");
        at(engine, expr, path, "stage", move |node, _| {
            let mut copies = Copies { label: label.clone(), all: Vec::new() };
            let inside = |f: &Lambda, copies: &mut Copies| -> Result<Lambda, Reason> {
                let Some(x) = f.params.last() else { return Err(Reason::mismatch("it works on no pieces")) };
                let value = copies.of(x.expr())?;
                if copies.all.is_empty() {
                    return Err(Reason::refused("it works on no pieces of arrays of scalars"));
                }
                let body = substitute(&f.body, x, &retyped(value, &x.ty));
                let stored = |body, (param, value)| let_in(param, to_mem(space, value), body);
                Ok(Lambda { body: copies.all.drain(..).rev().fold(body, stored), ..f.clone() })
            };
            let new = match (any_map(node), fold(node)) {
                (Ok(map), _) => make_map(map.form, inside(map.f, &mut copies)?, map.xs.clone())?,
                (_, Ok(fold)) => {
                    make_fold(fold.form, inside(fold.f, &mut copies)?, fold.start.clone(), fold.xs.clone())?
                }
                _ => return Err(Reason::mismatch("it is no map and no fold")),
            };
            Ok(new.with_labels(node.labels().to_vec()).with_origin(node.origin()))
        })
    })
}

/// The copies made for one function.
struct Copies {
    label: Label,
    all: Vec<(Param, Expr)>,
}

impl Copies {
    /// The value, its arrays of scalars replaced by copies.
    fn of(&mut self, x: Expr) -> Rewritten {
        match x.ty().clone() {
            DataType::Tuple(parts) => {
                let parts = (0..parts.len()).map(|at| self.of(proj(at, x.clone())));
                make(Primitive::Tuple, parts.collect::<Result<Vec<_>, _>>()?)
            }
            DataType::Array(_, element) => match &*element {
                DataType::Tuple(parts) if parts.len() == 2 => {
                    let both = make(Primitive::Unzip, [x])?;
                    let parts = [self.of(proj(0, both.clone()))?, self.of(proj(1, both))?];
                    make(Primitive::Zip, parts)
                }
                _ if is_scalars(&element) => {
                    let copy = rows(x, &self.label)?;
                    let near = Param::fresh("near", copy.ty().clone());
                    self.all.push((near.clone(), copy));
                    Ok(near.expr())
                }
                _ => Ok(x),
            },
            _ => Ok(x),
        }
    }
}

/// Whether a type is a scalar, or an array of such.
fn is_scalars(ty: &DataType) -> bool {
    match ty {
        DataType::Scalar(_) => true,
        DataType::Array(_, element) => is_scalars(element),
        _ => false,
    }
}

/// A copy, dimension by dimension: `'l.copy`, `'l.copy.inner`, and so on.
fn rows(x: Expr, label: &Label) -> Rewritten {
    if x.ty().as_array().is_none() {
        return Ok(x);
    }
    let copy = map_over(MapForm::Plain, "row", x, |row| rows(row, &label.part("inner")))?;
    Ok(copy.with_labels(vec![label.clone()]))
}
