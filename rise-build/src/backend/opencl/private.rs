//! Private memory belongs to one work-item: what a loop over work-items writes outside of itself has been shared
//! out by the pass `distribute`, or cannot be compiled.

use crate::loops::{Block, BufferId, Kernel, LoopKind, Role, Stmt, walk};
use crate::nat::NatVar;

/// An error where a work-item would need what another has written to its private memory.
pub fn check(kernel: &Kernel, block: &Block) -> Result<(), String> {
    walk_block(kernel, block, &mut Vec::new(), &mut Vec::new())
}

/// `items` are the loops over work-items around, `own` what is declared inside them, with how many are around.
fn walk_block(
    kernel: &Kernel,
    block: &Block,
    items: &mut Vec<NatVar>,
    own: &mut Vec<(BufferId, usize)>,
) -> Result<(), String> {
    for stmt in block {
        match stmt {
            Stmt::Alloc(id) if kernel.buffer(*id).role == Role::Stack => own.push((*id, items.len())),
            Stmt::For(looped) => {
                let parallel = matches!(looped.kind, LoopKind::Local(_));
                if parallel {
                    items.push(looped.var.clone());
                }
                walk_block(kernel, &looped.body, items, own)?;
                items.truncate(items.len() - usize::from(parallel));
            }
            Stmt::If(_, then, otherwise) => {
                walk_block(kernel, then, items, own)?;
                walk_block(kernel, otherwise, items, own)?;
            }
            Stmt::Block(inner) => walk_block(kernel, inner, items, own)?,
            other => {
                let mut shared = false;
                walk::accesses(std::slice::from_ref(other), &mut |access, write| {
                    let declared = own.iter().rev().find(|(id, _)| *id == access.buffer);
                    if let (true, Some((_, outer))) = (write, declared) {
                        shared |= access.index.mentions_any(&|var| items[*outer..].contains(var));
                    }
                });
                if shared {
                    return Err(
                        "private memory belongs to one work-item, but others read what is written here; \
                         use local memory, or the same `mapLocal` everywhere"
                            .into(),
                    );
                }
            }
        }
    }
    Ok(())
}
