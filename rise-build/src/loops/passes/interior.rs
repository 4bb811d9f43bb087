//! Peels the borders of loops: an innermost loop whose indices are clamped, or whose values are guarded, only
//! near its ends becomes three loops, of which the middle one has neither clamps nor guards. The same goes for a
//! parallel loop around rows in vectors.
//!
//! A decision is a minimum, a maximum, a quotient, a remainder or a comparison of naturals that is linear in the
//! loop's variable; naturals that are equal at one place are decided about where that is one of the first or the last.
//! Where it changes its outcome near the start (at a constant at most) the middle begins there; where near the
//! end (at a point that depends on the sizes) the middle ends there. Inner loops of constant length count as
//! part of the iteration: a decision is made for all of theirs at once. What is left behind the middle is a loop like it
//! where it may be long, with a middle of its own: a border of a width that is a size.

use crate::expr::{Compare, Literal};
use crate::nat::{Atom, Facts, Nat, NatVar};

use super::super::facts::of_naturals;
use super::super::ir::*;
use super::super::walk::{self, VisitLoops, VisitMut};
use super::copy::Copier;
use super::{Options, TooLarge, decide, measure, strip};

/// Larger iterations than this are not written out three times.
const GREATEST_BODY: usize = 600;

/// Inner loops up to this length are part of the iteration.
pub(super) const SHORT: i64 = 64;

/// Parallel iterations larger than this are not.
const GREATEST_TASK: usize = 150;

/// Borders up to this length are written out.
const GREATEST_BORDER: i64 = 2;

/// Starts of the middle beyond this are not looked for.
const GREATEST_START: i64 = 64;

/// Runs the pass.
pub(super) fn run(kernel: &mut Kernel, _: &Options) -> Result<(), TooLarge> {
    let facts = kernel.facts.clone();
    let mut body = std::mem::take(&mut kernel.body);
    Peeler { buffers: &mut kernel.buffers }.block(&mut body, facts);
    kernel.body = body;
    Ok(())
}

struct Peeler<'a> {
    buffers: &'a mut Vec<Buffer>,
}

impl VisitLoops for Peeler<'_> {
    fn looped(&mut self, mut looped: Loop, facts: &mut Facts, out: &mut Block) {
        if let Some(choice) =
            strip::is_strip(&looped).then(|| decide::before(&looped, self.buffers)).flatten()
        {
            let mut choice = vec![choice];
            self.block(&mut choice, facts.clone());
            return out.append(&mut choice);
        }
        let greatest = match looped.kind {
            LoopKind::Seq => GREATEST_BODY,
            LoopKind::Par => GREATEST_TASK,
            LoopKind::Vec if strip::is_strip(&looped) => GREATEST_BODY,
            _ => 0,
        };
        if measure::size(&looped.body) <= greatest && walk::has_short_loops(&looped.body, SHORT) {
            match Middle::of(&looped, facts, self.buffers) {
                Some(middle) => return middle.emit(&looped, out, self, facts),
                None if has_strips(&looped.body) => {}
                None => return out.push(Stmt::For(looped)),
            }
        }
        self.body(&mut looped, facts);
        out.push(Stmt::For(looped));
    }
}

/// What is known in an iteration of a loop, since there is one.
fn within(facts: &Facts, iteration: &Nat, count: &Nat) -> Facts {
    let mut facts = facts.clone();
    facts.range(&NatVar::new("some"), &Nat::lit(0), count);
    facts.assume_le(&(iteration + 1), count);
    facts
}

/// With the lanes of vectors one after the other: borders are short, and their indices have no vector form.
fn scalar(mut body: Block) -> Block {
    struct Scalar;
    impl VisitMut for Scalar {
        fn stmt(&mut self, stmt: &mut Stmt) {
            if let Stmt::For(Loop { kind: kind @ LoopKind::Vec, .. }) = stmt {
                *kind = LoopKind::Seq;
            }
            walk::walk_stmt_mut(self, stmt);
        }
    }
    Scalar.block(&mut body);
    body
}

