//! Histograms and their like: what changes one element of an accumulator writes that one, where it lies.
//!
//! In: any term. Out: the same with steps of folds that update, and with folds by an index, which go through their
//! elements once, in place of one fold for each index.

use crate::expr::{Arg, Expr, Kind, Lambda, Param, Primitive, ReduceForm, map_children};
use crate::nat::Facts;
use crate::rewrite::rules::by_index::{folded_by_index, updated};
use crate::rewrite::rules::chosen::where_chosen;
use crate::rewrite::rules::support::{fun1, len};
use crate::rewrite::total::inside;

/// So many indices are compared with in vectors faster than elements are updated one after the other.
const FEW: i64 = 64;

/// The same where each has a row of numbers.
const FEW_ROWS: i64 = 4;

/// All such folds inside; of arrays of arrays those for the outer index. Where the index of each element is known, few
/// elements are folded for each index anyway.
pub fn everywhere(expr: &Expr, facts: &Facts) -> Expr {
    if matches!(expr.as_prim(), Some((Primitive::Generate, _)))
        && has_many(expr)
        && !expr.any(&|node| where_chosen(node, facts).is_ok())
        && let Ok(folded) = folded_by_index(expr, facts)
    {
        return fold_in_place(&folded, facts);
    }
    fold_in_place(&map_children(expr, &mut |child| everywhere(child, facts)), facts)
}

/// The fold with a step that updates, if it is one whose accumulator changes in one element, or a choice of such.
fn fold_in_place(expr: &Expr, facts: &Facts) -> Expr {
    match expr.as_prim() {
        Some((primitive @ Primitive::Reduce(ReduceForm::Seq(_)), [Arg::Fun(step), rest @ ..])) => {
            with_function(expr, primitive, in_function(step, facts), rest)
        }
        Some((Primitive::Select, _)) => map_children(expr, &mut |child| fold_in_place(child, facts)),
        _ => expr.clone(),
    }
}

fn with_function(expr: &Expr, primitive: &Primitive, f: Lambda, rest: &[Arg]) -> Expr {
    let args = [Arg::Fun(f)].into_iter().chain(rest.iter().cloned()).collect();
    expr.clone().with_kind(Kind::Prim(primitive.clone(), args))
}

/// The function of an accumulator, which changes it in one element.
fn in_function(f: &Lambda, facts: &Facts) -> Lambda {
    let Some(acc) = f.params.first() else { return f.clone() };
    Lambda { body: in_place(&f.body, acc, &inside(f, None, facts)), ..f.clone() }
}

fn has_many(expr: &Expr) -> bool {
    let few = if expr.ty().as_array().is_some_and(|(_, row)| row.is_small()) { FEW } else { FEW_ROWS };
    len(expr).is_ok_and(|count| count.as_const().is_none_or(|count| count > few))
}

/// The new accumulator, where it is the old one but for one element.
fn in_place(expr: &Expr, acc: &Param, facts: &Facts) -> Expr {
    let tail = |expr: &Expr| in_place(expr, acc, facts);
    match expr.kind() {
        Kind::Let(param, value, body) => {
            let named = inside(&fun1(param.clone(), body.clone()), None, facts);
            expr.clone().with_kind(Kind::Let(param.clone(), value.clone(), in_place(body, acc, &named)))
        }
        Kind::Prim(Primitive::Select, args) => {
            let args = vec![args[0].clone(), tail(args[1].expr()).into(), tail(args[2].expr()).into()];
            expr.clone().with_kind(Kind::Prim(Primitive::Select, args))
        }
        Kind::Prim(Primitive::Generate, _) => {
            let new = updated(expr, facts).ok().filter(|new| new.any(&|node| updates(node, acc)));
            new.unwrap_or_else(|| expr.clone())
        }
        Kind::Prim(primitive @ Primitive::Update, args) => match args.as_slice() {
            [Arg::Fun(f), rest @ ..] => with_function(expr, primitive, in_function(f, facts), rest),
            _ => expr.clone(),
        },
        _ => expr.clone(),
    }
}

fn updates(node: &Expr, acc: &Param) -> bool {
    match node.as_prim() {
        Some((Primitive::Update, [.., Arg::Expr(xs)])) => xs.is_named(&acc.name),
        _ => false,
    }
}
