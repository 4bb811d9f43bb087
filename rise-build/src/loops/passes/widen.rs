//! Scalar loops over small arrays that are vectors elsewhere become loops over lanes too, so that the arrays can lie
//! in vector registers.
//!
//! ```text
//! for j in 0..32                 for unrolled j in 0..2
//!   acc[j] = 0             →       for lanes l in 0..16
//!                                    acc[16·j + l] = 0
//! ```
//!
//! Only where the iterations are independent: nothing that is read is written, no register of outside is set, and
//! each iteration writes elements of its own.

use std::collections::BTreeMap;

use crate::nat::{Nat, NatVar};

use super::super::independent::is_independent;
use super::super::ir::*;
use super::super::walk;
use super::copy::Copier;
use super::{Options, TooLarge, measure};

/// Larger loops stay as they are.
const GREATEST: usize = 2000;

#[allow(clippy::unnecessary_wraps)]
pub(super) fn run(kernel: &mut Kernel, _: &Options) -> Result<(), TooLarge> {
    let widths = widths(kernel);
    if !widths.is_empty() {
        let mut body = std::mem::take(&mut kernel.body);
        Widener { widths, buffers: &mut kernel.buffers }.block(&mut body);
        kernel.body = body;
    }
    Ok(())
}

/// The width of the vectors in small arrays on the stack.
fn widths(kernel: &Kernel) -> BTreeMap<BufferId, u32> {
    let mut widths = BTreeMap::new();
    walk::accesses(&kernel.body, &mut |access, _| {
        if access.lanes > 1 && kernel.buffer(access.buffer).role == Role::Stack {
            let width = widths.entry(access.buffer).or_insert(0);
            *width = access.lanes.max(*width);
        }
    });
    // What changes places with an array of vectors is one.
    let mut swaps = Vec::new();
    walk::stmts(&kernel.body, &mut |stmt| {
        if let Stmt::Swap(a, b) = stmt {
            swaps.extend([(*a, *b), (*b, *a)]);
        }
    });
    for (a, b) in swaps {
        if let Some(width) = widths.get(&a).copied() {
            widths.entry(b).or_insert(width);
        }
    }
    widths
}

struct Widener<'a> {
    widths: BTreeMap<BufferId, u32>,
    buffers: &'a mut Vec<Buffer>,
}

impl Widener<'_> {
    fn block(&mut self, block: &mut Block) {
        for stmt in block {
            match stmt {
                Stmt::For(looped) => {
                    if let Some(width) = self.width(looped) {
                        self.split(looped, width);
                    } else {
                        self.block(&mut looped.body);
                    }
                }
                Stmt::If(_, then, otherwise) => {
                    self.block(then);
                    self.block(otherwise);
                }
                Stmt::Block(inner) => self.block(inner),
                _ => {}
            }
        }
    }

    /// The width to which a loop can be widened, if it indexes arrays of vectors and is independent.
    fn width(&self, looped: &Loop) -> Option<u32> {
        let count = looped.count.as_const().filter(|_| looped.kind == LoopKind::Seq)?;
        let mut width = None;
        let mut fits = is_independent(looped);
        walk::accesses(&looped.body, &mut |access, write| {
            let own = write.then_some(access.index.affine_in(&looped.var)).flatten();
            fits &= access.lanes == 1 && (!write || own.is_some_and(|(step, _)| step.is_one()));
            if access.index.mentions(&looped.var) {
                width = width.max(self.widths.get(&access.buffer).copied());
            }
        });
        walk::stmts(&looped.body, &mut |stmt| fits &= !matches!(stmt, Stmt::LetNat(..)));
        let width = width.filter(|_| fits)?;
        (count % i64::from(width) == 0 && measure::size(&looped.body) <= GREATEST).then_some(width)
    }

    fn split(&mut self, looped: &mut Loop, width: u32) {
        let lane = NatVar::new("lane");
        let outer = looped.var.clone();
        let index = Nat::var(&outer) * Nat::from(width) + Nat::var(&lane);
        let body = Copier::new(self.buffers).with(&outer, index).copy(&looped.body);
        let lanes = Loop { var: lane, count: Nat::from(width), kind: LoopKind::Vec, body };
        looped.count = looped.count.div(&Nat::from(width));
        looped.body = vec![Stmt::For(lanes)];
    }
}
