//! Several arrays that lie between what is read and the result, some rows of each at a time.
//!
//! ```text
//! let a = *f (slide n 1 xs) in e (slide m 1 a) a
//!   →  join (map (λi. let a = *f (slide n 1 (rows i xs)) in e (slide m 1 a) (rows i a)) (generate id))
//! ```
//!
//! In: an array, perhaps with `let`s around it. Out: the same, where what windows look at and what has a name is
//! computed row by row, from rows that are never further away than windows reach. Clamped borders of such an array are
//! those of the rows that it is made of, or strips are [clipped].

mod clipped;

use crate::expr::{Arg, Expr, Kind, Lambda, MapForm, Param, Primitive, let_in, map_children, refresh_lambda};
use crate::nat::Nat;
use crate::rewrite::rules::support::{Rewritten, fold, len, make, make_map, occurs, retyped, with_args};

use super::super::before::may_fold;
use super::{Rows, are_rows, is_layout, strip_of, strips};

/// Folds of so many elements take longer than memory.
const MANY: i64 = 128;

/// Rows of a strip of an array between, from the strip's first row on: `from` rows later, and so many more.
#[derive(Clone, Copy)]
struct Reach {
    from: i64,
    more: i64,
}

impl Reach {
    /// Those of the strip itself.
    const OWN: Reach = Reach { from: 0, more: 0 };

    fn end(self) -> i64 {
        self.from + self.more
    }

    /// Those of both.
    fn and(self, other: Reach) -> Reach {
        let from = self.from.min(other.from);
        Reach { from, more: self.end().max(other.end()) - from }
    }

    /// Those that windows of so many rows look at.
    fn windows(self, size: i64) -> Reach {
        Reach { more: self.more + size - 1, ..self }
    }

    fn later(self, rows: i64) -> Reach {
        Reach { from: self.from + rows, ..self }
    }
}

/// An array between: its name, what it is made of, the rows of it that a strip needs, and what is called so in a strip.
#[derive(Clone)]
struct Between {
    name: Param,
    value: Expr,
    reach: Option<Reach>,
}

/// The result in strips, if there are at least so many arrays between, or some with names.
pub(super) fn stripped(expr: &Expr, least: usize) -> Option<Expr> {
    if !are_rows(expr) {
        return None;
    }
    let (mut between, mut result) = (Vec::new(), expr);
    let (mut names, mut values) = (Vec::new(), Vec::new());
    while let Kind::Let(name, value, body) = result.kind() {
        if are_rows(value) {
            let value = named(value, false, &mut between);
            between.push(Between { name: name.clone(), value, reach: None });
        } else if between.iter().all(|array| !occurs(value, &array.name)) {
            names.push(name.clone());
            values.push(value.clone());
        } else {
            return None;
        }
        result = body;
    }
    let result = named(result, false, &mut between);
    let are_few = !matches!(expr.kind(), Kind::Let(..)) && between.len() < least;
    if are_few || between.iter().any(|array| !are_rows(&array.value)) {
        return None;
    }
    let count = len(&result).ok()?;
    let waits_for_memory = between.iter().all(|array| !array.value.any(&folds_many));
    if !waits_for_memory || between.iter().all(|array| is_layout(&array.value)) {
        return None;
    }
    let clipped = || clipped::stripped(&between, &result, &count);
    let new = by_reach(between.clone(), result.clone(), &count).or_else(clipped)?;
    Some(retyped(around(new, names, values), expr.ty()))
}

/// Whether so much is folded that rows are better made once than read from a cache.
fn folds_many(node: &Expr) -> bool {
    fold(node).is_ok_and(|view| may_fold(view, MANY))
}

/// The result in strips, of which each has the rows of all arrays that it needs.
fn by_reach(mut between: Vec<Between>, result: Expr, count: &Nat) -> Option<Expr> {
    let result = &borders_first(&mut between, result);
    reach(result, Reach::OWN, &mut between)?;
    for at in (0..between.len()).rev() {
        let (before, rest) = between.split_at_mut(at);
        reach(&rest[0].value, rest[0].reach?, before)?;
    }
    let overlap = between.iter().filter_map(|array| array.reach).map(Reach::end).max()?;
    let strip = strip_of(overlap, count)?;
    let rows = |strip: &Rows| {
        let (mut names, mut values) = (Vec::new(), Vec::new());
        for array in &between {
            let value = rows(&array.value, array.reach.unwrap_or(Reach::OWN), strip, &between, &names)?;
            names.push(Param::fresh(array.name.name.text(), value.ty().clone()));
            values.push(value);
        }
        let result = rows(result, Reach::OWN, strip, &between, &names)?;
        Ok(around(result, names, values))
    };
    strips(count, &Nat::lit(strip), rows).ok()
}

/// The term with names for values.
fn around(term: Expr, names: Vec<Param>, values: Vec<Expr>) -> Expr {
    names.into_iter().zip(values).rev().fold(term, |body, (name, value)| let_in(name, value, body))
}

