//! Loops of one length that read the same array go through it together, if neither touches what the other writes, or both
//! write places of their own in one array: what comes from far comes once.
//!
//! ```text
//! for i in 0..n            for i in 0..n
//!   y[i] = x[i].0     →      y[i] = x[i].0
//! for i in 0..n              z[i] = x[i].1
//!   z[i] = x[i].1
//! ```
//!
//! So do folds into a few registers, of which one need not wait for the other.
//!
//! ```text
//! var least = …                            var least = …
//! for i in 0..n                            var most = …
//!   least = min(least, x[i])         →     for i in 0..n
//! var most = …                               least = min(least, x[i])
//! for i in 0..n                              most = max(most, x[i])
//!   most = max(most, x[i])
//! ```

use std::collections::BTreeSet;

use crate::names::Name;
use crate::nat::{Facts, Nat, NatVar};

use super::super::ir::*;
use super::super::walk::{self, VisitLoops};
use super::{Options, TooLarge, measure};

/// Larger bodies are bound by what they compute.
const GREATEST: usize = 100;

/// Registers that are set in one loop: each may be a pair of vectors, and each vector two of a narrow CPU.
const MOST_SET: usize = 4;

#[allow(clippy::unnecessary_wraps)]
pub(super) fn run(kernel: &mut Kernel, options: &Options) -> Result<(), TooLarge> {
    if !options.device {
        let facts = kernel.facts.clone();
        Together { buffers: &kernel.buffers }.block(&mut kernel.body, facts);
    }
    Ok(())
}

struct Together<'a> {
    buffers: &'a [Buffer],
}

