//! Folds of the same arrays go through them once, side by side.
//!
//! ```text
//! … reduce add 0 xs … reduce max l (map f xs) …
//!   →  let folds = map (λx. (x, f x)) xs ≫ reduce (λ(a, b) (x, y). (a + x, max b y)) (0, l); … folds.0 … folds.1 …
//! ```
//!
//! Out of a few elements that are computed for several folds of a function these are folded together as well, so that they
//! need not be stored.
//!
//! In: any term. Out: the same, where numbers that are folded from arrays as long, some of which are the same, are folded
//! together, if all is known where the body or the function of a map begins: folds load more than they compute. Those
//! that go in lanes by themselves have to do so together as well.

use crate::expr::{
    Arg, Expr, Kind, Lambda, MapForm, Param, Primitive, ReduceForm, alpha_equal, free_names, let_in,
    map_children,
};
use crate::names::Name;
use crate::nat::Nat;
use crate::rewrite::rules::operators::commutes;
use crate::rewrite::rules::support::{
    FoldView, beta, beta_copy, component, element, fold, fun1, len, make_fold, make_map, occurs, parts,
    plain_map, tuple, zip_all,
};
use crate::types::Scalar;

use super::lanes::{LONG, at_operand, is_light, is_reduction};
use super::strides::Known;

/// So many accumulators of vectors have a register each, and some for what they wait for.
const MOST: usize = 4;

/// All such folds inside.
pub fn everywhere(expr: &Expr, known: &mut Known) -> Expr {
    let expr = of_scope(expr, None, known);
    in_functions(&expr, known)
}

/// Those of the functions of maps, which share something of the element: what all elements share is close, or is read
/// for several of them at once.
fn in_functions(expr: &Expr, known: &mut Known) -> Expr {
    let Some((primitive, args)) = expr.as_prim() else {
        return map_children(expr, &mut |child| in_functions(child, known));
    };
    let xs = args.last().and_then(Arg::as_expr);
    let args = args.iter().map(|arg| match arg {
        Arg::Expr(inner) => Arg::Expr(in_functions(inner, known)),
        Arg::Fun(f) if matches!(primitive, Primitive::Map(_) | Primitive::Generate) => {
            let body = known.inside(primitive, f, xs, |known| {
                let body = of_scope(&of_computed(&f.body), Some(&f.params), known);
                in_functions(&body, known)
            });
            Arg::Fun(Lambda { body, ..f.clone() })
        }
        Arg::Fun(f) => Arg::Fun(f.clone()),
    });
    expr.clone().with_kind(Kind::Prim(primitive.clone(), args.collect()))
}

/// Those outside of functions, in the body of a function of `own` or in a kernel's.
fn of_scope(body: &Expr, own: Option<&[Param]>, known: &mut Known) -> Expr {
    let given = free_names(body);
    let mut found = Vec::new();
    let is_long = |len: &Nat| len.as_const().is_none_or(|len| len >= LONG);
    folds(body, &|expr| is_member(expr, &given, &is_long), &mut found);
    let (in_lanes, others): (Vec<Expr>, Vec<Expr>) =
        found.into_iter().partition(|fold| is_reduction(fold, known));
    for (mut found, are_in_lanes) in [(in_lanes, true), (others, false)] {
        while !found.is_empty() {
            let first = found.remove(0);
            let group = group(&first, &found, own);
            let all = together(&group).filter(|all| !are_in_lanes || is_reduction(all, known));
            if let Some(all) = all {
                let name = Param::fresh("folds", all.ty().clone());
                let rest = replaced(body, &group, &name);
                return let_in(name, all, of_scope(&rest, own, known));
            }
        }
    }
    body.clone()
}

/// A few elements that are computed for folds alone are not stored: the folds are computed together.
fn of_computed(body: &Expr) -> Expr {
    let Kind::Let(param, value, inner) = body.kind() else { return body.clone() };
    let inner = of_computed(inner);
    let given = free_names(&inner);
    let is_few = |len: &Nat| len.as_const().is_some_and(|len| len < LONG);
    let mut group = Vec::new();
    if plain_map(value).is_ok() {
        let is_of_it = |expr: &Expr| occurs(expr, param) && is_member(expr, &given, &is_few);
        folds(&inner, &is_of_it, &mut group);
    }
    let all = if group.len() <= MOST && share_all(&group, param) { together(&group) } else { None };
    let together = all.and_then(|all| {
        let name = Param::fresh("folds", all.ty().clone());
        let rest = replaced(&inner, &group, &name);
        (!occurs(&rest, param)).then(|| let_in(name, all, rest))
    });
    body.clone().with_kind(Kind::Let(param.clone(), value.clone(), together.unwrap_or(inner)))
}

