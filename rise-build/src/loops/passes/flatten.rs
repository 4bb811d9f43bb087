//! Two loops that walk through memory as one do so in one loop: short rows cost no more than long ones.
//!
//! ```text
//! for i in 0..h
//!   for j in 0..w                      for i in 0..h * w
//!     y[w·i + j] = 2 * x[w·i + j]  →     y[i] = 2 * x[i]
//! ```
//!
//! Of a parallel loop, tasks of many iterations are left.

use crate::nat::{Nat, NatVar};

use super::super::ir::*;
use super::super::walk;
use super::copy::Copier;
use super::{Options, TooLarge};

/// Iterations of a task.
pub(super) const TASK: i64 = 4096;

/// Lanes that fill no vector, of which rows are made anyway.
const FEW: i64 = 8;

#[allow(clippy::unnecessary_wraps)]
pub(super) fn run(kernel: &mut Kernel, _: &Options) -> Result<(), TooLarge> {
    let mut body = std::mem::take(&mut kernel.body);
    block(&mut body, &mut kernel.buffers);
    kernel.body = body;
    Ok(())
}

fn block(stmts: &mut Block, buffers: &mut Vec<Buffer>) {
    for stmt in std::mem::take(stmts) {
        match stmt {
            Stmt::For(mut looped) => {
                block(&mut looped.body, buffers);
                match flat(&looped, buffers) {
                    Some(flat) if looped.kind == LoopKind::Par => tasks(&flat, stmts, buffers),
                    Some(flat) => stmts.push(Stmt::For(flat)),
                    None => stmts.push(Stmt::For(looped)),
                }
            }
            Stmt::If(condition, mut then, mut otherwise) => {
                block(&mut then, buffers);
                block(&mut otherwise, buffers);
                stmts.push(Stmt::If(condition, then, otherwise));
            }
            Stmt::Block(mut inner) => {
                block(&mut inner, buffers);
                stmts.push(Stmt::Block(inner));
            }
            other => stmts.push(other),
        }
    }
}

/// Both loops as one, of the inner one's kind.
pub(super) fn flat(outer: &Loop, buffers: &mut Vec<Buffer>) -> Option<Loop> {
    let mut stmts = outer.body.iter().filter(|stmt| !matches!(stmt, Stmt::Comment(_)));
    let (Some(Stmt::For(inner)), None) = (stmts.next(), stmts.next()) else { return None };
    let kinds = matches!(outer.kind, LoopKind::Seq | LoopKind::Par)
        && matches!(inner.kind, LoopKind::Seq | LoopKind::Vec);
    // Vectors by themselves stay so.
    let is_vector = |count: i64| inner.kind == LoopKind::Seq || count > FEW || count.count_ones() == 1;
    if !kinds || inner.count.mentions(&outer.var) || inner.count.as_const().is_some_and(is_vector) {
        return None;
    }
    if !is_one(&mut inner.body.clone(), outer, inner) {
        return None;
    }
    let var = NatVar::new(inner.var.text());
    let copier = Copier::new(buffers).with(&outer.var, Nat::lit(0));
    let body = copier.with(&inner.var, Nat::var(&var)).copy(&inner.body);
    Some(Loop { var, count: &outer.count * &inner.count, kind: inner.kind, body })
}

/// Whether each natural of a body depends on both loops' variables as on that of one loop.
pub(super) fn is_one(body: &mut Block, outer: &Loop, inner: &Loop) -> bool {
    let position = Nat::var(&outer.var) * &inner.count + Nat::var(&inner.var);
    let mut is_one = true;
    walk::nats(body, &mut |nat| {
        if is_one && (nat.mentions(&outer.var) || nat.mentions(&inner.var)) {
            let first = nat.subst(&outer.var, &Nat::lit(0));
            is_one = first.subst(&inner.var, &position) == *nat;
        }
    });
    is_one
}

/// Tasks in parallel, then what is left over.
pub(super) fn tasks(flat: &Loop, out: &mut Block, buffers: &mut Vec<Buffer>) {
    let (task, whole) = (NatVar::new("task"), flat.count.div(&Nat::lit(TASK)));
    let mut part = |start: Nat, count: Nat| {
        let var = NatVar::new(flat.var.text());
        let body = Copier::new(buffers).with(&flat.var, start + Nat::var(&var)).copy(&flat.body);
        Stmt::For(Loop { var, count, kind: flat.kind, body })
    };
    let body = vec![part(Nat::var(&task) * TASK, Nat::lit(TASK))];
    let rest = part(&whole * TASK, &flat.count - &whole * TASK);
    out.push(Stmt::For(Loop { var: task, count: whole, kind: LoopKind::Par, body }));
    out.push(rest);
}
