//! Arrays that are read at every so many-th index alone.
//!
//! ```text
//! let y = *g xs in generate (λi. e y[s·i + c])  →  let y = thin (*g xs) in generate (λi. e y[i])
//! ```

use crate::expr::{Arg, Expr, Kind, Param, Primitive, let_in, map_children, nat};
use crate::nat::{Facts, Nat, NatVar};
use crate::rewrite::rules::support::{Rewritten, make, param1};
use crate::types::DataType;

use super::{Thin, is_computed};

/// The same of what is read, if that is known to be some.
pub(super) fn thinned(expr: &Expr, facts: &Facts) -> Option<Expr> {
    let Kind::Let(array, value, body) = expr.kind() else { return None };
    let mut read = Vec::new();
    if !is_computed(value) || !reads(body, array, &mut read) {
        return None;
    }
    let indices = read.first().filter(|first| read.iter().all(|other| other == *first))?;
    let mut generated = Vec::new();
    binders(body, &mut generated);
    let taken: Vec<Option<(Thin, Nat)>> =
        indices.iter().map(|index| generated.iter().find_map(|binder| thin(index, binder, facts))).collect();
    let fewer = match taken.as_slice() {
        [Some((rows, _))] | [Some((rows, _)), None] => rows.of(value).ok()?,
        [None, Some((columns, _))] => columns.of_rows(value)?,
        [Some((rows, _)), Some((columns, _))] => columns.of_rows(&rows.of(value).ok()?)?,
        _ => return None,
    };
    let of_fewer = |(taken, index): (&Option<(Thin, Nat)>, &Nat)| match taken {
        Some((_, index)) => index.clone(),
        None => index.clone(),
    };
    let indices: Vec<Nat> = taken.iter().zip(indices).map(of_fewer).collect();
    let name = Param::fresh(array.name.text(), fewer.ty().clone());
    let body = instead(body, array, &element(&name.expr(), &indices).ok()?);
    Some(let_in(name, fewer, body))
}

/// `xs[a][b]…`
fn element(xs: &Expr, indices: &[Nat]) -> Rewritten {
    indices.iter().try_fold(xs.clone(), |xs, index| make(Primitive::Idx, [nat(index.clone()), xs]))
}

/// The indices of an element of the array, or of a row of it.
fn indices(expr: &Expr, array: &Param) -> Option<Vec<Nat>> {
    let (Primitive::Idx, [index, Arg::Expr(of)]) = expr.as_prim()? else { return None };
    let Kind::Nat(index) = index.expr().kind() else { return None };
    let mut all = if of.is_named(&array.name) { Vec::new() } else { indices(of, array)? };
    all.push(index.clone());
    Some(all)
}

/// Notes all reads of the array; whether there are no others.
fn reads(expr: &Expr, array: &Param, read: &mut Vec<Vec<Nat>>) -> bool {
    if let Some(indices) = indices(expr, array) {
        read.push(indices);
        return true;
    }
    !expr.is_named(&array.name) && expr.children().into_iter().all(|child| reads(child, array, read))
}

/// The term with another element in place of all that are read of the array.
fn instead(expr: &Expr, array: &Param, element: &Expr) -> Expr {
    match indices(expr, array) {
        Some(_) => element.clone(),
        None => map_children(expr, &mut |child| instead(child, array, element)),
    }
}

/// The indices that arrays inside are generated of, and how many there are.
fn binders(expr: &Expr, found: &mut Vec<(NatVar, Nat)>) {
    if let Some((Primitive::Generate, [Arg::Fun(f)])) = expr.as_prim()
        && let Ok(Param { nat: Some(var), ty: DataType::Idx(count), .. }) = param1(f)
    {
        found.push((var.clone(), count.clone()));
    }
    expr.children().into_iter().for_each(|child| binders(child, found));
}

/// Which elements those of `s·i + c` are, and their index among them.
fn thin(index: &Nat, (var, count): &(NatVar, Nat), facts: &Facts) -> Option<(Thin, Nat)> {
    let (step, at) = index.affine_in(var)?;
    let is_some = step.as_const()? > 1 && at.as_const()? >= 0 && facts.proves_le(&Nat::lit(1), count);
    is_some.then(|| (Thin { at, step, count: count.clone() }, Nat::var(var)))
}
