//! Where temporaries lie, and which of them share memory.
//!
//! Small ones of constant size lie on the stack. All others are allocated outside of sequential loops where their
//! length allows it, so that a call allocates once; those that are never needed at the same time share one buffer.
//! Nothing leaves the body of a parallel loop: there each thread has its own.

use std::collections::BTreeSet;

use crate::nat::{Facts, NatVar};

use super::super::ir::*;
use super::super::walk::{self, VisitMut};
use super::{Options, TooLarge};

#[allow(clippy::unnecessary_wraps)]
pub(super) fn run(kernel: &mut Kernel, options: &Options) -> Result<(), TooLarge> {
    let facts = kernel.facts.clone();
    let mut body = std::mem::take(&mut kernel.body);
    let mut stack = Stack { options, all: options.stack_bytes * 16 };
    stack.block(&body, &mut kernel.buffers, options.stack_bytes * 4);
    let named_again = named_again(&body);
    let sizes = kernel.nats.clone();
    let mut planner =
        Planner { buffers: &mut kernel.buffers, facts, named_again, sizes, in_loop: options.device };
    planner.block(&mut body);
    kernel.body = body;
    Ok(())
}

/// What has room on the stack: little at any time, and not much more where compilers give each temporary its own.
struct Stack<'a> {
    options: &'a Options,
    all: u64,
}

impl Stack<'_> {
    /// The roles of what a block declares while so many bytes are left.
    fn block(&mut self, block: &[Stmt], buffers: &mut [Buffer], mut left: u64) {
        for stmt in block {
            match stmt {
                Stmt::Alloc(id) => {
                    let buffer = &mut buffers[id.0 as usize];
                    buffer.role = self.role(buffer, &mut left);
                }
                Stmt::For(looped) => self.block(&looped.body, buffers, left),
                Stmt::If(_, then, otherwise) => {
                    self.block(then, buffers, left);
                    self.block(otherwise, buffers, left);
                }
                Stmt::Block(inner) => self.block(inner, buffers, left),
                _ => {}
            }
        }
    }

    /// Small temporaries of constant size go to the stack, as long as there is room.
    fn role(&mut self, buffer: &Buffer, left: &mut u64) -> Role {
        let (Role::Stack | Role::Heap) = buffer.role else { return buffer.role };
        if buffer.role == Role::Heap && self.options.device {
            return Role::Heap;
        }
        let Some(len) = buffer.len.as_const() else { return Role::Heap };
        let bytes = len.max(0) as u64 * buffer.scalar_bytes() as u64;
        if self.options.device || bytes <= self.options.stack_bytes.min(*left).min(self.all) {
            *left = left.saturating_sub(bytes);
            self.all = self.all.saturating_sub(bytes);
            return Role::Stack;
        }
        Role::Heap
    }
}

/// Buffers whose memory has other names as well.
fn named_again(block: &[Stmt]) -> BTreeSet<BufferId> {
    let mut found = BTreeSet::new();
    walk::stmts(block, &mut |stmt| match stmt {
        Stmt::Swap(a, b) => found.extend([*a, *b]),
        Stmt::Lend(lend) => drop(found.insert(lend.copy)),
        _ => {}
    });
    found
}

struct Planner<'a> {
    buffers: &'a mut Vec<Buffer>,
    facts: Facts,
    named_again: BTreeSet<BufferId>,
    /// Variables that lengths of shared buffers may mention.
    sizes: Vec<NatVar>,
    /// Whether a sequential loop is around, out of which allocations may go; on a device memory is given from outside.
    in_loop: bool,
}

