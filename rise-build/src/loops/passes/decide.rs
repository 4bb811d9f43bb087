//! What stays the same in a loop is decided before it.
//!
//! ```text
//! for i in 0..m             if n >= 16
//!   if n >= 16                for i in 0..m
//!     …                →        …
//!   else                    else
//!     …                       for i in 0..m
//!                               …
//! ```
//!
//! The compiler behind does so where the loop is small. Elsewhere it would keep an address for each access of every
//! branch from one iteration to the next, in memory, of which short rows use few.

use crate::nat::{Atom, Nat, NatVar};

use super::super::ir::*;
use super::copy::Copier;
use super::{Options, TooLarge};

#[allow(clippy::unnecessary_wraps)]
pub(super) fn run(kernel: &mut Kernel, options: &Options) -> Result<(), TooLarge> {
    if !options.device {
        block(&mut kernel.body, &mut kernel.buffers);
    }
    Ok(())
}

fn block(stmts: &mut Block, buffers: &mut Vec<Buffer>) {
    for stmt in stmts {
        match stmt {
            Stmt::For(looped) => {
                block(&mut looped.body, buffers);
                if choice(looped).is_some() {
                    decided(stmt, buffers);
                }
            }
            Stmt::If(_, then, otherwise) => {
                block(then, buffers);
                block(otherwise, buffers);
            }
            Stmt::Block(inner) => block(inner, buffers),
            _ => {}
        }
    }
}

/// Where the choice stands that is all that an iteration does, if it is made by sizes that are known before the loop.
fn choice(looped: &Loop) -> Option<usize> {
    let mut others = looped.body.iter().enumerate().filter(|(_, stmt)| !matches!(stmt, Stmt::Comment(_)));
    let (Some((at, Stmt::If(condition, ..))), None) = (others.next(), others.next()) else { return None };
    (looped.kind == LoopKind::Seq && is_known(condition, &looped.var)).then_some(at)
}

/// Whether the condition says the same in all iterations, and can be asked where there is none: then products of sizes
/// may be too large, and divisors 0.
fn is_known(condition: &Value, var: &NatVar) -> bool {
    let is_size = |factors: &[(Atom, u32)]| match factors {
        [] => true,
        [(Atom::Var(size), 1)] => size != var,
        _ => false,
    };
    let is_linear = |nat: &Nat| nat.terms().all(|(_, factors)| is_size(factors));
    matches!(condition, Value::CompareNat(_, a, b) if is_linear(a) && is_linear(b))
}

/// The choice with the loop in each of its branches that does something, and choices inside of those likewise.
fn decided(stmt: &mut Stmt, buffers: &mut Vec<Buffer>) {
    let Stmt::For(looped) = stmt else { return };
    let Some(at) = choice(looped) else { return };
    let Stmt::If(condition, then, otherwise) = looped.body.remove(at) else { return };
    let around = |branch: Block| {
        let mut each = looped.clone();
        each.body.extend(branch);
        Stmt::For(each)
    };
    let branches = [then, otherwise].map(|branch| match branch.is_empty() {
        true => branch,
        false => {
            let mut copy = Copier::new(buffers).copy(&[around(branch)]);
            copy.iter_mut().for_each(|each| decided(each, buffers));
            copy
        }
    });
    let [then, otherwise] = branches;
    *stmt = Stmt::If(condition, then, otherwise);
}
