//! Long folds go in blocks of steps, each of which all rows go through before the next one: what they share stays in a
//! cache. Between two blocks accumulators lie where results will.
//!
//! ```text
//! for j in 0..n / 6                        for b in 0..max((k + 512) / 1024, 1)
//!   var sum0 = f32x16(0.0)                   let steps = if b + 1 == … { k - 1024·b } else { 1024 }
//!   …                                        for j in 0..n / 6
//!   for i in 0..k                              var sum0 = f32x16(0.0)
//!     sum0 += a[k·j + i] * p[64·i ..16]   →    …
//!     …                                        if 0 < b
//!   y[m·j ..16] = sum0                           sum0 = y[m·j ..16]
//!   …                                            …
//!                                              for i in 0..steps
//!                                                sum0 += a[k·j + 1024·b + i] * p[64·(1024·b + i) ..16]
//!                                                …
//!                                              y[m·j ..16] = sum0
//!                                              …
//! ```
//!
//! Each element is folded in its own order, as before.

mod tile;

use std::collections::BTreeSet;

use crate::expr::Compare;
use crate::nat::{Facts, Nat, NatVar};
use crate::types::Scalar;

use super::super::facts::define;
use super::super::ir::*;
use super::super::walk::{self, VisitLoops, VisitMut};
use super::ask::LINE;
use super::{Options, TooLarge};

use self::tile::{Tile, is_elsewhere, is_known, nest};

/// Bytes of what rows share that the second cache of a core holds beside the rows. What is up to half as large again is
/// one block.
const HELD: i64 = 512 << 10;

/// Steps beside which it takes no time to write accumulators and read them again.
const FEWEST: i64 = 256;

#[allow(clippy::unnecessary_wraps)]
pub(super) fn run(kernel: &mut Kernel, options: &Options) -> Result<(), TooLarge> {
    if !options.device {
        let facts = kernel.facts.clone();
        Blocks { buffers: &kernel.buffers }.block(&mut kernel.body, facts);
    }
    Ok(())
}

struct Blocks<'a> {
    buffers: &'a [Buffer],
}

impl VisitLoops for Blocks<'_> {
    fn looped(&mut self, mut looped: Loop, facts: &mut Facts, out: &mut Block) {
        self.body(&mut looped, facts);
        out.push(Stmt::For(looped));
    }

    fn block(&mut self, block: &mut Block, mut facts: Facts) {
        let mut run: Option<Run> = None;
        let mut out = Block::with_capacity(block.len());
        for stmt in std::mem::take(block) {
            let nest = self.nest(&stmt);
            if !run.as_ref().is_some_and(|run| run.takes(&stmt, nest.as_ref())) {
                out.extend(run.take().into_iter().flat_map(|run| run.in_blocks(&facts)));
                run = nest.as_ref().map(|nest| Run::of(&nest.steps));
            }
            if let Some(run) = &mut run {
                run.add(stmt, nest);
                continue;
            }
            if let Stmt::LetNat(var, value) = &stmt {
                define(&mut facts, var, value);
            }
            let mut others = vec![stmt];
            walk::walk_loops(self, &mut others, facts.clone());
            out.append(&mut others);
        }
        out.extend(run.into_iter().flat_map(|run| run.in_blocks(&facts)));
        *block = out;
    }
}

/// Rows, in each of which folds of so many steps go side by side.
struct Nest {
    steps: Nat,
    /// What a step reads that is the same for all rows, in bytes.
    bytes: i64,
    /// Whether there is more than one row.
    again: bool,
}

impl Blocks<'_> {
    /// The loop over rows, if it is one.
    fn nest(&self, stmt: &Stmt) -> Option<Nest> {
        let Stmt::For(rows) = stmt else { return None };
        let (around, body) = nest(rows);
        if !matches!(rows.kind, LoopKind::Seq | LoopKind::Par)
            || !around[1..].iter().all(|inner| is_known(inner))
        {
            return None;
        }
        let tile = Tile::of(body)?;
        let steps = &tile.fold.count;
        let declared = walk::declared(std::slice::from_ref(stmt));
        let long = steps.as_const().is_none_or(|steps| steps > FEWEST);
        if !long || steps.mentions_any(&|var| declared.contains(var)) {
            return None;
        }
        let Memory { read, .. } = Memory::of(&rows.body);
        let own = walk::allocated(&rows.body);
        let is_free = |id: BufferId| {
            let role = self.buffers[id.0 as usize].role;
            matches!(role, Role::Output | Role::Heap) && !own.contains(&id) && !read.contains(&id)
        };
        let moves = |to: &Access| around.iter().all(|looped| is_elsewhere(to, looped));
        if !tile.may_stop(self.buffers, &is_free, &moves) {
            return None;
        }
        let bytes = self.shared(&tile, &around);
        let again = rows.count.as_const() != Some(1);
        (bytes > 0).then(|| Nest { steps: steps.clone(), bytes, again })
    }

    /// Bytes that a step reads which are the same for all rows.
    fn shared(&self, tile: &Tile, around: &[&Loop]) -> i64 {
        let declared = walk::declared(&around[0].body);
        let own = |var: &NatVar| {
            *var == around[0].var
                || declared.contains(var)
                    && *var != tile.fold.var
                    && around.iter().all(|looped| looped.var != *var)
        };
        let mut lines: Vec<&Access> = Vec::new();
        let mut all = Vec::new();
        walk::accesses(&tile.fold.body, &mut |access, _| all.push(access.clone()));
        for access in &all {
            let apart = |line: &&Access| (&line.index - &access.index).as_const().map(i64::abs);
            let size = self.buffers[access.buffer.0 as usize].scalar_bytes();
            let seen = |line: &&Access| {
                line.buffer == access.buffer && apart(line).is_some_and(|apart| apart * size < LINE)
            };
            let moves = access.index.mentions(&tile.fold.var) && !access.index.mentions_any(&own);
            if moves && !lines.iter().any(seen) {
                lines.push(access);
            }
        }
        lines.into_iter().map(|line| self.each(line, tile, around)).sum()
    }

    /// Bytes of what a step reads of so many lines, in all loops below the one over rows.
    fn each(&self, access: &Access, tile: &Tile, around: &[&Loop]) -> i64 {
        let size = self.buffers[access.buffer.0 as usize].scalar_bytes();
        let moves = access.index.affine_in(&tile.fold.var).and_then(|(step, _)| step.as_const());
        let step = moves.map_or(LINE, |step| (step.abs() * size).min(LINE));
        let counts = around[1..].iter().filter(|looped| access.index.mentions(&looped.var));
        counts.filter_map(|looped| looped.count.as_const()).fold(step, |bytes, count| bytes * count)
    }
}

