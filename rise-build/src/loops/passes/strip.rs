//! Cuts long loops over lanes into vectors.
//!
//! ```text
//! for lanes i in 0..n            if n >= 16
//!   y[i] = 2 * x[i]        →       let a = to_line(y[0 ..16], n)
//!                                  if 0 < a
//!                                    for lanes l in 0..16  … i = l
//!                                  for j in 0..(n - a) / 64
//!                                    for lanes l in 0..16  … i = a + 64·j + l
//!                                    … and three more from 16, 32 and 48 on
//!                                  if (n - a) % 64 >= 32  … two
//!                                  if (n - a) % 32 >= 16  … one
//!                                  if a + 16 · ((n - a) / 16) < n
//!                                    for lanes l in 0..16  … i = n - 16 + l
//!                                else
//!                                  for i in 0..n
//! ```
//!
//! Vectors are written to addresses that they do not share with others: a vector in two lines of the cache takes
//! twice the time. The first and the last overlap their neighbours; so this is done where computing an element twice
//! makes no difference. Elsewhere vectors begin with the first element, and what is left over goes one by one, or, of a
//! row, in a half and a quarter of a vector before.
//! What fills lines of a result that no cache holds is written [past] them.
//!
//! Fewer iterations than a vector has lanes go in two halves or quarters of one, where each takes long or they are those of
//! a row, and one by one elsewhere.
//!
//! Where an iteration is short, as above, four vectors are taken at once, and where it is a long fold, the steps of which
//! wait for each other, in [one loop](super::jam); elsewhere one after the other, and so where it asks for a function of many
//! operations. What an array that goes round gives a vector lies side by side from where its first lane reads.

mod past;

use std::collections::{BTreeMap, BTreeSet};

use crate::expr::Compare;
use crate::names::Name;
use crate::nat::{Atom, Facts, Nat, NatVar};

use super::super::ir::*;
use super::super::walk::{self, Visit, VisitMut};
use super::copy::Copier;
use super::going_by::reading_windows;
use super::jam::{jammed, shared};
use super::{Options, TooLarge, measure};

/// Bytes of the widest vector.
const BYTES: u32 = 64;

/// Lanes of the longest vector.
pub(super) const LONGEST: i64 = 64;

/// Fewer iterations than these begin anywhere.
const SHORT: i64 = 1024;

/// Fewer vectors than these begin anywhere too, as [`Value::ToLine`] says.
const ALIGNED: i64 = 16;

/// The parts of a vector that are shorter ones, the shortest first.
const SHORTER: [i64; 2] = [4, 2];

/// Rows of fewer vectors than these are not written past the cache.
const LONG: i64 = 4;

/// Larger ones are not written out twice.
const LARGE: usize = 300;

/// Vectors that are taken at once where an iteration costs little beside counting them. (A power of two.)
const AT_ONCE: i64 = 4;

/// Larger ones are not written out for rows of fewer iterations than a vector has lanes.
const SMALL: usize = 64;

/// Larger iterations cost more than counting them.
const TINY: usize = 16;

/// Steps of shorter folds do not wait long.
const LONG_FOLD: i64 = 32;

#[allow(clippy::unnecessary_wraps)]
pub(super) fn run(kernel: &mut Kernel, options: &Options) -> Result<(), TooLarge> {
    let body = std::mem::take(&mut kernel.body);
    let mut reads = Reads(BTreeSet::new());
    reads.block(&body);
    let (read, lines) = (reads.0, !options.device);
    let (buffers, sizes, facts) = (&mut kernel.buffers, &kernel.nats[..], kernel.facts.clone());
    let streams = options.streams;
    kernel.body = Strips { facts, sizes, lines, streams, read, ..Strips::new(buffers) }.block(body);
    Ok(())
}

/// The buffers that are read.
struct Reads(BTreeSet<BufferId>);

impl Visit for Reads {
    fn access(&mut self, access: &Access, write: bool) {
        if !write {
            self.0.insert(access.buffer);
        }
    }

    fn value(&mut self, value: &Value) {
        // Which asks for an address alone.
        if !matches!(value, Value::ToLine(..)) {
            walk::walk_value(self, value);
        }
    }
}

