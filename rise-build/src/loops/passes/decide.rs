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
//! branch from one iteration to the next, in memory, of which short rows use few. Long rows of lanes that choose beside
//! other things are decided about by `interior`, before it looks for their borders.

use std::collections::BTreeSet;

use crate::expr::Binary;
use crate::nat::{Atom, Nat, NatVar};

use super::super::ir::*;
use super::super::walk;
use super::copy::Copier;
use super::{Options, TooLarge};

/// Loops with more choices than these make them as they go.
const MOST_CHOICES: usize = 2;

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
    (looped.kind == LoopKind::Seq && is_known(condition, &inside(looped))).then_some(at)
}

/// Whether the condition says the same in all iterations, and can be asked where there is none: then products of sizes
/// may be too large, and divisors 0. `inside` are names that mean something else in each.
fn is_known(condition: &Value, inside: &BTreeSet<NatVar>) -> bool {
    let is_size = |factors: &[(Atom, u32)]| match factors {
        [] => true,
        [(Atom::Var(size), 1)] => !inside.contains(size),
        _ => false,
    };
    let is_linear = |nat: &Nat| nat.terms().all(|(_, factors)| is_size(factors));
    match condition {
        Value::CompareNat(_, a, b) => is_linear(a) && is_linear(b),
        Value::Binary(Binary::And | Binary::Or, _, a, b) => is_known(a, inside) && is_known(b, inside),
        _ => false,
    }
}

/// The names of a loop that mean something else in each iteration.
fn inside(looped: &Loop) -> BTreeSet<NatVar> {
    let mut names = walk::declared(&looped.body);
    names.insert(looped.var.clone());
    names
}

/// The loop for each branch of a choice that its iterations make beside other things, if it is made by what is known
/// before: lanes have other borders in each branch.
pub(super) fn before(looped: &Loop, buffers: &mut Vec<Buffer>) -> Option<Stmt> {
    let inside = inside(looped);
    let mut choices = looped.body.iter().enumerate().filter_map(|(at, stmt)| match stmt {
        Stmt::If(condition, then, otherwise) if is_known(condition, &inside) => {
            Some((at, condition, [then, otherwise]))
        }
        _ => None,
    });
    let (at, condition, branches) = choices.next()?;
    // Each choice doubles what is written.
    if choices.count() >= MOST_CHOICES {
        return None;
    }
    let [then, otherwise] = branches.map(|branch| {
        let mut each = looped.clone();
        each.body.splice(at..=at, branch.iter().cloned());
        Copier::new(buffers).copy(&[Stmt::For(each)])
    });
    Some(Stmt::If(condition.clone(), then, otherwise))
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