/// Whether all folds go through one array that is made of a variable.
fn share_all(group: &[Expr], param: &Param) -> bool {
    let Some((first, others)) = group.split_first() else { return false };
    let mut arrays = Arrays::of(first);
    let of = |expr: &Expr| fold(expr).ok().and_then(|fold| len(fold.xs).ok());
    others.iter().all(|fold| of(fold) == of(first) && arrays.share(fold, Some(std::slice::from_ref(param))))
}

/// A body in which folds are components.
fn replaced(body: &Expr, group: &[Expr], folds: &Param) -> Expr {
    let component = |at| component(at, &folds.expr());
    group.iter().enumerate().fold(body.clone(), |body, (at, fold)| at_operand(&body, fold, &component(at)))
}

/// The folds outside of functions that are always computed, among `members`.
fn folds(expr: &Expr, members: &dyn Fn(&Expr) -> bool, out: &mut Vec<Expr>) {
    match expr.kind() {
        Kind::Let(_, value, body) => [value, body].into_iter().for_each(|part| folds(part, members, out)),
        Kind::Prim(Primitive::Select, args) => folds(args[0].expr(), members, out),
        Kind::Prim(..) if members(expr) => out.push(expr.clone()),
        Kind::Prim(_, args) => {
            args.iter().filter_map(Arg::as_expr).for_each(|arg| folds(arg, members, out));
        }
        Kind::Var(_) | Kind::Literal(_) | Kind::Nat(_) => {}
    }
}

/// Whether it is a number, folded in any order, of arrays that are given, of such a length.
fn is_member(expr: &Expr, given: &[Name], is_length: &dyn Fn(&Nat) -> bool) -> bool {
    let Ok(FoldView { form: ReduceForm::Plain, f, start, xs, .. }) = fold(expr) else { return false };
    expr.ty().scalar().is_some_and(|scalar| scalar != Scalar::Bool)
        && element(xs).is_ok_and(|element| element == *expr.ty())
        && len(xs).is_ok_and(|len| is_length(&len))
        && matches!(start.kind(), Kind::Literal(_))
        && commutes(f)
        && is_light(xs)
        && free_names(expr).iter().all(|name| given.contains(name))
}

/// The first, and those of the others that go with it.
fn group(first: &Expr, others: &[Expr], own: Option<&[Param]>) -> Vec<Expr> {
    let of = |expr: &Expr| Some((expr.ty().clone(), len(fold(expr).ok()?.xs).ok()?));
    let mut arrays = Arrays::of(first);
    let mut group = vec![first.clone()];
    for fold in others.iter().filter(|fold| of(fold) == of(first)) {
        if group.len() < MOST && arrays.share(fold, own) {
            group.push(fold.clone());
        }
    }
    group
}

/// The folds of a group as one, if there are several.
fn together(group: &[Expr]) -> Option<Expr> {
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
    make_fold(ReduceForm::Plain, f, start, xs).ok()
}

/// Arrays, each with the name of its element.
#[derive(Default)]
struct Arrays(Vec<(Expr, Param)>);

impl Arrays {
    /// Those that a fold goes through.
    fn of(expr: &Expr) -> Arrays {
        let mut arrays = Arrays::default();
        if let Ok(view) = fold(expr) {
            arrays.element(view.xs);
        }
        arrays
    }

    /// An element of an array, by those of the ones that it is made of.
    fn element(&mut self, xs: &Expr) -> Expr {
        if let Ok(map) = plain_map(xs) {
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

    /// Whether a fold goes through one of them that is made of `own`; then all of its arrays are among them.
    fn share(&mut self, expr: &Expr, own: Option<&[Param]>) -> bool {
        let its = Arrays::of(expr);
        let is_own = |xs: &Expr| own.is_none_or(|own| own.iter().any(|param| occurs(xs, param)));
        let is_known = |xs: &Expr| self.0.iter().any(|(known, _)| alpha_equal(known, xs));
        let shares = its.0.iter().any(|(xs, _)| is_own(xs) && is_known(xs));
        if shares {
            its.0.iter().for_each(|(xs, _)| drop(self.element(xs)));
        }
        shares
    }
}
