//! Cuts long loops over lanes into vectors.
//!
//! ```text
//! for lanes i in 0..n            for j in 0..n / 16
//!   y[i] = 2 * x[i]        →       for lanes l in 0..16  … i = 16·j + l
//!                                if 16 · (n / 16) < n
//!                                  if n >= 16
//!                                    for lanes l in 0..16  … i = n - 16 + l
//!                                  else
//!                                    for i in 0..n
//! ```
//!
//! What is left over is computed by a last vector that overlaps the one before, where computing an element
//! twice makes no difference; elsewhere, and where there are fewer elements than lanes, one by one.

use std::collections::BTreeSet;

use crate::expr::Compare;
use crate::names::Name;
use crate::nat::{Nat, NatVar};

use super::super::ir::*;
use super::super::walk;
use super::copy::Copier;
use super::{Options, TooLarge};

/// Bytes of the widest vector.
const BYTES: u32 = 64;

/// Lanes of the longest vector.
const LONGEST: i64 = 64;

#[allow(clippy::unnecessary_wraps)]
pub(super) fn run(kernel: &mut Kernel, _: &Options) -> Result<(), TooLarge> {
    let body = std::mem::take(&mut kernel.body);
    kernel.body = Strips { buffers: &mut kernel.buffers }.block(body);
    Ok(())
}

/// Whether the loop is over more lanes than a vector has.
pub(super) fn is_strip(looped: &Loop) -> bool {
    looped.kind == LoopKind::Vec && looped.count.as_const().is_none_or(|count| count > LONGEST)
}

struct Strips<'a> {
    buffers: &'a mut Vec<Buffer>,
}

impl Strips<'_> {
    fn block(&mut self, block: Block) -> Block {
        let mut out = Block::with_capacity(block.len());
        for stmt in block {
            match stmt {
                Stmt::For(looped) if is_strip(&looped) => self.cut(&looped, &mut out),
                Stmt::For(looped) => {
                    let body = self.block(looped.body);
                    out.push(Stmt::For(Loop { body, ..looped }));
                }
                Stmt::If(condition, then, otherwise) => {
                    let (then, otherwise) = (self.block(then), self.block(otherwise));
                    out.push(Stmt::If(condition, then, otherwise));
                }
                Stmt::Block(inner) => {
                    let inner = self.block(inner);
                    out.push(Stmt::Block(inner));
                }
                other => out.push(other),
            }
        }
        out
    }

    fn cut(&mut self, looped: &Loop, out: &mut Block) {
        let count = &looped.count;
        let width = Nat::from(self.width(&looped.body));
        let vectors = count.div(&width);
        let whole = &vectors * &width;
        let outer = NatVar::new(looped.var.text());
        let body = vec![self.lanes(looped, &(Nat::var(&outer) * &width), &width)];
        out.push(Stmt::For(Loop { var: outer, count: vectors, kind: LoopKind::Seq, body }));
        let rest = count - &whole;
        if rest.is_zero() {
            return;
        }
        let rest = match may_repeat(&looped.body) {
            true => {
                let again = self.lanes(looped, &(count - &width), &width);
                let few = self.one_by_one(looped, &Nat::lit(0), count);
                vec![Stmt::If(Value::CompareNat(Compare::Ge, count.clone(), width), vec![again], vec![few])]
            }
            false => vec![self.one_by_one(looped, &whole, &rest)],
        };
        match count.as_const() {
            Some(_) => out.extend(rest),
            None => {
                out.push(Stmt::If(Value::CompareNat(Compare::Lt, whole, count.clone()), rest, Vec::new()));
            }
        }
    }

    /// One vector, from an iteration on.
    fn lanes(&mut self, looped: &Loop, start: &Nat, width: &Nat) -> Stmt {
        let lane = NatVar::new("lane");
        let body = Copier::new(self.buffers).with(&looped.var, Nat::var(&lane) + start).copy(&looped.body);
        Stmt::For(Loop { var: lane, count: width.clone(), kind: LoopKind::Vec, body })
    }

    fn one_by_one(&mut self, looped: &Loop, start: &Nat, count: &Nat) -> Stmt {
        let var = NatVar::new(looped.var.text());
        let body = Copier::new(self.buffers).with(&looped.var, Nat::var(&var) + start).copy(&looped.body);
        Stmt::For(Loop { var, count: count.clone(), kind: LoopKind::Seq, body })
    }

    /// As many lanes as fill the widest vector with the widest scalar that is written.
    fn width(&self, body: &[Stmt]) -> u32 {
        let mut bytes = 1;
        walk::accesses(body, &mut |access, write| {
            if write {
                bytes = bytes.max(self.buffers[access.buffer.0 as usize].scalar(&access.path).bytes());
            }
        });
        BYTES / bytes
    }
}

/// Whether an iteration that runs twice leaves what it left the first time: it reads nothing that the loop
/// writes.
pub(super) fn may_repeat(body: &[Stmt]) -> bool {
    let mut own: BTreeSet<BufferId> = BTreeSet::new();
    let mut declared: BTreeSet<Name> = BTreeSet::new();
    let mut repeats = true;
    walk::stmts(body, &mut |stmt| match stmt {
        Stmt::Alloc(id) => drop(own.insert(*id)),
        Stmt::Let(name, ..) | Stmt::Var(name, ..) => drop(declared.insert(name.clone())),
        Stmt::Set(name, _) => repeats &= declared.contains(name),
        Stmt::Swap(..) | Stmt::Barrier { .. } => repeats = false,
        _ => {}
    });
    let (mut read, mut written) = (BTreeSet::new(), BTreeSet::new());
    walk::accesses(body, &mut |access, write| {
        if !own.contains(&access.buffer) {
            if write { &mut written } else { &mut read }.insert(access.buffer);
        }
    });
    walk::values(body, &mut |value| repeats &= !matches!(value, Value::Foreign(..)));
    repeats && read.is_disjoint(&written)
}