/// The term with names for the arrays that windows look at, if something is computed for them.
fn named(expr: &Expr, is_seen: bool, between: &mut Vec<Between>) -> Expr {
    let mut of = |xs: &Expr, is_seen: bool| named(xs, is_seen, between);
    let term = match Step::of(expr) {
        Some(Step::Map(f, xs)) => {
            let is_named = is_seen && !is_layout(&f.body);
            let array = with_args(expr, vec![f.clone().into(), of(xs, is_seen && !is_named).into()]);
            if is_named && let Ok(value) = array {
                let name = Param::fresh("between", value.ty().clone());
                let array = name.expr();
                between.push(Between { name, value, reach: None });
                return array;
            }
            array
        }
        Some(Step::Zip(arrays)) => {
            let arrays = arrays.iter().map(|arg| of(arg.expr(), is_seen).into()).collect();
            with_args(expr, arrays)
        }
        Some(Step::Windows(_, xs)) => with_args(expr, vec![of(xs, true).into()]),
        Some(Step::Later(_, xs)) => with_args(expr, vec![of(xs, is_seen).into()]),
        None => match border_of(expr) {
            Some((_, xs)) => with_args(expr, vec![of(xs, is_seen).into()]),
            None => return expr.clone(),
        },
    };
    term.unwrap_or_else(|_| expr.clone())
}

/// The result, where borders of arrays that are made one from one are made before them.
fn borders_first(between: &mut [Between], mut result: Expr) -> Expr {
    for at in (0..between.len()).rev() {
        let (own, later) = between[at..].split_first_mut().expect("there is one");
        let mut border = [0, 0];
        let terms = || later.iter().map(|array| &array.value).chain([&result]);
        terms().for_each(|term| widest(term, &own.name, &mut border));
        let Some((padded, count)) = bordered(&own.value, border).zip(len(&own.value).ok()) else { continue };
        let padded = (Param::fresh(own.name.name.text(), padded.ty().clone()), padded);
        let inside = |term: &Expr| inner(term, &own.name, &Inner { array: &padded.0, border, count: &count });
        let Some(new) = terms().map(inside).collect::<Option<Vec<Expr>>>() else { continue };
        for (term, new) in later.iter_mut().map(|array| &mut array.value).chain([&mut result]).zip(new) {
            *term = new;
        }
        (own.name, own.value) = padded;
    }
    result
}

/// The array with a border, which is that of what it is made of; `None` where there is none.
fn bordered(expr: &Expr, border: [i64; 2]) -> Option<Expr> {
    if border == [0, 0] {
        return None;
    }
    let made = match Step::of(expr) {
        Some(Step::Map(f, xs)) => make_map(MapForm::Plain, refresh_lambda(f), bordered(xs, border)?),
        Some(Step::Zip(arrays)) => {
            let arrays: Option<Vec<Expr>> = arrays.iter().map(|arg| bordered(arg.expr(), border)).collect();
            make(Primitive::Zip, arrays?)
        }
        _ => {
            let [before, behind] = border.map(Nat::lit);
            make(Primitive::PadClamp(before, behind), [expr.clone()])
        }
    };
    made.ok()
}

/// The widest border that the array, or what is made of it one from one, has anywhere inside.
fn widest(expr: &Expr, array: &Param, border: &mut [i64; 2]) {
    if let Some((own, _)) = border_of(expr).filter(|(_, xs)| is_made_of(xs, array)) {
        *border = [0, 1].map(|side| border[side].max(own[side]));
    }
    expr.children().into_iter().for_each(|child| widest(child, array, border));
}

/// The lengths of a clamped border, and the array in it.
fn border_of(expr: &Expr) -> Option<([i64; 2], &Expr)> {
    match expr.as_prim()? {
        (Primitive::PadClamp(before, behind), [Arg::Expr(xs)]) => {
            Some(([before.as_const()?, behind.as_const()?], xs))
        }
        _ => None,
    }
}

/// Whether the array is among those of which rows are made one from one.
fn is_made_of(expr: &Expr, array: &Param) -> bool {
    match (expr.kind(), Step::of(expr)) {
        (Kind::Var(name), _) => *name == array.name,
        (_, Some(Step::Map(_, xs))) => is_made_of(xs, array),
        (_, Some(Step::Zip(arrays))) => arrays.iter().any(|arg| is_made_of(arg.expr(), array)),
        _ => false,
    }
}

/// An array that has a border now, and its length without.
struct Inner<'a> {
    array: &'a Param,
    border: [i64; 2],
    count: &'a Nat,
}

impl Inner<'_> {
    /// What has a border of those lengths.
    fn with(&self, border: [i64; 2]) -> Rewritten {
        let later = make(Primitive::Drop(Nat::lit(self.border[0] - border[0])), [self.array.expr()])?;
        make(Primitive::Take(self.count + border[0] + border[1]), [later])
    }
}

