//! Rows in vectors that read much of what the rows beside them read go several at a time: windows that slide over an
//! image. What several rows need is loaded, and computed, once.
//!
//! ```text
//! for parallel j in 0..h                 for parallel j in 0..h / 2
//!   for lanes i in 0..w                    for lanes i in 0..w
//!     y[w·j + i] =                   →       first = x[2·w·j + i] + x[2·w·j + w + i] + …
//!       x[w·j + i] + x[w·j + w + i] + …      second = x[2·w·j + w + i] + …
//!                                            y[2·w·j + i] = first
//!                                            y[2·w·j + w + i] = second
//!                                        for parallel j in 0..h % 2
//!                                          …
//! ```
//!
//! They are not written past the cache: where one of the rows that are read lies as far from the start of a page as one that
//! is written, the processor takes the one for the other, and would wait for the memory.

use crate::expr::Compare;
use crate::names::Name;
use crate::nat::{Facts, Nat, NatVar};

use super::super::ir::*;
use super::super::walk::{self, VisitLoops};
use super::copy::Copier;
use super::exchange::is_independent;
use super::transpose::only_loop;
use super::{Options, TooLarge, measure, strip};

/// Rows that are taken at once. Four, and the six that they read, have no place in a cache that has eight places for what
/// lies as far apart as rows often do, and more of what two need is left in registers than of what three do.
const ROWS: i64 = 2;

/// Larger iterations wait for what they compute.
const GREATEST: usize = 100;

/// Fewer elements are read as fast by each row.
const FEWEST: usize = 4;

#[allow(clippy::unnecessary_wraps)]
pub(super) fn run(kernel: &mut Kernel, options: &Options) -> Result<(), TooLarge> {
    if !options.device {
        let facts = kernel.facts.clone();
        let mut body = std::mem::take(&mut kernel.body);
        Neighbours { buffers: &mut kernel.buffers }.block(&mut body, facts);
        kernel.body = body;
    }
    Ok(())
}

struct Neighbours<'a> {
    buffers: &'a mut Vec<Buffer>,
}

impl VisitLoops for Neighbours<'_> {
    fn looped(&mut self, mut looped: Loop, facts: &mut Facts, out: &mut Block) {
        match Rows::of(&looped).filter(|rows| rows.go_together(facts)) {
            Some(rows) => out.append(&mut rows.chosen(self.buffers)),
            None => {
                self.body(&mut looped, facts);
                out.push(Stmt::For(looped));
            }
        }
    }
}

/// A loop over rows in vectors.
struct Rows<'a> {
    looped: &'a Loop,
    /// Naturals that are the same for all rows, and are not named any more.
    naturals: Vec<(NatVar, Nat)>,
    /// What comes before the vectors of a row, and behind them.
    before: Vec<&'a Stmt>,
    row: &'a Loop,
    after: &'a [Stmt],
}

impl<'a> Rows<'a> {
    /// `None` for all other loops.
    fn of(looped: &'a Loop) -> Option<Self> {
        let is_row = |stmt: &Stmt| matches!(stmt, Stmt::For(row) if strip::is_strip(row));
        let at = looped.body.iter().position(is_row).filter(|_| looped.kind != LoopKind::Vec)?;
        let (before, after) = (&looped.body[..at], &looped.body[at + 1..]);
        let Stmt::For(row) = &looped.body[at] else { return None };
        let (named, before): (Vec<&Stmt>, _) =
            before.iter().partition(|stmt| matches!(stmt, Stmt::LetNat(..)));
        let mut naturals: Vec<(NatVar, Nat)> = Vec::new();
        for stmt in named {
            let Stmt::LetNat(var, Value::Nat(nat)) = stmt else { return None };
            naturals.push((var.clone(), nat.subst_all(&naturals)));
        }
        Some(Self { looped, naturals, before, row, after })
    }

    /// Whether that is possible and worth it.
    fn go_together(&self, facts: &Facts) -> bool {
        let Self { looped, row, .. } = self;
        let count = self.len();
        let is_apart = match looped.kind {
            LoopKind::Par => strip::may_repeat(&looped.body),
            // Inside of a task, or where nobody said so.
            _ => only_loop(&looped.body).is_some() && is_independent(looped, row, &count, facts),
        };
        is_apart
            && !self.naturals.iter().any(|(_, nat)| nat.mentions(&looped.var))
            && !count.mentions(&looped.var)
            && self.before.iter().copied().chain(self.after).all(|stmt| is_plain(stmt, true))
            && row.body.iter().all(|stmt| is_plain(stmt, false))
            && measure::size(&row.body) <= GREATEST
            && self.share(facts)
    }

    /// How many elements a row has.
    fn len(&self) -> Nat {
        self.row.count.subst_all(&self.naturals)
    }

