//! Registers and private arrays that several launches use.
//!
//! A declaration that only reads what never changes is repeated in each launch that wants it. Everything else
//! goes through global memory: written at the end of the launch that computes it, loaded where it is used.

use std::collections::{BTreeMap, BTreeSet};

use crate::loops::walk::{self, Visit, VisitMut};
use crate::loops::{Access, Block, BufferId, Kernel, Role, Stmt, Value, ValueType};
use crate::names::Name;
use crate::nat::{Nat, NatVar};
use crate::types::Scalar;

use super::split::{Step, global_memory};

/// What launches declare and use.
#[derive(Default)]
struct Uses {
    names: BTreeSet<Name>,
    nats: BTreeSet<NatVar>,
    buffers: BTreeSet<BufferId>,
    declared: BTreeMap<Name, ValueType>,
    declared_nats: BTreeSet<NatVar>,
    allocated: BTreeSet<BufferId>,
}

impl Visit for Uses {
    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let(name, ty, _) | Stmt::Var(name, ty, _) => {
                self.declared.insert(name.clone(), *ty);
            }
            Stmt::Set(name, _) => {
                self.names.insert(name.clone());
            }
            Stmt::LetNat(var, _) => {
                self.declared_nats.insert(var.clone());
            }
            Stmt::For(looped) => {
                self.declared_nats.insert(looped.var.clone());
            }
            Stmt::Alloc(id) => {
                self.allocated.insert(*id);
            }
            Stmt::Swap(a, b) => self.buffers.extend([*a, *b]),
            _ => {}
        }
        walk::walk_stmt(self, stmt);
    }

    fn value(&mut self, value: &Value) {
        if let Value::Var(name) = value {
            self.names.insert(name.clone());
        }
        walk::walk_value(self, value);
    }

    fn nat(&mut self, nat: &Nat) {
        self.nats.extend(nat.vars());
    }

    fn access(&mut self, access: &Access, _write: bool) {
        self.buffers.insert(access.buffer);
        self.nat(&access.index);
    }
}

fn uses(block: &[Stmt]) -> Uses {
    let mut uses = Uses::default();
    uses.block(block);
    uses
}

/// Makes every launch stand on its own.
pub fn connect(steps: &mut Vec<Step>, kernel: &mut Kernel, repeated: &Block) {
    let mut launches = Vec::new();
    collect(steps, &mut launches);
    let all: Vec<Uses> = launches.iter().map(|launch| uses(launch)).collect();
    let (mut allocs, mut crossing) = (Vec::new(), Vec::new());
    for (at, own) in all.iter().enumerate() {
        let others = || all.iter().enumerate().filter(move |(other, _)| *other != at).map(|(_, uses)| uses);
        for id in &own.allocated {
            if others().any(|other| other.buffers.contains(id)) {
                kernel.buffers[id.0 as usize].role = Role::Heap;
                allocs.push(*id);
            }
        }
        for (name, ty) in &own.declared {
            let wanted = |other: &Uses| other.names.contains(name) && !other.declared.contains_key(name);
            if others().any(wanted) {
                crossing.push((at, Register::Value(name.clone(), *ty)));
            }
        }
        for var in &own.declared_nats {
            let wanted = |other: &Uses| other.nats.contains(var) && !other.declared_nats.contains(var);
            if others().any(wanted) {
                crossing.push((at, Register::Nat(var.clone())));
            }
        }
    }
    for launch in &mut launches {
        launch.retain(|stmt| !matches!(stmt, Stmt::Alloc(id) if allocs.contains(id)));
    }
    let mut loads = vec![0; launches.len()];
    for (home, register) in crossing {
        let memory = global_memory(kernel, register.text(), register.ty());
        allocs.push(memory);
        for (at, launch) in launches.iter_mut().enumerate() {
            loads[at] += usize::from(register.carry(launch, memory, at == home, &all[at]));
        }
    }
    launches.iter_mut().zip(loads).for_each(|(launch, loads)| repeat(launch, loads, repeated));
    steps.splice(0..0, allocs.into_iter().map(Step::Alloc));
}