/// The term, which is told the array without a border.
fn inner(expr: &Expr, array: &Param, new: &Inner<'_>) -> Option<Expr> {
    let within = |xs: &Expr, border: [i64; 2]| within_border(xs, array, new, border);
    if let Some((border, xs)) = border_of(expr).filter(|(_, xs)| is_made_of(xs, array)) {
        return within(xs, border);
    }
    if expr.is_named(&array.name) {
        return within(expr, [0, 0]);
    }
    let mut fails = false;
    let term = map_children(expr, &mut |child| {
        inner(child, array, new).unwrap_or_else(|| {
            fails = true;
            child.clone()
        })
    });
    (!fails).then_some(term)
}

/// The term in a border, which is that of the arrays that it is made of.
fn within_border(expr: &Expr, array: &Param, new: &Inner<'_>, border: [i64; 2]) -> Option<Expr> {
    let made = match (expr.kind(), Step::of(expr)) {
        (Kind::Var(name), _) if *name == array.name => new.with(border),
        (_, Some(Step::Map(f, xs))) => {
            let f = Lambda { body: inner(&f.body, array, new)?, ..f.clone() };
            make_map(MapForm::Plain, f, within_border(xs, array, new, border)?)
        }
        (_, Some(Step::Zip(arrays))) => {
            let within = |arg: &Arg| within_border(arg.expr(), array, new, border);
            make(Primitive::Zip, arrays.iter().map(within).collect::<Option<Vec<Expr>>>()?)
        }
        _ => {
            let [before, behind] = border.map(Nat::lit);
            make(Primitive::PadClamp(before, behind), [inner(expr, array, new)?])
        }
    };
    made.ok()
}

/// Notes what rows of the arrays are needed for those of the term; `None` where they are not made row by row.
fn reach(expr: &Expr, own: Reach, between: &mut [Between]) -> Option<()> {
    if let Kind::Var(name) = expr.kind() {
        if let Some(array) = between.iter_mut().find(|array| array.name.name == *name) {
            array.reach = Some(array.reach.map_or(own, |known| known.and(own)));
        }
        return Some(());
    }
    match Step::of(expr) {
        Some(Step::Map(f, xs)) if between.iter().all(|array| !occurs(&f.body, &array.name)) => {
            reach(xs, own, between)
        }
        Some(Step::Zip(arrays)) => arrays.iter().try_for_each(|arg| reach(arg.expr(), own, between)),
        Some(Step::Windows(size, xs)) => reach(xs, own.windows(size), between),
        Some(Step::Later(rows, xs)) => reach(xs, own.later(rows), between),
        _ => between.iter().all(|array| !occurs(expr, &array.name)).then_some(()),
    }
}

/// Those rows of the term in a strip, of which the arrays between have such names.
fn rows(expr: &Expr, own: Reach, strip: &Rows, between: &[Between], names: &[Param]) -> Rewritten {
    let inside = |xs: &Expr, own: Reach| rows(xs, own, strip, between, names);
    if let Kind::Var(name) = expr.kind()
        && let Some(at) = between.iter().position(|array| array.name.name == *name)
    {
        let whole = between[at].reach.unwrap_or(own);
        let array = names[at].expr();
        if (own.from, own.more) == (whole.from, whole.more) {
            return Ok(array);
        }
        let later = make(Primitive::Drop(Nat::lit(own.from - whole.from)), [array])?;
        return make(Primitive::Take(&strip.count + own.more), [later]);
    }
    match Step::of(expr) {
        Some(Step::Map(f, xs)) => make_map(MapForm::Plain, refresh_lambda(f), inside(xs, own)?),
        Some(Step::Zip(arrays)) => {
            let arrays: Result<Vec<Expr>, _> = arrays.iter().map(|arg| inside(arg.expr(), own)).collect();
            make(Primitive::Zip, arrays?)
        }
        Some(Step::Windows(size, xs)) => {
            make(Primitive::Slide(Nat::lit(size), Nat::lit(1)), [inside(xs, own.windows(size))?])
        }
        Some(Step::Later(rows, xs)) => inside(xs, own.later(rows)),
        None => strip.of(expr, own.from, own.more),
    }
}

/// A term whose rows are made of those of others.
enum Step<'e> {
    Map(&'e Lambda, &'e Expr),
    Zip(&'e [Arg]),
    Windows(i64, &'e Expr),
    /// Row `i` is one so many rows later.
    Later(i64, &'e Expr),
}

impl<'e> Step<'e> {
    fn of(expr: &'e Expr) -> Option<Step<'e>> {
        match expr.as_prim()? {
            (Primitive::Map(MapForm::Plain), [Arg::Fun(f), Arg::Expr(xs)]) => Some(Step::Map(f, xs)),
            (Primitive::Zip, arrays) => Some(Step::Zip(arrays)),
            (Primitive::Slide(size, step), [Arg::Expr(xs)]) if step.is_one() => {
                Some(Step::Windows(size.as_const()?, xs))
            }
            (Primitive::Drop(rows), [Arg::Expr(xs)]) => Some(Step::Later(rows.as_const()?, xs)),
            (Primitive::Take(_), [Arg::Expr(xs)]) => Some(Step::Later(0, xs)),
            _ => None,
        }
    }
}
