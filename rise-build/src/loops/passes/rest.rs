//! What fills no block of a row is a block as well, a shorter one: the text of blocks is there once.
//!
//! ```text
//! for parallel b in 0..n / 16384
//!   for lanes i in 0..16384                        for parallel b in 0..(n + 16383) / 16384
//!     y[16384·b + i] = 2 * x[16384·b + i]    →       for lanes i in 0..min(16384, n - 16384·b)
//! for lanes i in 0..n % 16384                          y[16384·b + i] = 2 * x[16384·b + i]
//!   y[16384·(n / 16384) + i] = …
//! ```
//!
//! That is done of long blocks alone, of which each costs much more than finding out where it ends, and where an iteration
//! is more than a few operations or has borders: to call a block takes longer than to write few numbers out.

use crate::nat::{Facts, Nat, NatVar};

use super::super::facts::iterating;
use super::super::ir::*;
use super::super::skeleton::Skeletons;
use super::super::walk::{self, VisitLoops};
use super::interior::Middle;
use super::{Options, TooLarge, measure, strip};

/// Shorter blocks are told apart from what fills none.
const LONG: i64 = 1024;

/// Smaller iterations are there twice.
const SMALL: usize = 16;

#[allow(clippy::unnecessary_wraps)]
pub(super) fn run(kernel: &mut Kernel, options: &Options) -> Result<(), TooLarge> {
    if !options.device {
        let mut body = std::mem::take(&mut kernel.body);
        Rests { skeletons: Skeletons::new(kernel), buffers: &kernel.buffers }
            .block(&mut body, kernel.facts.clone());
        kernel.body = body;
    }
    Ok(())
}

struct Rests<'k> {
    skeletons: Skeletons<'k>,
    buffers: &'k [Buffer],
}

impl VisitLoops for Rests<'_> {
    fn block(&mut self, block: &mut Block, facts: Facts) {
        let mut out = Block::with_capacity(block.len());
        for stmt in std::mem::take(block) {
            match stmt {
                Stmt::For(rest) if self.is_joined(&mut out, &rest, &facts) => {}
                other => out.push(other),
            }
        }
        *block = out;
        walk::walk_loops(self, block, facts);
    }

    fn looped(&mut self, mut looped: Loop, facts: &mut Facts, out: &mut Block) {
        self.body(&mut looped, facts);
        out.push(Stmt::For(looped));
    }
}

impl Rests<'_> {
    /// Whether the loop could be made a block of those right before it.
    fn is_joined(&self, before: &mut Block, rest: &Loop, facts: &Facts) -> bool {
        let at = before.iter().rposition(|stmt| !matches!(stmt, Stmt::Comment(_)));
        let Some((at, Stmt::For(blocks))) = at.map(|at| (at, &mut before[at])) else { return false };
        let Some(size) = self.block_size(blocks, rest, facts) else { return false };
        let whole = &rest.count + &size * &blocks.count;
        let left = &whole - &size * Nat::var(&blocks.var);
        blocks.count = whole.ceil_div(&size);
        let length = NatVar::new("length");
        for stmt in &mut blocks.body {
            if let Stmt::For(inner) = stmt {
                inner.count = Nat::var(&length);
            }
        }
        blocks.body.insert(0, Stmt::LetNat(length, Value::Nat(Nat::min(&size, &left))));
        // They spoke of the rest.
        before.truncate(at + 1);
        true
    }

    /// How long blocks are of which `rest` would be the next one but for its length.
    fn block_size(&self, blocks: &Loop, rest: &Loop, facts: &Facts) -> Option<Nat> {
        let mut stmts = blocks.body.iter().filter(|stmt| !matches!(stmt, Stmt::Comment(_)));
        let (Some(Stmt::For(inner)), None) = (stmts.next(), stmts.next()) else { return None };
        let is_long = inner.count.as_const().is_some_and(|count| count >= LONG);
        let are_strips = [inner, rest].into_iter().all(strip::is_strip);
        if blocks.kind != LoopKind::Par || !is_long || !are_strips || rest.count.as_const().is_some() {
            return None;
        }
        let told = self.skeletons.told(&self.skeletons.of(inner), &self.skeletons.of(rest))?;
        let is_next = told.naturals.iter().all(|(var, value)| *var == blocks.var && *value == blocks.count);
        let is_block = is_next && told.buffers.is_empty() && facts.proves_le(&rest.count, &inner.count);
        let is_large = measure::size(&inner.body) > SMALL
            || Middle::of(inner, &iterating(facts, blocks), self.buffers).is_some();
        (is_block && is_large).then(|| inner.count.clone())
    }
}
