//! Memory that a loop goes by and does not come back to.
//!
//! In: a loop over lanes that goes through more than the cache holds, and what it writes. Out: the same loop, which
//! asks early for what it reads through windows: in each array of the caller, where it comes first, since the other
//! rows of a window are in the cache. Another form also writes past the cache.

use std::collections::BTreeMap;

use crate::nat::{Nat, NatVar};

use super::super::ir::*;
use super::super::walk::{self, VisitMut};

/// What stands for a size and for any other natural where indices are compared.
const SAMPLES: [i128; 2] = [1 << 12, 1 << 6];

/// An array that is read in so many places is asked for early. What is read in one place the CPU sees coming itself.
const WINDOW: usize = 2;

/// Bytes from what a marked access reads to what it asks for: two pages.
const AHEAD: i64 = 8192;

/// The loop which asks early for what it reads through windows, and writes past the cache at `line` what is not read
/// again.
pub(super) fn writing_past(looped: &Loop, line: &Access, buffers: &[Buffer], sizes: &[NatVar]) -> Loop {
    let mut first = foremost(looped, buffers, sizes);
    first.insert(line.buffer, line.index.clone());
    marked(looped, &first)
}

/// Asks for what would come next in a loop that does so, where the vector from an iteration on is no whole one: a line
/// of each row that nobody asks for is waited for.
pub(super) fn asking_on(looped: &Loop, from: &Nat, buffers: &[Buffer], sizes: &[NatVar]) -> Block {
    let ask = |(buffer, start): (BufferId, Nat)| {
        let ahead = AHEAD / buffers[buffer.0 as usize].scalar_bytes();
        Stmt::Ask(Access::scalar(buffer, start + from + ahead), Cache::Second)
    };
    foremost(looped, buffers, sizes).into_iter().map(ask).collect()
}

/// The loop which asks early for what it reads through windows, if it is no fold: of those it would be the next
/// row of a matrix, which is far. Where each row of a loop around begins at the same place, it comes back to it.
pub(super) fn reading_windows(looped: &Loop, buffers: &[Buffer], sizes: &[NatVar], in_rows: bool) -> Loop {
    let mut first = if is_map(&looped.body) { foremost(looped, buffers, sizes) } else { BTreeMap::new() };
    first.retain(|_, start| !in_rows || start.vars().iter().any(|var| !sizes.contains(var)));
    marked(looped, &first)
}

/// Whether loops inside write what they compute.
fn is_map(body: &[Stmt]) -> bool {
    body.iter().all(|stmt| match stmt {
        Stmt::For(inner) => {
            inner.body.iter().any(|stmt| matches!(stmt, Stmt::Store(..))) && is_map(&inner.body)
        }
        _ => true,
    })
}

/// The loop with what begins where these buffers are gone by marked.
fn marked(looped: &Loop, first: &BTreeMap<BufferId, Nat>) -> Loop {
    let mut looped = looped.clone();
    Mark { var: looped.var.clone(), first }.block(&mut looped.body);
    looped
}

/// Where each array of the caller is read foremost in the first iteration, if from there on in order, and through a
/// window.
///
/// Which index is the greatest is seen from an example: a guess that is wrong costs time alone.
fn foremost(looped: &Loop, buffers: &[Buffer], sizes: &[NatVar]) -> BTreeMap<BufferId, Nat> {
    let inside = inner_vars(&looped.body);
    let moves = |start: &Nat| inside.is_empty() || inside.iter().any(|var| start.mentions(var));
    let sample = |var: &NatVar| Some(SAMPLES[usize::from(!sizes.contains(var))]);
    let mut found: BTreeMap<BufferId, BTreeMap<i128, Nat>> = BTreeMap::new();
    walk::accesses(&looped.body, &mut |access, write| {
        let is_input = buffers[access.buffer.0 as usize].role == Role::Input;
        if !write
            && is_input
            && let Some(start) = in_order(access, &looped.var)
            && moves(&start)
            && let Ok(at) = start.eval(&sample)
        {
            found.entry(access.buffer).or_default().insert(at, start);
        }
    });
    found.retain(|_, starts| starts.len() >= WINDOW);
    found.into_iter().filter_map(|(buffer, mut starts)| Some((buffer, starts.pop_last()?.1))).collect()
}

/// The variables of the loops inside.
fn inner_vars(body: &[Stmt]) -> Vec<NatVar> {
    let mut vars = Vec::new();
    walk::stmts(body, &mut |stmt| {
        if let Stmt::For(inner) = stmt {
            vars.push(inner.var.clone());
        }
    });
    vars
}

/// Where an access begins that takes one scalar after the other.
fn in_order(access: &Access, var: &NatVar) -> Option<Nat> {
    let (step, start) = access.index.affine_in(var)?;
    (step.is_one() && access.path.is_empty()).then_some(start)
}

struct Mark<'a> {
    var: NatVar,
    /// Where each buffer is gone by.
    first: &'a BTreeMap<BufferId, Nat>,
}

impl VisitMut for Mark<'_> {
    fn access(&mut self, access: &mut Access, _: bool) {
        let is_first = |first: &Nat| in_order(access, &self.var).is_some_and(|start| start == *first);
        access.streams = self.first.get(&access.buffer).is_some_and(is_first);
    }
}