impl Planner<'_> {
    /// Plans a block, the inner blocks first.
    fn block(&mut self, block: &mut Block) {
        let mut out = Block::with_capacity(block.len());
        for mut stmt in std::mem::take(block) {
            match &mut stmt {
                Stmt::For(looped) => {
                    let around = self.in_loop;
                    self.in_loop = looped.kind == LoopKind::Seq || around && looped.kind != LoopKind::Par;
                    self.block(&mut looped.body);
                    self.in_loop = around;
                    if looped.kind == LoopKind::Seq {
                        out.extend(self.hoisted(looped));
                    }
                }
                Stmt::If(_, then, otherwise) => {
                    self.block(then);
                    self.block(otherwise);
                    // Elsewhere one branch needs no memory for the other one.
                    for branch in [then, otherwise].into_iter().filter(|_| self.in_loop) {
                        out.extend(self.lifted(branch));
                    }
                }
                Stmt::Block(inner) => {
                    self.block(inner);
                    out.extend(self.lifted(inner));
                }
                _ => {}
            }
            out.push(stmt);
        }
        *block = out;
        self.share(block);
    }

    /// Takes allocations out of a loop whose lengths do not change in it.
    fn hoisted(&self, looped: &mut Loop) -> Block {
        let mut inner = vec![looped.var.clone()];
        walk::stmts(&looped.body, &mut |stmt| {
            if let Stmt::LetNat(var, _) = stmt {
                inner.push(var.clone());
            }
        });
        self.take(&mut looped.body, &inner)
    }

    /// Takes allocations out of a block that is no loop.
    fn lifted(&self, block: &mut Block) -> Block {
        let mut inner = Vec::new();
        walk::stmts(block, &mut |stmt| {
            if let Stmt::LetNat(var, _) = stmt {
                inner.push(var.clone());
            }
        });
        self.take(block, &inner)
    }

    fn take(&self, block: &mut Block, inner: &[NatVar]) -> Block {
        let movable = |stmt: &Stmt| match stmt {
            Stmt::Alloc(id) => {
                let buffer = &self.buffers[id.0 as usize];
                // Where the block does not run, the length may make no sense.
                buffer.role == Role::Heap
                    && !buffer.len.mentions_any(&|var| inner.contains(var))
                    && self.facts.proves_ge0(&buffer.len)
            }
            _ => false,
        };
        let (moved, kept) = std::mem::take(block).into_iter().partition(movable);
        *block = kept;
        moved
    }

    /// Gives buffers of one block, whose lifetimes are disjoint, the same memory.
    fn share(&mut self, block: &mut Block) {
        let mut lives = self.lives(block);
        lives.sort_by_key(|live| live.first);
        let mut owners: Vec<Live> = Vec::new();
        let mut renamed: Vec<(BufferId, BufferId)> = Vec::new();
        for live in lives {
            match owners.iter_mut().find(|owner| owner.last < live.first && self.fits(owner.id, live.id)) {
                Some(owner) => {
                    owner.last = live.last;
                    let len = self.buffers[live.id.0 as usize].len.clone();
                    let owned = &mut self.buffers[owner.id.0 as usize];
                    if !self.facts.proves_le(&len, &owned.len) {
                        owned.len = len;
                    }
                    renamed.push((live.id, owner.id));
                }
                None => owners.push(live),
            }
        }
        if !renamed.is_empty() {
            let gone = |stmt: &Stmt| match stmt {
                Stmt::Alloc(id) => renamed.iter().any(|(old, _)| old == id),
                _ => false,
            };
            block.retain(|stmt| !gone(stmt));
            Renaming(&renamed).block(block);
        }
    }

    /// Whether the second buffer can lie in the memory of the first, which may grow.
    fn fits(&self, owner: BufferId, tenant: BufferId) -> bool {
        let (owner, tenant) = (&self.buffers[owner.0 as usize], &self.buffers[tenant.0 as usize]);
        let known = |buffer: &Buffer| buffer.len.vars().iter().all(|var| self.sizes.contains(var));
        owner.element == tenant.element
            && (self.facts.proves_le(&tenant.len, &owner.len)
                || (known(tenant) && self.facts.proves_le(&owner.len, &tenant.len)))
    }

    /// Heap buffers allocated by a block, with the first and last statement that touches each.
    fn lives(&self, block: &[Stmt]) -> Vec<Live> {
        let mut lives: Vec<Live> = Vec::new();
        for stmt in block {
            if let Stmt::Alloc(id) = stmt
                && self.buffers[id.0 as usize].role == Role::Heap
                && !self.named_again.contains(id)
            {
                lives.push(Live { id: *id, first: usize::MAX, last: 0 });
            }
        }
        if lives.len() < 2 {
            return Vec::new();
        }
        for (position, stmt) in block.iter().enumerate() {
            walk::accesses(std::slice::from_ref(stmt), &mut |access, _| {
                if let Some(live) = lives.iter_mut().find(|live| live.id == access.buffer) {
                    live.first = live.first.min(position);
                    live.last = position;
                }
            });
        }
        lives.retain(|live| live.first != usize::MAX);
        lives
    }
}

/// A buffer and when it is needed.
struct Live {
    id: BufferId,
    first: usize,
    last: usize,
}

struct Renaming<'a>(&'a [(BufferId, BufferId)]);

impl VisitMut for Renaming<'_> {
    fn access(&mut self, access: &mut Access, _write: bool) {
        if let Some((_, new)) = self.0.iter().find(|(old, _)| *old == access.buffer) {
            access.buffer = *new;
        }
    }
}
