//! Elements of memory that a loop updates in every iteration are held in registers while it runs.
//!
//! ```text
//! for k in 0..n                      var c = out[i]
//!   out[i] = out[i] + a[k]     →     for k in 0..n
//!                                      c = c + a[k]
//!                                    out[i] = c
//! ```
//!
//! Done for a sequential loop and a buffer if all accesses of the loop to the buffer have indices that do not change in
//! the loop and are the same or disjoint; if the loop reads each element before anything else in its first
//! iteration; and if no parallel loop is inside. So the elements are initialised and in range, and nobody else sees
//! the memory meanwhile. If the loop may not run at all, all of this stands under a condition.

use crate::names::Name;
use crate::nat::Facts;

use super::super::facts::iterating;
use super::super::ir::*;
use super::super::walk::{self, VisitLoops, VisitMut};
use super::{Options, TooLarge};

#[allow(clippy::unnecessary_wraps)]
pub(super) fn run(kernel: &mut Kernel, options: &Options) -> Result<(), TooLarge> {
    let facts = kernel.facts.clone();
    let mut body = std::mem::take(&mut kernel.body);
    Promoter { kernel, limit: options.registers as usize }.block(&mut body, facts);
    kernel.body = body;
    Ok(())
}

struct Promoter<'a> {
    kernel: &'a Kernel,
    limit: usize,
}

/// An element, or group of elements, and its register.
struct Held {
    access: Access,
    register: Name,
    ty: ValueType,
    written: bool,
}

impl VisitLoops for Promoter<'_> {
    fn looped(&mut self, mut looped: Loop, facts: &mut Facts, out: &mut Block) {
        let inside = iterating(facts, &looped);
        let held = self.candidates(&looped, &inside);
        if !held.is_empty() {
            Replacer(&held).block(&mut looped.body);
        }
        self.block(&mut looped.body, inside);
        let as_it_is = held.is_empty() || facts.proves_positive(&looped.count);
        let any = Value::any(looped.count.clone());
        let mut block = around(held, Stmt::For(looped));
        match as_it_is {
            true => out.append(&mut block),
            // Without an iteration the elements may not even exist.
            false => out.push(Stmt::If(any, block, Block::new())),
        }
    }
}

impl Promoter<'_> {
    /// The elements that a loop may hold in registers; `facts` hold in its iterations.
    fn candidates(&self, looped: &Loop, facts: &Facts) -> Vec<Held> {
        if looped.kind != LoopKind::Seq {
            return Vec::new();
        }
        let mut seen = Seen::default();
        seen.collect(looped);
        if seen.parallel {
            return Vec::new();
        }
        let mut all = Vec::new();
        for id in std::mem::take(&mut seen.written) {
            if seen.excluded.contains(&id) || self.kernel.buffer(id).role == Role::Local {
                continue;
            }
            if let Some(held) = self.held(id, &seen, &looped.body, facts) {
                all.extend(held);
            }
        }
        if all.len() <= self.limit { all } else { Vec::new() }
    }

    fn held(&self, id: BufferId, seen: &Seen, body: &[Stmt], facts: &Facts) -> Option<Vec<Held>> {
        let mut held: Vec<Held> = Vec::new();
        for (access, written) in seen.accesses.iter().filter(|(access, _)| access.buffer == id) {
            if let Some(same) = held.iter_mut().find(|held| held.access == *access) {
                same.written |= written;
                continue;
            }
            if held.len() >= self.limit || access.index.mentions_any(&|var| seen.inner.contains(var)) {
                return None;
            }
            let ty = ValueType { scalar: self.kernel.buffer(id).scalar(&access.path), lanes: access.lanes };
            let register = Name::fresh(&format!("{}_held", self.kernel.buffer(id).name));
            held.push(Held { access: access.clone(), register, ty, written: *written });
        }
        let disjoint = (held.iter().enumerate())
            .all(|(i, a)| held[..i].iter().all(|b| is_disjoint(&a.access, &b.access, facts)));
        let read_first = held.iter().all(|held| reads_first(body, &held.access, facts) == Some(true));
        (disjoint && read_first && held.iter().any(|held| held.written)).then_some(held)
    }
}

/// The loop between loading the registers and storing them.
fn around(held: Vec<Held>, looped: Stmt) -> Block {
    let load =
        |held: &Held| Stmt::Var(held.register.clone(), held.ty, Some(Value::Load(held.access.clone())));
    let mut block: Block = held.iter().map(load).collect();
    block.push(looped);
    let written = held.into_iter().filter(|held| held.written);
    block.extend(written.map(|held| Stmt::Store(held.access, Value::Var(held.register))));
    block
}

