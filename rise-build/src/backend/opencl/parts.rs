//! Memory that is allocated inside a launch but lies in global memory.
//!
//! Each iteration of the parallel loops around has a part of its own in one allocation of the host.

use std::collections::BTreeMap;

use crate::loops::{Block, BufferId, Kernel, LoopKind, Role, Stmt};
use crate::nat::{Nat, NatVar};

/// A buffer that the host allocates for a launch.
pub struct Part {
    /// Which.
    pub buffer: BufferId,
    /// Number of elements for all iterations.
    pub total: Nat,
}

/// The parts of a launch's buffers: where each begins goes to `starts`. An error is what OpenCL cannot do.
pub fn parts(
    kernel: &Kernel,
    block: &Block,
    known: &dyn Fn(&NatVar) -> bool,
    starts: &mut BTreeMap<BufferId, Nat>,
) -> Result<Vec<Part>, String> {
    let mut found = Vec::new();
    let all = dimensions(block);
    walk(kernel, block, &mut Vec::new(), &mut |id, around: &[(LoopKind, NatVar, Nat)]| {
        let len = &kernel.buffer(id).len;
        let global = |kind: &LoopKind| matches!(kind, LoopKind::Global(_));
        let missing =
            all.iter().filter(|kind| global(kind)).any(|kind| !around.iter().any(|(own, ..)| own == kind));
        if missing {
            return Err("memory that is shared by the work-items of an inner `mapGlobal`".to_owned());
        }
        let count = around.iter().fold(len.clone(), |product, (_, _, count)| product * count);
        if count.mentions_any(&|var| !known(var)) {
            return Err(format!("memory of length `{len}`, which is known only inside the kernel"));
        }
        let place = around.iter().fold(Nat::lit(0), |place, (_, var, count)| place * count + Nat::var(var));
        starts.insert(id, place * len);
        found.push(Part { buffer: id, total: count });
        Ok(())
    })?;
    Ok(found)
}

fn dimensions(block: &Block) -> Vec<LoopKind> {
    let mut found = Vec::new();
    crate::loops::walk::stmts(block, &mut |stmt| {
        if let Stmt::For(looped) = stmt
            && !found.contains(&looped.kind)
        {
            found.push(looped.kind);
        }
    });
    found
}

type Around = Vec<(LoopKind, NatVar, Nat)>;

fn walk(
    kernel: &Kernel,
    block: &Block,
    around: &mut Around,
    found: &mut dyn FnMut(BufferId, &[(LoopKind, NatVar, Nat)]) -> Result<(), String>,
) -> Result<(), String> {
    for stmt in block {
        match stmt {
            Stmt::Alloc(id) if kernel.buffer(*id).role == Role::Heap => found(*id, around)?,
            Stmt::For(looped) => {
                let parallel =
                    matches!(looped.kind, LoopKind::Global(_) | LoopKind::WorkGroup(_) | LoopKind::Local(_));
                if parallel {
                    around.push((looped.kind, looped.var.clone(), looped.count.clone()));
                }
                walk(kernel, &looped.body, around, found)?;
                around.truncate(around.len() - usize::from(parallel));
            }
            Stmt::If(_, then, otherwise) => {
                walk(kernel, then, around, found)?;
                walk(kernel, otherwise, around, found)?;
            }
            Stmt::Block(inner) => walk(kernel, inner, around, found)?,
            _ => {}
        }
    }
    Ok(())
}
