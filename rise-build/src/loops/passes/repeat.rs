//! Short rows that share operands are one row: what repeats along them is read from a copy that goes round.
//!
//! ```text
//! for parallel i in 0..h                   round = a[0], …, a[c - 1], a[0], … (a vector more)
//!   for j in 0..w                          for parallel i in 0..h
//!     for lanes l in 0..c            →       for lanes f in 0..w * c
//!       y[i, j, l] = x[i, j, l] * a[l]         y[i, f] = x[i, f] * round[f mod c]
//! ```
//!
//! Vectors are filled whatever `c` is: the lanes of one that begins at `f` read `round` from `f mod c` on. Rows of a
//! vector or more fill them without that. But where windows of rows overlap, several rows go side by side, so that what
//! they share is loaded once for all of them: there they do so whatever `c` is, and the last rows, if there are enough
//! of them, overlap those before.

use std::collections::HashSet;

use crate::expr::Compare;
use crate::nat::{Facts, Nat, NatVar};
use crate::types::Scalar;

use super::super::facts::{branches, define};
use super::super::ir::*;
use super::super::walk::{self, VisitMut};
use super::copy::Copier;
use super::transpose::only_loop;
use super::{Options, TooLarge, exchange, flatten, strip};

/// Rows that go side by side: those of a window are read again by all but one of them.
const MANY: i64 = 8;

/// Rows of those that are left over.
const FEW: i64 = 4;

/// Rows of more vectors than these cost little beside themselves.
const SHORT: i64 = 16;

#[allow(clippy::unnecessary_wraps)]
pub(super) fn run(kernel: &mut Kernel, options: &Options) -> Result<(), TooLarge> {
    if !options.device {
        let facts = kernel.facts.clone();
        block(&mut kernel.body, facts, &mut kernel.buffers);
    }
    Ok(())
}

fn block(stmts: &mut Block, mut facts: Facts, buffers: &mut Vec<Buffer>) {
    for stmt in std::mem::take(stmts) {
        match stmt {
            Stmt::For(mut looped) => {
                let mut inside = facts.clone();
                inside.range(&looped.var, &Nat::lit(0), &looped.count);
                match Nest::of(&looped, &inside, buffers) {
                    Some(nest) => nest.emit(&looped, stmts, buffers),
                    None => {
                        block(&mut looped.body, inside, buffers);
                        stmts.push(Stmt::For(looped));
                    }
                }
            }
            Stmt::If(condition, mut then, mut otherwise) => {
                let [holds, fails] = branches(&facts, &condition);
                block(&mut then, holds, buffers);
                block(&mut otherwise, fails, buffers);
                stmts.push(Stmt::If(condition, then, otherwise));
            }
            Stmt::Block(mut inner) => {
                block(&mut inner, facts.clone(), buffers);
                stmts.push(Stmt::Block(inner));
            }
            Stmt::LetNat(var, value) => {
                define(&mut facts, &var, &value);
                stmts.push(Stmt::LetNat(var, value));
            }
            other => stmts.push(other),
        }
    }
}

/// Loops with nothing between them, the inner two of which walk through memory as one but for what repeats.
struct Nest<'a> {
    /// The loop over rows of rows, if there is one.
    rows: Option<&'a Loop>,
    columns: &'a Loop,
    lanes: &'a Loop,
    /// What repeats.
    repeated: Vec<Access>,
    /// Whether several rows go side by side.
    side_by_side: bool,
}

impl<'a> Nest<'a> {
    /// The nest that a loop is the outermost of, if that is worth it.
    fn of(outer: &'a Loop, facts: &Facts, buffers: &mut Vec<Buffer>) -> Option<Self> {
        let next = only_loop(&outer.body)?;
        let (rows, columns, lanes) = match only_loop(&next.body) {
            Some(lanes) => (Some(outer), next, lanes),
            None => (None, outer, next),
        };
        let plain = |looped: &Loop| matches!(looped.kind, LoopKind::Seq | LoopKind::Par);
        let inner = |looped: &Loop| [outer, columns].iter().all(|around| !looped.count.mentions(&around.var));
        let fits =
            plain(outer) && plain(columns) && lanes.kind == LoopKind::Vec && inner(columns) && inner(lanes);
        if !fits || !is_straight(&lanes.body) || !strip::may_repeat(&lanes.body) {
            return None;
        }
        let is_short =
            (&columns.count * &lanes.count).as_const().is_some_and(|count| count <= strip::LONGEST);
        let mut nest = Nest { rows, columns, lanes, repeated: Vec::new(), side_by_side: false };
        nest.repeated = nest.repeated();
        if is_short || nest.repeated.is_empty() || !nest.is_one() {
            return None;
        }
        nest.side_by_side = nest.shares(facts, buffers);
        let (least, width) = (nest.least(buffers), nest.width(buffers));
        let is_long = lanes.count.as_const().is_some_and(|count| count >= least || count % width == 0);
        (nest.side_by_side || !is_long).then_some(nest)
    }

