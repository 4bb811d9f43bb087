//! Where temporaries lie.
//!
//! Temporaries on the heap whose lengths are known at entry share one allocation of the call, in which those
//! of disjoint scopes overlap. Those of parallel loops are allocated once for each task, others (of a length
//! computed on the way) where they are declared. Stack arrays are declared where they are used.

use std::collections::BTreeSet;

use crate::loops::{Block, Buffer, BufferId, Kernel, Loop, LoopKind, Role, Stmt, kernel_facts};

use crate::nat::{Facts, Nat, NatVar};

/// A scope with temporaries of the one allocation, and the scopes inside.
#[derive(Default)]
pub struct Scope {
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

/// Looks through all declarations.
pub fn temporaries(kernel: &Kernel) -> Temporaries {
    let mut found = Temporaries::default();
    found.hoisted = found.scan(kernel, &kernel.body, false);
    found
}

impl Temporaries {
    fn scan(&mut self, kernel: &Kernel, block: &Block, parallel: bool) -> Scope {
        let mut scope = Scope::default();
        for stmt in block {
            match stmt {
                Stmt::Alloc(id) if on_stack(kernel.buffer(*id)) => self.any_on_stack = true,
                Stmt::Alloc(id) if !parallel && known_at_entry(kernel, *id) => {
                    scope.buffers.push(*id);
                    self.order.push(*id);
                }
                Stmt::For(inner) => {
                    let parallel = parallel || inner.kind == LoopKind::Par;
                    scope.inner.push(self.scan(kernel, &inner.body, parallel));
                }
                Stmt::If(_, then, otherwise) => {
                    scope.inner.push(self.scan(kernel, then, parallel));
                    scope.inner.push(self.scan(kernel, otherwise, parallel));
                }
                Stmt::Block(block) => scope.inner.push(self.scan(kernel, block, parallel)),
                Stmt::Swap(a, b) => self.swapped.extend([*a, *b]),
                _ => {}
            }
        }
        scope.inner.retain(|inner| !inner.is_empty());
        scope
    }
}

impl Scope {
    /// Whether nothing is declared here or inside.
    pub fn is_empty(&self) -> bool {
        self.buffers.is_empty() && self.inner.is_empty()
    }
}

/// The numbers of iterations of all loops and of elements of all temporaries, where they depend on the
/// iteration the greatest ones.
pub fn counts(kernel: &Kernel) -> Vec<Nat> {
    let mut counts = Vec::new();
    count(kernel, &kernel.body, kernel_facts(kernel), &mut counts);
    counts
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
                let mut known = facts.clone();
                known.range(&inner.var, &Nat::lit(0), &inner.count);
                inside.push((&inner.body, known));
            }
            Stmt::If(_, then, otherwise) => {
                inside.extend([(then, facts.clone()), (otherwise, facts.clone())]);
            }
            Stmt::Block(block) => inside.push((block, facts.clone())),
            Stmt::LetNat(var, _) => facts.size(var),
            _ => {}
        }
    }
    inside.into_iter().for_each(|(block, known)| count(kernel, block, known, counts));
}

/// Whether it is an array of constant length on the stack.
pub fn on_stack(buffer: &Buffer) -> bool {
    buffer.role != Role::Heap && buffer.len.as_const().is_some()
}

/// The temporaries on the heap that every task of a parallel loop needs once: their lengths do not depend on
/// the iteration.
pub fn of_each_task(kernel: &Kernel, parallel: &Loop) -> Vec<BufferId> {
    let (mut found, mut inside) = (Vec::new(), vec![parallel.var.clone()]);
    declared(&parallel.body, &mut found, &mut inside);
    found.retain(|id| {
        let buffer = kernel.buffer(*id);
        !on_stack(buffer) && buffer.len.vars().iter().all(|var| !inside.contains(var))
    });
    found
}

/// Buffers and naturals that a block declares, but for those of parallel loops inside.
fn declared(block: &Block, buffers: &mut Vec<BufferId>, nats: &mut Vec<NatVar>) {
    for stmt in block {
        match stmt {
            Stmt::Alloc(id) => buffers.push(*id),
            Stmt::LetNat(var, _) => nats.push(var.clone()),
            Stmt::For(inner) if inner.kind != LoopKind::Par => {
                nats.push(inner.var.clone());
                declared(&inner.body, buffers, nats);
            }
            Stmt::If(_, then, otherwise) => {
                declared(then, buffers, nats);
                declared(otherwise, buffers, nats);
            }
            Stmt::Block(block) => declared(block, buffers, nats),
            _ => {}
        }
    }
}

fn known_at_entry(kernel: &Kernel, id: BufferId) -> bool {
    kernel.buffer(id).len.vars().iter().all(|var| kernel.nats.contains(var))
}