impl VisitLoops for Together<'_> {
    fn block(&mut self, block: &mut Block, facts: Facts) {
        let mut out = Block::with_capacity(block.len());
        for stmt in std::mem::take(block) {
            match stmt {
                Stmt::For(looped) => {
                    if let Err(looped) = self.join(&mut out, looped, &facts) {
                        out.push(Stmt::For(looped));
                    }
                }
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

impl Together<'_> {
    /// Adds the iterations of a loop to those of an earlier one, past what does not mind.
    fn join(&self, before: &mut Block, later: Loop, facts: &Facts) -> Result<(), Loop> {
        let Some(at) = self.earlier(before, &later, facts) else { return Err(later) };
        let mut between = before.split_off(at + 1);
        // Comments spoke of the later loop, registers are its own.
        if let Some(Stmt::For(earlier)) = before.last_mut() {
            let mut body = later.body;
            walk::nats(&mut body, &mut |nat| *nat = nat.subst(&later.var, &Nat::var(&earlier.var)));
            earlier.body.append(&mut body);
        }
        while matches!(between.last(), Some(Stmt::Comment(_))) {
            between.pop();
        }
        let is_register = |stmt: &Stmt| matches!(stmt, Stmt::Var(..));
        let (registers, others): (Block, Block) = between.into_iter().partition(is_register);
        before.splice(at..at, registers);
        before.extend(others);
        Ok(())
    }

    /// Where the loop is that this one goes with.
    fn earlier(&self, before: &[Stmt], later: &Loop, facts: &Facts) -> Option<usize> {
        let is_like_it = |stmt: &Stmt| matches!(stmt, Stmt::For(earlier) if are_alike(earlier, later));
        if !before.iter().any(is_like_it) {
            return None;
        }
        let mut touched = Touched::of(later);
        for (at, stmt) in before.iter().enumerate().rev() {
            match stmt {
                Stmt::Comment(_) => {}
                // It begins with a value of its own.
                Stmt::Var(..) => touched.add(std::slice::from_ref(stmt)),
                Stmt::For(earlier) if is_like_it(stmt) && self.go_together(earlier, &touched, facts) => {
                    return Some(at);
                }
                Stmt::For(other) if Touched::of(other).is_apart_from(&touched, facts) => {}
                _ => return None,
            }
        }
        None
    }

    /// Whether a loop reads what was touched, and leaves it as it was.
    fn go_together(&self, earlier: &Loop, touched: &Touched, facts: &Facts) -> bool {
        let own = Touched::of(earlier);
        let is_input = |id: &BufferId| self.buffers[id.0 as usize].role == Role::Input;
        own.is_apart_from(touched, facts)
            && own.read.intersection(&touched.read).any(is_input)
            && self.widths(&own) == self.widths(touched)
            && own.set.len() + touched.set.len() <= MOST_SET
    }

    /// How wide the elements are that are written: vectors have as many lanes as the narrowest ones ask for.
    fn widths(&self, touched: &Touched) -> BTreeSet<i64> {
        touched.written.iter().map(|id| self.buffers[id.0 as usize].scalar_bytes()).collect()
    }
}

/// Whether the loops have as many iterations, of few operations.
fn are_alike(earlier: &Loop, later: &Loop) -> bool {
    earlier.kind == later.kind
        && earlier.count == later.count
        && [earlier, later].iter().all(|looped| measure::size(&looped.body) <= GREATEST)
}

/// What statements touch.
#[derive(Default)]
struct Touched {
    read: BTreeSet<BufferId>,
    written: BTreeSet<BufferId>,
    /// Where that is written, unless it is by more than elements, and the loops that these places go by.
    places: Option<Vec<Access>>,
    loops: Vec<(NatVar, Nat)>,
    /// Registers that others may read, which they set.
    set: BTreeSet<Name>,
    /// Registers that they read.
    used: BTreeSet<Name>,
}

impl Touched {
    fn of(looped: &Loop) -> Touched {
        let loops = vec![(looped.var.clone(), looped.count.clone())];
        let mut touched = Touched { loops, places: Some(Vec::new()), ..Touched::default() };
        touched.add(&looped.body);
        let mut own = BTreeSet::new();
        walk::stmts(&looped.body, &mut |stmt| {
            if let Stmt::Var(name, ..) = stmt {
                own.insert(name.clone());
            }
        });
        touched.set.retain(|name| !own.contains(name));
        touched
    }

    fn add(&mut self, block: &[Stmt]) {
        walk::touches(block, &mut |id, write| {
            let side = if write { &mut self.written } else { &mut self.read };
            side.insert(id);
        });
        walk::stmts(block, &mut |stmt| match stmt {
            Stmt::Set(name, _) => drop(self.set.insert(name.clone())),
            Stmt::Store(access, _) => self.places.iter_mut().for_each(|places| places.push(access.clone())),
            Stmt::For(inner) => self.loops.push((inner.var.clone(), inner.count.clone())),
            Stmt::Product(_) | Stmt::Transpose(_) | Stmt::StorePart(_) | Stmt::Swap(..) => self.places = None,
            _ => {}
        });
        walk::values(block, &mut |value| {
            if let Value::Var(name) = value {
                self.used.insert(name.clone());
            }
        });
    }

    /// Whether neither changes what the other touches.
    fn is_apart_from(&self, other: &Touched, facts: &Facts) -> bool {
        let changes = |a: &Touched, b: &Touched| {
            a.written.iter().any(|id| b.read.contains(id))
                || a.set.iter().any(|name| b.set.contains(name) || b.used.contains(name))
        };
        !changes(self, other) && !changes(other, self) && self.writes_apart_from(other, facts)
    }

    /// Whether no place that is written in one is written in the other.
    fn writes_apart_from(&self, other: &Touched, facts: &Facts) -> bool {
        if self.written.is_disjoint(&other.written) {
            return true;
        }
        let (Some(own), Some(others)) = (&self.places, &other.places) else { return false };
        // Both may go by the same variable, and no iteration of either may meet any of the other.
        let other_vars: Vec<(NatVar, Nat)> =
            other.loops.iter().map(|(var, _)| (var.clone(), Nat::var(&NatVar::new(var.text())))).collect();
        let renamed = |nat: &Nat| nat.subst_all(&other_vars);
        let mut facts = facts.clone();
        self.loops.iter().for_each(|(var, count)| facts.range(var, &Nat::lit(0), count));
        for ((_, count), (_, var)) in other.loops.iter().zip(&other_vars) {
            var.as_var().into_iter().for_each(|var| facts.range(var, &Nat::lit(0), &renamed(count)));
        }
        let others: Vec<Access> =
            others.iter().map(|place| Access { index: renamed(&place.index), ..place.clone() }).collect();
        let ends_before =
            |a: &Access, b: &Access| facts.proves_le(&(&a.index + i64::from(a.lanes)), &b.index);
        let are_apart =
            |a: &Access, b: &Access| a.buffer != b.buffer || ends_before(a, b) || ends_before(b, a);
        own.iter().all(|a| others.iter().all(|b| are_apart(a, b)))
    }
}
