//! Loops that compute much with what lies in a copy, which they read again and again, ask early for what comes.
//!
//! ```text
//! for i in 0..n                        for i in 0..n
//!   for k in 0..m               →        for k in 0..m
//!     sum0 += a[k] * panel[16·k ..16]      ask near panel[16·(k + 16)]
//!     …                                    sum0 += a[k] * panel[16·k ..16]
//!                                          …
//! ```
//!
//! A panel that fills more than the first cache is read from the second one each time. The CPU looks far enough ahead
//! to be waiting for several lines at once, but no multiplication can begin before its operand has come.
//!
//! Before a loop, the lines in several rows are asked for to which vectors are written after it: they come while it
//! computes, and the CPU cannot tell which ones they will be.

use std::collections::BTreeMap;

use crate::nat::{Nat, NatVar};

use super::super::ir::*;
use super::super::walk::{self, VisitMut};
use super::ask::LINE;
use super::{Options, TooLarge};

/// Iterations from what is read to what is asked for.
const AHEAD: i64 = 16;

/// Operations on vectors for each line that is asked for, beside which that costs nothing.
const ENOUGH: usize = 4;

#[allow(clippy::unnecessary_wraps)]
pub(super) fn run(kernel: &mut Kernel, options: &Options) -> Result<(), TooLarge> {
    if !options.device {
        let mut asker = Asker { buffers: &kernel.buffers, around: Vec::new(), born: BTreeMap::new() };
        asker.block(&mut kernel.body);
    }
    Ok(())
}

struct Asker<'a> {
    buffers: &'a [Buffer],
    /// The loops around, from the outermost on.
    around: Vec<NatVar>,
    /// How many of them are around the allocation of a copy.
    born: BTreeMap<BufferId, usize>,
}

impl VisitMut for Asker<'_> {
    fn block(&mut self, block: &mut Block) {
        for stmt in &mut *block {
            self.stmt(stmt);
        }
        for at in (0..block.len()).rev() {
            let asks = self.results(&block[at], &block[at + 1..]);
            block.splice(at..at, asks);
        }
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        match stmt {
            Stmt::Alloc(id) => drop(self.born.insert(*id, self.around.len())),
            Stmt::For(looped) => {
                let asks = self.asks(looped);
                self.around.push(looped.var.clone());
                self.block(&mut looped.body);
                self.around.pop();
                looped.body.splice(0..0, asks);
            }
            _ => walk::walk_stmt_mut(self, stmt),
        }
    }
}

impl Asker<'_> {
    fn asks(&self, looped: &Loop) -> Block {
        let straight = |stmt: &Stmt| {
            matches!(
                stmt,
                Stmt::Let(..) | Stmt::LetNat(..) | Stmt::Set(..) | Stmt::Comment(_) | Stmt::Var(..)
            )
        };
        let few = looped.count.as_const().is_some_and(|count| count <= AHEAD);
        if looped.kind != LoopKind::Seq || few || !looped.body.iter().all(straight) {
            return Block::new();
        }
        let mut lines: Vec<Access> = Vec::new();
        let inside = walk::declared(&looped.body);
        let is_known = |access: &Access| !inside.iter().any(|var| access.index.mentions(var));
        walk::accesses(&looped.body, &mut |access, _| {
            if is_known(access)
                && self.is_panel(access, &looped.var)
                && !lines.iter().any(|line| self.share(line, access))
            {
                lines.push(access.clone());
            }
        });
        let most = operations(&looped.body) / ENOUGH;
        // Where there is no room for all, vectors go first: each of them is a line.
        if lines.len() > most {
            lines.retain(|access| access.lanes > 1);
        }
        if lines.len() > most {
            return Block::new();
        }
        let later = |access: Access| {
            let index = access.index.subst(&looped.var, &(Nat::var(&looped.var) + AHEAD));
            Stmt::Ask(Access { index, ..access }, Cache::First)
        };
        lines.into_iter().map(later).collect()
    }

    /// Asks for the lines of vectors that are written after a loop that computes at least one for each of them, where
    /// they do not lie side by side.
    fn results(&self, before: &Stmt, after: &[Stmt]) -> Block {
        let Stmt::For(looped) = before else { return Block::new() };
        let outlives = |id: BufferId| matches!(self.buffers[id.0 as usize].role, Role::Output | Role::Heap);
        let straight = |stmt: &&Stmt| matches!(stmt, Stmt::Let(..) | Stmt::Comment(_) | Stmt::Store(..));
        let written = after.iter().take_while(straight).filter_map(|stmt| match stmt {
            Stmt::Store(access, _) if access.lanes > 1 && outlives(access.buffer) => Some(access),
            _ => None,
        });
        let lines: Vec<&Access> = written.collect();
        let next = |of: &Access| &of.index + i64::from(of.lanes);
        let apart = lines.windows(2).any(|pair| pair[1].index != next(pair[0]));
        if looped.kind != LoopKind::Seq || !apart || operations(&looped.body) < lines.len() {
            return Block::new();
        }
        lines.into_iter().map(|access| Stmt::Ask(access.clone(), Cache::First)).collect()
    }

    /// Whether a value lies in a copy, which a loop between its allocation and this one reads again, where another line
    /// is read in each iteration or in every second one: a vector, or numbers that lie half a line apart or more.
    fn is_panel(&self, access: &Access, var: &NatVar) -> bool {
        let again = |born: &usize| self.around[*born..].iter().any(|outer| !access.index.mentions(outer));
        let moves = || access.index.affine_in(var).and_then(|(step, _)| step.as_const());
        let least = if access.lanes > 1 { LINE } else { LINE / 2 };
        self.born.get(&access.buffer).is_some_and(again)
            && moves().is_some_and(|step| step * self.bytes(access.buffer) >= least)
    }

    /// Whether two accesses may be to one line.
    fn share(&self, a: &Access, b: &Access) -> bool {
        let apart = (&a.index - &b.index).as_const().map(|apart| apart.abs() * self.bytes(a.buffer));
        a.buffer == b.buffer && apart.is_none_or(|apart| apart < LINE)
    }

    fn bytes(&self, id: BufferId) -> i64 {
        self.buffers[id.0 as usize].scalar_bytes()
    }
}

/// How often vectors are computed.
fn operations(body: &[Stmt]) -> usize {
    let mut count = 0;
    walk::values(body, &mut |value| match value {
        Value::MulAdd(ty, _) | Value::Fma(ty, _) | Value::Binary(_, ty, ..) | Value::Unary(_, ty, _) => {
            count += usize::from(ty.lanes > 1);
        }
        _ => {}
    });
    count
}
