//! Loops over work-items stand in no loop over the same ones: each work-item would do only its part of the inner
//! loop, for iterations of the outer one that are its own. Where maps are written inside each other that is refused
//! before; here it is where one is computed inside of another that reads it.

use crate::loops::{Block, LoopKind, Stmt};

/// An error where a loop over work-items, or groups, is inside one of the same kind.
pub fn check(block: &Block, around: &mut Vec<LoopKind>) -> Result<(), String> {
    for stmt in block {
        match stmt {
            Stmt::For(looped) => {
                let is_shared_out =
                    matches!(looped.kind, LoopKind::Global(_) | LoopKind::WorkGroup(_) | LoopKind::Local(_));
                if is_shared_out && around.contains(&looped.kind) {
                    return Err("a map over work-items inside another one over the same".into());
                }
                around.push(looped.kind);
                check(&looped.body, around)?;
                around.pop();
            }
            Stmt::If(_, then, otherwise) => {
                check(then, around)?;
                check(otherwise, around)?;
            }
            Stmt::Block(inner) => check(inner, around)?,
            _ => {}
        }
    }
    Ok(())
}