/// A loop over lanes, of which few are done, in vectors of which the text is there once.
pub(super) fn once(looped: &Loop, buffers: &mut Vec<Buffer>) -> Block {
    if !is_strip(looped) {
        return vec![Stmt::For(looped.clone())];
    }
    let (count, width) = (&looped.count, Nat::lit(width(buffers, &looped.body)));
    let mut strips = Strips::new(buffers);
    let vectors = strips.written_once(looped, &width);
    if count.as_const().is_some() {
        return vectors;
    }
    let few = strips.one_by_one(looped, &Nat::lit(0), count);
    vec![if_at_least(count, &width, vectors, vec![few])]
}

/// Whether the loop is over more lanes than a vector has.
pub(super) fn is_strip(looped: &Loop) -> bool {
    looped.kind == LoopKind::Vec && looped.count.as_const().is_none_or(|count| count > LONGEST)
}

struct Strips<'a> {
    /// What is known of sizes.
    facts: Facts,
    buffers: &'a mut Vec<Buffer>,
    sizes: &'a [NatVar],
    /// Whether memory has lines.
    lines: bool,
    /// Whether there are writes past the cache.
    streams: bool,
    /// What the kernel reads, now or later.
    read: BTreeSet<BufferId>,
    /// The bytes of the caller's arrays that the outermost loop around goes through.
    nest: Option<Nat>,
    /// The variable of the loop around, that goes from row to row.
    rows: Option<NatVar>,
}

impl<'a> Strips<'a> {
    /// Where nothing is known of memory, or of what is around.
    fn new(buffers: &'a mut Vec<Buffer>) -> Self {
        let (facts, read) = (Facts::new(), BTreeSet::new());
        Strips { facts, buffers, sizes: &[], lines: false, streams: false, read, nest: None, rows: None }
    }
}

