//! A loop that prepares something in each iteration for a loop inside is left out where that one does nothing.
//!
//! ```text
//! for i in 0..m                    if 0 < n
//!   panel = copy of b[i]    →        for i in 0..m
//!   for j in 0..n                      panel = copy of b[i]
//!     c[i, j] = …                      for j in 0..n  …
//! ```

use std::collections::BTreeSet;

use crate::expr::Compare;
use crate::nat::{Nat, NatVar};

use super::super::ir::*;
use super::super::walk;
use super::{Options, TooLarge};

#[allow(clippy::unnecessary_wraps)]
pub(super) fn run(kernel: &mut Kernel, _: &Options) -> Result<(), TooLarge> {
    block(&mut kernel.body);
    Ok(())
}

fn block(stmts: &mut Block) {
    for stmt in stmts {
        match stmt {
            Stmt::For(looped) => {
                if let Some(count) = only_effect(looped) {
                    let any = Value::CompareNat(Compare::Lt, Nat::lit(0), count);
                    let looped = std::mem::replace(stmt, Stmt::Block(Block::new()));
                    *stmt = Stmt::If(any, vec![looped], Block::new());
                } else {
                    block(&mut looped.body);
                }
            }
            Stmt::If(_, then, otherwise) => {
                block(then);
                block(otherwise);
            }
            Stmt::Block(inner) => block(inner),
            _ => {}
        }
    }
}

/// How often the loop inside runs that alone changes memory of outside, where there is work beside it.
fn only_effect(looped: &Loop) -> Option<Nat> {
    if !matches!(looped.kind, LoopKind::Seq | LoopKind::Par) {
        return None;
    }
    let own: BTreeSet<BufferId> = looped.body.iter().filter_map(allocated).collect();
    if own.is_empty() {
        return None;
    }
    let mut effects = looped.body.iter().filter(|stmt| changes_others(stmt, &own));
    let (Some(Stmt::For(inner)), None) = (effects.next(), effects.next()) else { return None };
    let local = |var: &NatVar| *var == looped.var || looped.body.iter().any(|stmt| declares(stmt, var));
    let is_known = inner.count.as_const().is_none() && !inner.count.vars().iter().any(local);
    is_known.then(|| inner.count.clone())
}

fn allocated(stmt: &Stmt) -> Option<BufferId> {
    match stmt {
        Stmt::Alloc(id) => Some(*id),
        _ => None,
    }
}

fn declares(stmt: &Stmt, var: &NatVar) -> bool {
    matches!(stmt, Stmt::LetNat(other, _) if other == var)
}

/// Whether the statement changes a register or memory that outlives the iteration.
fn changes_others(stmt: &Stmt, own: &BTreeSet<BufferId>) -> bool {
    let mut changes = false;
    let one = std::slice::from_ref(stmt);
    walk::accesses(one, &mut |access, write| changes |= write && !own.contains(&access.buffer));
    walk::stmts(one, &mut |stmt| {
        changes |= matches!(stmt, Stmt::Set(..) | Stmt::Swap(..) | Stmt::Barrier { .. });
    });
    walk::values(one, &mut |value| changes |= matches!(value, Value::Foreign(..)));
    changes
}
