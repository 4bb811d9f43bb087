//! What differs from lane to lane: registers, naturals and arrays, found by going through a loop until nothing more is.

use std::collections::{BTreeMap, BTreeSet};

use crate::names::Name;
use crate::nat::NatVar;

use super::super::super::ir::*;
use super::super::super::walk;
use super::lanes::{Lanes, Stuck};

/// Finds out what differs from lane to lane.
pub(super) struct Analysis<'a> {
    lanes: &'a mut Lanes,
    buffers: &'a [Buffer],
    /// Registers and arrays declared in the loop.
    own: BTreeMap<Name, ValueType>,
    own_buffers: BTreeSet<BufferId>,
    changed: bool,
    stuck: bool,
}

impl<'a> Analysis<'a> {
    pub fn new(lanes: &'a mut Lanes, buffers: &'a [Buffer]) -> Self {
        let (own, own_buffers) = (BTreeMap::new(), BTreeSet::new());
        Self { lanes, buffers, own, own_buffers, changed: true, stuck: false }
    }

    pub fn run(&mut self, body: &[Stmt]) -> Result<(), Stuck> {
        walk::stmts(body, &mut |stmt| match stmt {
            Stmt::Let(name, ty, _) | Stmt::Var(name, ty, _) => {
                self.own.insert(name.clone(), *ty);
            }
            Stmt::Alloc(id) => {
                self.own_buffers.insert(*id);
            }
            _ => {}
        });
        walk::accesses(body, &mut |access, _| {
            let scalar = self.buffers[access.buffer.0 as usize].scalar(&access.path);
            self.lanes.scalars.insert((access.buffer, access.path.clone()), scalar);
        });
        while std::mem::take(&mut self.changed) && !self.stuck {
            self.block(body, false);
        }
        // Vectors of vectors do not exist.
        walk::accesses(body, &mut |access, _| {
            let varies = self.lanes.private.contains(&access.buffer) || self.lanes.nat_varies(&access.index);
            self.stuck |= varies && access.lanes != 1;
        });
        walk::values(body, &mut |value| {
            if let Value::Gather(access, ..) = value {
                self.stuck |= self.lanes.private.contains(&access.buffer);
            }
        });
        if self.stuck { Err(Stuck) } else { Ok(()) }
    }

    fn block(&mut self, block: &[Stmt], divergent: bool) {
        for stmt in block {
            self.stmt(stmt, divergent);
        }
    }

    /// `divergent`: not all lanes come here.
    fn stmt(&mut self, stmt: &Stmt, divergent: bool) {
        match stmt {
            Stmt::Comment(_) | Stmt::Alloc(_) | Stmt::Var(_, _, None) => {}
            Stmt::Let(name, _, value) | Stmt::Var(name, _, Some(value)) => {
                let varies = self.lanes.varies(value);
                self.register(name, varies);
            }
            Stmt::Set(name, value) => {
                self.stuck |= !self.own.contains_key(name);
                let varies = divergent || self.lanes.varies(value);
                self.register(name, varies);
                if divergent {
                    self.lanes.divided.insert(name.clone());
                }
            }
            Stmt::LetNat(var, value) => {
                if self.lanes.varies(value) && !self.lanes.nats.contains_key(var) {
                    let vars = (0..self.lanes.width).map(|_| NatVar::new(var.text())).collect();
                    self.lanes.nats.insert(var.clone(), vars);
                    self.changed = true;
                }
            }
            Stmt::Store(access, value) => {
                let index = self.lanes.nat_varies(&access.index);
                if self.own_buffers.contains(&access.buffer) {
                    let varies = divergent || index || self.lanes.varies(value);
                    self.array(access.buffer, varies);
                } else {
                    self.stuck |= !index || access.lanes != 1;
                }
            }
            Stmt::For(looped) => {
                self.stuck |= self.lanes.nat_varies(&looped.count);
                self.stuck |= looped.kind != LoopKind::Seq;
                self.block(&looped.body, divergent);
            }
            Stmt::If(condition, then, otherwise) => {
                let divergent = divergent || self.lanes.varies(condition);
                self.block(then, divergent);
                self.block(otherwise, divergent);
            }
            Stmt::Block(block) => self.block(block, divergent),
            Stmt::Swap(a, b) => {
                let own = self.own_buffers.contains(a) && self.own_buffers.contains(b);
                self.stuck |= !own || divergent;
                let varies = self.lanes.private.contains(a) || self.lanes.private.contains(b);
                self.array(*a, varies);
                self.array(*b, varies);
            }
            Stmt::Barrier { .. }
            | Stmt::Product(_)
            | Stmt::Transpose(_)
            | Stmt::StorePart(_)
            | Stmt::Lend(_)
            | Stmt::Ask(..) => self.stuck = true,
        }
    }

    fn register(&mut self, name: &Name, varies: bool) {
        let Some(ty) = self.own.get(name).filter(|_| varies && !self.lanes.names.contains_key(name)) else {
            return;
        };
        self.stuck |= ty.lanes != 1;
        self.lanes.names.insert(name.clone(), ty.scalar);
        self.changed = true;
    }

    fn array(&mut self, id: BufferId, varies: bool) {
        if varies && self.lanes.private.insert(id) {
            let buffer = &self.buffers[id.0 as usize];
            self.stuck |= buffer.role == Role::Local || self.lanes.nat_varies(&buffer.len);
            self.changed = true;
        }
    }
}