fn collect<'s>(steps: &'s mut [Step], launches: &mut Vec<&'s mut Block>) {
    for step in steps {
        match step {
            Step::Launch(block) => launches.push(block),
            Step::For(_, _, inner) => collect(inner, launches),
            Step::If(_, then, otherwise) => {
                collect(then, launches);
                collect(otherwise, launches);
            }
            _ => {}
        }
    }
}

/// What crosses from launch to launch.
enum Register {
    Value(Name, ValueType),
    Nat(NatVar),
}

impl Register {
    fn text(&self) -> &str {
        match self {
            Register::Value(name, _) => name.text(),
            Register::Nat(var) => var.text(),
        }
    }

    fn ty(&self) -> ValueType {
        match self {
            Register::Value(_, ty) => *ty,
            Register::Nat(_) => ValueType::scalar(Scalar::U64),
        }
    }

    fn access(&self, memory: BufferId) -> Access {
        Access { lanes: self.ty().lanes, ..Access::scalar(memory, Nat::lit(0)) }
    }

    /// Loads the register before a launch that wants it, and stores it after one that gives it a value.
    /// Returns whether it is loaded.
    fn carry(&self, launch: &mut Block, memory: BufferId, home: bool, uses: &Uses) -> bool {
        if home {
            Stores { register: self, access: self.access(memory) }.block(launch);
            return false;
        }
        let loaded = Value::Load(self.access(memory));
        match self {
            Register::Value(name, ty) if uses.names.contains(name) => {
                let sets = sets(launch, name);
                if sets {
                    Stores { register: self, access: self.access(memory) }.block(launch);
                }
                let value = loaded;
                launch.insert(
                    0,
                    match sets {
                        true => Stmt::Var(name.clone(), *ty, Some(value)),
                        false => Stmt::Let(name.clone(), *ty, value),
                    },
                );
            }
            Register::Nat(var) if uses.nats.contains(var) => {
                launch.insert(0, Stmt::LetNat(var.clone(), loaded));
            }
            _ => return false,
        }
        true
    }
}

fn sets(block: &[Stmt], name: &Name) -> bool {
    let mut found = false;
    walk::stmts(block, &mut |stmt| found |= matches!(stmt, Stmt::Set(other, _) if other == name));
    found
}

/// Stores a register wherever it gets a value.
struct Stores<'r> {
    register: &'r Register,
    access: Access,
}

impl VisitMut for Stores<'_> {
    fn block(&mut self, block: &mut Block) {
        let mut out = Block::with_capacity(block.len());
        for mut stmt in std::mem::take(block) {
            walk::walk_stmt_mut(self, &mut stmt);
            let stored = match (&stmt, self.register) {
                (
                    Stmt::Let(name, ..) | Stmt::Var(name, _, Some(_)) | Stmt::Set(name, _),
                    Register::Value(own, _),
                ) if name == own => Some(Value::Var(name.clone())),
                (Stmt::LetNat(var, _), Register::Nat(own)) if var == own => {
                    Some(Value::FromNat(Scalar::U64, Nat::var(var)))
                }
                _ => None,
            };
            out.push(stmt);
            out.extend(stored.map(|value| Stmt::Store(self.access.clone(), value)));
        }
        *block = out;
    }

    fn value(&mut self, _: &mut Value) {}
}

/// Puts the repeated declarations that a launch wants in front of it, behind the loads of registers: they may
/// need those.
fn repeat(launch: &mut Block, loads: usize, repeated: &Block) {
    let mut wanted = uses(launch);
    let mut chosen = Vec::new();
    for stmt in repeated.iter().rev() {
        let is_wanted = match stmt {
            Stmt::Let(name, ..) => wanted.names.contains(name),
            Stmt::LetNat(var, _) => wanted.nats.contains(var),
            _ => false,
        };
        if is_wanted {
            wanted.stmt(stmt);
            chosen.push(stmt.clone());
        }
    }
    launch.splice(loads..loads, chosen.into_iter().rev());
}
