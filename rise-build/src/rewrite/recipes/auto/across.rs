//! What goes in lanes where each result of a map is made of folds: the results, or what is folded.
//!
//! Where the results lie as close as what each of them folds, as those of windows do, the results go in lanes: nothing
//! is added up across lanes in the end, and no fold is too short for them. Only a few results of long folds are worth
//! the lanes of the folds. Elsewhere folds go in lanes unless they fill no vector.

use crate::expr::{Arg, Expr, Lambda, MapForm, Primitive, nat};
use crate::names::Name;
use crate::nat::Nat;
use crate::rewrite::recipes::loops::natural_width;
use crate::rewrite::rules::generate::variables;
use crate::rewrite::rules::support::{fold, independent, len};
use crate::types::DataType;

use super::lanes::{LONG, is_reduction};
use super::strides::{FEW, Known, Leaf, Stride, descend};
use super::vectors::{is_simple, is_wide, takes_lanes};
use super::{When, all_hold};

/// Fewer vectors of results than these wait for themselves in long folds.
const VECTORS: i64 = 4;

/// The function of a map, or of what is generated, if its results are no arrays but few elements that are written out.
pub fn each_of(expr: &Expr) -> Option<&Lambda> {
    let (Primitive::Map(MapForm::Plain) | Primitive::Generate, args) = expr.as_prim()? else { return None };
    args.first()?.as_fun().filter(|f| f.body.ty().is_small() || is_written_out(&f.body))
}

/// Whether it is an array of few elements, each written for itself.
fn is_written_out(body: &Expr) -> bool {
    let Some((Primitive::MakeArray, elements)) = body.as_prim() else { return false };
    (1..=FEW).contains(&(elements.len() as i64))
        && elements.iter().all(|element| element.as_expr().is_some_and(|element| element.ty().is_small()))
}

/// When the folds of a map, or of a generated array, go in lanes, and not its results.
pub fn folds(expr: &Expr, known: &mut Known) -> When {
    let Some((f, lengths)) = lengths(expr, known) else { return When::Always };
    match lengths.close {
        Some(length) if lengths.joined || !differs(f, &length) && !is_outside(f, &length) => When::Never,
        Some(length) if is_outside(f, &length) => {
            let few = Nat::lit(VECTORS * natural_width(expr) - 1);
            len(expr).map_or(When::Always, |len| all_hold([(len, few), (Nat::lit(LONG), length)]))
        }
        Some(_) => When::Always,
        None => long_folds(expr, f, lengths.any),
    }
}

/// The same for results that are folded one by one, which lie nowhere.
pub fn inner_folds(expr: &Expr, known: &mut Known) -> When {
    lengths(expr, known).map_or(When::Always, |(f, lengths)| long_folds(expr, f, lengths.any))
}

fn long_folds(expr: &Expr, f: &Lambda, length: Option<Nat>) -> When {
    match length.filter(|length| is_outside(f, length)) {
        Some(length) => all_hold([(Nat::lit(natural_width(expr)), length)]),
        None => When::Always,
    }
}

/// Whether the length of a fold can be asked for before the map runs.
fn is_outside(f: &Lambda, length: &Nat) -> bool {
    independent(&nat(length.clone()), &variables(f))
}

/// Whether the results of the map take different numbers of steps, which lanes of one vector cannot.
fn differs(f: &Lambda, length: &Nat) -> bool {
    !independent(&nat(length.clone()), f)
}

fn lengths<'a>(expr: &'a Expr, known: &mut Known) -> Option<(&'a Lambda, Lengths)> {
    let f = each_of(expr)?;
    let (primitive, args) = expr.as_prim()?;
    let xs = args.get(1).and_then(Arg::as_expr);
    Some((f, known.inside(primitive, f, xs, |known| Lengths::of(f, known))?))
}

/// How long the first folds are that can go in lanes.
#[derive(Default)]
struct Lengths {
    any: Option<Nat>,
    /// Of those whose neighbours fold neighbouring elements, where the results can go in lanes.
    close: Option<Nat>,
    /// Whether they fold joined rows that lie apart: lanes would lie in several of them.
    joined: bool,
}

impl Lengths {
    fn of(f: &Lambda, known: &mut Known) -> Option<Lengths> {
        let result = &f.params.first()?.name;
        let mut finder = Finder { known, result, lengths: Lengths::default() };
        finder.expr(&f.body);
        let mut lengths = finder.lengths;
        let has_lanes = has_lanes(f.body.ty(), &f.body);
        lengths.close.take_if(|_| {
            let leaves = known.reads(&f.body).leaves();
            !has_lanes || !is_simple(&f.body) || leaves.iter().any(|leaf| leaf.along(result) == Stride::Far)
        });
        Some(lengths)
    }
}

/// Whether results of the type are registers, each with lanes.
fn has_lanes(ty: &DataType, body: &Expr) -> bool {
    match ty {
        DataType::Tuple(parts) => parts.iter().all(|part| has_lanes(part, body)),
        DataType::Scalar(_) => is_wide(ty) || takes_lanes(body),
        DataType::Array(_, element) => is_written_out(body) && has_lanes(element, body),
        _ => false,
    }
}

struct Finder<'k> {
    known: &'k mut Known,
    result: &'k Name,
    lengths: Lengths,
}

impl Finder<'_> {
    fn expr(&mut self, expr: &Expr) -> Expr {
        match fold(expr).and_then(|view| Ok((view, len(view.xs)?))) {
            Ok((view, length)) if is_reduction(expr, self.known) => {
                let leaves = self.known.folded(view.f, view.xs);
                if leaves.iter().any(|leaf| leaf.along(self.result) == Stride::Next) {
                    self.lengths.close.get_or_insert(length.clone());
                    let element = view.f.params.last();
                    let is_joined = |leaf: &Leaf| element.is_some_and(|x| leaf.run(&x.name).is_some());
                    self.lengths.joined |= leaves.iter().any(is_joined);
                }
                self.lengths.any.get_or_insert(length);
                expr.clone()
            }
            _ => descend(self, |finder| finder.known, expr, Self::expr),
        }
    }
}