/// What a loop does with memory.
#[derive(Default)]
struct Seen {
    accesses: Vec<(Access, bool)>,
    written: Vec<BufferId>,
    /// Declared in the loop, exchanged or gathered from.
    excluded: Vec<BufferId>,
    /// Variables that change in the loop.
    inner: Vec<crate::nat::NatVar>,
    parallel: bool,
}

impl Seen {
    fn collect(&mut self, looped: &Loop) {
        self.inner.push(looped.var.clone());
        walk::stmts(&looped.body, &mut |stmt| match stmt {
            Stmt::For(inner) => {
                self.inner.push(inner.var.clone());
                self.parallel |= inner.kind != LoopKind::Seq;
            }
            Stmt::LetNat(var, _) => self.inner.push(var.clone()),
            Stmt::Alloc(id) => self.excluded.push(*id),
            Stmt::Swap(a, b) => self.excluded.extend([*a, *b]),
            Stmt::Product(product) => {
                self.excluded.extend(product.matrices().map(|matrix| matrix.first.buffer));
            }
            Stmt::Transpose(transpose) => {
                self.excluded.extend([transpose.from.buffer, transpose.to.buffer]);
            }
            Stmt::StorePart(store) => self.excluded.push(store.to.buffer),
            Stmt::Barrier { .. } => self.parallel = true,
            _ => {}
        });
        walk::values(&looped.body, &mut |value| {
            if let Value::Gather(access, ..) = value {
                self.excluded.push(access.buffer);
            }
        });
        walk::accesses(&looped.body, &mut |access, write| {
            self.accesses.push((access.clone(), write));
            if write && !self.written.contains(&access.buffer) {
                self.written.push(access.buffer);
            }
        });
    }
}

fn is_disjoint(a: &Access, b: &Access, facts: &Facts) -> bool {
    let apart = |a: &Access, b: &Access| facts.proves_le(&(&a.index + i64::from(a.lanes)), &b.index);
    let components = a.path != b.path && a.path.len() == b.path.len();
    components || apart(a, b) || apart(b, a)
}

/// Whether a block that runs certainly reads an element before it writes it: `None` if it does neither for sure.
fn reads_first(block: &[Stmt], access: &Access, facts: &Facts) -> Option<bool> {
    block.iter().find_map(|stmt| {
        let reads = |value: &Value| {
            let mut found = false;
            struct Finds<'a>(&'a Access, &'a mut bool);
            impl walk::Visit for Finds<'_> {
                fn access(&mut self, access: &Access, _write: bool) {
                    *self.1 |= access == self.0;
                }
            }
            walk::Visit::value(&mut Finds(access, &mut found), value);
            found.then_some(true)
        };
        match stmt {
            Stmt::Let(_, _, value) | Stmt::LetNat(_, value) | Stmt::Set(_, value) => reads(value),
            Stmt::Var(_, _, value) => value.as_ref().and_then(reads),
            Stmt::Store(target, value) => reads(value).or_else(|| (target == access).then_some(false)),
            // A branch may write first; only the condition is certain.
            Stmt::If(condition, then, otherwise) => reads(condition).or_else(|| {
                let branches = [then, otherwise].map(|block| reads_first(block, access, facts));
                match branches {
                    [None, None] => None,
                    [Some(true), Some(true)] => Some(true),
                    _ => Some(false),
                }
            }),
            Stmt::For(looped) => match reads_first(&looped.body, access, facts) {
                Some(true) if !facts.proves_positive(&looped.count) => Some(false),
                other => other,
            },
            Stmt::Block(block) => reads_first(block, access, facts),
            _ => None,
        }
    })
}

struct Replacer<'a>(&'a [Held]);

impl Replacer<'_> {
    fn find(&self, access: &Access) -> Option<&Held> {
        self.0.iter().find(|held| held.access == *access)
    }
}

impl VisitMut for Replacer<'_> {
    fn stmt(&mut self, stmt: &mut Stmt) {
        walk::walk_stmt_mut(self, stmt);
        if let Stmt::Store(access, value) = stmt
            && let Some(held) = self.find(access)
        {
            let value = std::mem::replace(value, Value::Var(held.register.clone()));
            *stmt = Stmt::Set(held.register.clone(), value);
        }
    }

    fn value(&mut self, value: &mut Value) {
        if let Value::Load(access) = value {
            if let Some(held) = self.find(access) {
                *value = Value::Var(held.register.clone());
            }
            return;
        }
        walk::walk_value_mut(self, value);
    }
}
