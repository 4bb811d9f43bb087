//! Memory that a loop goes by and does not come back to.
//!
//! In: a loop over lanes that goes through more than the cache holds, and what it writes. Out: the same loop, which
//! asks early for what it reads: in each array of the caller, where it comes first, since the other rows of a window
//! are in the cache. A second form also writes past the cache.

use std::collections::BTreeMap;

use crate::nat::{Nat, NatVar};

use super::super::ir::*;
use super::super::walk::{self, VisitMut};

/// What stands for a size and for any other natural where indices are compared.
const SAMPLES: [i128; 2] = [1 << 12, 1 << 6];

/// Forms of a loop that goes by memory.
pub(super) struct GoingBy {
    /// It asks early for what it reads.
    pub reading: Loop,
    /// It also writes past the cache.
    pub both: Loop,
}

impl GoingBy {
    /// Of a loop that writes at `line` what is not read again.
    pub fn of(looped: &Loop, line: &Access, buffers: &[Buffer], sizes: &[NatVar]) -> GoingBy {
        let mut first = foremost(looped, buffers, sizes);
        let reading = marked(looped, &first);
        first.insert(line.buffer, line.index.clone());
        GoingBy { reading, both: marked(looped, &first) }
    }
}

/// The loop with what begins where these buffers are gone by marked.
fn marked(looped: &Loop, first: &BTreeMap<BufferId, Nat>) -> Loop {
    let mut looped = looped.clone();
    Mark { var: looped.var.clone(), first }.block(&mut looped.body);
    looped
}

/// Where each array of the caller is read foremost in the first iteration, if from there on in order.
///
/// Which index is the greatest is seen from an example: a guess that is wrong costs time alone.
fn foremost(looped: &Loop, buffers: &[Buffer], sizes: &[NatVar]) -> BTreeMap<BufferId, Nat> {
    let sample = |var: &NatVar| Some(SAMPLES[usize::from(!sizes.contains(var))]);
    let mut found: BTreeMap<BufferId, (i128, Nat)> = BTreeMap::new();
    walk::accesses(&looped.body, &mut |access, write| {
        let is_input = buffers[access.buffer.0 as usize].role == Role::Input;
        if !write
            && is_input
            && let Some(start) = in_order(access, &looped.var)
            && let Ok(at) = start.eval(&sample)
            && found.get(&access.buffer).is_none_or(|(other, _)| *other < at)
        {
            found.insert(access.buffer, (at, start));
        }
    });
    found.into_iter().map(|(buffer, (_, start))| (buffer, start)).collect()
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
