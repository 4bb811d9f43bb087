//! Folds of rows into accumulators that lie in memory ask early for the rows that come next.
//!
//! ```text
//! for i in 0..n / 8                        if large(x)
//!   for j in 0..m / 16                       for i in 0..n / 8
//!     y[16·j ..16] = y[16·j ..16]    →         for j in 0..m / 16 - 16
//!       + x[8·m·i + 16·j ..16]                   ask x[8·m·i + 16·(j + 16)]
//!       + …                                      …
//!                                              for j in 0..16
//!                                                ask x[8·m·(i + 1) + 16·j]
//!                                                … from m / 16 - 16 on
//!                                          else
//!                                            … as before
//! ```
//!
//! Where several accumulators are made of the same rows, the first one asks.
//!
//! The CPU sees rows coming while it reads them, but not where the next ones begin, nor beyond the page that it is in;
//! and several of them crowd in the first cache, from which some lines are gone before they are read. What is asked for
//! earlier, as all of the next rows, is more than comes in time. What the caches hold would only be read more slowly.

use std::collections::BTreeSet;

use crate::expr::Binary;
use crate::nat::{Facts, Nat, NatVar};
use crate::types::Scalar;

use super::super::facts::iterating;
use super::super::ir::*;
use super::super::walk::{self, VisitLoops};
use super::copy::Copier;
use super::{Options, TooLarge};

/// Bytes of a line of the cache.
pub(super) const LINE: i64 = 64;

/// Rows that are at least so many bytes apart are not seen coming: a page.
const FAR: i64 = 4096;

/// Bytes that the second cache keeps for sure until they are read.
const HELD: i64 = 256 << 10;

/// Vectors of a row from what is read to what is asked for.
const AHEAD: i64 = 16;

/// So few rows, or vectors of a row, are over before memory answers.
const FEW: i64 = 8;

#[allow(clippy::unnecessary_wraps)]
pub(super) fn run(kernel: &mut Kernel, options: &Options) -> Result<(), TooLarge> {
    if !options.device {
        let facts = kernel.facts.clone();
        let mut body = std::mem::take(&mut kernel.body);
        Asker { buffers: &mut kernel.buffers }.block(&mut body, facts);
        kernel.body = body;
    }
    Ok(())
}

/// Whether there is a fold that may ask: elsewhere nothing need be proved.
fn has_folds(looped: &Loop, buffers: &[Buffer]) -> bool {
    let is_fold = |rows: &Loop| !Fold { rows, buffers }.next_rows().is_empty();
    let mut found = is_fold(looped);
    walk::stmts(&looped.body, &mut |stmt| found = found || matches!(stmt, Stmt::For(rows) if is_fold(rows)));
    found
}

/// A loop along rows, and the one around it that goes along the same ones again and again, if there is one.
fn along(stmt: &Stmt) -> Option<(Option<&Loop>, &Loop)> {
    let Stmt::For(outer) = stmt else { return None };
    let mut inside = outer.body.iter().filter(|stmt| !matches!(stmt, Stmt::Comment(_)));
    match (inside.next(), inside.next()) {
        (Some(Stmt::For(inner)), None) if outer.kind == LoopKind::Seq => Some((Some(outer), inner)),
        _ => Some((None, outer)),
    }
}

/// A loop with another body in its first iteration, where so many bytes are large.
fn first_apart(looped: &Loop, mut asking: Block, bytes: Nat) -> Block {
    let (var, mut others, first) = (&looped.var, looped.clone(), NatVar::new("first"));
    walk::nats(&mut asking, &mut |nat| *nat = nat.subst(var, &Nat::lit(0)));
    walk::nats(&mut others.body, &mut |nat| *nat = nat.subst(var, &(Nat::var(var) + Nat::var(&first))));
    others.count = &looped.count - Nat::var(&first);
    let bool = ValueType::scalar(Scalar::Bool);
    let is_first = Value::Binary(
        Binary::And,
        bool,
        Box::new(Value::any(looped.count.clone())),
        Box::new(Value::Large(bytes)),
    );
    let [one, none] = [1, 0].map(|count| Value::FromNat(Scalar::U64, Nat::lit(count)));
    let number = Value::Select(ValueType::scalar(Scalar::U64), Box::new([is_first, one, none]));
    vec![
        Stmt::LetNat(first.clone(), number),
        Stmt::If(Value::any(Nat::var(&first)), asking, Block::new()),
        Stmt::For(others),
    ]
}

