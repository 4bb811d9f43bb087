//! Loops of one length that read the same array go through it together, if neither touches what the other writes: what
//! comes from far comes once.
//!
//! ```text
//! for i in 0..n            for i in 0..n
//!   y[i] = x[i].0     →      y[i] = x[i].0
//! for i in 0..n              z[i] = x[i].1
//!   z[i] = x[i].1
//! ```

use std::collections::BTreeSet;

use crate::nat::Nat;

use super::super::ir::*;
use super::super::walk::{self, VisitMut};
use super::{Options, TooLarge, measure};

/// Larger bodies are bound by what they compute.
const GREATEST: usize = 100;

#[allow(clippy::unnecessary_wraps)]
pub(super) fn run(kernel: &mut Kernel, options: &Options) -> Result<(), TooLarge> {
    if !options.device {
        Together { buffers: &kernel.buffers }.block(&mut kernel.body);
    }
    Ok(())
}

struct Together<'a> {
    buffers: &'a [Buffer],
}

impl VisitMut for Together<'_> {
    fn block(&mut self, block: &mut Block) {
        let mut out = Block::with_capacity(block.len());
        for stmt in std::mem::take(block) {
            match stmt {
                Stmt::For(looped) => {
                    if let Err(looped) = self.join(&mut out, looped) {
                        out.push(Stmt::For(looped));
                    }
                }
                other => out.push(other),
            }
        }
        *block = out;
        block.iter_mut().for_each(|stmt| walk::walk_stmt_mut(self, stmt));
    }
}

impl Together<'_> {
    /// Adds the iterations of a loop to those of an earlier one, past other loops that do not mind.
    fn join(&self, before: &mut Block, later: Loop) -> Result<(), Loop> {
        let memory = Memory::of(&later.body);
        for stmt in before.iter_mut().rev() {
            match stmt {
                Stmt::Comment(_) => {}
                Stmt::For(earlier) if self.are_alike(earlier, &later, &memory) => {
                    let mut body = later.body;
                    walk::nats(&mut body, &mut |nat| *nat = nat.subst(&later.var, &Nat::var(&earlier.var)));
                    earlier.body.append(&mut body);
                    // They spoke of the later loop.
                    while matches!(before.last(), Some(Stmt::Comment(_))) {
                        before.pop();
                    }
                    return Ok(());
                }
                Stmt::For(other) if Memory::of(&other.body).is_apart_from(&memory) => {}
                _ => break,
            }
        }
        Err(later)
    }

    fn are_alike(&self, earlier: &Loop, later: &Loop, memory: &Memory) -> bool {
        let own = Memory::of(&earlier.body);
        let is_input = |id: &BufferId| self.buffers[id.0 as usize].role == Role::Input;
        earlier.kind == later.kind
            && earlier.count == later.count
            && own.is_apart_from(memory)
            && own.read.intersection(&memory.read).any(is_input)
            && self.lanes_of(&own) == self.lanes_of(memory)
            && [earlier, later].iter().all(|looped| measure::size(&looped.body) <= GREATEST)
    }

    /// How wide the elements are that are written: vectors have as many lanes as the narrowest ones ask for.
    fn lanes_of(&self, memory: &Memory) -> BTreeSet<i64> {
        memory.written.iter().map(|id| self.buffers[id.0 as usize].scalar_bytes()).collect()
    }
}

/// What statements touch.
struct Memory {
    read: BTreeSet<BufferId>,
    written: BTreeSet<BufferId>,
    /// Whether they set registers that are not their own.
    sets: bool,
}

impl Memory {
    fn of(block: &[Stmt]) -> Memory {
        let mut memory = Memory { read: BTreeSet::new(), written: BTreeSet::new(), sets: false };
        walk::touches(block, &mut |id, write| {
            let side = if write { &mut memory.written } else { &mut memory.read };
            side.insert(id);
        });
        let (mut own, mut set) = (BTreeSet::new(), BTreeSet::new());
        walk::stmts(block, &mut |stmt| match stmt {
            Stmt::Var(name, ..) => drop(own.insert(name.clone())),
            Stmt::Set(name, _) => drop(set.insert(name.clone())),
            _ => {}
        });
        memory.sets = !set.is_subset(&own);
        memory
    }

    /// Whether neither writes what the other touches.
    fn is_apart_from(&self, other: &Memory) -> bool {
        let writes =
            |a: &Memory, b: &Memory| a.written.iter().any(|id| b.read.contains(id) || b.written.contains(id));
        !self.sets && !other.sets && !writes(self, other) && !writes(other, self)
    }
}
