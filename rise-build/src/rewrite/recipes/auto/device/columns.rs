//! Few columns that are long are folded in pieces by many work-items.
//!
//! ```text
//! map (λ x. reduce f z x) xs  →  let t = toMem (map (map (reduce f e)) (T (map (λ x. split p (take m x)) xs))) in
//!                                map (λ(x, row). reduce f (reduce f z row) (drop m x)) (zip xs (T t))
//! ```
//!
//! In: a map outside of others whose values are small. Out: the same, where a fold that reads beside what the next
//! iteration reads goes in pieces, so that there are work-items enough; each piece folds neighbours in order. Where
//! columns are many or short, as is known only when the kernel runs, each stays whole.

use crate::expr::{
    AddressSpace, Arg, Expr, Kind, Lambda, MapForm, Param, Primitive, free_names, let_in, nat, refresh,
    refresh_lambda, to_mem,
};
use crate::names::Name;
use crate::nat::Nat;
use crate::rewrite::context::Reason;
use crate::rewrite::recipes::auto::all_hold;
use crate::rewrite::recipes::auto::lanes::{is_light, producers};
use crate::rewrite::recipes::auto::strides::{Known, Leaf, Stride};
use crate::rewrite::rules::folds::associative;
use crate::rewrite::rules::operators::neutral;
use crate::rewrite::rules::support::{
    FoldView, MapView, Rewritten, beta, component, independent, instead, len, make, make_fold, make_map,
    map_over, param1, plain_map,
};

use super::folds::Source;

/// Work-items enough for a device that each of them folds a column.
const MANY: i64 = 1 << 15;

/// Columns of fewer elements are not worth a second launch.
const LONG: i64 = 512;

/// A size that is large.
const LARGE: i128 = 1_000_003;

/// A column is in at most so many pieces, each of which has at least so many elements.
const PIECES: i64 = 128;
const LEAST: i64 = 16;

/// The map with its columns in pieces where that is worth it.
pub fn in_pieces(expr: &Expr, known: &mut Known) -> Rewritten {
    let MapView { f, xs, .. } = plain_map(expr)?;
    let x = param1(f)?;
    let outside = free_names(expr);
    let is_known = |name: &Name| *name == x.name || outside.contains(name);
    let fold = known.under(f, xs, |known| {
        first(&f.body, &mut |node| free_names(node).iter().all(is_known) && is_column(node, x, known))
    });
    let fold = fold.ok_or(Reason::refused("no fold in it reads beside what the next one does"))?;
    let view = associative(&fold)?;
    let length = len(view.xs)?;
    if !independent(&nat(length.clone()), f) {
        return Err(Reason::refused("columns are of different lengths"));
    }
    // What is left over of something stays short.
    if length.eval(&|_| Some(LARGE)).is_ok_and(|length| length < i128::from(LONG)) {
        return Err(Reason::refused("columns are short however large sizes are"));
    }
    let bounds = [(len(expr)?, Nat::lit(MANY - 1)), (Nat::lit(LONG), length)];
    all_hold(bounds).select(|| pieces(&view, f, xs), expr)
}

/// The first node outside of functions that is asked for.
pub fn first(expr: &Expr, is_wanted: &mut dyn FnMut(&Expr) -> bool) -> Option<Expr> {
    if is_wanted(expr) {
        return Some(expr.clone());
    }
    match expr.kind() {
        Kind::Let(_, value, body) => first(value, is_wanted).or_else(|| first(body, is_wanted)),
        Kind::Prim(_, args) => args.iter().filter_map(Arg::as_expr).find_map(|arg| first(arg, is_wanted)),
        _ => None,
    }
}

/// Whether it is a fold of elements that lie beside those that the next iteration over `x` folds.
fn is_column(expr: &Expr, x: &Param, known: &mut Known) -> bool {
    let Ok(view) = associative(expr) else { return false };
    let Some(own) = view.f.params.last() else { return false };
    let is_beside = |leaf: Leaf| leaf.along(&x.name) == Stride::Next && leaf.along(&own.name) != Stride::Same;
    is_light(view.xs) && neutral(view).is_ok() && known.folded(view.f, view.xs).into_iter().any(is_beside)
}

fn pieces(view: &FoldView<'_>, f: &Lambda, xs: &Expr) -> Rewritten {
    let (maps, base) = producers(view.xs);
    let source = Source { maps, base };
    let length = len(view.xs)?.div(&Nat::lit(PIECES)) + Nat::lit(LEAST);
    let neutral = neutral(*view)?;
    let fold = |start, xs| make_fold(view.form, refresh_lambda(view.f), start, xs);
    let split = source.pieces(&length)?.ok_or(Reason::refused("it is short"))?;
    let split = make_map(MapForm::Plain, refresh_lambda(&Lambda { body: split, ..f.clone() }), refresh(xs))?;
    let partial = map_over(MapForm::Plain, "pieces", make(Primitive::Transpose, [split])?, |pieces| {
        let both = make(Primitive::Zip, [refresh(xs), pieces])?;
        map_over(MapForm::Plain, "piece", both, |both| {
            let body = fold(neutral, source.made_of(component(1, &both))?)?;
            Ok(beta(&Lambda { body, ..f.clone() }, &[component(0, &both)]))
        })
    })?;
    let all = Param::fresh("pieces", partial.ty().clone());
    let both = make(Primitive::Zip, [xs.clone(), make(Primitive::Transpose, [all.expr()])?])?;
    let map = map_over(MapForm::Plain, "column", both, |both| {
        let first = fold(view.start.clone(), component(1, &both))?;
        let whole = match source.rest(&length)? {
            Some(rest) => fold(first, rest.made_of(rest.base.clone())?)?,
            None => first,
        };
        let body = instead(&f.body, view.expr, &whole);
        Ok(beta(&Lambda { body, ..f.clone() }, &[component(0, &both)]))
    })?;
    Ok(let_in(all, to_mem(AddressSpace::Default, partial), map))
}
