//! The default strategy: what a good schedule does, without help, right for every program.
//!
//! First what needs open choices: folds by an index become updates, what no window takes is not computed, rows that are
//! folded element by element become columns, columns that are taken apart become rows, indices that are divided are
//! those of pieces, rows of several matrices are rows of one, indices that choose elements become arrays, folds beside
//! which indices count are stored, folds shrink to what they notice, borders of windows are stored, what is cheap is
//! computed where it is used, products are made where windows look at them, numbers of rows are made with the rows,
//! maps that give several arrays become several, folds and functions leave loops that bind nothing of them and steps
//! that they do not wait for, functions of columns become tables, rows that go through several products go layer by
//! layer, maps of zips are those of the arrays that they read, then
//! come passes over windows and columns, strips of rows of all arrays that lie between, tiles of products in registers, blocks
//! of many rows, scans several at once, sums along rows, folds of the same arrays at once, and reductions in vectors.
//! Then everything is lowered, which decides what is stored where. Then innermost loops become loops over vectors, and the
//! outermost ones run in parallel. A step that does not apply is left out.

mod abreast;
mod across;
mod ahead;
mod before;
mod behind;
mod beside;
mod by_index;
mod cheap;
mod columns;
mod contract;
mod device;
mod elementwise;
mod few;
mod flat;
mod invariant;
mod joined;
mod lanes;
mod layers;
mod narrow;
mod nest;
mod once;
mod own;
pub mod pack;
mod padded;
mod parts;
mod passes;
mod rows;
mod runs;
mod scans;
mod scattered;
mod sideways;
mod stages;
mod strides;
mod strips;
mod sums;
mod tables;
mod taps;
mod thinned;
mod thirds;
mod tile;
mod tupled;
mod unread;
mod upright;
mod vectors;

use crate::dpia::functional::Target;
use crate::expr::{Arg, Binary, Expr, Kind, Lambda, Primitive, binary, free_names, map_children};
use crate::names::Label;
use crate::nat::{Facts, Nat, Obligation};
use crate::rewrite::engine::{Engine, Outcome, holds};
use crate::rewrite::lower::lower_body;
use crate::rewrite::rules::chosen::where_chosen;
use crate::rewrite::rules::generate::over_elements;
use crate::rewrite::rules::support::{FoldView, Rewritten, again, fold, len, make, retyped};
use crate::rewrite::strategy::Path;
use crate::rewrite::total::{inside, is_total};

use strides::Known;

/// Up to so many elements a fold is not cut to those that it notices.
const FEW: i64 = 64;

/// The body, optimised and lowered; lowered alone where that leaves a name unbound, which no step may do.
pub fn auto(engine: &mut Engine, body: &Expr) -> Expr {
    let new = optimised(engine, body);
    let known = free_names(body);
    let unbound = free_names(&new).into_iter().find(|name| !known.contains(name));
    match unbound {
        None => new,
        Some(name) if cfg!(test) => panic!("{name} is not bound: {new}"),
        Some(_) => lower_body(body, engine.context.target, engine.context.facts()),
    }
}

fn optimised(engine: &mut Engine, body: &Expr) -> Expr {
    let (target, facts) = (engine.context.target, engine.context.facts());
    if target == Target::OpenCl {
        return device::lowered(engine, &thinned::everywhere(body, &facts));
    }
    let sound = |before: &Expr, after: Expr| match is_total(&after, &facts) || !is_total(before, &facts) {
        true => after,
        false => before.clone(),
    };
    let body = &thinned::everywhere(&by_index::everywhere(body, &facts), &facts);
    let body = &upright::everywhere(&elementwise::everywhere(body));
    let body = &joined::of_result(&thirds::of_result(body));
    let body = &invariant::everywhere(
        &parts::everywhere(&rows::everywhere(&taps::everywhere(&cheap::everywhere(&elements(body, &facts))))),
        &facts,
    );
    let body = &ahead::everywhere(body);
    let body = &tables::everywhere(body, &facts);
    let body = &unread::everywhere(&sound(body, layers::everywhere(body, &facts)));
    let body = &sound(body, once::everywhere(&sideways::everywhere(&passes::of_result(body))));
    let body = &sound(body, strips::everywhere(body));
    let body = &few::everywhere(body, &mut Known::default());
    let tiled = tile::everywhere(engine, body);
    let parallel = matches!(target, Target::Rust | Target::OpenMp);
    let staged = stages::everywhere(&tiled, &mut Known::default(), &engine.context.facts(), parallel);
    let sideways = columns::everywhere(engine, &staged);
    let at_once = scans::everywhere(engine, &sideways);
    let cx = &mut engine.context;
    let along = Known::asking(cx, |known| runs::everywhere(&at_once, known));
    let together = sound(&along, Known::asking(cx, |known| tupled::everywhere(&along, known)));
    let reduced = Known::asking(cx, |known| lanes::everywhere(&together, known, parallel));
    let lowered = contract::everywhere(&lower_body(&reduced, target, engine.context.facts()));
    let vectors = vectors::everywhere(&lowered, &mut Known::default(), &mut engine.context);
    vectors::parallel(&vectors, &mut engine.context)
}