impl Strips<'_> {
    fn block(&mut self, block: Block) -> Block {
        let mut out = Block::with_capacity(block.len());
        for stmt in block {
            match stmt {
                Stmt::For(looped) if is_strip(&looped) || self.is_uneven(&looped) => {
                    self.cut(&looped, &mut out);
                }
                Stmt::For(looped) => {
                    let nest = self.nest.clone();
                    self.nest.get_or_insert_with(|| bytes(self.buffers, &looped.body));
                    let rows =
                        matches!(looped.kind, LoopKind::Seq | LoopKind::Par).then(|| looped.var.clone());
                    let around = std::mem::replace(&mut self.rows, rows);
                    let body = self.block(looped.body);
                    (self.nest, self.rows) = (nest, around);
                    out.push(Stmt::For(Loop { body, ..looped }));
                }
                Stmt::If(condition, then, otherwise) => {
                    let (then, otherwise) = (self.block(then), self.block(otherwise));
                    out.push(Stmt::If(condition, then, otherwise));
                }
                Stmt::Block(inner) => {
                    let inner = self.block(inner);
                    out.push(Stmt::Block(inner));
                }
                other => out.push(other),
            }
        }
        out
    }

    /// Whether the loop takes long and is over few lanes, so many that no vector has them, but parts of one could.
    fn is_uneven(&self, looped: &Loop) -> bool {
        let least = width(self.buffers, &looped.body) / SHORTER[0];
        let fits = |count: i64| count.count_ones() > 1 && count > least && least > 1;
        self.lines
            && looped.kind == LoopKind::Vec
            && looped.count.as_const().is_some_and(fits)
            && takes_long(&looped.body)
    }

    fn cut(&mut self, looped: &Loop, out: &mut Block) {
        let count = &looped.count;
        let width = width(self.buffers, &looped.body);
        let width = Nat::lit(match count.as_const() {
            // The longest vector that they fill.
            Some(count) if (1..width).contains(&count) => 1 << count.ilog2(),
            _ => width,
        });
        if may_repeat(&looped.body) {
            return self.overlapping(looped, &width, out);
        }
        out.push(self.vectors(looped, &Nat::lit(0), &width));
        let mut done = count.div(&width) * &width;
        if self.lines && self.are_rows(looped) {
            for part in SHORTER.iter().rev().filter_map(|parts| width.exact_quotient(&Nat::lit(*parts))) {
                let end = count.div(&part) * &part;
                let lanes = self.lanes(looped, &done, &part);
                out.extend(where_less(&done, &end, lanes));
                done = end;
            }
        }
        let rest = self.one_by_one(looped, &done, &(count - &done));
        out.extend(where_less(&done, count, rest));
    }

    /// Vectors, of which the first and the last may overlap others.
    fn overlapping(&mut self, looped: &Loop, width: &Nat, out: &mut Block) {
        let count = &looped.count;
        let line = self.line(looped, width);
        let last = line.as_ref().filter(|line| self.is_last(looped, line));
        let windows = reading_windows(looped, self.buffers, self.sizes, self.rows.is_some());
        let mut some = match &line {
            // What the caches hold need not be asked for.
            Some(line) => self.from_line(if last.is_some() { looped } else { &windows }, line, width),
            None => self.to_end(&windows, &Nat::lit(0), width),
        };
        if let Some(line) = last {
            let nest = self.nest.clone().unwrap_or_else(|| bytes(self.buffers, &looped.body));
            let past = Value::Past(nest);
            some = vec![Stmt::If(past, self.past_cache(looped, line, width), some)];
        }
        if count.as_const().is_some() {
            return out.append(&mut some);
        }
        // What rows are too short for is decided once for all of them.
        if line.is_some() && self.may_be_short(looped) {
            let short = self.to_end(&windows, &Nat::lit(0), width);
            let least = if last.is_some() { LONG } else { ALIGNED };
            let is_short = Value::CompareNat(Compare::Lt, count.clone(), width * least);
            some = vec![Stmt::If(is_short, short, some)];
        }
        let few = self.few(looped, width);
        out.push(if_at_least(count, width, some, few));
    }

    /// Fewer iterations than a vector has lanes: where one takes long, they go in a shorter vector, or in
    /// two that overlap.
    fn few(&mut self, looped: &Loop, width: &Nat) -> Block {
        let count = &looped.count;
        let mut few = vec![self.one_by_one(looped, &Nat::lit(0), count)];
        if self.lines && (takes_long(&looped.body) || self.are_rows(looped)) {
            for part in SHORTER.iter().filter_map(|parts| width.exact_quotient(&Nat::lit(*parts))) {
                let [first, last] =
                    [Nat::lit(0), count - &part].map(|start| self.lanes(looped, &start, &part));
                let some = self.ordered(looped, vec![first], if_less(&part, count, vec![last]));
                few = vec![if_at_least(count, &part, some, few)];
            }
        }
        few
    }

    /// Whether there may be many such loops, each of little text.
    fn are_rows(&self, looped: &Loop) -> bool {
        self.may_be_short(looped) && measure::size(&looped.body) <= SMALL
    }

    /// Whether there may be many such loops of few iterations: they are rows, and no blocks of which the last one alone may
    /// be short.
    fn may_be_short(&self, looped: &Loop) -> bool {
        let Some(row) = &self.rows else { return false };
        let begins_far_away = |stmt: &Stmt| match stmt {
            Stmt::Store(to, _) => {
                let stride = to.index.affine_in(row).and_then(|(stride, _)| stride.as_const());
                stride.is_some_and(|stride| stride >= SHORT)
            }
            _ => false,
        };
        !looped.body.iter().any(begins_far_away)
    }

    /// All iterations, where a vector that begins with a line of the cache follows the first.
    fn from_line(&mut self, looped: &Loop, line: &Access, width: &Nat) -> Block {
        let ahead = NatVar::new("ahead");
        let first = self.lanes(looped, &Nat::lit(0), width);
        let mut out = vec![
            Stmt::LetNat(ahead.clone(), Value::ToLine(line.clone(), looped.count.clone())),
            if_less(&Nat::lit(0), &Nat::var(&ahead), vec![first]),
        ];
        out.append(&mut self.to_end(looped, &Nat::var(&ahead), width));
        out
    }

    /// All from an iteration on.
    fn to_end(&mut self, looped: &Loop, start: &Nat, width: &Nat) -> Block {
        let count = &looped.count;
        if start.is_zero() && measure::size(&looped.body) > LARGE {
            return self.written_once(looped, width);
        }
        let out = self.several(looped, start, width);
        let whole = (count - start).div(width) * width + start;
        let last = self.lanes(looped, &(count - width), width);
        match where_less(&whole, count, last) {
            Some(last) => self.ordered(looped, out, last),
            None => out,
        }
    }

    /// Vectors and the last one, which overlaps them. Of a row that is read again at once, it is written first: what is read
    /// of two vectors is not at hand before both are in the cache, and mostly vectors are read as they begin.
    fn ordered(&self, looped: &Loop, mut vectors: Block, last: Stmt) -> Block {
        let is_own = |stmt: &Stmt| match stmt {
            Stmt::Store(access, _) => self.buffers[access.buffer.0 as usize].role != Role::Output,
            _ => false,
        };
        let at = if self.rows.is_some() && looped.body.iter().any(is_own) { 0 } else { vectors.len() };
        vectors.insert(at, last);
        vectors
    }

    /// All of at least a vector, of which the text is there once: where vectors are to begin with lines of the cache, the
    /// second may overlap the first, and the last may overlap the one before.
    fn written_once(&mut self, looped: &Loop, width: &Nat) -> Block {
        let [var, start] = [looped.var.text(), "start"].map(NatVar::new);
        let count = &looped.count;
        let mut out = Block::new();
        let mut back = Nat::lit(0);
        if let Some(line) = self.place(looped, width) {
            let [ahead, missing] = ["ahead", "back"].map(NatVar::new);
            out.push(Stmt::LetNat(ahead.clone(), Value::ToLine(line, count.clone())));
            out.push(Stmt::LetNat(missing.clone(), Value::Nat((width - Nat::var(&ahead)).rem(width))));
            back = Nat::var(&missing);
        }
        let at = Nat::max(&(Nat::var(&var) * width), &back) - &back;
        let at = Value::Nat(Nat::min(&at, &(count - width)));
        let body = vec![Stmt::LetNat(start.clone(), at), self.lanes(looped, &Nat::var(&start), width)];
        let count = (count + &back).ceil_div(width);
        out.push(Stmt::For(Loop { var, count, kind: LoopKind::Seq, body }));
        out
    }

    /// As many vectors as there are from an iteration on: some at once, then half as many where there are so many, and
    /// so on.
    fn several(&mut self, looped: &Loop, start: &Nat, width: &Nat) -> Block {
        let count = &looped.count;
        let mut at_once = self.at_once(looped);
        let mut out = vec![self.some_at_once(looped, start, width, at_once)];
        while at_once > 1 {
            let done = start + (count - start).div(&(width * at_once)) * width * at_once;
            at_once /= 2;
            let end = &done + width * at_once;
            let lanes = self.at(looped, &done, width, at_once);
            match (&end - count).as_const() {
                Some(missing) if missing > 0 => {}
                Some(_) => out.extend(lanes),
                None => {
                    let enough = Value::CompareNat(Compare::Le, end, count.clone());
                    out.push(Stmt::If(enough, lanes, Block::new()));
                }
            }
        }
        out
    }

    /// How many vectors are worth being taken at once.
    fn at_once(&self, looped: &Loop) -> i64 {
        let straight = |stmt: &Stmt| !matches!(stmt, Stmt::For(_) | Stmt::If(..) | Stmt::Block(_));
        let is_tiny = measure::size(&looped.body) <= TINY
            && looped.body.iter().all(straight)
            && !takes_long(&looped.body);
        if self.lines && (is_tiny || is_long_fold(looped)) { AT_ONCE } else { 1 }
    }

    /// As many times some vectors at once as there are from an iteration on.
    fn some_at_once(&mut self, looped: &Loop, start: &Nat, width: &Nat, at_once: i64) -> Stmt {
        let outer = NatVar::new(looped.var.text());
        let step = width * at_once;
        let count = (&looped.count - start).div(&step);
        let body = self.at(looped, &(Nat::var(&outer) * &step + start), width, at_once);
        Stmt::For(Loop { var: outer, count, kind: LoopKind::Seq, body })
    }

    /// Some vectors, from an iteration on.
    fn at(&mut self, looped: &Loop, start: &Nat, width: &Nat, vectors: i64) -> Block {
        if vectors > 1 && is_long_fold(looped) {
            let mut all = self.vector(looped, start, width);
            let (lane, at) = (all.var.clone(), NatVar::new("vector"));
            walk::nats(&mut all.body, &mut |nat| {
                *nat = nat.subst(&lane, &(Nat::var(&lane) + Nat::var(&at) * width));
            });
            // Where an array goes round, each vector begins at a place of its own.
            let is_straight = !all.body.iter().any(|stmt| matches!(stmt, Stmt::LetNat(..)));
            let body = is_straight.then(|| jammed(self.buffers, &at, &all.body, vectors)).flatten();
            if let Some(body) = body {
                return vec![Stmt::For(Loop { body, ..all })];
            }
        }
        (0..vectors).map(|at| self.lanes(looped, &(start + width * at), width)).collect()
    }

    /// What is written and should come to lie in lines of the cache.
    fn line(&self, looped: &Loop, width: &Nat) -> Option<Access> {
        // Where an iteration is long, the way to memory is short; and of many rows one would begin with a line.
        let is_long =
            looped.body.iter().any(|stmt| matches!(stmt, Stmt::For(_))) || rows_written(&looped.body) > 2;
        if is_long { None } else { self.place(looped, width) }
    }

    /// The first place that is written of the caller's memory.
    fn place(&self, looped: &Loop, width: &Nat) -> Option<Access> {
        if !self.lines || self.facts.proves_lt(&looped.count, &Nat::lit(SHORT)) {
            return None;
        }
        let lanes = width.as_const()?;
        // What is found out in an iteration is not known before the first.
        let inside = walk::declared(&looped.body);
        let mut found = None;
        for stmt in &looped.body {
            if let Stmt::Store(access, _) = stmt
                && let Some((step, start)) = access.index.affine_in(&looped.var)
                && step.is_one()
                && access.path.is_empty()
                && !inside.iter().any(|var| start.mentions(var))
                && match self.buffers[access.buffer.0 as usize].role {
                    Role::Output => true,
                    // It begins with a line itself.
                    Role::Heap => !start.is_zero(),
                    _ => false,
                }
            {
                found.get_or_insert(Access { index: start, lanes: lanes as u32, ..access.clone() });
            }
        }
        found
    }

    /// As many vectors as there are from an iteration on.
    fn vectors(&mut self, looped: &Loop, start: &Nat, width: &Nat) -> Stmt {
        let count = (&looped.count - start).div(width);
        self.some_vectors(looped, start, &count, width)
    }

    /// So many vectors from an iteration on.
    fn some_vectors(&mut self, looped: &Loop, start: &Nat, count: &Nat, width: &Nat) -> Stmt {
        let (outer, count) = (NatVar::new(looped.var.text()), count.clone());
        let body = vec![self.lanes(looped, &(Nat::var(&outer) * width + start), width)];
        Stmt::For(Loop { var: outer, count, kind: LoopKind::Seq, body })
    }

    /// A statement for one vector, from an iteration on.
    fn lanes(&mut self, looped: &Loop, start: &Nat, width: &Nat) -> Stmt {
        Stmt::For(self.vector(looped, start, width))
    }

    /// One vector, from an iteration on.
    fn vector(&mut self, looped: &Loop, start: &Nat, width: &Nat) -> Loop {
        let lane = NatVar::new("lane");
        let mut body =
            Copier::new(self.buffers).with(&looped.var, Nat::var(&lane) + start).copy(&looped.body);
        let mut rounds = Rounds { buffers: self.buffers, lane: &lane, starts: Vec::new() };
        rounds.block(&mut body);
        let starts = rounds.starts.into_iter().map(|(at, start)| Stmt::LetNat(start, Value::Nat(at)));
        let body = starts.chain(body).collect();
        Loop { var: lane, count: width.clone(), kind: LoopKind::Vec, body }
    }

    fn one_by_one(&mut self, looped: &Loop, start: &Nat, count: &Nat) -> Stmt {
        let var = NatVar::new(looped.var.text());
        let body = Copier::new(self.buffers).with(&looped.var, Nat::var(&var) + start).copy(&looped.body);
        Stmt::For(Loop { var, count: count.clone(), kind: LoopKind::Seq, body })
    }
}

