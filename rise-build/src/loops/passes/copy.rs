//! Copies of blocks: everything declared inside gets a new name, and naturals and registers of outside may be
//! replaced.

use crate::names::Name;
use crate::nat::{Nat, NatVar};
use crate::table::Table;

use super::super::ir::*;
use super::super::walk::{self, VisitMut};

/// What is replaced in a copy.
pub(super) struct Copier<'a> {
    buffers: &'a mut Vec<Buffer>,
    /// Values for natural variables.
    pub nats: Vec<(NatVar, Nat)>,
    /// Values for registers, by their numbers; a register that is set is replaced by another.
    pub names: Table<Value>,
    ids: Vec<(BufferId, BufferId)>,
}

impl<'a> Copier<'a> {
    pub(super) fn new(buffers: &'a mut Vec<Buffer>) -> Self {
        Self { buffers, nats: Vec::new(), names: Table::default(), ids: Vec::new() }
    }

    /// The copy of a block with `value` for a variable.
    pub(super) fn with(mut self, var: &NatVar, value: Nat) -> Self {
        self.nats.push((var.clone(), value));
        self
    }

    pub(super) fn copy(&mut self, block: &[Stmt]) -> Block {
        let mut copy = block.to_vec();
        self.block(&mut copy);
        copy
    }

    fn rename(&mut self, name: &mut Name) {
        let fresh = name.refresh();
        let old = std::mem::replace(name, fresh.clone());
        *self.names.place(old.id()) = Some(Value::Var(fresh));
    }

    fn rename_nat(&mut self, var: &mut NatVar) {
        let fresh = NatVar::new(var.text());
        let old = std::mem::replace(var, fresh.clone());
        // Two loops may go by the same variable, one after the other.
        self.nats.retain(|(var, _)| *var != old);
        self.nats.push((old, Nat::var(&fresh)));
    }

    fn buffer(&self, id: BufferId) -> BufferId {
        self.ids.iter().rev().find(|(old, _)| *old == id).map_or(id, |(_, new)| *new)
    }
}

impl VisitMut for Copier<'_> {
    fn stmt(&mut self, stmt: &mut Stmt) {
        match stmt {
            Stmt::Let(name, ..) | Stmt::Var(name, ..) => {
                let mut name = name.clone();
                walk::walk_stmt_mut(self, stmt);
                self.rename(&mut name);
                if let Stmt::Let(old, ..) | Stmt::Var(old, ..) = stmt {
                    *old = name;
                }
            }
            Stmt::LetNat(var, value) => {
                self.value(value);
                self.rename_nat(var);
            }
            Stmt::For(looped) => {
                self.nat(&mut looped.count);
                self.rename_nat(&mut looped.var);
                self.block(&mut looped.body);
            }
            Stmt::Set(name, value) => {
                self.value(value);
                if let Some(Value::Var(new)) = self.names.get(name.id()) {
                    *name = new.clone();
                }
            }
            Stmt::Alloc(id) => {
                let mut buffer = self.buffers[id.0 as usize].clone();
                self.nat(&mut buffer.len);
                self.buffers.push(buffer);
                let new = BufferId(self.buffers.len() as u32 - 1);
                self.ids.push((*id, new));
                *id = new;
            }
            Stmt::Swap(a, b) => {
                (*a, *b) = (self.buffer(*a), self.buffer(*b));
            }
            _ => walk::walk_stmt_mut(self, stmt),
        }
    }

    fn value(&mut self, value: &mut Value) {
        if let Value::Var(name) = value {
            if let Some(new) = self.names.get(name.id()) {
                *value = new.clone();
            }
            return;
        }
        walk::walk_value_mut(self, value);
    }

    fn nat(&mut self, nat: &mut Nat) {
        if nat.as_const().is_none() {
            *nat = nat.subst_all(&self.nats);
        }
    }

    fn access(&mut self, access: &mut Access, _write: bool) {
        access.buffer = self.buffer(access.buffer);
        self.nat(&mut access.index);
    }
}
