//! Loops that look up small scalars.

use crate::nat::NatVar;

use super::ir::*;
use super::walk;

/// Where the body of the loop says where data want small scalars from: behind this statement, in this natural. There is no
/// instruction that reads such for several lanes, but compilers make vectors of such loops, which they put together lane
/// by lane: that takes three times as long.
pub fn looked_up<'a>(looped: &'a Loop, buffers: &[Buffer]) -> Option<(usize, &'a NatVar)> {
    let is_data = |value: &Value| !matches!(value, Value::Nat(_) | Value::Apart(_) | Value::ToLine(..));
    let mut found = looped.body.iter().enumerate().filter_map(|(at, stmt)| match stmt {
        Stmt::LetNat(var, value) if is_data(value) => Some((at, var)),
        _ => None,
    });
    found.find(|(_, var)| {
        let mut reads = false;
        walk::accesses(&looped.body, &mut |access, write| {
            let is_small = || buffers[access.buffer.0 as usize].scalar(&access.path).bytes() < 4;
            reads |= !write && access.index.mentions(var) && is_small();
        });
        reads
    })
}
