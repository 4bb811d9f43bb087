//! Elements that no window takes are not computed.
//!
//! ```text
//! *g ≫ slide n s ≫ *(λw. e w[c])  →  thin ≫ *g ≫ *e          where thin = slide n s ≫ *(λw. w[c])
//! slide m 1 ≫ thin                →  drop c ≫ slide m s
//! ```
//!
//! In: any term. Out: the same, where windows that move by several elements are read at one place each, and the elements
//! are computed one from one. Such windows over a grid are those of its rows first. So are arrays of which
//! [indices](indexed) choose some elements.

mod indexed;

use crate::expr::{
    Arg, Expr, Kind, MapForm, Param, Primitive, map_children, nat, refresh_lambda, substitute,
};
use crate::nat::{Facts, Nat};
use crate::rewrite::rules::fusion::fuse_maps;
use crate::rewrite::rules::support::{
    Rewritten, again, fun1, instead, len, make, make_map, map_over, operand, param1, plain_map, retyped,
    with_args,
};

use super::strips::is_layout;

/// All such windows inside.
pub fn everywhere(expr: &Expr, facts: &Facts) -> Expr {
    if let Some(new) = indexed::thinned(expr, facts).or_else(|| thinned(expr, facts)) {
        return everywhere(&new, facts);
    }
    let new = map_children(expr, &mut |child| everywhere(child, facts));
    of_rows_in_windows(&new).map_or(new, |thinner| everywhere(&retyped(thinner, expr.ty()), facts))
}

fn thinned(expr: &Expr, facts: &Facts) -> Option<Expr> {
    let map = plain_map(expr).ok()?;
    let of_rows =
        |rows: &Expr| plain_map(rows).is_ok_and(|rows| is_layout(&rows.f.body) && are_windows(rows.xs));
    let new = match of_rows(map.xs) {
        true => {
            let fused = fuse_maps(expr).ok()?;
            let rows = plain_map(&fused).ok()?;
            let mut row = refresh_lambda(rows.f);
            row.body = everywhere(&row.body, facts);
            of_windows(&make_map(MapForm::Plain, row, rows.xs.clone()).ok()?)?
        }
        false => of_columns(expr).or_else(|| of_windows(expr))?,
    };
    Some(retyped(new, expr.ty()))
}

/// Whether they are windows that move by several elements.
fn are_windows(expr: &Expr) -> bool {
    matches!(expr.as_prim(), Some((Primitive::Slide(_, step), _)) if step.as_const().is_some_and(|step| step > 1))
}

/// `T (*h xs) ≫ *(λw. e w[c])  →  h xs[c] ≫ *e`
fn of_columns(expr: &Expr) -> Option<Expr> {
    let columns = plain_map(expr).ok()?;
    let rows = plain_map(operand(columns.xs, |p| *p == Primitive::Transpose).ok()?).ok()?;
    let place = Place::of(&columns.f.body, param1(columns.f).ok()?)?;
    if !is_layout(&rows.f.body) || !rows.f.body.any(&are_windows) {
        return None;
    }
    let row = make(Primitive::Idx, [nat(Nat::lit(place.at)), rows.xs.clone()]).ok()?;
    place.on(substitute(&rows.f.body, param1(rows.f).ok()?, &row)).ok()
}

/// `slide n s xs ≫ *(λw. e w[c])  →  thin xs ≫ *e`
fn of_windows(expr: &Expr) -> Option<Expr> {
    let map = plain_map(expr).ok()?;
    let (Primitive::Slide(_, step), [Arg::Expr(xs)]) = map.xs.as_prim().filter(|_| are_windows(map.xs))?
    else {
        return None;
    };
    let place = Place::of(&map.f.body, param1(map.f).ok()?)?;
    // Of what is stored, windows are as good.
    if !is_computed(xs) {
        return None;
    }
    let thin = Thin { at: Nat::lit(place.at), step: step.clone(), count: len(expr).ok()? };
    let elements = thin.of(xs).ok()?;
    match plain_map(&elements) {
        Ok(map) if place.is_once => {
            let f = fun1(param1(map.f).ok()?.clone(), place.put(place.body, &map.f.body));
            make_map(MapForm::Plain, f, map.xs.clone()).ok()
        }
        _ => place.on(elements).ok(),
    }
}

