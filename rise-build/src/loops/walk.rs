//! Traversals of statements and values: what the passes share.
//!
//! A visitor overrides what it cares about and calls the `walk_*` function to go on below.

use std::collections::BTreeSet;

use crate::nat::{Facts, Nat, NatVar};
use crate::table::Table;

use super::facts::{branches, define, iterating};
use super::ir::*;

/// Looks at everything in a block, in order.
pub trait Visit {
    /// A statement.
    fn stmt(&mut self, stmt: &Stmt) {
        walk_stmt(self, stmt);
    }
    /// A value.
    fn value(&mut self, value: &Value) {
        walk_value(self, value);
    }
    /// A natural that is evaluated.
    fn nat(&mut self, _nat: &Nat) {}
    /// Memory that is read or written.
    fn access(&mut self, access: &Access, _write: bool) {
        self.nat(&access.index);
    }
    /// Statements in order.
    fn block(&mut self, block: &[Stmt]) {
        for stmt in block {
            self.stmt(stmt);
        }
    }
}

/// Looks at the parts of a statement.
pub fn walk_stmt<V: Visit + ?Sized>(v: &mut V, stmt: &Stmt) {
    match stmt {
        Stmt::Comment(_) | Stmt::Var(_, _, None) | Stmt::Barrier { .. } | Stmt::Alloc(_) | Stmt::Swap(..) => {
        }
        Stmt::For(looped) => {
            v.nat(&looped.count);
            v.block(&looped.body);
        }
        Stmt::Let(_, _, value)
        | Stmt::LetNat(_, value)
        | Stmt::Var(_, _, Some(value))
        | Stmt::Set(_, value) => v.value(value),
        Stmt::Store(access, value) => {
            v.value(value);
            v.access(access, true);
        }
        Stmt::If(condition, then, otherwise) => {
            v.value(condition);
            v.block(then);
            v.block(otherwise);
        }
        Stmt::Block(block) => v.block(block),
        Stmt::Product(product) => {
            product.sizes.iter().for_each(|size| v.nat(size));
            for (position, matrix) in product.matrices().into_iter().enumerate().rev() {
                matrix.strides.iter().for_each(|stride| v.nat(stride));
                v.access(&matrix.first, position == 0);
            }
        }
        Stmt::Transpose(transpose) => {
            transpose.strides.iter().for_each(|stride| v.nat(stride));
            v.access(&transpose.from, false);
            v.access(&transpose.to, true);
        }
        Stmt::StorePart(store) => {
            v.value(&store.value);
            v.nat(store.part.bound());
            v.access(&store.to, true);
        }
        Stmt::Ask(access, _) => v.access(access, false),
        Stmt::Lend(lend) => {
            v.value(&lend.is_copy);
            v.nat(&lend.from.index);
        }
    }
}

/// Looks at the parts of a value.
pub fn walk_value<V: Visit + ?Sized>(v: &mut V, value: &Value) {
    match value {
        Value::Literal(_) | Value::Var(_) | Value::InLines => {}
        Value::Nat(nat) | Value::Apart(nat) | Value::FromNat(_, nat) => v.nat(nat),
        Value::Large(bytes) | Value::Past(bytes) => v.nat(bytes),
        Value::Load(access) => v.access(access, false),
        Value::Gather(access, stride, _) => {
            v.access(access, false);
            v.nat(stride);
        }
        Value::ToLine(access, count) => {
            v.access(access, false);
            v.nat(count);
        }
        Value::Unary(_, _, a)
        | Value::Cast(_, _, a)
        | Value::Broadcast(_, a)
        | Value::Lane(_, _, a)
        | Value::Half(_, _, a) => {
            v.value(a);
        }
        Value::Binary(_, _, a, b) | Value::Compare(_, _, a, b) => {
            v.value(a);
            v.value(b);
        }
        Value::CompareNat(_, a, b) | Value::Ramp(_, a, b) => {
            v.nat(a);
            v.nat(b);
        }
        Value::MulAdd(_, args) | Value::Fma(_, args) | Value::Select(_, args) => {
            for arg in &**args {
                v.value(arg);
            }
        }
        Value::ClampIndex(_, bound, a) => {
            v.nat(bound);
            v.value(a);
        }
        Value::Lanes(_, args) | Value::Foreign(_, _, args) => {
            for arg in args {
                v.value(arg);
            }
        }
    }
}

/// Changes everything in a block, in order.
pub trait VisitMut {
    /// A statement.
    fn stmt(&mut self, stmt: &mut Stmt) {
        walk_stmt_mut(self, stmt);
    }
    /// A value.
    fn value(&mut self, value: &mut Value) {
        walk_value_mut(self, value);
    }
    /// A natural that is evaluated.
    fn nat(&mut self, _nat: &mut Nat) {}
    /// Memory that is read or written.
    fn access(&mut self, access: &mut Access, _write: bool) {
        self.nat(&mut access.index);
    }
    /// Statements in order.
    fn block(&mut self, block: &mut Block) {
        for stmt in block {
            self.stmt(stmt);
        }
    }
}

