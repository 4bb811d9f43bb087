//! A choice by sizes alone that is all that a loop does is made once, before the loop.
//!
//! ```text
//! for i in 0..n                    if c < 4
//!   if c < 4                         for i in 0..n
//!     A                    →           A
//!   else                           else
//!     B                              for i in 0..n
//!                                      B
//! ```
//!
//! Compilers keep for a loop what any of its iterations may need: with all ways to go through a row in one loop, that is
//! more than there are registers, and short rows pay for it.

use crate::expr::Binary;
use crate::nat::{Atom, Facts, Nat, NatVar};

use super::super::ir::*;
use super::super::walk::VisitLoops;
use super::copy::Copier;
use super::{Options, TooLarge};

/// So many statements are written once more for each way.
const LITTLE: usize = 4;

#[allow(clippy::unnecessary_wraps)]
pub(super) fn run(kernel: &mut Kernel, options: &Options) -> Result<(), TooLarge> {
    if !options.device {
        let facts = kernel.facts.clone();
        Choose { buffers: &mut kernel.buffers }.block(&mut kernel.body, facts);
    }
    Ok(())
}

struct Choose<'a> {
    buffers: &'a mut Vec<Buffer>,
}

impl VisitLoops for Choose<'_> {
    fn looped(&mut self, mut looped: Loop, facts: &mut Facts, out: &mut Block) {
        self.body(&mut looped, facts);
        out.append(&mut self.chosen(looped));
    }
}

impl Choose<'_> {
    /// The loop, behind the choices that it consists of.
    fn chosen(&mut self, mut looped: Loop) -> Block {
        if !is_choice(&looped) {
            return vec![Stmt::For(looped)];
        }
        let Some(Stmt::If(condition, then, otherwise)) = looped.body.pop() else { return Block::new() };
        let then = self.way(&looped, then);
        let otherwise = self.way(&looped, otherwise);
        // Both declare the loop's variable, each in functions of its own.
        let otherwise = Copier::new(self.buffers).copy(&otherwise);
        vec![Stmt::If(condition, then, otherwise)]
    }

    /// The loop with one of its ways, if anything is done on that.
    fn way(&mut self, looped: &Loop, way: Block) -> Block {
        if way.is_empty() {
            return way;
        }
        let body = looped.body.iter().cloned().chain(way).collect();
        self.chosen(Loop { body, ..looped.clone() })
    }
}

/// Whether the loop does nothing beside what sizes choose, but for reading little that each way may read for itself.
fn is_choice(looped: &Loop) -> bool {
    let Some((Stmt::If(condition, ..), before)) = looped.body.split_last() else { return false };
    let is_little = |stmt: &Stmt| matches!(stmt, Stmt::Comment(_) | Stmt::Let(..));
    before.len() <= LITTLE && before.iter().all(is_little) && is_of_sizes(condition, &looped.var)
}

/// Whether it compares sizes, each in terms of its own: where there are no iterations, a product need not be a number.
fn is_of_sizes(condition: &Value, own: &NatVar) -> bool {
    match condition {
        Value::Binary(Binary::And | Binary::Or, _, a, b) => is_of_sizes(a, own) && is_of_sizes(b, own),
        Value::CompareNat(_, a, b) => [a, b].into_iter().all(|nat| is_sum(nat) && !nat.mentions(own)),
        _ => false,
    }
}

fn is_sum(nat: &Nat) -> bool {
    nat.terms().all(|(_, factors)| match factors {
        [] => true,
        [(Atom::Var(_), 1)] => true,
        [(Atom::Div(of, by), 1)] => is_sum(of) && by.as_const().is_some(),
        _ => false,
    })
}