    fn loops(&self) -> impl Iterator<Item = &'a Loop> {
        self.rows.into_iter().chain([self.columns])
    }

    /// What is read at the same places in all rows, once.
    fn repeated(&self) -> Vec<Access> {
        let mut found = Vec::new();
        walk::accesses(&self.lanes.body, &mut |access, write| {
            if !write && self.repeats(access) && !found.contains(access) {
                found.push(access.clone());
            }
        });
        found
    }

    fn repeats(&self, access: &Access) -> bool {
        let stays = self.loops().all(|looped| !access.index.mentions(&looped.var));
        stays && access.lanes == 1 && access.index.mentions(&self.lanes.var)
    }

    /// Whether all else depends on the inner loops together.
    fn is_one(&self) -> bool {
        let mut body = self.lanes.body.clone();
        Replace(&mut |access| {
            if self.repeats(access) {
                access.index = Nat::lit(0);
            }
        })
        .block(&mut body);
        flatten::is_one(&mut body, self.columns, self.lanes)
    }

    /// Lanes of the vectors that will be.
    fn width(&self, buffers: &[Buffer]) -> i64 {
        strip::width(buffers, &self.lanes.body)
    }

    /// Rows of so many lanes need not be one. (Nor do rows of a vector or more that all read the same at once.)
    fn least(&self, buffers: &[Buffer]) -> i64 {
        let at_once = exchange::SHARED.contains(&self.repeated.len());
        if at_once { self.width(buffers) } else { self.width(buffers) * SHORT }
    }

    /// Whether neighbouring rows read less than half of what each of them would read for itself, and know nothing of
    /// each other.
    fn shares(&self, facts: &Facts, buffers: &mut Vec<Buffer>) -> bool {
        let Some(rows) = self.rows else { return false };
        let is_large = rows.count.as_const().is_none_or(|count| count >= MANY);
        let fits = is_large && exchange::SHARED.contains(&self.repeated.len());
        let is_free = rows.kind == LoopKind::Par
            || exchange::is_independent(rows, self.lanes, &(&self.columns.count * &self.lanes.count), facts);
        fits && is_free && {
            let one = self.windows(&self.lanes.body);
            let all = several(rows, &self.lanes.body, &Nat::var(&rows.var), MANY, buffers);
            one > 1 && 2 * self.windows(&all) < MANY as usize * one
        }
    }

    /// How many vectors are read that lie elsewhere in other rows.
    fn windows(&self, body: &[Stmt]) -> usize {
        let mut found = Vec::new();
        walk::accesses(body, &mut |access, write| {
            let moves = self.rows.is_some_and(|rows| access.index.mentions(&rows.var));
            if !write && moves && !found.contains(access) {
                found.push(access.clone());
            }
        });
        found.len()
    }

    fn emit(&self, looped: &Loop, out: &mut Block, buffers: &mut Vec<Buffer>) {
        let mut new = Block::new();
        let width = self.width(buffers);
        let copies = self.copies(width, &mut new, buffers);
        let position = NatVar::new(self.lanes.var.text());
        let count = &self.columns.count * &self.lanes.count;
        let at = Nat::var(&position).rem(&self.lanes.count);
        let mut body = self.lanes.body.clone();
        Replace(&mut |access| {
            if let Some((_, copy)) = copies.iter().find(|(from, _)| from == access) {
                *access = Access { index: &copy.index + &at, ..copy.clone() };
            }
        })
        .block(&mut body);
        let copier = Copier::new(buffers).with(&self.columns.var, Nat::lit(0));
        let body = copier.with(&self.lanes.var, Nat::var(&position)).copy(&body);
        let row = Loop { var: position, count, kind: LoopKind::Vec, body };
        match self.rows {
            Some(rows) if self.side_by_side => side_by_side(rows, &row, &mut new, buffers),
            Some(rows) => new.push(Stmt::For(Loop { body: vec![Stmt::For(row)], ..rows.clone() })),
            None if self.columns.kind == LoopKind::Par => flatten::tasks(&row, &mut new, buffers),
            None => new.push(Stmt::For(row)),
        }
        if self.side_by_side || self.lanes.count.as_const().is_some() {
            return out.append(&mut new);
        }
        let few = Value::CompareNat(Compare::Lt, self.lanes.count.clone(), Nat::lit(self.least(buffers)));
        out.push(Stmt::If(few, new, vec![Stmt::For(looped.clone())]));
    }

    /// What repeats, and where its copies begin, after they were made.
    fn copies(&self, width: i64, out: &mut Block, buffers: &mut Vec<Buffer>) -> Vec<(Access, Access)> {
        let count = &self.lanes.count;
        let round = count + width;
        let scalar =
            |access: &Access, buffers: &[Buffer]| buffers[access.buffer.0 as usize].scalar(&access.path);
        let mut all: Vec<(Scalar, BufferId)> = Vec::new();
        let mut copies = Vec::new();
        for access in &self.repeated {
            let scalar = scalar(access, buffers);
            let id = match all.iter().find(|(other, _)| *other == scalar) {
                Some((_, id)) => *id,
                None => {
                    let id = BufferId(buffers.len() as u32);
                    let copy = Buffer::scalars("round", scalar, Nat::lit(0), Role::Heap);
                    buffers.push(Buffer { goes_round: true, ..copy });
                    out.push(Stmt::Alloc(id));
                    all.push((scalar, id));
                    id
                }
            };
            let len = &mut buffers[id.0 as usize].len;
            copies.push((access.clone(), Access::scalar(id, len.clone())));
            *len = &*len + &round;
        }
        let part = |kind, start: &Nat, count: &Nat, at: &dyn Fn(&Nat) -> Nat| {
            let var = NatVar::new(self.lanes.var.text());
            let place = start + Nat::var(&var);
            let store = |(from, to): &(Access, Access)| {
                let index = from.index.subst(&self.lanes.var, &at(&place));
                let value = Value::Load(Access { index, ..from.clone() });
                Stmt::Store(Access { index: &to.index + &place, ..to.clone() }, value)
            };
            let body = copies.iter().map(store).collect();
            Stmt::For(Loop { var, count: count.clone(), kind, body })
        };
        let whole = part(LoopKind::Vec, &Nat::lit(0), count, &Nat::clone);
        let beginning = part(LoopKind::Seq, count, &Nat::lit(width), &|place| place.rem(count));
        let any = Value::CompareNat(Compare::Lt, Nat::lit(0), count.clone());
        out.extend([whole, Stmt::If(any, vec![beginning], Block::new())]);
        copies
    }
}