/// Whether there are long loops over lanes inside.
fn has_strips(body: &[Stmt]) -> bool {
    let mut found = false;
    walk::stmts(body, &mut |stmt| found |= matches!(stmt, Stmt::For(inner) if strip::is_strip(inner)));
    found
}

/// The iterations for which all decisions are made, and the iteration there.
pub(super) struct Middle {
    start: i64,
    end: Option<Nat>,
    pub body: Block,
}

impl Middle {
    /// `None` where there is nothing to decide.
    pub(super) fn of(looped: &Loop, facts: &Facts, buffers: &[Buffer]) -> Option<Middle> {
        let mut decisions = Decisions {
            looped,
            facts,
            buffers,
            inner: Vec::new(),
            local: Vec::new(),
            naturals: Vec::new(),
            start: 0,
            end: None,
            made: false,
        };
        let mut body = looped.body.clone();
        decisions.block(&mut body);
        let Decisions { start, end, made, .. } = decisions;
        made.then_some(Middle { start, end, body })
    }

    /// All iterations.
    pub(super) fn whole(looped: &Loop) -> Middle {
        Middle { start: 0, end: None, body: looped.body.clone() }
    }

    pub(super) fn is_whole(&self) -> bool {
        self.start == 0 && self.end.is_none()
    }

    /// Where it begins.
    pub(super) fn start(&self) -> Nat {
        Nat::lit(self.start)
    }

    /// Of how many iterations it is, where the loop is of `count`.
    pub(super) fn len(&self, count: &Nat) -> Nat {
        if self.is_whole() {
            return count.clone();
        }
        let end = self.end.as_ref().map_or_else(|| count.clone(), |end| Nat::min(end, count));
        Nat::max(&(end - self.start), &Nat::lit(0))
    }

    /// The place of an iteration of what is around the middle, of which so many are done: all, or none.
    pub(super) fn around(&self, iteration: &Nat, done: &Nat) -> Nat {
        let behind = match self.start {
            0 => Nat::lit(1),
            start => Nat::min(&Nat::lit(1), &iteration.div(&Nat::lit(start))),
        };
        iteration + behind * done
    }

    fn emit(self, looped: &Loop, out: &mut Block, peeler: &mut Peeler<'_>, facts: &Facts) {
        let count = &looped.count;
        let start = self.start();
        let middle = self.len(count);
        if self.start > 0 {
            peeler.border(looped, &Nat::lit(0), &Nat::min(&start, count), Some(self.start), out, facts);
        }
        let var = NatVar::new(looped.var.text());
        let body = Copier::new(peeler.buffers).with(&looped.var, Nat::var(&var) + &start).copy(&self.body);
        let Some(end) = self.end else {
            return out.push(Stmt::For(Loop { var, count: middle, kind: looped.kind, body }));
        };
        let done = NatVar::new("peeled");
        let others = peeler.others(looped, &start, &end, &done, facts);
        out.push(Stmt::LetNat(done.clone(), Value::Nat(middle)));
        out.push(Stmt::For(Loop { var, count: Nat::var(&done), kind: looped.kind, body }));
        if let Some((others, middle, facts)) = others {
            return middle.emit(&others, out, peeler, &facts);
        }
        let mut facts = facts.clone();
        facts.size(&done);
        // Where anything is left over, the loop has begun before the middle.
        let before = Nat::min(&start, count) + Nat::var(&done);
        let left = count - &end;
        let most = (0..=GREATEST_BORDER).find(|most| facts.proves_le(&left, &Nat::lit(*most)));
        let most = most.or_else(|| left.as_const());
        peeler.border(looped, &(start + Nat::var(&done)), &(count - &before), most, out, &facts);
    }
}