/// The fold of those elements that it notices. Few elements are as well chosen one by one: all folds are then alike.
fn chosen(expr: &Expr, facts: &Facts) -> Expr {
    let few = |fold: FoldView<'_>| len(fold.xs).ok().and_then(|n| n.as_const()).is_some_and(|n| n <= FEW);
    match fold(expr) {
        Ok(fold) if !few(fold) => where_chosen(expr, facts).unwrap_or_else(|_| expr.clone()),
        _ => expr.clone(),
    }
}

/// Maps over arrays in place of indices that only choose their elements, folds of what they notice alone, and windows
/// over borders that are stored.
fn elements(expr: &Expr, facts: &Facts) -> Expr {
    let expr = &chosen(expr, facts);
    let expr = &padded::stored(expr, facts).unwrap_or_else(|| expr.clone());
    if let Some(stored) = beside::stored(expr, facts) {
        return map_children(&stored, &mut |child| elements(child, facts));
    }
    let new = over_elements(expr, facts).unwrap_or_else(|_| expr.clone());
    let xs = new.as_prim().and_then(|(_, args)| args.last()).and_then(Arg::as_expr);
    let Some((primitive, args)) = new.as_prim() else {
        return map_children(&new, &mut |child| elements(child, facts));
    };
    let args = args.iter().map(|arg| match arg {
        Arg::Expr(expr) => Arg::Expr(elements(expr, facts)),
        Arg::Fun(f) => Arg::Fun(Lambda { body: elements(&f.body, &inside(f, xs, facts)), ..f.clone() }),
    });
    let kind = Kind::Prim(primitive.clone(), args.collect());
    new.clone().with_kind(kind)
}

/// When something holds.
enum When {
    /// It does not.
    Never,
    /// It does for all sizes.
    Always,
    /// Where this does.
    If(Expr),
}

impl When {
    /// When either does.
    fn or(self, other: When) -> When {
        match (self, other) {
            (When::Never, when) | (when, When::Never) => when,
            (When::Always, _) | (_, When::Always) => When::Always,
            (When::If(a), When::If(b)) => When::If(binary(Binary::Or, a, b)),
        }
    }

    /// The first then, and else the second, which is the same.
    fn select(self, first: impl FnOnce() -> Rewritten, second: &Expr) -> Rewritten {
        match self {
            When::Never => Ok(second.clone()),
            When::Always => first(),
            When::If(condition) => {
                let either = make(Primitive::Select, [condition, again(&first()?), second.clone()])?;
                Ok(retyped(either, second.ty()))
            }
        }
    }
}

/// When each first number is at most the second one.
fn all_hold(bounds: impl IntoIterator<Item = (Nat, Nat)>) -> When {
    let bounds: Vec<(Nat, Nat)> = bounds.into_iter().collect();
    let known = |(least, most): &(Nat, Nat)| Some(least.as_const()? <= most.as_const()?);
    // What is left of each bound is at least 0, and so is the sum.
    let left = bounds.iter().fold(Nat::lit(0), |sum, (least, most)| sum + (most - least));
    if left.as_const().is_some_and(|left| left < 0) || bounds.iter().any(|bound| known(bound) == Some(false))
    {
        return When::Never;
    }
    let open = bounds.into_iter().filter(|bound| known(bound).is_none());
    let conditions = open.map(|(least, most)| holds(&Obligation::Le(least, most)));
    conditions.reduce(|a, b| binary(Binary::And, a, b)).map_or(When::Always, When::If)
}

/// The term with what `change` makes of the labelled place; as it is where that fails, or asks something of the caller.
fn where_it_works(
    engine: &mut Engine,
    expr: &Expr,
    label: &Label,
    change: &mut dyn FnMut(&mut Engine, &Expr) -> Outcome,
) -> Expr {
    let required = engine.context.required.len();
    let changed = engine.at_path(expr, &Path::new(vec![label.clone()]), change);
    let asked = engine.context.required.len() > required;
    engine.context.required.truncate(required);
    changed.ok().filter(|_| !asked).unwrap_or_else(|| expr.clone())
}
