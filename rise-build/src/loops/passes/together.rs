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
//!
//! And so do loops of which one reads what the other has written, if each iteration reads what that of the other has:
//! it is in registers then.
//!
//! ```text
//! for i in 0..n            for i in 0..n
//!   y[i] = x[i] + 1    →     y[i] = x[i] + 1
//! for i in 0..n              z[i] = y[i] * 2
//!   z[i] = y[i] * 2
//! ```

use std::collections::{BTreeMap, BTreeSet};

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

/// Loops around each other that are joined to what reads what they write.
const MOST_LOOPS: usize = 2;

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
        let goes_along = |earlier: &Loop| are_alike(earlier, later) || is_copied(earlier, later);
        let is_like_it = |stmt: &Stmt| matches!(stmt, Stmt::For(earlier) if goes_along(earlier));
        if !before.iter().any(is_like_it) {
            return None;
        }
        let mut touched = Touched::of(later);
        // By registers, whose values go before both.
        let mut begun = Touched::default();
        for (at, stmt) in before.iter().enumerate().rev() {
            match stmt {
                Stmt::Comment(_) => {}
                // It begins with a value of its own.
                Stmt::Var(..) => {
                    touched.add(std::slice::from_ref(stmt));
                    begun.add(std::slice::from_ref(stmt));
                }
                Stmt::For(earlier)
                    if are_alike(earlier, later) && self.go_together(earlier, &touched, facts) =>
                {
                    return Some(at);
                }
                Stmt::For(earlier)
                    if is_like_it(stmt)
                        && begun.is_apart_from(&Touched::of(earlier), facts)
                        && self.feeds(earlier, later, &touched, facts) =>
                {
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

    /// Whether each iteration of the later loop reads what that of the earlier one writes, and no other does.
    fn feeds(&self, earlier: &Loop, later: &Loop, touched: &Touched, facts: &Facts) -> bool {
        let own = Touched::of(earlier);
        let shared: BTreeSet<BufferId> = own.written.intersection(&touched.read).copied().collect();
        let changed = |id: &BufferId| own.read.contains(id) || own.written.contains(id);
        !shared.is_empty()
            && !touched.written.iter().any(changed)
            && !registers_meet(&own, touched)
            && self.widths(&own) == self.widths(touched)
            && own.set.len() + touched.set.len() <= MOST_SET
            && own.loops.len().max(touched.loops.len()) <= MOST_LOOPS
            && [&own, touched].iter().all(|side| side.places.is_some())
            && meet_by_iteration(earlier, later, &[&own, touched], &shared, facts)
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

/// Whether what the earlier loop does in lanes is copied by the later one, which then has lanes as well.
fn is_copied(earlier: &Loop, later: &Loop) -> bool {
    let [Stmt::Store(to, Value::Load(_))] = &later.body[..] else { return false };
    let is_contiguous = to.index.affine_in(&later.var).is_some_and(|(slope, _)| slope == Nat::lit(1));
    let kinds = (earlier.kind, later.kind) == (LoopKind::Vec, LoopKind::Seq);
    kinds && is_contiguous && are_alike(&Loop { kind: later.kind, ..earlier.clone() }, later)
}

/// Whether one sets registers of the other.
fn registers_meet(a: &Touched, b: &Touched) -> bool {
    let sets =
        |a: &Touched, b: &Touched| a.set.iter().any(|name| b.set.contains(name) || b.used.contains(name));
    sets(a, b) || sets(b, a)
}

/// Whether the iterations of both loops touch each the same elements of the shared buffers, which no other iteration does:
/// a stretch as long as from one iteration to the next.
fn meet_by_iteration(
    earlier: &Loop,
    later: &Loop,
    sides: &[&Touched; 2],
    shared: &BTreeSet<BufferId>,
    facts: &Facts,
) -> bool {
    let mut facts = facts.clone();
    let inner: Vec<&(NatVar, Nat)> = sides.iter().flat_map(|side| &side.loops[1..]).collect();
    facts.range(&earlier.var, &Nat::lit(0), &earlier.count);
    inner.iter().for_each(|(var, count)| facts.range(var, &Nat::lit(0), count));
    let first: Vec<(NatVar, Nat)> = inner.iter().map(|(var, _)| (var.clone(), Nat::lit(0))).collect();
    let declared = [earlier, later].map(|looped| walk::declared(&looped.body));
    // Where the stretch of each buffer begins, and how far from one iteration to the next.
    let mut stretches: BTreeMap<BufferId, (Nat, Nat)> = BTreeMap::new();
    let mut all = true;
    for (looped, to) in [(earlier, None), (later, Some(Nat::var(&earlier.var)))] {
        walk::accesses(&looped.body, &mut |access, _| {
            if !shared.contains(&access.buffer) {
                return;
            }
            let index = to.iter().fold(access.index.clone(), |index, to| index.subst(&looped.var, to));
            let Some((step, rest)) = index.affine_in(&earlier.var) else { return all = false };
            let start = rest.subst_all(&first);
            let is_fixed = |nat: &Nat| !declared.iter().flatten().any(|name| nat.mentions(name));
            let within = &rest - &start;
            all &= access.lanes == 1
                && is_fixed(&step)
                && is_fixed(&start)
                && facts.proves_ge0(&within)
                && facts.proves_ge0(&(&step - 1 - &within))
                && *stretches.entry(access.buffer).or_insert_with(|| (start.clone(), step.clone()))
                    == (start, step);
        });
        walk::values(&looped.body, &mut |value| all &= !matches!(value, Value::Gather(..)));
    }
    all
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
        let changes = |a: &Touched, b: &Touched| a.written.iter().any(|id| b.read.contains(id));
        !changes(self, other)
            && !changes(other, self)
            && !registers_meet(self, other)
            && self.writes_apart_from(other, facts)
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
