//! A long fold for each pair of indices, beside which these say more than what is folded, is stored before: so it is a
//! product of matrices, or what else is made of rows and columns.
//!
//! ```text
//! generate (λi. generate (λj. e (reduce f a[i] b[j]) i j))
//!   →  let all = toMem (generate (λi. generate (λj. reduce f a[i] b[j]))) in
//!      generate (λi. generate (λj. e all[i][j] i j))
//! ```
//!
//! In: an array of arrays that is generated. Out: the same, where the fold alone is a map over rows of a map over
//! columns, and the whole is not. What a condition chooses stays where it is: it may hold seldom.

use crate::expr::{
    AddressSpace, Arg, Expr, Kind, Lambda, Param, Primitive, apply, let_in, refresh_lambda, to_mem,
};
use crate::nat::Facts;
use crate::rewrite::rules::generate::{generated, over_elements};
use crate::rewrite::rules::support::{FoldView, fold, independent, make, param1, plain_map};

use super::before::may_fold;
use super::elements;
use super::lanes::{LONG, at_operand};

/// The folds stored, and then what each is part of.
pub fn stored(expr: &Expr, facts: &Facts) -> Option<Expr> {
    let rows = generated(expr).ok()?;
    let columns = generated(&rows.body).ok()?;
    let found = first_fold(&columns.body, &|_, view| may_fold(view, LONG))?;
    let [i, j] = [param1(rows).ok()?, param1(columns).ok()?];
    let inside = Lambda { params: named(&columns.body), ..columns.clone() };
    if found.same(&columns.body) || !independent(&found, &inside) || is_of_maps(expr, facts) {
        return None;
    }
    let all = nest(rows, columns, found.clone())?;
    is_of_maps(&all, facts).then_some(())?;
    let stored = Param::fresh("all", all.ty().clone());
    let row = make(Primitive::Idx, [i.expr(), stored.expr()]).ok()?;
    let element = make(Primitive::Idx, [j.expr(), row]).ok()?;
    let rest = nest(rows, columns, at_operand(&columns.body, &found, &element))?;
    Some(let_in(stored, to_mem(AddressSpace::Default, elements(&all, facts)), rest))
}

/// The first fold of a number or of several, outside functions and of what is computed always, if it is wanted.
pub fn first_fold(expr: &Expr, is_wanted: &dyn Fn(&Expr, FoldView<'_>) -> bool) -> Option<Expr> {
    if let Ok(view) = fold(expr) {
        return (expr.ty().is_small() && is_wanted(expr, view)).then(|| expr.clone());
    }
    match expr.kind() {
        Kind::Let(_, value, body) => first_fold(value, is_wanted).or_else(|| first_fold(body, is_wanted)),
        Kind::Prim(Primitive::Select, args) => first_fold(args[0].expr(), is_wanted),
        Kind::Prim(_, args) => {
            args.iter().filter_map(Arg::as_expr).find_map(|arg| first_fold(arg, is_wanted))
        }
        _ => None,
    }
}

/// What has a name in the term, outside functions.
pub fn named(expr: &Expr) -> Vec<Param> {
    match expr.kind() {
        Kind::Let(param, value, body) => [vec![param.clone()], named(value), named(body)].concat(),
        Kind::Prim(_, args) => args.iter().filter_map(Arg::as_expr).flat_map(named).collect(),
        _ => Vec::new(),
    }
}

/// Whether both indices only choose elements.
fn is_of_maps(expr: &Expr, facts: &Facts) -> bool {
    let over_rows = over_elements(expr, facts);
    over_rows.is_ok_and(|rows| plain_map(&rows).is_ok_and(|map| over_elements(&map.f.body, facts).is_ok()))
}

/// `generate (λi. generate (λj. body))`, with variables of its own.
fn nest(rows: &Lambda, columns: &Lambda, body: Expr) -> Option<Expr> {
    let generate = |f: &Lambda, body: Expr| {
        let f = Lambda { body, ..f.clone() };
        apply(Primitive::Generate, vec![refresh_lambda(&f).into()]).ok()
    };
    generate(rows, generate(columns, body)?)
}