/// Whether elements are computed one from one.
fn is_computed(expr: &Expr) -> bool {
    match expr.as_prim() {
        Some((Primitive::Map(MapForm::Plain), [Arg::Fun(f), Arg::Expr(xs)])) => {
            !is_layout(&f.body) || is_computed(xs)
        }
        Some((Primitive::Zip | Primitive::Take(_) | Primitive::Drop(_), arrays)) => {
            arrays.iter().any(|array| is_computed(array.expr()))
        }
        _ => false,
    }
}

/// `*(*g) ≫ slide n s ≫ *(λw. e (*thin w))  →  *(*g ≫ thin) ≫ slide n s ≫ *e`
fn of_rows_in_windows(expr: &Expr) -> Option<Expr> {
    let map = plain_map(expr).ok()?;
    let window = param1(map.f).ok()?;
    let (slide @ Primitive::Slide(..), [Arg::Expr(rows)]) = map.xs.as_prim()? else { return None };
    let mut taken = Vec::new();
    if !thin_rows(&map.f.body, window, &mut taken) {
        return None;
    }
    let (first, thin) = taken.first()?;
    if taken.iter().any(|(_, other)| other != thin) {
        return None;
    }
    let rows = make(slide.clone(), [thin.of_rows(rows)?]).ok()?;
    let fewer = Param::fresh(window.name.text(), first.ty().clone());
    let body = taken.iter().fold(map.f.body.clone(), |body, (old, _)| instead(&body, old, &fewer.expr()));
    let f = fun1(fewer, body);
    make_map(MapForm::Plain, f, rows).ok()
}

/// Notes where thinned rows of the array are read; whether that is all that is read of it.
fn thin_rows(expr: &Expr, array: &Param, taken: &mut Vec<(Expr, Thin)>) -> bool {
    if let Ok(map) = plain_map(expr)
        && map.xs.is_named(&array.name)
        && let Some(thin) = param1(map.f).ok().and_then(|row| Thin::said_by(&map.f.body, row))
    {
        taken.push((expr.clone(), thin));
        return true;
    }
    !expr.is_named(&array.name) && expr.children().into_iter().all(|child| thin_rows(child, array, taken))
}

/// Every `step`-th element from one on.
#[derive(Clone, PartialEq)]
struct Thin {
    at: Nat,
    step: Nat,
    count: Nat,
}

impl Thin {
    /// `slide n s xs ≫ *(λw. w[c])`, of some of the elements
    fn said_by(expr: &Expr, xs: &Param) -> Option<Thin> {
        let map = plain_map(expr).ok().filter(|map| are_windows(map.xs))?;
        let (Primitive::Slide(_, step), [Arg::Expr(of)]) = map.xs.as_prim()? else { return None };
        let (mut of, mut at) = (of, Nat::lit(place(&map.f.body, param1(map.f).ok()?)?));
        while let Some((some @ (Primitive::Take(_) | Primitive::Drop(_)), [Arg::Expr(all)])) = of.as_prim() {
            if let Primitive::Drop(first) = some {
                at = at + first;
            }
            of = all;
        }
        Some(Thin { at, step: step.clone(), count: len(expr).ok()? }).filter(|_| of.is_named(&xs.name))
    }

    /// Those elements of each row, if rows are computed one element from one.
    fn of_rows(&self, rows: &Expr) -> Option<Expr> {
        match rows.as_prim()? {
            (
                some @ (Primitive::PadClamp(..) | Primitive::Take(_) | Primitive::Drop(_)),
                [Arg::Expr(rows)],
            ) => make(some.clone(), [self.of_rows(rows)?]).ok(),
            (Primitive::Map(MapForm::Plain), [Arg::Fun(f), Arg::Expr(xs)]) => {
                let (mut row, mut f, mut xs) = (param1(f).ok()?, f.body.clone(), xs);
                // Of rows of windows, all are made of the rows of what windows look at.
                while let Some(views) = plain_map(xs).ok().filter(|views| is_layout(&views.f.body)) {
                    f = again(&substitute(&f, row, &views.f.body));
                    (row, xs) = (param1(views.f).ok()?, views.xs);
                }
                plain_map(&f).ok().filter(|elements| !is_layout(&elements.f.body))?;
                make_map(MapForm::Plain, fun1(row.clone(), self.of(&f).ok()?), xs.clone()).ok()
            }
            _ => None,
        }
    }

