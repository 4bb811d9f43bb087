//! Strips of what has borders at every stage: each is cut out of what the rows that it can see would give by
//! themselves.
//!
//! ```text
//! e xs  →  join (map (λi. (drop u ≫ take t) (e ((drop (t · i − u) ≫ take (u + t + d)) xs))) (generate id))
//! ```
//!
//! A row of the result sees `u` rows before it and `d` behind. What borders do to rows that end where no array ends
//! stays within those, which are left out.

use crate::expr::{Arg, Expr, Kind, MapForm, Param, Primitive, refresh_lambda};
use crate::nat::Nat;
use crate::rewrite::rules::support::{Rewritten, len, make, make_map, occurs, with_args};

use super::super::{Rows, strip_of, strips};
use super::{Between, Reach, Step, around};

/// The result in strips.
pub(super) fn stripped(between: &[Between], result: &Expr, count: &Nat) -> Option<Expr> {
    let mut sight = Sight { reaches: vec![None; between.len()], seen: Reach::OWN, count };
    sight.of(result, Reach::OWN, between)?;
    for at in (0..between.len()).rev() {
        sight.of(&between[at].value, sight.reaches[at]?, &between[..at])?;
    }
    let [before, behind] = [-sight.seen.from, sight.seen.end()];
    let strip = strip_of(before + behind, count)?;
    let rows = |strip: &Rows| {
        let start = Nat::max(&strip.start, &Nat::lit(before)) - before;
        let end = match strip.are_last {
            true => count.clone(),
            false => Nat::min(count, &(&strip.start + &strip.count + behind)),
        };
        let cut = Cut { count, start: &start, rows: &(end - &start), between };
        let (mut names, mut values) = (Vec::new(), Vec::new());
        for array in between {
            let value = cut.of(&array.value, &names)?;
            names.push(Param::fresh(array.name.name.text(), value.ty().clone()));
            values.push(value);
        }
        let result = some(&cut.of(result, &names)?, &(&strip.start - &start), &strip.count)?;
        Ok(around(result, names, values))
    };
    strips(count, &Nat::lit(strip), rows).ok()
}

/// What rows a row of the result sees.
struct Sight<'a> {
    /// Of each array between.
    reaches: Vec<Option<Reach>>,
    /// Of any array, its own as well.
    seen: Reach,
    /// How many rows the result has.
    count: &'a Nat,
}

impl Sight<'_> {
    /// Notes those that rows of the term see; `None` where they are not made row by row.
    fn of(&mut self, expr: &Expr, own: Reach, between: &[Between]) -> Option<()> {
        // The rows of a border are there wherever it ends.
        if border_of(expr).is_none() {
            self.seen = self.seen.and(own);
        }
        if let Kind::Var(name) = expr.kind() {
            if let Some(at) = between.iter().position(|array| array.name.name == *name) {
                self.reaches[at] = Some(self.reaches[at].map_or(own, |known| known.and(own)));
            }
            return Some(());
        }
        match Step::of(expr) {
            Some(Step::Map(f, xs)) if is_free(&f.body, between) => self.of(xs, own, between),
            Some(Step::Zip(arrays)) => arrays.iter().try_for_each(|arg| self.of(arg.expr(), own, between)),
            Some(Step::Windows(size, xs)) => self.of(xs, own.windows(size), between),
            Some(Step::Later(rows, xs)) => self.of(xs, own.later(rows), between),
            None => match border_of(expr) {
                Some((before, fill, xs)) if fill.iter().all(|fill| is_free(fill.expr(), between)) => {
                    let own = own.later(-before);
                    let is_clamped = fill.is_empty();
                    self.of(xs, if is_clamped { own.and(self.ends(xs)?) } else { own }, between)
                }
                _ => is_free(expr, between).then_some(()),
            },
            Some(Step::Map(..)) => None,
        }
    }

    /// What a border that repeats the first and the last row shows instead of rows that are not there: those, from the
    /// first and from the last row of the result.
    fn ends(&self, xs: &Expr) -> Option<Reach> {
        let last = (&len(xs).ok()? - self.count).as_const()?;
        Some(Reach::OWN.and(Reach::OWN.later(last)))
    }
}

/// Whether none of the arrays is read.
fn is_free(expr: &Expr, between: &[Between]) -> bool {
    between.iter().all(|array| !occurs(expr, &array.name))
}

/// How many rows a border has before an array, what it is made of, and the array.
fn border_of(expr: &Expr) -> Option<(i64, &[Arg], &Expr)> {
    match expr.as_prim()? {
        (Primitive::PadClamp(before, _) | Primitive::PadCst(before, _), [fill @ .., Arg::Expr(xs)]) => {
            Some((before.as_const()?, fill, xs))
        }
        _ => None,
    }
}

/// Some rows of all arrays that are read.
struct Cut<'a> {
    /// How many rows the result has.
    count: &'a Nat,
    start: &'a Nat,
    rows: &'a Nat,
    between: &'a [Between],
}

impl Cut<'_> {
    /// What is made of them, of which the arrays between have such names.
    fn of(&self, expr: &Expr, names: &[Param]) -> Rewritten {
        if let Kind::Var(name) = expr.kind()
            && let Some(at) = self.between.iter().position(|array| array.name.name == *name)
        {
            return Ok(names[at].expr());
        }
        match (Step::of(expr), expr.as_prim()) {
            (Some(Step::Map(f, xs)), _) => make_map(MapForm::Plain, refresh_lambda(f), self.of(xs, names)?),
            (Some(Step::Zip(arrays)), _) => {
                let arrays: Result<Vec<Expr>, _> =
                    arrays.iter().map(|arg| self.of(arg.expr(), names)).collect();
                make(Primitive::Zip, arrays?)
            }
            (Some(Step::Later(_, xs)), Some((Primitive::Take(rows), _))) => {
                make(Primitive::Take(self.as_many(rows)), [self.of(xs, names)?])
            }
            (Some(Step::Windows(_, xs) | Step::Later(_, xs)), _) => {
                with_args(expr, vec![self.of(xs, names)?.into()])
            }
            (None, _) => match border_of(expr) {
                Some((_, fill, xs)) => {
                    let rows = self.of(xs, names)?.into();
                    with_args(expr, fill.iter().cloned().chain([rows]).collect())
                }
                None => some(expr, self.start, &self.as_many(&len(expr)?)),
            },
        }
    }

    /// As many rows more or less than those that are cut out as there are than the result has.
    fn as_many(&self, rows: &Nat) -> Nat {
        self.rows + rows - self.count
    }
}

/// So many rows of an array, from one on, of which no others are computed.
fn some(expr: &Expr, from: &Nat, count: &Nat) -> Rewritten {
    match Step::of(expr) {
        Some(Step::Map(f, xs)) => make_map(MapForm::Plain, refresh_lambda(f), some(xs, from, count)?),
        Some(Step::Zip(arrays)) => {
            let arrays: Result<Vec<Expr>, _> =
                arrays.iter().map(|arg| some(arg.expr(), from, count)).collect();
            make(Primitive::Zip, arrays?)
        }
        _ => make(Primitive::Take(count.clone()), [make(Primitive::Drop(from.clone()), [expr.clone()])?]),
    }
}
