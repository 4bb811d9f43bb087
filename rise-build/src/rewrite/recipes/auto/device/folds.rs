//! Folds that no loop is around go in stages, each of many work-items.
//!
//! ```text
//! reduce f z xs  →  let t = toMem (map (reduce f e) (T (split p (take m xs)))) in
//!                   let u = toMem (map (λ(c, d). reduce f (reduce f e c) d) (zip (T (split q t)) (T (split q …)))) in …
//!                   reduce f (reduce f z u) …
//! ```
//!
//! In: any term. Out: the same, where what `reduce` folds is folded by [`LANES`] at a time, and then what they gave. Where
//! the operator commutes and has a neutral element, each work-item takes elements that are a stage's width apart, so that
//! those beside each other read side by side; what is left over goes to the next stage. Elsewhere each takes elements
//! that follow each other, so that their order stays. How it associates depends on lengths alone.

use crate::expr::{
    AddressSpace, Expr, Kind, Lambda, MapForm, Param, Primitive, ReduceForm, apply, let_in, nat, refresh,
    refresh_lambda, to_mem,
};
use crate::nat::Nat;
use crate::rewrite::context::{Context, Reason};
use crate::rewrite::recipes::auto::lanes::{is_light, producers};
use crate::rewrite::recipes::auto::{across, before};
use crate::rewrite::rules::folds::cut;
use crate::rewrite::rules::operators::{is_commutative, neutral};
use crate::rewrite::rules::support::{
    FoldView, Rewritten, component, element, fun1, len, make, make_fold, make_map, map_operands, map_over,
    parts, zip_all,
};
use crate::types::DataType;

/// Work-items of each stage where they fold elements that lie apart: a device with many processors is busy with the
/// first stage, those after it fold dozens each, and the last one fewer than two hundred. They are 80 · 29 · 29 and so on,
/// since of elements that are a power of two apart caches keep few.
const LANES: [i64; 3] = [67280, 2320, 80];

/// At most so many pieces where the order stays.
const PIECES: i64 = 1 << 14;

/// So many of what they gave are a piece of the next stage, and what is left over goes in about as many pieces.
const FEW: i64 = 1 << 7;

/// Folds of fewer elements are over before a second launch begins.
const LONG: i64 = 1024;

/// All such folds.
pub fn everywhere(expr: &Expr, cx: &mut Context) -> Expr {
    match expr.kind() {
        Kind::Var(_) | Kind::Literal(_) | Kind::Nat(_) => expr.clone(),
        Kind::Let(param, value, body) => {
            let (value, body) = (everywhere(value, cx), everywhere(body, cx));
            expr.clone().with_kind(Kind::Let(param.clone(), value, body))
        }
        Kind::Prim(..) => match in_stages(expr, cx) {
            Ok(new) => new.with_labels(expr.labels().to_vec()).with_origin(expr.origin()),
            Err(_) => map_operands(expr, &mut |operand| everywhere(operand, cx)),
        },
    }
}

fn in_stages(expr: &Expr, cx: &mut Context) -> Rewritten {
    let view = cut(expr, cx)?;
    let is_long = len(view.xs)?.as_const().is_none_or(|len| len >= LONG);
    if !is_long || !expr.ty().is_small() || element(view.xs)? != *expr.ty() {
        return Err(Reason::refused("it is short, or folds other values than it gives"));
    }
    let start = everywhere(view.start, cx);
    let takes_long = across::each_of(view.xs).is_some_and(|each| each.body.any(&before::takes_long));
    if takes_long || !is_light(view.xs) {
        let each = Param::fresh("each", view.xs.ty().clone());
        let xs = everywhere(view.xs, cx);
        let (whole, name) = (Stages::of(view, cx), each.expr());
        return Ok(let_in(
            each,
            to_mem(AddressSpace::Default, xs),
            whole.folded(start, Source::stored(name))?,
        ));
    }
    let (maps, base) = producers(view.xs);
    Stages::of(view, cx).folded(start, Source { maps, base })
}

/// Elements that are read: what maps make of an array, the last map first.
pub struct Source {
    pub maps: Vec<Lambda>,
    pub base: Expr,
}

impl Source {
    fn stored(base: Expr) -> Self {
        Source { maps: Vec::new(), base }
    }

    /// What the maps make of elements of the array.
    pub fn made_of(&self, xs: Expr) -> Rewritten {
        self.maps.iter().rev().try_fold(xs, |xs, f| make_map(MapForm::Plain, refresh_lambda(f), xs))
    }

    /// The first elements, in pieces of that length.
    pub fn pieces(&self, length: &Nat) -> Result<Option<Expr>, Reason> {
        let main = len(&self.base)?.div(length) * length;
        if main.is_zero() {
            return Ok(None);
        }
        let main = make(Primitive::Take(main), [refresh(&self.base)])?;
        make(Primitive::Split(length.clone()), [main]).map(Some)
    }

    /// The first elements.
    fn first(self, count: i64) -> Result<Source, Reason> {
        let base = if len(&self.base)?.as_const() == Some(count) {
            self.base
        } else {
            make(Primitive::Take(Nat::lit(count)), [self.base])?
        };
        Ok(Source { base, ..self })
    }

    /// The elements that fill no piece of that length, if there are any.
    pub fn rest(self, length: &Nat) -> Result<Option<Source>, Reason> {
        let whole = len(&self.base)?;
        let main = whole.div(length) * length;
        if main == whole {
            return Ok(None);
        }
        let base = make(Primitive::Drop(main), [self.base])?;
        Ok(Some(Source { base, ..self }))
    }
}