/// What loops read and write.
#[derive(Default)]
struct Memory {
    read: BTreeSet<BufferId>,
    written: BTreeSet<BufferId>,
}

impl Memory {
    fn of(block: &[Stmt]) -> Memory {
        let mut memory = Memory::default();
        walk::touches(block, &mut |id, write| {
            if write { &mut memory.written } else { &mut memory.read }.insert(id);
        });
        memory
    }
}

/// Loops over rows that share what they read, one after the other.
struct Run {
    steps: Nat,
    bytes: i64,
    again: bool,
    memory: Memory,
    loops: Block,
}

impl Run {
    fn of(steps: &Nat) -> Run {
        Run { steps: steps.clone(), bytes: 1, again: false, memory: Memory::default(), loops: Block::new() }
    }

    /// Whether a statement may go with what is there: neither reads what the other one writes.
    fn takes(&self, stmt: &Stmt, nest: Option<&Nest>) -> bool {
        let Some(nest) = nest else { return matches!(stmt, Stmt::Comment(_)) };
        let memory = Memory::of(std::slice::from_ref(stmt));
        self.steps == nest.steps
            && self.memory.written.is_disjoint(&memory.read)
            && self.memory.read.is_disjoint(&memory.written)
    }

    fn add(&mut self, stmt: Stmt, nest: Option<Nest>) {
        if let Some(nest) = nest {
            let mut memory = Memory::of(std::slice::from_ref(&stmt));
            self.memory.read.append(&mut memory.read);
            self.memory.written.append(&mut memory.written);
            self.again |= nest.again || !self.loops.is_empty();
            self.bytes = self.bytes.max(nest.bytes);
        }
        self.loops.push(stmt);
    }

    /// The loops, block by block, unless all is known to be one.
    fn in_blocks(self, facts: &Facts) -> Block {
        let Run { steps, bytes, again, mut loops, .. } = self;
        let size = HELD / bytes / 8 * 8;
        if !again || size < FEWEST || facts.proves_lt(&steps, &Nat::lit(size + size / 2)) {
            return loops;
        }
        let (number, var) = (NatVar::new("block"), NatVar::new("steps"));
        let (block, size) = (Nat::var(&number), Nat::lit(size));
        let blocks = Nat::max(&(&steps + &size.div(&Nat::lit(2))).div(&size), &Nat::lit(1));
        let from = &block * &size;
        let last = Value::CompareNat(Compare::Eq, &block + 1, blocks.clone());
        let wide = |nat: Nat| Value::FromNat(Scalar::U64, nat);
        let counts = Box::new([last.clone(), wide(&steps - &from), wide(size)]);
        let count = Stmt::LetNat(var.clone(), Value::Select(ValueType::scalar(Scalar::U64), counts));
        let again = Value::any(block);
        Cut { steps: &steps, from, count: Nat::var(&var), again, last }.block(&mut loops);
        loops.insert(0, count);
        vec![Stmt::For(Loop { var: number, count: blocks, kind: LoopKind::Seq, body: loops })]
    }
}

/// Takes so many steps of folds, from one on.
struct Cut<'a> {
    steps: &'a Nat,
    from: Nat,
    count: Nat,
    /// Whether there were steps before.
    again: Value,
    /// Whether there are none behind.
    last: Value,
}

impl VisitMut for Cut<'_> {
    fn block(&mut self, block: &mut Block) {
        let Some(tile) = Tile::of(block).filter(|tile| tile.fold.count == *self.steps) else {
            return block.iter_mut().for_each(|stmt| self.stmt(stmt));
        };
        let (at, stopped) = (tile.at, tile.stopped());
        let resumed = Stmt::If(self.again.clone(), tile.resumed(), Block::new());
        if let Stmt::For(fold) = &mut block[at] {
            let later = Nat::var(&fold.var) + &self.from;
            walk::nats(&mut fold.body, &mut |nat| *nat = nat.subst(&fold.var, &later));
            fold.count = self.count.clone();
        }
        if let Some(stopped) = stopped {
            let results = block.split_off(at + 1);
            block.push(Stmt::If(self.last.clone(), results, stopped));
        }
        block.insert(at, resumed);
    }
}
