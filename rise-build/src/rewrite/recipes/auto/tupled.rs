//! Folds of the same arrays go through them once, side by side.
//!
//! ```text
//! … reduce add 0 xs … reduce max l (map f xs) …
//!   →  let folds = map (λx. (x, f x)) xs ≫ reduce (λ(a, b) (x, y). (a + x, max b y)) (0, l); … folds.0 … folds.1 …
//! ```
//!
//! In: a kernel's body. Out: the same, where numbers that are folded from whole arrays of the caller are folded together,
//! if those are as long and some are the same: such folds wait for memory. What is folded in the function of a map stays
//! as it is, since rows are close after the first fold.

use crate::expr::{
    Arg, Expr, Kind, Lambda, MapForm, Param, Primitive, ReduceForm, alpha_equal, free_names, let_in,
};
use crate::names::Name;
use crate::nat::Nat;
use crate::rewrite::rules::support::{
    FoldView, beta, beta_copy, component, element, fold, fun1, len, make_fold, make_map, parts, plain_map,
    tuple, zip_all,
};
use crate::types::Scalar;

/// Folds of fewer elements are soon done.
const FEW: i64 = 64;

/// So many accumulators of vectors have a register each, and some for what they wait for.
const MOST: usize = 4;

/// All such folds of a body.
pub fn everywhere(body: &Expr) -> Expr {
    let callers = free_names(body);
    let mut found = Vec::new();
    folds(body, &callers, &mut found);
    while let Some(first) = found.first().cloned() {
        let group = group(&first, &found);
        found.retain(|fold| !group.iter().any(|member| member.same(fold)));
        if let Some(together) = together(&group, body) {
            return everywhere(&together);
        }
    }
    body.clone()
}

/// The folds outside of functions that are always computed, of what the caller gives.
fn folds(expr: &Expr, callers: &[Name], out: &mut Vec<Expr>) {
    match expr.kind() {
        Kind::Let(_, value, body) => [value, body].into_iter().for_each(|part| folds(part, callers, out)),
        Kind::Prim(Primitive::Select, args) => folds(args[0].expr(), callers, out),
        Kind::Prim(..) if is_member(expr, callers) => out.push(expr.clone()),
        Kind::Prim(_, args) => {
            args.iter().filter_map(Arg::as_expr).for_each(|arg| folds(arg, callers, out));
        }
        Kind::Var(_) | Kind::Literal(_) | Kind::Nat(_) => {}
    }
}

/// Whether it is a number, in any order, of long arrays of the caller.
fn is_member(expr: &Expr, callers: &[Name]) -> bool {
    let Ok(FoldView { form: ReduceForm::Plain, f, start, xs, .. }) = fold(expr) else { return false };
    let number = |scalar: Scalar| scalar != Scalar::Bool;
    expr.ty().scalar().is_some_and(number)
        && element(xs).is_ok_and(|element| element == *expr.ty())
        && len(xs).is_ok_and(|len| len.as_const().is_none_or(|len| len > FEW))
        && matches!(start.kind(), Kind::Literal(_))
        && f.params.len() == 2
        && free_names(expr).iter().all(|name| callers.contains(name))
}

/// Those that go with the first.
fn group(first: &Expr, found: &[Expr]) -> Vec<Expr> {
    let of = |expr: &Expr| Some((expr.ty().clone(), length(expr)?));
    let mut arrays = Arrays::default();
    arrays.element(fold(first).map_or(first, |fold| fold.xs));
    let mut group = Vec::new();
    for fold in found.iter().filter(|fold| of(fold) == of(first)) {
        if group.len() < MOST && arrays.share(fold) {
            group.push(fold.clone());
        }
    }
    group
}

fn length(expr: &Expr) -> Option<Nat> {
    len(fold(expr).ok()?.xs).ok()
}

/// The body with the folds of a group as one, if there are several.
fn together(group: &[Expr], body: &Expr) -> Option<Expr> {
    let views: Vec<FoldView<'_>> = group.iter().map(|expr| fold(expr).ok()).collect::<Option<_>>()?;
    let [_, _, ..] = views[..] else { return None };
    let mut arrays = Arrays::default();
    let elements = tuple(views.iter().map(|view| arrays.element(view.xs)).collect::<Vec<_>>());
    let (arrays, params): (Vec<Expr>, Vec<Param>) = arrays.0.into_iter().unzip();
    let zipped = zip_all(arrays).ok()?;
    let x = Param::fresh("x", element(&zipped).ok()?);
    let of_parts = Lambda { nats: Vec::new(), params, body: elements };
    let elements = beta(&of_parts, &parts(&x.expr(), of_parts.params.len()));
    let xs = make_map(MapForm::Plain, fun1(x, elements), zipped).ok()?;
    let [acc, x] = ["acc", "x"].map(|text| element(&xs).map(|ty| Param::fresh(text, ty)));
    let (acc, x) = (acc.ok()?, x.ok()?);
    let step = views
        .iter()
        .enumerate()
        .map(|(at, view)| beta_copy(view.f, &[component(at, &acc.expr()), component(at, &x.expr())]));
    let step = tuple(step.collect::<Vec<_>>());
    let start = tuple(views.iter().map(|view| view.start.clone()));
    let f = Lambda { nats: Vec::new(), params: vec![acc, x], body: step };
    let all = make_fold(ReduceForm::Plain, f, start, xs).ok()?;
    let folds = Param::fresh("folds", all.ty().clone());
    let body = instead(body, group, &folds.expr());
    Some(let_in(folds, all, body))
}

/// Arrays, each with the name of its element.
#[derive(Default)]
struct Arrays(Vec<(Expr, Param)>);

impl Arrays {
    /// An element of an array, by those of the ones that it is made of.
    fn element(&mut self, xs: &Expr) -> Expr {
        if let Ok(map) = plain_map(xs)
            && map.f.params.len() == 1
        {
            return beta_copy(map.f, &[self.element(map.xs)]);
        }
        if let Some((Primitive::Zip, [a, b])) = xs.as_prim() {
            return tuple([self.element(a.expr()), self.element(b.expr())]);
        }
        if let Some((_, param)) = self.0.iter().find(|(known, _)| alpha_equal(known, xs)) {
            return param.expr();
        }
        let param = Param::fresh("x", element(xs).unwrap_or_else(|_| xs.ty().clone()));
        self.0.push((xs.clone(), param.clone()));
        param.expr()
    }

    /// Whether a fold goes through one of them; then all of its arrays are among them.
    fn share(&mut self, expr: &Expr) -> bool {
        let mut own = Arrays::default();
        own.element(fold(expr).map_or(expr, |fold| fold.xs));
        let shares = own.0.iter().any(|(xs, _)| self.0.iter().any(|(known, _)| alpha_equal(known, xs)));
        if shares {
            own.0.iter().for_each(|(xs, _)| drop(self.element(xs)));
        }
        shares
    }
}

/// The term with components of a tuple for the folds.
fn instead(expr: &Expr, group: &[Expr], folds: &Expr) -> Expr {
    match group.iter().position(|fold| fold.same(expr)) {
        Some(at) => component(at, folds),
        None => crate::expr::map_children(expr, &mut |child| instead(child, group, folds)),
    }
}