    /// Whether several rows read at most three quarters of what they do one after the other.
    fn share(&self, facts: &Facts) -> bool {
        let (looped, row) = (self.looped, self.row);
        let group = NatVar::new("group");
        let mut facts = facts.clone();
        facts.range(&group, &Nat::lit(0), &looped.count.div(&Nat::lit(ROWS)));
        facts.range(&row.var, &Nat::lit(0), &self.len());
        let mut read = Vec::new();
        walk::accesses(&row.body, &mut |access, write| {
            let varies = access.index.mentions(&looped.var) && access.index.mentions(&row.var);
            if !write && varies {
                read.push(access.clone());
            }
        });
        let distinct = |rows: i64| {
            let mut found: Vec<Access> = Vec::new();
            for (access, at) in read.iter().flat_map(|access| (0..rows).map(move |at| (access, at))) {
                let index = access.index.subst(&looped.var, &(Nat::var(&group) * ROWS + at));
                let access = Access { index: facts.simplify(&index), ..access.clone() };
                if !found.contains(&access) {
                    found.push(access);
                }
            }
            found.len()
        };
        let one = distinct(1);
        one >= FEWEST && distinct(ROWS) * 4 <= one * ROWS as usize * 3
    }

    /// Several rows at a time, if they have as many elements as a vector has lanes.
    fn chosen(&self, buffers: &mut Vec<Buffer>) -> Block {
        let Self { looped, row, .. } = self;
        let (len, width) = (self.len(), Nat::lit(strip::width(buffers, &row.body)));
        let done = looped.count.div(&Nat::lit(ROWS)) * ROWS;
        // What is left over is one row.
        let some = vec![self.several(buffers), self.from(&done, LoopKind::Seq, buffers)];
        if len.as_const().is_some() {
            return some;
        }
        let narrow = self.from(&Nat::lit(0), looped.kind, buffers);
        vec![Stmt::If(Value::CompareNat(Compare::Ge, len, width), some, vec![narrow])]
    }

    /// As many rows as there are several at a time. What they write is written when all is read: else, where the one lies as
    /// far from the start of a page as the other, the processor takes what is read for what was written.
    fn several(&self, buffers: &mut Vec<Buffer>) -> Stmt {
        let Self { looped, row, .. } = self;
        let (group, lane) = (NatVar::new(looped.var.text()), NatVar::new(row.var.text()));
        let [mut body, mut lanes, mut stores, mut after] = [const { Block::new() }; 4];
        for at in 0..ROWS {
            let own = Nat::var(&group) * ROWS + at;
            let mut copier = self.copier(buffers).with(&looped.var, own).with(&row.var, Nat::var(&lane));
            body.append(&mut copier.copy(&owned(&self.before)));
            let computed = copier.copy(&row.body);
            after.append(&mut copier.copy(self.after));
            for stmt in computed {
                let Stmt::Store(to, value) = stmt else {
                    lanes.push(stmt);
                    continue;
                };
                let ty = ValueType::scalar(buffers[to.buffer.0 as usize].scalar(&to.path));
                let name = Name::fresh(row.var.text());
                lanes.push(Stmt::Let(name.clone(), ty, value));
                stores.push(Stmt::Store(to, Value::Var(name)));
            }
        }
        lanes.append(&mut stores);
        body.push(Stmt::For(Loop { var: lane, count: self.len(), kind: row.kind, body: lanes }));
        body.append(&mut after);
        Stmt::For(Loop { var: group, count: looped.count.div(&Nat::lit(ROWS)), kind: looped.kind, body })
    }

    /// The rows from one on, each by itself.
    fn from(&self, start: &Nat, kind: LoopKind, buffers: &mut Vec<Buffer>) -> Stmt {
        let Loop { var: row, count, body, .. } = self.looped;
        let (var, is_named) = (NatVar::new(row.text()), |stmt: &&Stmt| !matches!(stmt, Stmt::LetNat(..)));
        let body: Vec<&Stmt> = body.iter().filter(is_named).collect();
        let body = self.copier(buffers).with(row, Nat::var(&var) + start).copy(&owned(&body));
        Stmt::For(Loop { var, count: count - start, kind, body })
    }

    fn copier<'b>(&self, buffers: &'b mut Vec<Buffer>) -> Copier<'b> {
        let mut copier = Copier::new(buffers);
        copier.nats.clone_from(&self.naturals);
        copier
    }
}

fn owned(stmts: &[&Stmt]) -> Block {
    stmts.iter().map(|stmt| (*stmt).clone()).collect()
}

/// Whether a statement only computes and stores: under a condition, where that may be.
fn is_plain(stmt: &Stmt, chosen: bool) -> bool {
    match stmt {
        Stmt::Comment(_) | Stmt::Let(..) | Stmt::Store(..) => true,
        Stmt::If(_, then, otherwise) => {
            chosen && then.iter().chain(otherwise).all(|stmt| is_plain(stmt, chosen))
        }
        _ => false,
    }
}