/// Changes the parts of a statement.
pub fn walk_stmt_mut<V: VisitMut + ?Sized>(v: &mut V, stmt: &mut Stmt) {
    match stmt {
        Stmt::Comment(_) | Stmt::Var(_, _, None) | Stmt::Barrier { .. } | Stmt::Alloc(_) | Stmt::Swap(..) => {
        }
        Stmt::For(looped) => {
            v.nat(&mut looped.count);
            v.block(&mut looped.body);
        }
        Stmt::Let(_, _, value)
        | Stmt::LetNat(_, value)
        | Stmt::Var(_, _, Some(value))
        | Stmt::Set(_, value) => v.value(value),
        Stmt::Store(access, value) => {
            v.value(value);
            v.access(access, true);
        }
        Stmt::If(condition, then, otherwise) => {
            v.value(condition);
            v.block(then);
            v.block(otherwise);
        }
        Stmt::Block(block) => v.block(block),
        Stmt::Product(product) => {
            product.sizes.iter_mut().for_each(|size| v.nat(size));
            let Product { result, factors: [a, b], .. } = &mut **product;
            for (matrix, write) in [(a, false), (b, false), (result, true)] {
                matrix.strides.iter_mut().for_each(|stride| v.nat(stride));
                v.access(&mut matrix.first, write);
            }
        }
        Stmt::Transpose(transpose) => {
            transpose.strides.iter_mut().for_each(|stride| v.nat(stride));
            v.access(&mut transpose.from, false);
            v.access(&mut transpose.to, true);
        }
        Stmt::StorePart(store) => {
            v.value(&mut store.value);
            v.nat(store.part.bound_mut());
            v.access(&mut store.to, true);
        }
        Stmt::Ask(access, _) => v.access(access, false),
        Stmt::Lend(lend) => {
            v.value(&mut lend.is_copy);
            v.nat(&mut lend.from.index);
        }
    }
}

/// Changes the parts of a value.
pub fn walk_value_mut<V: VisitMut + ?Sized>(v: &mut V, value: &mut Value) {
    match value {
        Value::Literal(_) | Value::Var(_) | Value::InLines => {}
        Value::Nat(nat) | Value::Apart(nat) | Value::FromNat(_, nat) => v.nat(nat),
        Value::Large(bytes) | Value::Past(bytes) => v.nat(bytes),
        Value::Load(access) => v.access(access, false),
        Value::Gather(access, stride, _) => {
            v.access(access, false);
            v.nat(stride);
        }
        Value::ToLine(access, count) => {
            v.access(access, false);
            v.nat(count);
        }
        Value::Unary(_, _, a)
        | Value::Cast(_, _, a)
        | Value::Broadcast(_, a)
        | Value::Lane(_, _, a)
        | Value::Half(_, _, a) => {
            v.value(a);
        }
        Value::Binary(_, _, a, b) | Value::Compare(_, _, a, b) => {
            v.value(a);
            v.value(b);
        }
        Value::CompareNat(_, a, b) | Value::Ramp(_, a, b) => {
            v.nat(a);
            v.nat(b);
        }
        Value::MulAdd(_, args) | Value::Fma(_, args) | Value::Select(_, args) => {
            for arg in &mut **args {
                v.value(arg);
            }
        }
        Value::ClampIndex(_, bound, a) => {
            v.nat(bound);
            v.value(a);
        }
        Value::Lanes(_, args) | Value::Foreign(_, _, args) => {
            for arg in args {
                v.value(arg);
            }
        }
    }
}

/// Changes loops by what is known of naturals where they stand.
pub trait VisitLoops {
    /// A loop, which goes to `out` as it is or as others; what it lets be known holds for what follows it.
    fn looped(&mut self, looped: Loop, facts: &mut Facts, out: &mut Block);

    /// What is inside of a loop.
    fn body(&mut self, looped: &mut Loop, facts: &Facts) {
        let inside = iterating(facts, looped);
        self.block(&mut looped.body, inside);
    }

    /// Statements in order.
    fn block(&mut self, block: &mut Block, facts: Facts) {
        walk_loops(self, block, facts);
    }
}

/// Changes what is inside of the statements.
pub fn walk_loops<V: VisitLoops + ?Sized>(v: &mut V, block: &mut Block, mut facts: Facts) {
    // Without statements inside there is nobody to know anything.
    let nests = |stmt: &Stmt| matches!(stmt, Stmt::For(_) | Stmt::If(..) | Stmt::Block(_));
    if !block.iter().any(nests) {
        return;
    }
    let mut out = Block::with_capacity(block.len());
    for mut stmt in std::mem::take(block) {
        match &mut stmt {
            Stmt::For(_) => {}
            Stmt::If(condition, then, otherwise) => {
                let [holds, fails] = branches(&facts, condition);
                v.block(then, holds);
                v.block(otherwise, fails);
            }
            Stmt::Block(inner) => v.block(inner, facts.clone()),
            Stmt::LetNat(var, value) => define(&mut facts, var, value),
            _ => {}
        }
        match stmt {
            Stmt::For(looped) => v.looped(looped, &mut facts, &mut out),
            other => out.push(other),
        }
    }
    *block = out;
}