/// An array so many times, one behind the other.
fn copied(xs: Expr, times: i64) -> Rewritten {
    if times == 1 {
        return Ok(xs);
    }
    let copy = Param::fresh("copy", DataType::Idx(Nat::lit(times)));
    let copies = apply(Primitive::Generate, vec![fun1(copy, xs).into()])?;
    make(Primitive::Join, [copies])
}

/// A fold in stages.
pub struct Stages<'a> {
    view: FoldView<'a>,
    neutral: Option<Expr>,
    /// Whether the elements may be taken in another order.
    commutes: bool,
    /// What the stages gave.
    stored: Vec<(Param, Expr)>,
}

impl<'a> Stages<'a> {
    pub fn of(view: FoldView<'a>, cx: &mut Context) -> Self {
        let neutral = neutral(view).ok();
        let commutes = neutral.is_some() && is_commutative(view.f, cx);
        Stages { view, neutral, commutes, stored: Vec::new() }
    }

    /// The fold of the elements, from its first accumulator.
    fn folded(mut self, start: Expr, xs: Source) -> Rewritten {
        if self.commutes {
            return self.in_lanes(&LANES.map(|width| (width, 1)), start, xs);
        }
        let open = self.in_order(xs)?;
        self.last(start, &open)
    }

    /// The same where its elements may be taken in another order, in stages of so many lanes, each of which is computed
    /// so many times.
    pub fn in_lanes(mut self, widths: &[(i64, i64)], start: Expr, xs: Source) -> Rewritten {
        let open = widths.iter().try_fold(vec![xs], |open, stage| self.stage(open, *stage))?;
        self.last(start, &open)
    }

    /// What is left open, behind the stages that were stored.
    fn last(self, start: Expr, open: &[Source]) -> Rewritten {
        let last = open.iter().try_fold(start, |start, xs| self.fold(start, xs.made_of(xs.base.clone())?))?;
        Ok(self.stored.into_iter().rev().fold(last, |rest, (param, value)| let_in(param, value, rest)))
    }

    fn fold(&self, start: Expr, xs: Expr) -> Rewritten {
        make_fold(ReduceForm::Plain, refresh_lambda(self.view.f), start, xs)
    }

    /// What each of so many lanes makes of its elements, and what is left over.
    fn stage(&mut self, open: Vec<Source>, (width, copies): (i64, i64)) -> Result<Vec<Source>, Reason> {
        let length = Nat::lit(width);
        let (mut makers, mut columns, mut rest) = (Vec::new(), Vec::new(), Vec::new());
        for xs in open {
            if let Some(pieces) = xs.pieces(&length)? {
                columns.push(make(Primitive::Transpose, [pieces])?);
                makers.push(Source { maps: xs.maps.clone(), base: xs.base.clone() });
            }
            rest.extend(xs.rest(&length)?);
        }
        let neutral = self.neutral.clone().ok_or(Reason::refused("no neutral element is known"))?;
        if columns.is_empty() {
            return Ok(rest);
        }
        let columns = copied(zip_all(columns)?, copies)?;
        let lanes = map_over(MapForm::Plain, "lane", columns, |lane| {
            let own = parts(&lane, makers.len());
            makers.iter().zip(own).try_fold(neutral, |acc, (xs, column)| self.fold(acc, xs.made_of(column)?))
        })?;
        rest.insert(0, self.store(lanes).first(width)?);
        Ok(rest)
    }

    /// What is left to fold after two stages of pieces, in order.
    fn in_order(&mut self, xs: Source) -> Result<Vec<Source>, Reason> {
        let whole = len(&xs.base)?;
        let length = |pieces: i64| whole.div(&Nat::lit(pieces)) + Nat::lit(1);
        let stages =
            self.in_pieces(xs, &length(PIECES))?.into_iter().zip([Nat::lit(FEW), length(PIECES * FEW)]);
        let open: Result<Vec<_>, Reason> = stages.map(|(xs, length)| self.in_pieces(xs, &length)).collect();
        Ok(open?.into_iter().flatten().collect())
    }

    /// What each piece of that length makes of its elements, and the elements behind them.
    fn in_pieces(&mut self, xs: Source, length: &Nat) -> Result<Vec<Source>, Reason> {
        let Some(pieces) = xs.pieces(length)? else { return Ok(vec![xs]) };
        let folds = match &self.neutral {
            Some(neutral) => map_over(MapForm::Plain, "piece", pieces, |piece| {
                self.fold(neutral.clone(), xs.made_of(piece)?)
            })?,
            None => self.from_first(&xs, pieces)?,
        };
        let rest = xs.rest(length)?;
        Ok([self.store(folds)].into_iter().chain(rest).collect())
    }

    /// What each piece makes of its elements, of which there are some. It is handed in twice, since nothing of it is
    /// looked at twice.
    fn from_first(&self, xs: &Source, pieces: Expr) -> Rewritten {
        let twice = make(Primitive::Zip, [refresh(&pieces), pieces])?;
        map_over(MapForm::Plain, "piece", twice, |twice| {
            let [first, rest] = [0, 1].map(|side| component(side, &twice));
            let first = xs.made_of(make(Primitive::Take(Nat::lit(1)), [first])?)?;
            let first = make(Primitive::Idx, [nat(Nat::lit(0)), first])?;
            self.fold(first, xs.made_of(make(Primitive::Drop(Nat::lit(1)), [rest])?)?)
        })
    }

    /// The values in memory.
    fn store(&mut self, values: Expr) -> Source {
        let param = Param::fresh("folded", values.ty().clone());
        let name = param.expr();
        self.stored.push((param, to_mem(AddressSpace::Default, values)));
        Source::stored(name)
    }
}