    /// Those elements, of which no others are computed.
    fn of(&self, xs: &Expr) -> Rewritten {
        match xs.as_prim() {
            Some((Primitive::Map(MapForm::Plain), [Arg::Fun(f), Arg::Expr(xs)])) => {
                make_map(MapForm::Plain, f.clone(), self.of(xs)?)
            }
            Some((Primitive::Zip, arrays)) => {
                let arrays: Result<Vec<Arg>, _> =
                    arrays.iter().map(|array| self.of(array.expr()).map(Arg::Expr)).collect();
                with_args(xs, arrays?)
            }
            Some((Primitive::Transpose, [Arg::Expr(rows)])) => {
                let columns = match plain_map(rows) {
                    Ok(map) => make_map(
                        MapForm::Plain,
                        fun1(param1(map.f)?.clone(), self.of(&map.f.body)?),
                        map.xs.clone(),
                    ),
                    Err(_) => map_over(MapForm::Plain, "row", rows.clone(), |row| self.of(&row)),
                };
                make(Primitive::Transpose, [columns?])
            }
            Some((Primitive::Slide(size, step), [Arg::Expr(xs)])) => self.windows(size, step, xs),
            Some((Primitive::Take(_), [Arg::Expr(xs)])) => self.of(xs),
            Some((Primitive::Drop(first), [Arg::Expr(xs)])) => {
                Thin { at: &self.at + first, ..self.clone() }.of(xs)
            }
            _ => {
                let one = Nat::lit(1);
                map_over(MapForm::Plain, "window", self.windows(&one, &one, xs)?, |window| {
                    make(Primitive::Idx, [nat(Nat::lit(0)), window])
                })
            }
        }
    }

    /// Those of the windows of an array.
    fn windows(&self, size: &Nat, step: &Nat, xs: &Expr) -> Rewritten {
        let apart = step * &self.step;
        let last = &apart * (&self.count - 1) + size;
        let from = match self.at.is_zero() {
            true => xs.clone(),
            false => make(Primitive::Drop(step * &self.at), [xs.clone()])?,
        };
        let some = if len(&from)? == last { from } else { make(Primitive::Take(last), [from])? };
        make(Primitive::Slide(size.clone(), apart), [some])
    }
}

/// What is made of the one element that is taken of an array.
struct Place<'a> {
    body: &'a Expr,
    array: &'a Param,
    at: i64,
    /// Whether it is taken once, in no function that may run often.
    is_once: bool,
}

impl<'a> Place<'a> {
    fn of(body: &'a Expr, array: &'a Param) -> Option<Self> {
        let mut taken = Vec::new();
        let are_known = places(body, array, false, &mut taken);
        let (at, inside) = *taken.first()?;
        let is_one = are_known && taken.iter().all(|(other, _)| *other == at);
        is_one.then_some(Place { body, array, at, is_once: taken.len() == 1 && !inside })
    }

    /// The same of all elements of an array.
    fn on(&self, elements: Expr) -> Rewritten {
        let (_, ty) = elements.ty().as_array().expect("they are made as an array");
        let element = Param::fresh("element", ty.clone());
        let body = self.put(self.body, &element.expr());
        make_map(MapForm::Plain, fun1(element, body), elements)
    }

    /// The term with another element in place of that one.
    fn put(&self, expr: &Expr, element: &Expr) -> Expr {
        match place(expr, self.array) {
            Some(_) => again(element),
            None => map_children(expr, &mut |child| self.put(child, element)),
        }
    }
}

/// Notes where the array is read, and whether in a function; whether that is known everywhere.
fn places(expr: &Expr, array: &Param, inside: bool, taken: &mut Vec<(i64, bool)>) -> bool {
    if let Some(at) = place(expr, array) {
        taken.push((at, inside));
        return true;
    }
    match expr.kind() {
        Kind::Var(name) => *name != array.name,
        Kind::Prim(_, args) => {
            args.iter().all(|arg| places(arg.expr(), array, inside || arg.as_fun().is_some(), taken))
        }
        _ => expr.children().into_iter().all(|child| places(child, array, inside, taken)),
    }
}

/// `c`, where the term is `array[c]`.
fn place(expr: &Expr, array: &Param) -> Option<i64> {
    let (Primitive::Idx, [at, of]) = expr.as_prim()? else { return None };
    match at.expr().kind() {
        Kind::Nat(at) if of.expr().is_named(&array.name) => at.as_const(),
        _ => None,
    }
}