/// Calls `f` on every access below, with whether it writes. A gather is reported as its first lane; see
/// [`Visit::value`] where the others matter.
pub fn accesses(block: &[Stmt], f: &mut dyn FnMut(&Access, bool)) {
    struct Accesses<'a>(&'a mut dyn FnMut(&Access, bool));
    impl Visit for Accesses<'_> {
        fn access(&mut self, access: &Access, write: bool) {
            (self.0)(access, write);
        }
    }
    Accesses(f).block(block);
}

/// Calls `f` on all memory that is read or written below, with whether it is written. An exchange is no [access]: it reads
/// no element and writes none, but what either name stands for is something else behind it, so that it does both to both.
/// What is lent counts as read where it is named.
///
/// [access]: accesses
pub fn touches(block: &[Stmt], f: &mut dyn FnMut(BufferId, bool)) {
    accesses(block, &mut |access, write| f(access.buffer, write));
    stmts(block, &mut |stmt| {
        let both = match stmt {
            Stmt::Swap(a, b) => &[(*a, false), (*b, false), (*a, true), (*b, true)][..],
            Stmt::Lend(lend) => &[(lend.copy, false), (lend.from.buffer, false)],
            _ => &[],
        };
        both.iter().for_each(|(id, write)| f(*id, *write));
    });
}

/// Calls `f` on every natural below.
pub fn nats(block: &mut Block, f: &mut dyn FnMut(&mut Nat)) {
    struct Nats<'a>(&'a mut dyn FnMut(&mut Nat));
    impl VisitMut for Nats<'_> {
        fn nat(&mut self, nat: &mut Nat) {
            (self.0)(nat);
        }
    }
    Nats(f).block(block);
}

/// Whether some natural below, or in what is declared there, is greater than any that there is.
pub fn overflows(block: &[Stmt]) -> bool {
    struct Overflows(bool);
    impl Visit for Overflows {
        fn nat(&mut self, nat: &Nat) {
            self.0 |= nat.is_overflow();
        }
    }
    let mut found = Overflows(false);
    found.block(block);
    found.0
}

/// Calls `f` on every value below, inner ones after the outer.
pub fn values(block: &[Stmt], f: &mut dyn FnMut(&Value)) {
    struct Values<'a>(&'a mut dyn FnMut(&Value));
    impl Visit for Values<'_> {
        fn value(&mut self, value: &Value) {
            (self.0)(value);
            walk_value(self, value);
        }
    }
    Values(f).block(block);
}

/// How often each register is read, by its number.
pub fn reads(block: &[Stmt]) -> Table<usize> {
    let mut reads = Table::default();
    values(block, &mut |value| {
        if let Value::Var(name) = value {
            *reads.place(name.id()).get_or_insert(0) += 1;
        }
    });
    reads
}

/// Calls `f` on every statement below, inner ones after the outer.
pub fn stmts(block: &[Stmt], f: &mut dyn FnMut(&Stmt)) {
    struct Stmts<'a>(&'a mut dyn FnMut(&Stmt));
    impl Visit for Stmts<'_> {
        fn stmt(&mut self, stmt: &Stmt) {
            (self.0)(stmt);
            walk_stmt(self, stmt);
        }
        fn value(&mut self, _: &Value) {}
    }
    Stmts(f).block(block);
}

/// Whether all loops inside have so many iterations at most, or are over lanes of a known number.
pub fn has_short_loops(block: &[Stmt], longest: i64) -> bool {
    let mut short = true;
    stmts(block, &mut |stmt| {
        if let Stmt::For(inner) = stmt {
            let longest = if inner.kind == LoopKind::Vec { i64::MAX } else { longest };
            short &= inner.count.as_const().is_some_and(|count| count <= longest);
        }
    });
    short
}

/// The temporaries that are allocated anywhere inside.
pub fn allocated(block: &[Stmt]) -> Vec<BufferId> {
    let mut ids = Vec::new();
    stmts(block, &mut |stmt| {
        if let Stmt::Alloc(id) = stmt {
            ids.push(*id);
        }
    });
    ids
}

/// The naturals that a block declares.
pub fn declared(block: &[Stmt]) -> BTreeSet<NatVar> {
    let mut found = BTreeSet::new();
    stmts(block, &mut |stmt| match stmt {
        Stmt::For(Loop { var, .. }) | Stmt::LetNat(var, _) => drop(found.insert(var.clone())),
        _ => {}
    });
    found
}