struct Asker<'a> {
    buffers: &'a mut Vec<Buffer>,
}

impl VisitLoops for Asker<'_> {
    fn looped(&mut self, mut looped: Loop, facts: &mut Facts, out: &mut Block) {
        if !has_folds(&looped, self.buffers) {
            return out.push(Stmt::For(looped));
        }
        let inside = iterating(facts, &looped);
        let fold = Fold { rows: &looped, buffers: self.buffers };
        if let Some(asking) = fold.asking_first(&inside) {
            return out.extend(Copier::new(self.buffers).copy(&[Stmt::For(asking)]));
        }
        match fold.asking(&inside) {
            Some((bytes, asking)) => {
                let asking = Copier::new(self.buffers).copy(&[Stmt::For(asking)]);
                out.push(Stmt::If(Value::Large(bytes), asking, vec![Stmt::For(looped)]));
            }
            None => {
                self.block(&mut looped.body, inside);
                out.push(Stmt::For(looped));
            }
        }
    }
}

/// A loop that may go from row to row.
struct Fold<'a> {
    rows: &'a Loop,
    buffers: &'a [Buffer],
}

impl Fold<'_> {
    /// The loop that asks for what its next iteration reads, with the bytes of the arrays that it goes through.
    fn asking(&self, facts: &Facts) -> Option<(Nat, Loop)> {
        let (mut asking, mut asked) = (self.rows.clone(), BTreeSet::new());
        // From the last on, so that those before stay where they are.
        for (position, rows) in self.next_rows().into_iter().rev() {
            let Some((None, along)) = asking.body.get(position).and_then(along) else { continue };
            if self.may_ask(along, &rows, facts) {
                asked.extend(rows.iter().map(|access| access.buffer));
                let halves = self.asking_along(along, &rows);
                asking.body.splice(position..=position, halves);
            }
        }
        (!asked.is_empty()).then(|| (self.all_bytes(&asked), asking))
    }

    /// The loop in which who goes along the same rows again and again asks the first time for those of the next iteration.
    fn asking_first(&self, facts: &Facts) -> Option<Loop> {
        let [(position, rows)] = <[_; 1]>::try_from(self.next_rows()).ok()?;
        let (Some(again), along) = along(&self.rows.body[position])? else { return None };
        let asked = rows.iter().map(|access| access.buffer).collect();
        let first = self.may_ask(along, &rows, facts).then(|| self.asking_along(along, &rows))?;
        let mut asking = self.rows.clone();
        asking.body.splice(position..=position, first_apart(again, first, self.all_bytes(&asked)));
        Some(asking)
    }

    /// Whether memory answers before the loop that goes along the next rows comes to them, and what came is still held.
    fn may_ask(&self, along: &Loop, next: &[Access], facts: &Facts) -> bool {
        let few = |count: &Nat| facts.proves_le(count, &Nat::lit(FEW));
        let bytes = next.iter().map(|access| self.bytes(access)).sum::<i64>();
        let is_held = facts.proves_le(&along.count, &Nat::lit(HELD / bytes));
        is_held && !few(&self.rows.count) && !few(&along.count)
    }

    fn all_bytes(&self, ids: &BTreeSet<BufferId>) -> Nat {
        let bytes = |id: &BufferId| &self.buffers[id.0 as usize].len * self.scalar_bytes(*id);
        ids.iter().fold(Nat::lit(0), |sum, id| sum + bytes(id))
    }

    /// A loop along the rows that asks for what it comes to itself, then for what the next ones begin with.
    fn asking_along(&self, along: &Loop, next: &[Access]) -> Block {
        let (row, var) = (&self.rows.var, &along.var);
        let asks = |index: &dyn Fn(&Nat) -> Nat| {
            let asked = next.iter().map(|access| Access { index: index(&access.index), ..access.clone() });
            asked.flat_map(|access| self.lines(&access)).collect::<Block>()
        };
        let early = Nat::max(&Nat::lit(0), &(&along.count - AHEAD));
        if early.is_zero() {
            let body = [asks(&Nat::clone), along.body.clone()].concat();
            return vec![Stmt::For(Loop { body, ..along.clone() })];
        }
        let [name, last] = ["early", var.text()].map(NatVar::new);
        let (named, early) = match early.as_const() {
            Some(_) => (None, early),
            None => (Some(Stmt::LetNat(name.clone(), Value::Nat(early))), Nat::var(&name)),
        };
        let here = |next: &Nat| next.subst(row, &(Nat::var(row) - 1)).subst(var, &(Nat::var(var) + AHEAD));
        let first = [asks(&here), along.body.clone()].concat();
        let mut rest = along.body.clone();
        walk::nats(&mut rest, &mut |nat| *nat = nat.subst(var, &(Nat::var(&last) + &early)));
        let rest = [asks(&|next| next.subst(var, &Nat::var(&last))), rest].concat();
        let loops = [
            Loop { body: first, count: early.clone(), ..along.clone() },
            Loop { body: rest, count: &along.count - early, var: last, ..along.clone() },
        ];
        named.into_iter().chain(loops.map(Stmt::For)).collect()
    }

    /// What the loops along the rows read in the next iteration, by their positions.
    fn next_rows(&self) -> Vec<(usize, Vec<Access>)> {
        let stmts = self.rows.body.iter().enumerate().filter(|_| self.rows.kind == LoopKind::Seq);
        let next = stmts.filter_map(|(position, stmt)| {
            let (_, along) = along(stmt)?;
            Some((position, self.next_row(along)?))
        });
        next.collect()
    }

    /// Where a loop along the rows reads in the next iteration, if it writes accumulators that stay where they are.
    fn next_row(&self, along: &Loop) -> Option<Vec<Access>> {
        let straight = |stmt: &Stmt| !matches!(stmt, Stmt::For(_) | Stmt::If(..) | Stmt::Block(_));
        if along.kind != LoopKind::Seq || !along.body.iter().all(straight) {
            return None;
        }
        let (mut read, mut written, mut stays) = (Vec::new(), false, true);
        walk::accesses(&along.body, &mut |access, write| {
            written |= write;
            stays &= !write || !access.index.mentions(&self.rows.var);
            if !write && !read.contains(access) {
                read.push(access.clone());
            }
        });
        if !written || !stays {
            return None;
        }
        let mut next: Vec<Access> = read.iter().filter_map(|access| self.next(access, &along.var)).collect();
        // A window that moves on by a row reads most rows again.
        next.retain(|access| !read.contains(access));
        (!next.is_empty()).then_some(next)
    }

    /// What the next iteration reads instead, if that is far, and one vector after the other is read along the row.
    fn next(&self, access: &Access, along: &NatVar) -> Option<Access> {
        let is_input = self.buffers[access.buffer.0 as usize].role == Role::Input;
        if !is_input || access.lanes == 1 || !access.path.is_empty() {
            return None;
        }
        let (far, start) = access.index.affine_in(&self.rows.var)?;
        let is_far = far.as_const().is_none_or(|far| far * self.scalar_bytes(access.buffer) >= FAR);
        let (step, _) = is_far.then(|| start.affine_in(along))??;
        let is_row = step == Nat::from(access.lanes) && !far.mentions(along);
        // What else an iteration declares is another number in the next one, and not there before.
        let own = is_row.then(|| walk::declared(&self.rows.body))?;
        let is_known = own.iter().all(|var| var == along || !access.index.mentions(var));
        is_known.then(|| Access { index: &access.index + far, ..access.clone() })
    }

    /// A statement for each line of a vector.
    fn lines(&self, access: &Access) -> Vec<Stmt> {
        let per_line = LINE / self.scalar_bytes(access.buffer);
        let lines = (self.bytes(access) + LINE - 1) / LINE;
        let line = |at: i64| Access { index: &access.index + at * per_line, ..access.clone() };
        (0..lines).map(|at| Stmt::Ask(line(at), Cache::Second)).collect()
    }

    fn bytes(&self, access: &Access) -> i64 {
        i64::from(access.lanes) * self.scalar_bytes(access.buffer)
    }

    fn scalar_bytes(&self, id: BufferId) -> i64 {
        self.buffers[id.0 as usize].scalar_bytes()
    }
}
