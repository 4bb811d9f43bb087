//! Rows in vectors that all need the same elements go side by side: what they share is loaded once for all of them.
//!
//! ```text
//! for j in 0..h                            for lanes i in 0..w
//!   for lanes i in 0..w              →       for j in 0..h
//!     y[w·j + i] = x[w·j + i] * a[i] + …       y[w·j + i] = x[w·j + i] * a[i] + …
//! ```
//!
//! Only where several vectors are shared, so that the longer way through memory is worth it, and where no element is
//! written twice.

use crate::nat::{Facts, Nat, NatVar};

use super::super::facts::iterating;
use super::super::ir::*;
use super::super::walk::{self, VisitLoops};
use super::transpose::only_loop;
use super::{Options, TooLarge, strip};

/// Shared vectors: at least, and at most, so that registers are left.
pub(super) const SHARED: std::ops::RangeInclusive<usize> = 4..=26;

#[allow(clippy::unnecessary_wraps)]
pub(super) fn run(kernel: &mut Kernel, _: &Options) -> Result<(), TooLarge> {
    let facts = kernel.facts.clone();
    Exchange.block(&mut kernel.body, facts);
    Ok(())
}

struct Exchange;

impl VisitLoops for Exchange {
    fn looped(&mut self, mut looped: Loop, facts: &mut Facts, out: &mut Block) {
        let inside = iterating(facts, &looped);
        match exchanged(&looped, &inside) {
            Some(exchanged) => looped = exchanged,
            None => self.block(&mut looped.body, inside),
        }
        out.push(Stmt::For(looped));
    }
}

/// The loops the other way round, if that is worth it and changes nothing.
fn exchanged(outer: &Loop, facts: &Facts) -> Option<Loop> {
    let inner = only_loop(&outer.body)?;
    if !is_worth_it(outer, inner, facts) {
        return None;
    }
    let body = vec![Stmt::For(Loop { body: inner.body.clone(), ..outer.clone() })];
    Some(Loop { body, ..inner.clone() })
}

/// Whether the iterations of the outer loop, of rows in vectors, need the same elements, and know nothing of each other.
fn is_worth_it(outer: &Loop, inner: &Loop, facts: &Facts) -> bool {
    let fits = outer.kind == LoopKind::Seq && strip::is_strip(inner) && !inner.count.mentions(&outer.var);
    fits && SHARED.contains(&shared(outer, inner)) && is_independent(outer, inner, &inner.count, facts)
}

/// How many vectors all iterations of the outer loop read.
fn shared(outer: &Loop, inner: &Loop) -> usize {
    let local = walk::declared(&inner.body);
    let mut seen: Vec<&Access> = Vec::new();
    let mut all = Vec::new();
    walk::accesses(&inner.body, &mut |access, write| {
        if !write && access.index.mentions(&inner.var) {
            all.push(access.clone());
        }
    });
    for access in &all {
        let varies = access.index.mentions(&outer.var) || local.iter().any(|var| access.index.mentions(var));
        if !varies && !seen.contains(&access) {
            seen.push(access);
        }
    }
    seen.len()
}

/// Whether each iteration of both loops writes elements of its own, in rows of so many, and reads nothing that is written.
pub(super) fn is_independent(outer: &Loop, inner: &Loop, row: &Nat, facts: &Facts) -> bool {
    let local = walk::declared(&inner.body);
    let mut written = Vec::new();
    let mut holds = strip::may_repeat(&inner.body);
    walk::accesses(&inner.body, &mut |access, write| {
        if write {
            let along = |var: &NatVar| access.index.affine_in(var).map(|(step, _)| step);
            let (rows, lanes) = (along(&outer.var), along(&inner.var));
            holds &= !written.contains(&access.buffer)
                && !local.iter().any(|var| access.index.mentions(var))
                && lanes.is_some_and(|step| step.is_one())
                && rows.is_some_and(|step| facts.proves_le(row, &step));
            written.push(access.buffer);
        }
    });
    walk::stmts(&inner.body, &mut |stmt| holds &= !matches!(stmt, Stmt::Alloc(_) | Stmt::Product(_)));
    holds
}