/// As many lanes as fill the widest vector with the widest scalar that is written.
pub(super) fn width(buffers: &[Buffer], body: &[Stmt]) -> i64 {
    let mut bytes = 1;
    walk::accesses(body, &mut |access, write| {
        if write {
            bytes = bytes.max(buffers[access.buffer.0 as usize].scalar(&access.path).bytes());
        }
    });
    i64::from(BYTES / bytes)
}

/// The bytes of the caller's arrays that a loop is part of going through.
pub(super) fn bytes(buffers: &[Buffer], body: &[Stmt]) -> Nat {
    let mut found: BTreeSet<BufferId> = BTreeSet::new();
    walk::touches(body, &mut |id, _| found.extend([id]));
    let buffers = found.iter().map(|id| &buffers[id.0 as usize]);
    let callers = buffers.filter(|buffer| matches!(buffer.role, Role::Input | Role::Output));
    callers.fold(Nat::lit(0), |sum, buffer| sum + &buffer.len * buffer.scalar_bytes())
}

/// Whether an iteration that runs twice leaves what it left the first time: it reads nothing that the loop
/// writes.
pub(super) fn may_repeat(body: &[Stmt]) -> bool {
    let mut own: BTreeSet<BufferId> = BTreeSet::new();
    let mut declared: BTreeSet<Name> = BTreeSet::new();
    let mut repeats = true;
    walk::stmts(body, &mut |stmt| match stmt {
        Stmt::Alloc(id) => drop(own.insert(*id)),
        Stmt::Let(name, ..) | Stmt::Var(name, ..) => drop(declared.insert(name.clone())),
        Stmt::Set(name, _) => repeats &= declared.contains(name),
        Stmt::Barrier { .. } => repeats = false,
        _ => {}
    });
    let (mut read, mut written) = (BTreeSet::new(), BTreeSet::new());
    walk::touches(body, &mut |id, write| {
        if !own.contains(&id) {
            if write { &mut written } else { &mut read }.insert(id);
        }
    });
    walk::values(body, &mut |value| repeats &= !matches!(value, Value::Foreign(..)));
    repeats && read.is_disjoint(&written)
}

