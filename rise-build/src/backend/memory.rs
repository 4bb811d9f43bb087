//! Where temporaries lie.
//!
//! Temporaries on the heap whose lengths are known at entry share one allocation of the call, in which those of disjoint
//! scopes overlap, and which has room for a branch where sizes say that it runs. Those of parallel loops are allocated once
//! for each task, others (of a length computed on the way) where they are declared. Stack arrays are declared where they
//! are used.

use std::collections::BTreeSet;

use crate::expr::{Binary, Unary};
use crate::loops::{
    Block, Buffer, BufferId, Kernel, Loop, LoopKind, Role, Stmt, Value, ValueType, branches, define,
    iterating, walk,
};
use crate::nat::{Facts, Nat};
use crate::types::Scalar;

/// A scope with temporaries of the one allocation, and the scopes inside.
#[derive(Default)]
pub struct Scope {
    /// What holds where it is entered, if that is known before.
    pub when: Option<Value>,
    /// Declared here.
    pub buffers: Vec<BufferId>,
    /// Those inside, one after the other.
    pub inner: Vec<Scope>,
}

/// What the declarations of a kernel ask for.
#[derive(Default)]
pub struct Temporaries {
    /// The plan of the one allocation.
    pub hoisted: Scope,
    /// All buffers in it, in order.
    pub order: Vec<BufferId>,
    /// Buffers whose pointers are exchanged.
    pub swapped: BTreeSet<BufferId>,
    /// Whether an array lies on the stack.
    pub any_on_stack: bool,
}

/// How parallel loops run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Loops {
    /// As tasks, each with memory of its own.
    Parallel,
    /// One iteration after the other.
    Serial,
}

/// Looks through all declarations.
pub fn temporaries(kernel: &Kernel, loops: Loops) -> Temporaries {
    let mut found = Temporaries::default();
    let known = |nat: &Nat| nat.vars().iter().all(|var| kernel.nats.contains(var));
    found.hoisted = scope(kernel, &kernel.body, loops, &known);
    found.hoisted.list(&mut found.order);
    walk::stmts(&kernel.body, &mut |stmt| match stmt {
        Stmt::Alloc(id) => found.any_on_stack |= on_stack(kernel.buffer(*id)),
        Stmt::Swap(a, b) => found.swapped.extend([*a, *b]),
        _ => {}
    });
    found
}

/// The temporaries on the heap in a block whose lengths are `known`.
fn scope(kernel: &Kernel, block: &Block, loops: Loops, known: &dyn Fn(&Nat) -> bool) -> Scope {
    let mut found = Scope::default();
    let inner = |block: &Block| scope(kernel, block, loops, known);
    let needs_memory = |id: BufferId| !on_stack(kernel.buffer(id)) && known(&kernel.buffer(id).len);
    for stmt in block {
        match stmt {
            Stmt::Alloc(id) if needs_memory(*id) => found.buffers.push(*id),
            Stmt::For(Loop { kind: LoopKind::Par, .. }) if loops == Loops::Parallel => {}
            Stmt::For(looped) => found.inner.push(inner(&looped.body)),
            Stmt::If(condition, then, otherwise) => {
                let when = compares(condition, known).then_some(condition);
                let bool = ValueType::scalar(Scalar::Bool);
                let not = when.map(|when| Value::Unary(Unary::Not, bool, Box::new(when.clone())));
                found.inner.push(Scope { when: when.cloned(), ..inner(then) });
                found.inner.push(Scope { when: not, ..inner(otherwise) });
            }
            Stmt::Block(block) => found.inner.push(inner(block)),
            _ => {}
        }
    }
    found.inner.retain(|inner| !inner.is_empty());
    found
}

/// Whether the value compares such naturals, and nothing else.
fn compares(value: &Value, known: &dyn Fn(&Nat) -> bool) -> bool {
    match value {
        Value::CompareNat(_, a, b) => known(a) && known(b),
        Value::Binary(Binary::And | Binary::Or, _, a, b) => compares(a, known) && compares(b, known),
        _ => false,
    }
}

impl Scope {
    /// Whether nothing is declared here or inside.
    pub fn is_empty(&self) -> bool {
        self.buffers.is_empty() && self.inner.is_empty()
    }

    /// All buffers, in order.
    pub fn list(&self, buffers: &mut Vec<BufferId>) {
        buffers.extend(&self.buffers);
        self.inner.iter().for_each(|inner| inner.list(buffers));
    }
}

/// The numbers of iterations of all loops, of elements of all temporaries, and the naturals that become
/// values, where they depend on the iteration the greatest ones.
pub fn counts(kernel: &Kernel) -> Vec<Nat> {
    let mut counts = Vec::new();
    count(kernel, &kernel.body, kernel.facts.clone(), &mut counts);
    counts
}

/// Calls `f` on the naturals that a statement takes as values.
fn in_values(stmt: &Stmt, f: &mut dyn FnMut(&Nat)) {
    walk::values(std::slice::from_ref(stmt), &mut |value| match value {
        Value::FromNat(_, nat) => f(nat),
        Value::CompareNat(_, a, b) => {
            f(a);
            f(b);
        }
        _ => {}
    });
}

fn count(kernel: &Kernel, block: &Block, mut facts: Facts, counts: &mut Vec<Nat>) {
    let mut add = |nat: &Nat, facts: &Facts| {
        let at_entry = |nat: &Nat| nat.vars().iter().all(|var| kernel.nats.contains(var));
        let greatest = if at_entry(nat) { Some(nat.clone()) } else { facts.bounds(nat).1 };
        counts.extend(greatest.filter(at_entry).filter(|nat| nat.as_const().is_none()));
    };
    let mut inside: Vec<(&Block, Facts)> = Vec::new();
    for stmt in block {
        match stmt {
            Stmt::Alloc(id) => add(&kernel.buffer(*id).len, &facts),
            Stmt::For(inner) => {
                add(&inner.count, &facts);
                inside.push((&inner.body, iterating(&facts, inner)));
            }
            Stmt::If(condition, then, otherwise) => {
                in_values(stmt, &mut |nat| add(nat, &facts));
                inside.extend([then, otherwise].into_iter().zip(branches(&facts, condition)));
            }
            Stmt::Block(block) => inside.push((block, facts.clone())),
            Stmt::LetNat(var, value) => define(&mut facts, var, value),
            other => in_values(other, &mut |nat| add(nat, &facts)),
        }
    }
    inside.into_iter().for_each(|(block, known)| count(kernel, block, known, counts));
}

/// Whether it is an array of constant length on the stack.
pub fn on_stack(buffer: &Buffer) -> bool {
    buffer.role != Role::Heap && buffer.len.as_const().is_some()
}

/// The temporaries on the heap that every task of a parallel loop needs once: their lengths do not depend on
/// the iteration. `nested` says how parallel loops inside run.
pub fn of_each_task(kernel: &Kernel, parallel: &Loop, nested: Loops) -> Scope {
    let mut inside = vec![parallel.var.clone()];
    walk::stmts(&parallel.body, &mut |stmt| match stmt {
        Stmt::LetNat(var, _) | Stmt::For(Loop { var, .. }) => inside.push(var.clone()),
        _ => {}
    });
    let known = |nat: &Nat| nat.vars().iter().all(|var| !inside.contains(var));
    scope(kernel, &parallel.body, nested, &known)
}