impl Peeler<'_> {
    /// The iterations from `end` on, which is behind those that are `done`, with their middle, if it begins with them, and
    /// what is known there: as many as there may be, they are no border.
    fn others(
        &mut self,
        looped: &Loop,
        start: &Nat,
        end: &Nat,
        done: &NatVar,
        facts: &Facts,
    ) -> Option<(Loop, Middle, Facts)> {
        // Behind the least of two ends nothing is decided.
        let is_least =
            end.terms().any(|(_, factors)| factors.iter().any(|(atom, _)| matches!(atom, Atom::Min(..))));
        let is_border = facts.proves_le(&(&looped.count - end), &Nat::lit(GREATEST_START));
        if looped.kind == LoopKind::Par || is_least || is_border {
            return None;
        }
        let is_end = facts.proves_le(start, end) && facts.proves_le(end, &looped.count);
        let mut facts = facts.clone();
        // Where any are left over, the middle ends no sooner than it is said to.
        let (from, before) = if is_end {
            (end.clone(), end.clone())
        } else {
            facts.size(done);
            facts.assume_le(end, &(start + Nat::var(done)));
            // Where the loop ends before the middle begins, none are left over.
            (start + Nat::var(done), Nat::min(start, &looped.count) + Nat::var(done))
        };
        let var = NatVar::new(looped.var.text());
        let body = self.copy(looped, &(Nat::var(&var) + &from));
        let others = Loop { var, count: &looped.count - before, kind: looped.kind, body };
        let middle = Middle::of(&others, &facts, self.buffers)?;
        // What ended the middle is to be decided now.
        if middle.start > 0 || middle.end == Some(end - from) {
            return None;
        }
        Some((others, middle, facts))
    }

    /// Some iterations with their decisions, `most` at most. Rows in vectors are peeled again, now that few iterations are
    /// left around them, or as many as there may be. Otherwise the iterations are written out one by one: their indices
    /// have no vector form.
    fn border(
        &mut self,
        looped: &Loop,
        from: &Nat,
        count: &Nat,
        most: Option<i64>,
        out: &mut Block,
        facts: &Facts,
    ) {
        let is_strip = has_strips(&looped.body);
        let longest = if is_strip { 1 } else { GREATEST_BORDER };
        if let Some(most) = most.filter(|most| *most <= longest) {
            for position in 0..most {
                let at = from + position;
                let mut body = self.copy(looped, &at);
                match is_strip {
                    true => self.block(&mut body, within(facts, &at, &looped.count)),
                    false => body = scalar(body),
                }
                let any = Value::CompareNat(Compare::Lt, Nat::lit(position), count.clone());
                out.push(Stmt::If(any, body, Vec::new()));
            }
            return;
        }
        let var = NatVar::new(looped.var.text());
        let mut body = self.copy(looped, &(Nat::var(&var) + from));
        let mut kind = LoopKind::Seq;
        if is_strip {
            if most.is_none() && !facts.proves_le(count, &Nat::lit(GREATEST_START)) {
                kind = looped.kind;
            }
            let mut facts = within(facts, &(Nat::var(&var) + from), &looped.count);
            facts.range(&var, &Nat::lit(0), count);
            self.block(&mut body, facts);
        } else {
            body = scalar(body);
        }
        out.push(Stmt::For(Loop { var, count: count.clone(), kind, body }));
    }

    /// One iteration.
    fn copy(&mut self, looped: &Loop, at: &Nat) -> Block {
        Copier::new(self.buffers).with(&looped.var, at.clone()).copy(&looped.body)
    }
}

/// Replaces decisions by their outcome in the middle, and narrows the middle.
struct Decisions<'a> {
    looped: &'a Loop,
    facts: &'a Facts,
    buffers: &'a [Buffer],
    /// Variables of loops inside and their lengths, where these are known.
    inner: Vec<(NatVar, Option<i64>)>,
    /// Naturals computed inside.
    local: Vec<NatVar>,
    /// What those are that are computed of others alone in the middle.
    naturals: Vec<(NatVar, Nat)>,
    start: i64,
    end: Option<Nat>,
    made: bool,
}