/// Whether an iteration has loops of its own, or asks for a function that is many operations.
fn takes_long(body: &[Stmt]) -> bool {
    let mut found = body.iter().any(|stmt| matches!(stmt, Stmt::For(_)));
    walk::values(body, &mut |value| found |= value.is_formula());
    found
}

/// Whether an iteration is a fold of many elements in few operations each, that vectors may share.
fn is_long_fold(looped: &Loop) -> bool {
    shared(&looped.var, &looped.body).is_some_and(|(before, fold, _)| {
        let accumulators = before.iter().filter(|stmt| matches!(stmt, Stmt::Var(..))).count();
        let is_long = fold.count.as_const().is_none_or(|count| count >= LONG_FOLD);
        is_long && accumulators <= 2 && measure::size(&fold.body) <= TINY && !takes_long(&fold.body)
    })
}

/// In how many places an iteration writes the same memory.
fn rows_written(body: &[Stmt]) -> usize {
    let mut written = BTreeMap::new();
    for stmt in body {
        if let Stmt::Store(access, _) = stmt {
            *written.entry(access.buffer).or_insert(0) += 1;
        }
    }
    written.into_values().max().unwrap_or(0)
}

/// What a vector reads of an array that goes round it reads from where its first lane does.
struct Rounds<'a> {
    buffers: &'a [Buffer],
    lane: &'a NatVar,
    /// Where that is in a round, and what it is called.
    starts: Vec<(Nat, NatVar)>,
}

