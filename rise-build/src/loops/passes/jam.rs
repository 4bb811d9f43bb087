//! Copies of an iteration that each run a loop share one loop.
//!
//! ```text
//! var s0 = 0                     var s0 = 0
//! for k in 0..n                  var s1 = 0
//!   s0 = s0 + x[k] * y[k]        for k in 0..n
//! out[0] = s0              →       s0 = s0 + x[k] * y[k]
//! var s1 = 0                       s1 = s1 + x[k] * z[k]
//! for k in 0..n                  out[0] = s0
//!   s1 = s1 + x[k] * z[k]        out[1] = s1
//! out[1] = s1
//! ```
//!
//! Their updates do not wait for each other, what they read in common is read once, and the compiler behind has one loop
//! to think about.

use crate::names::Name;
use crate::nat::{Nat, NatVar};

use super::super::ir::*;
use super::super::walk;
use super::copy::Copier;

/// So many scalars at most are kept through a loop: half the registers of all CPUs that have vectors.
const MOST: i64 = 16;

/// The copies of an iteration with the values `0..count` for the variable, if they are to share a loop.
pub(super) fn jammed(buffers: &mut Vec<Buffer>, var: &NatVar, body: &[Stmt], count: i64) -> Option<Block> {
    let (before, inner, after) = shared(var, body).filter(|_| count <= MOST)?;
    let (mut out, mut updates, mut results) = (Block::new(), Block::new(), Block::new());
    for i in 0..count {
        let mut copier = Copier::new(buffers).with(var, Nat::lit(i));
        out.append(&mut copier.copy(before));
        updates.append(&mut copier.copy(&inner.body));
        results.append(&mut copier.copy(after));
    }
    out.push(Stmt::For(Loop { body: updates, ..inner.clone() }));
    out.append(&mut results);
    Some(out)
}

/// The loop that all iterations may share, and what is before and behind it.
pub(super) fn shared<'a>(var: &NatVar, body: &'a [Stmt]) -> Option<(&'a [Stmt], &'a Loop, &'a [Stmt])> {
    let at = body.iter().position(|stmt| matches!(stmt, Stmt::For(_)))?;
    let (before, after) = (&body[..at], &body[at + 1..]);
    let Stmt::For(inner) = &body[at] else { return None };
    let may = is_update(inner) && !inner.count.mentions(var) && is_apart([before, &inner.body, after]);
    may.then_some((before, inner, after))
}

/// Whether a loop only updates scalars, one step after the other.
fn is_update(inner: &Loop) -> bool {
    let mut scalar = inner.kind == LoopKind::Seq;
    walk::accesses(&inner.body, &mut |access, _| scalar &= access.lanes == 1);
    scalar && inner.body.iter().all(|stmt| matches!(stmt, Stmt::Comment(_) | Stmt::Let(..) | Stmt::Set(..)))
}

/// Whether copies of the three parts of an iteration may be exchanged: registers are set that it declares, and no memory
/// is written that it reads.
fn is_apart(parts: [&[Stmt]; 3]) -> bool {
    let stmts = || parts.into_iter().flatten();
    let declared = |set: &Name| stmts().any(|stmt| matches!(stmt, Stmt::Var(name, ..) if name == set));
    let plain = stmts().all(|stmt| match stmt {
        Stmt::Comment(_) | Stmt::Let(..) | Stmt::LetNat(..) | Stmt::Var(..) | Stmt::Store(..) => true,
        Stmt::Set(name, _) => declared(name),
        _ => false,
    });
    let (mut read, mut written, mut foreign) = (Vec::new(), Vec::new(), false);
    for part in parts {
        walk::accesses(part, &mut |access, write| {
            if write { &mut written } else { &mut read }.push(access.buffer);
        });
        walk::values(part, &mut |value| foreign |= matches!(value, Value::Foreign(..)));
    }
    plain && !foreign && written.iter().all(|id| !read.contains(id))
}