impl Decisions<'_> {
    /// Whether `e >= 0` in the middle; `None` if that is not decided by the position in the loop alone. Where
    /// `either`, both answers are right for `e = 0`.
    fn decide(&mut self, e: &Nat, either: bool) -> Option<bool> {
        let (slope, rest) = e.affine_in(&self.looped.var)?;
        let slope = slope.as_const().filter(|slope| *slope != 0)?;
        let (least, greatest) = (self.extreme(&rest, false)?, self.extreme(&rest, true)?);
        let step = Nat::lit(slope.abs());
        // It holds from `holds` on and fails before `fails`, or, falling, the other way round.
        let (from, until, outcome) = match slope > 0 {
            true if either => ((-&least).ceil_div(&step), (-&greatest).div(&step) + 1, true),
            true => ((-&least).ceil_div(&step), (-&greatest).ceil_div(&step), true),
            false if either => (greatest.ceil_div(&step), least.div(&step) + 1, false),
            false => (greatest.div(&step) + 1, least.div(&step) + 1, false),
        };
        if let Some(from) = from.as_const().or_else(|| self.at_most(&from)) {
            self.start = self.start.max(from);
            self.made = true;
            return Some(outcome);
        }
        // The end of a piece of a row is not where the row's end is.
        let is_piece = self.looped.count.as_const().is_some_and(|count| count > SHORT);
        let near_end = strip::is_strip(self.looped)
            || is_piece
            || until.vars().iter().any(|var| self.looped.count.mentions(var));
        near_end.then(|| {
            self.ends(&until);
            !outcome
        })
    }

    /// The middle ends there, if not sooner.
    fn ends(&mut self, until: &Nat) {
        let end = match self.end.take() {
            Some(end) if self.facts.proves_le(&end, until) => end,
            Some(end) if !self.facts.proves_le(until, &end) => Nat::min(&end, until),
            _ => until.clone(),
        };
        self.end = Some(end);
        self.made = true;
    }

    /// A small constant that the natural does not exceed.
    fn at_most(&self, nat: &Nat) -> Option<i64> {
        let constant =
            nat.terms().find(|(_, factors)| factors.is_empty()).map_or(0, |(constant, _)| constant);
        let least = constant.max(0);
        let is_bound = least <= GREATEST_START && self.facts.proves_ge0(&(Nat::lit(least) - nat));
        is_bound.then_some(least)
    }

    /// The least or greatest value over the inner loops; `None` if something else varies inside.
    fn extreme(&self, e: &Nat, greatest: bool) -> Option<Nat> {
        let mut e = e.clone();
        for (var, count) in &self.inner {
            if e.mentions(var) {
                let (slope, _) = e.affine_in(var)?;
                let last = (slope.as_const()? > 0) == greatest;
                e = e.subst(var, &Nat::lit(if last { (*count)? - 1 } else { 0 }));
            }
        }
        let varies = self.local.iter().any(|var| e.mentions(var));
        (!varies).then_some(e)
    }

    /// Uses the natural where its name stands, if the middle is where it is none below 0.
    fn computed(&mut self, var: &NatVar, value: &Value) {
        let Some(nat) = of_naturals(value) else { return };
        if self.facts.proves_ge0(&nat) || self.decide(&nat, false) == Some(true) {
            self.naturals.push((var.clone(), nat));
        }
    }

    fn interior(&mut self, nat: &Nat) -> Nat {
        if !nat.mentions(&self.looped.var) {
            return nat.clone();
        }
        nat.map_atoms(&mut |atom| self.atom(atom))
    }

    fn atom(&mut self, atom: &Atom) -> Option<Nat> {
        let value = match atom {
            Atom::Var(_) | Atom::Sum(_) => return None,
            Atom::Min(a, b) | Atom::Max(a, b) => {
                let (a, b) = (self.interior(a), self.interior(b));
                let least = matches!(atom, Atom::Min(..));
                match self.decide(&(&a - &b), true) {
                    Some(first_is_greater) => {
                        if first_is_greater == least {
                            b
                        } else {
                            a
                        }
                    }
                    None if least => Nat::min(&a, &b),
                    None => Nat::max(&a, &b),
                }
            }
            Atom::Div(x, by) | Atom::Mod(x, by) => {
                let (x, by) = (self.interior(x), self.interior(by));
                match (self.is_remainder(&x, &by), atom) {
                    (true, Atom::Mod(..)) => x,
                    (true, _) => Nat::lit(0),
                    (false, Atom::Mod(..)) => x.rem(&by),
                    (false, _) => x.div(&by),
                }
            }
            Atom::Pow(..) => atom.rebuild(&mut |arg| self.interior(arg))?,
        };
        Some(value)
    }

    /// Whether `0 <= x < by` in the middle, and the borders are what goes round once. (Of pieces of rows that is not
    /// known, but they would not be vectors if their indices went round often.)
    fn is_remainder(&mut self, x: &Nat, by: &Nat) -> bool {
        (strip::is_strip(self.looped) || self.goes_round_once(x, by) == Some(true))
            && self.decide(&(by - x - 1), false) == Some(true)
            && self.decide(x, false) == Some(true)
    }

    /// Whether the least and the greatest value are hardly further than `by` away from what stays as it is.
    fn goes_round_once(&self, x: &Nat, by: &Nat) -> Option<bool> {
        let (slope, _) = x.affine_in(&self.looped.var)?;
        let last = &self.looped.count - 1;
        let ends = [Nat::lit(0), last].map(|at| x.subst(&self.looped.var, &at));
        let [least, greatest] = if slope.as_const()? > 0 { ends } else { [ends[1].clone(), ends[0].clone()] };
        let (below, above) = (self.extreme(&least, false)? + by, by * 2 - self.extreme(&greatest, true)?);
        Some([below, above].iter().all(|room| self.facts.proves_ge0(&(room + GREATEST_START))))
    }

    fn compare(&mut self, op: Compare, a: &Nat, b: &Nat) -> Option<bool> {
        match op {
            Compare::Ge => self.decide(&(a - b), false),
            Compare::Gt => self.decide(&(a - b - 1), false),
            Compare::Le => self.decide(&(b - a), false),
            Compare::Lt => self.decide(&(b - a - 1), false),
            Compare::Eq | Compare::Ne => self.meets_in_border(&(a - b)).then_some(op == Compare::Ne),
        }
    }

    /// The first and the last place where `e = 0` may hold, if that is decided by the position in the loop alone.
    fn meets(&self, e: &Nat) -> Option<(Nat, Nat)> {
        let (slope, rest) = e.affine_in(&self.looped.var)?;
        let slope = slope.as_const().filter(|slope| *slope != 0)?;
        let (least, greatest) = (self.extreme(&rest, false)?, self.extreme(&rest, true)?);
        let (least, greatest) = if slope > 0 { (-&greatest, -&least) } else { (least, greatest) };
        let step = Nat::lit(slope.abs());
        Some((least.ceil_div(&step), greatest.div(&step)))
    }

    /// Whether `e = 0` holds in borders alone that can be written out, which the middle leaves out.
    fn meets_in_border(&mut self, e: &Nat) -> bool {
        let Some((first, last)) = self.meets(e) else { return false };
        let behind = (&self.looped.count - &first).as_const();
        let last = last.as_const().or_else(|| self.at_most(&last));
        if let Some(last) = last.filter(|last| *last < GREATEST_BORDER) {
            self.start = self.start.max(last + 1);
        } else if behind.is_some_and(|behind| behind <= GREATEST_BORDER) {
            self.ends(&first);
        } else {
            return false;
        }
        self.made = true;
        true
    }
}

impl VisitMut for Decisions<'_> {
    fn stmt(&mut self, stmt: &mut Stmt) {
        if let Stmt::For(inner) = stmt {
            let known = inner.count.as_const().map(|count| count.max(1));
            self.inner.push((inner.var.clone(), known));
        }
        walk::walk_stmt_mut(self, stmt);
        if let Stmt::LetNat(var, value) = stmt {
            self.local.push(var.clone());
            self.computed(var, value);
        }
    }

    fn value(&mut self, value: &mut Value) {
        walk::walk_value_mut(self, value);
        if let Value::CompareNat(op, a, b) = value
            && let Some(outcome) = self.compare(*op, a, b)
        {
            *value = Value::Literal(Literal::Bool(outcome));
        }
    }

    fn access(&mut self, access: &mut Access, _: bool) {
        // What goes round in a copy does so often.
        if !self.buffers[access.buffer.0 as usize].goes_round {
            self.nat(&mut access.index);
        }
    }

    fn nat(&mut self, nat: &mut Nat) {
        *nat = self.interior(&nat.subst_all(&self.naturals));
    }
}
