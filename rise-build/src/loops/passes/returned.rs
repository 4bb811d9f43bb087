//! What is stored, read, and copied to a result is computed in the memory of the result.
//!
//! ```text
//! for i in 0..n  t[i] = …            for i in 0..n  y[i] = …
//! for j in 0..m  z[j] = … t[…] …  →  for j in 0..m  z[j] = … y[…] …
//! for i in 0..n  y[i] = t[i]
//! ```
//!
//! Where nothing else is done with the result, and nothing is stored after it has been copied. Large temporaries are
//! fresh memory, which takes longer than most loops.

use super::super::ir::*;
use super::super::walk::{self, VisitMut};
use super::{Options, TooLarge};

#[allow(clippy::unnecessary_wraps)]
pub(super) fn run(kernel: &mut Kernel, options: &Options) -> Result<(), TooLarge> {
    if options.device {
        return Ok(());
    }
    for position in 0..kernel.buffers.len() {
        let result = BufferId(position as u32);
        if kernel.buffers[position].role == Role::Output
            && let Some(stored) = copied_to(kernel, result)
        {
            kernel.body.retain(|stmt| !touches(stmt, result) && !is_allocation(stmt, stored));
            Renamed { from: stored, to: result }.block(&mut kernel.body);
        }
    }
    Ok(())
}

/// The temporary, as large as the result, that is copied to it as a whole, after which nobody writes it.
fn copied_to(kernel: &Kernel, result: BufferId) -> Option<BufferId> {
    let first = kernel.body.iter().position(|stmt| touches(stmt, result))?;
    let (before, after) = kernel.body.split_at(first);
    let mut stored = None;
    for stmt in after.iter().filter(|stmt| touches(stmt, result)) {
        if !copies(std::slice::from_ref(stmt), result, &mut stored) {
            return None;
        }
    }
    let stored = stored?;
    let [own, other] = [stored, result].map(|id| &kernel.buffers[id.0 as usize]);
    let alike =
        own.element == other.element && own.len == other.len && own.role == Role::Heap && !own.goes_round;
    let mut settled = true;
    walk::touches(after, &mut |id, write| settled &= id != stored || !write);
    walk::stmts(&kernel.body, &mut |stmt| match stmt {
        Stmt::Swap(a, b) => settled &= ![*a, *b].contains(&stored),
        Stmt::Lend(lend) => settled &= ![lend.rows, lend.copy, lend.from.buffer].contains(&stored),
        _ => {}
    });
    (alike && settled && before.iter().any(|stmt| is_allocation(stmt, stored))).then_some(stored)
}

/// Whether the statements only copy elements of one temporary to those of the same index.
fn copies(stmts: &[Stmt], result: BufferId, stored: &mut Option<BufferId>) -> bool {
    stmts.iter().all(|stmt| match stmt {
        Stmt::Comment(_) => true,
        Stmt::For(looped) => copies(&looped.body, result, stored),
        Stmt::Store(to, Value::Load(from)) => {
            let same = to.index == from.index && to.lanes == from.lanes && to.path == from.path;
            same && to.buffer == result && *stored.get_or_insert(from.buffer) == from.buffer
        }
        _ => false,
    })
}

fn touches(stmt: &Stmt, memory: BufferId) -> bool {
    let mut found = false;
    walk::touches(std::slice::from_ref(stmt), &mut |id, _| found |= id == memory);
    found
}

fn is_allocation(stmt: &Stmt, memory: BufferId) -> bool {
    matches!(stmt, Stmt::Alloc(id) if *id == memory)
}

/// One memory in place of another.
struct Renamed {
    from: BufferId,
    to: BufferId,
}

impl VisitMut for Renamed {
    fn access(&mut self, access: &mut Access, _: bool) {
        if access.buffer == self.from {
            access.buffer = self.to;
        }
    }
}
