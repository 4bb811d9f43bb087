//! Loads that a block repeats are done once.
//!
//! ```text
//! c0 = mul_add(f32x16(a[k]), b[16·k ..16], c0)        let a_0 = f32x16(a[k])
//! c1 = mul_add(f32x16(a[k]), b[16·k + n ..16], c1)  →  c0 = mul_add(a_0, b[16·k ..16], c0)
//!                                                     c1 = mul_add(a_0, b[16·k + n ..16], c1)
//! ```
//!
//! Only within one block, between writes to the buffer. A load that occurs once stays where it is.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use crate::names::Name;
use crate::nat::Nat;
use crate::table::{Digest, Table};

use super::super::ir::*;
use super::super::walk::{self, Visit, VisitMut};
use super::{Options, TooLarge};

#[allow(clippy::unnecessary_wraps)]
pub(super) fn run(kernel: &mut Kernel, _: &Options) -> Result<(), TooLarge> {
    let mut body = std::mem::take(&mut kernel.body);
    block(&mut body, &kernel.buffers);
    kernel.body = body;
    Ok(())
}

/// What is loaded, how, and after how many writes to the buffer.
#[derive(Clone, PartialEq, Eq)]
struct Key {
    access: Access,
    stride: Option<(Nat, u32)>,
    /// Lanes of the broadcast around it.
    broadcast: Option<u32>,
    epoch: usize,
}

/// What is found out of each load.
type Found<T> = HashMap<Key, T, BuildHasherDefault<Digest>>;

impl Hash for Key {
    /// By what mostly differs; whole indices would take longer than comparing a few.
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(u64::from(self.access.buffer.0));
        state.write_u64(self.epoch as u64);
        let coefficients = self.access.index.terms().map(|(coefficient, _)| coefficient);
        coefficients.for_each(|coefficient| state.write_u64(coefficient.cast_unsigned()));
    }
}

fn block(stmts: &mut Block, buffers: &[Buffer]) {
    for stmt in stmts.iter_mut() {
        match stmt {
            Stmt::For(looped) => block(&mut looped.body, buffers),
            Stmt::If(_, then, otherwise) => {
                block(then, buffers);
                block(otherwise, buffers);
            }
            Stmt::Block(inner) => block(inner, buffers),
            _ => {}
        }
    }
    let mut count = Count::default();
    for stmt in stmts.iter() {
        count.own(stmt);
        count.epochs.after(stmt);
    }
    if count.counts.values().all(|count| *count < 2) {
        return;
    }
    let mut sharing = Sharing {
        counts: count.counts,
        named: Found::default(),
        epochs: Epochs::default(),
        new: Vec::new(),
        buffers,
    };
    let mut out = Block::with_capacity(stmts.len());
    for mut stmt in std::mem::take(stmts) {
        sharing.own(&mut stmt);
        out.append(&mut sharing.new);
        sharing.epochs.after(&stmt);
        out.push(stmt);
    }
    *stmts = out;
}

/// Number of statements so far that write each buffer.
#[derive(Default)]
struct Epochs(Table<usize>);

impl Epochs {
    fn of(&self, id: BufferId) -> usize {
        self.0.get(id.0).copied().unwrap_or(0)
    }

    fn next(&mut self, id: BufferId) {
        *self.0.place(id.0).get_or_insert(0) += 1;
    }

    fn after(&mut self, stmt: &Stmt) {
        if matches!(stmt, Stmt::Comment(_) | Stmt::Let(..) | Stmt::LetNat(..) | Stmt::Var(..) | Stmt::Set(..))
        {
            return;
        }
        let one = std::slice::from_ref(stmt);
        walk::touches(one, &mut |id, write| {
            if write {
                self.next(id);
            }
        });
        walk::stmts(one, &mut |stmt| {
            if let Stmt::Alloc(id) = stmt {
                self.next(*id);
            }
        });
    }

    fn key(&self, value: &Value) -> Option<Key> {
        match value {
            Value::Load(access) => {
                let epoch = self.of(access.buffer);
                Some(Key { access: access.clone(), stride: None, broadcast: None, epoch })
            }
            Value::Gather(access, stride, lanes) => {
                let epoch = self.of(access.buffer);
                let stride = Some((stride.clone(), *lanes));
                Some(Key { access: access.clone(), stride, broadcast: None, epoch })
            }
            Value::Broadcast(ty, inner) if matches!(**inner, Value::Load(_)) => {
                Some(Key { broadcast: Some(ty.lanes), ..self.key(inner)? })
            }
            _ => None,
        }
    }
}

#[derive(Default)]
struct Count {
    counts: Found<u32>,
    epochs: Epochs,
}

impl Count {
    /// Counts what a statement itself computes, not what it contains.
    fn own(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::If(condition, ..) => self.value(condition),
            Stmt::For(_) | Stmt::Block(_) => {}
            _ => self.stmt(stmt),
        }
    }
}

impl Visit for Count {
    fn value(&mut self, value: &Value) {
        if let Some(key) = self.epochs.key(value) {
            *self.counts.entry(key).or_default() += 1;
        } else {
            walk::walk_value(self, value);
        }
    }
}

struct Sharing<'a> {
    counts: Found<u32>,
    named: Found<Name>,
    epochs: Epochs,
    new: Block,
    buffers: &'a [Buffer],
}

impl Sharing<'_> {
    fn own(&mut self, stmt: &mut Stmt) {
        match stmt {
            Stmt::If(condition, ..) => self.value(condition),
            Stmt::For(_) | Stmt::Block(_) => {}
            // Already a name for it.
            Stmt::Let(name, _, value) => match self.epochs.key(value) {
                Some(key) if !self.named.contains_key(&key) => {
                    self.named.insert(key, name.clone());
                }
                _ => self.value(value),
            },
            _ => self.stmt(stmt),
        }
    }
}

impl VisitMut for Sharing<'_> {
    fn value(&mut self, value: &mut Value) {
        let Some(key) = self.epochs.key(value) else { return walk::walk_value_mut(self, value) };
        if let Some(name) = self.named.get(&key) {
            *value = Value::Var(name.clone());
            return;
        }
        if self.counts.get(&key).is_none_or(|count| *count < 2) {
            return;
        }
        let buffer = &self.buffers[key.access.buffer.0 as usize];
        let lanes =
            key.broadcast.or(key.stride.as_ref().map(|(_, lanes)| *lanes)).unwrap_or(key.access.lanes);
        let ty = ValueType { scalar: buffer.scalar(&key.access.path), lanes };
        let name = Name::fresh(&format!("{}_value", buffer.name));
        let load = std::mem::replace(value, Value::Var(name.clone()));
        self.new.push(Stmt::Let(name.clone(), ty, load));
        self.named.insert(key, name);
    }
}
