//! Loops of scalars that lie far apart. With AVX-512 compilers put them in vectors, by gathers and scatters, which take
//! longer than one element after the other; with less they leave them alone.

use crate::loops::{Access, Buffer, Kernel, Loop, Stmt, Value, walk};
use crate::nat::NatVar;

/// Loops inside that are no longer than this are written out by compilers.
const SHORT: i64 = 32;

/// What lies no further apart than so many elements compilers load together, and sort out.
const GREATEST: i64 = 8;

/// Elements that begin so many bytes apart lie in lines of their own.
const LINE: i64 = 64;

/// The elements of which there are gathers have so many bytes or more.
const LEAST: u32 = 4;

/// Whether a kernel without vectors of its own goes through elements that lie far apart.
pub fn lies_apart(kernel: &Kernel) -> bool {
    let mut found = false;
    walk::stmts(&kernel.body, &mut |stmt| {
        if let Stmt::For(looped) = stmt {
            found |= walk::has_short_loops(&looped.body, SHORT) && steps_far(looped, &kernel.buffers);
        }
    });
    found && !has_vectors(kernel)
}

fn has_vectors(kernel: &Kernel) -> bool {
    let mut found = false;
    walk::accesses(&kernel.body, &mut |access, _| found |= access.lanes > 1);
    walk::values(&kernel.body, &mut |value| {
        found |= matches!(value, Value::Gather(..) | Value::Lanes(..) | Value::Broadcast(..));
    });
    found
}

fn steps_far(looped: &Loop, buffers: &[Buffer]) -> bool {
    let mut found = false;
    walk::accesses(&looped.body, &mut |access, _| {
        let bytes = buffers[access.buffer.0 as usize].scalar(&access.path).bytes();
        found |= bytes >= LEAST && is_far(access, &looped.var, bytes.into());
    });
    found
}

fn is_far(access: &Access, var: &NatVar, bytes: i64) -> bool {
    let is_far = |step: i64| step.abs() > GREATEST || step.abs() * bytes >= LINE;
    let step = access.index.affine_in(var);
    step.is_some_and(|(step, _)| step.as_const().is_none_or(is_far))
}