impl VisitMut for Rounds<'_> {
    fn access(&mut self, access: &mut Access, _: bool) {
        if !self.buffers[access.buffer.0 as usize].goes_round {
            return;
        }
        let (starts, lane) = (&mut self.starts, self.lane);
        access.index = access.index.map_atoms(&mut |atom| match atom {
            Atom::Mod(x, _) if x.mentions(lane) => {
                let at = Nat::atom(atom.clone()).subst(lane, &Nat::lit(0));
                let known = starts.iter().find(|(other, _)| *other == at).map(|(_, start)| start.clone());
                let start = known.unwrap_or_else(|| {
                    let start = NatVar::new("start");
                    starts.push((at, start.clone()));
                    start
                });
                Some(Nat::var(&start) + Nat::var(lane))
            }
            _ => None,
        });
    }
}

fn if_at_least(a: &Nat, least: &Nat, then: Block, otherwise: Block) -> Stmt {
    Stmt::If(Value::CompareNat(Compare::Ge, a.clone(), least.clone()), then, otherwise)
}

/// The statement under the condition that the first number is less than the second, if that may be.
fn where_less(a: &Nat, b: &Nat, then: Stmt) -> Option<Stmt> {
    match (b - a).as_const() {
        Some(difference) => (difference > 0).then_some(then),
        None => Some(if_less(a, b, vec![then])),
    }
}

fn if_less(a: &Nat, b: &Nat, then: Block) -> Stmt {
    Stmt::If(Value::CompareNat(Compare::Lt, a.clone(), b.clone()), then, Block::new())
}