/// Rows of lanes side by side: many, then fewer of what is left over, the last of which overlap those before.
fn side_by_side(rows: &Loop, row: &Loop, out: &mut Block, buffers: &mut Vec<Buffer>) {
    let mut band = |start: &Nat, count: i64| {
        let body = several(rows, &row.body, start, count, buffers);
        Stmt::For(Loop { body, ..row.clone() })
    };
    let var = NatVar::new(rows.var.text());
    let whole = rows.count.div(&Nat::lit(MANY));
    let body = vec![band(&(Nat::var(&var) * MANY), MANY)];
    let done = &whole * MANY;
    let mut all = vec![Stmt::For(Loop { var, count: whole, body, ..*rows })];
    let left = (&rows.count - &done).ceil_div(&Nat::lit(FEW));
    if !left.is_zero() {
        let [var, start] = [rows.var.text(), "start"].map(NatVar::new);
        let at = Nat::min(&(done + Nat::var(&var) * FEW), &(&rows.count - FEW));
        let body = vec![Stmt::LetNat(start.clone(), Value::Nat(at)), band(&Nat::var(&start), FEW)];
        all.push(Stmt::For(Loop { var, count: left, kind: LoopKind::Seq, body }));
    }
    if rows.count.as_const().is_some() {
        return out.append(&mut all);
    }
    let enough = Value::CompareNat(Compare::Le, Nat::lit(FEW), rows.count.clone());
    let one_by_one = Stmt::For(Loop { body: vec![Stmt::For(row.clone())], ..rows.clone() });
    out.push(Stmt::If(enough, all, vec![one_by_one]));
}

/// What is done in each of so many rows from one on.
fn several(rows: &Loop, body: &[Stmt], start: &Nat, count: i64, buffers: &mut Vec<Buffer>) -> Block {
    let row = |row: i64| Copier::new(buffers).with(&rows.var, start + row).copy(body);
    in_turn((0..count).map(row).collect())
}

/// Blocks that know nothing of each other in an order in which what one of them has read is read by others at once, and
/// needs a register no longer.
fn in_turn(blocks: Vec<Block>) -> Block {
    let mut seen: HashSet<Access> = HashSet::new();
    let mut left: Vec<_> = blocks.into_iter().map(|block| block.into_iter().peekable()).collect();
    let mut out = Block::new();
    loop {
        let ready =
            left.iter_mut().position(|block| block.peek().is_some_and(|stmt| read(stmt).is_subset(&seen)));
        let next = ready.or_else(|| left.iter_mut().position(|block| block.peek().is_some()));
        let Some(stmt) = next.and_then(|next| left[next].next()) else { return out };
        seen.extend(read(&stmt));
        out.push(stmt);
    }
}

/// What a statement reads.
fn read(stmt: &Stmt) -> HashSet<Access> {
    let mut found = HashSet::new();
    walk::accesses(std::slice::from_ref(stmt), &mut |access, write| {
        if !write {
            found.insert(access.clone());
        }
    });
    found
}

/// Whether nothing is decided, repeated or found out inside.
fn is_straight(body: &[Stmt]) -> bool {
    let straight = |stmt: &Stmt| {
        matches!(stmt, Stmt::Comment(_) | Stmt::Let(..) | Stmt::Var(..) | Stmt::Set(..) | Stmt::Store(..))
    };
    body.iter().all(straight)
}

/// Changes what is read.
struct Replace<'a>(&'a mut dyn FnMut(&mut Access));

impl VisitMut for Replace<'_> {
    fn access(&mut self, access: &mut Access, write: bool) {
        if !write {
            (self.0)(access);
        }
    }
}
