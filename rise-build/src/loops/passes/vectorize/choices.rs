//! Choices that depend on the lane: both branches are computed in all lanes, and of the results each lane takes its
//! own.
//!
//! ```text
//! if x[i] < c                    let mask = x < c
//!   r = x[i] * 2           →     let a = x * 2
//! else                           let b = x + 1
//!   r = x[i] + 1                 r = select(mask, a, b)
//! ```

use std::collections::{BTreeMap, BTreeSet};

use crate::names::Name;
use crate::types::Scalar;

use super::super::super::ir::*;
use super::super::super::walk::{self, Visit, VisitMut};
use super::Code;
use super::lanes::Lanes;

impl Code<'_> {
    /// Both branches computed and selected from, if they only compute, set registers and choose again, and every load
    /// is in range in all lanes. A last store of both to one place is one of what was selected.
    pub(super) fn merged(&mut self, condition: &Value, then: &[Stmt], otherwise: &[Stmt]) -> Option<Block> {
        if let (Some((Stmt::Store(to, x), then)), Some((Stmt::Store(also, y), otherwise))) =
            (then.split_last(), otherwise.split_last())
            && to == also
        {
            let scalar = self.buffers[to.buffer.0 as usize].scalar(&to.path);
            let name = Name::fresh("selected");
            self.lanes.names.insert(name.clone(), scalar);
            let set =
                |block: &[Stmt], value: &Value| [block, &[Stmt::Set(name.clone(), value.clone())]].concat();
            let mut out = self.selected(condition, &set(then, x), &set(otherwise, y), Some(&name))?;
            self.store(to, &Value::Var(name), &mut out).ok()?;
            return Some(out);
        }
        self.selected(condition, then, otherwise, None)
    }

    /// The same without stores; `own` is a register that is not declared yet.
    fn selected(
        &mut self,
        condition: &Value,
        then: &[Stmt],
        otherwise: &[Stmt],
        own: Option<&Name>,
    ) -> Option<Block> {
        if !then.iter().chain(otherwise).all(only_computes) {
            return None;
        }
        let mut safe = Safe { lanes: &self.lanes, buffers: self.buffers, holds: true };
        safe.block(then);
        safe.block(otherwise);
        if !safe.holds {
            return None;
        }
        let mut out = Block::new();
        let mut registers = Registers::default();
        registers.inner.extend(own.cloned());
        self.select(condition, then, otherwise, &mut registers, &mut out)?;
        for (name, value) in registers.now {
            if own == Some(&name) {
                out.push(Stmt::Let(name.clone(), self.lanes.ty(*self.lanes.names.get(&name)?), value));
            } else if !registers.inner.contains(&name) {
                out.push(Stmt::Set(name, value));
            }
        }
        Some(out)
    }

    /// Computes both branches, and what the registers are after the choice.
    fn select(
        &mut self,
        condition: &Value,
        then: &[Stmt],
        otherwise: &[Stmt],
        registers: &mut Registers,
        out: &mut Block,
    ) -> Option<()> {
        let mask = self.lanes.vector(condition, Scalar::Bool).ok()?;
        let mask_name = Name::fresh("mask");
        out.push(Stmt::Let(mask_name.clone(), self.lanes.ty(Scalar::Bool), mask));
        let before = registers.now.clone();
        self.merge_branch(then, registers, out)?;
        let then = std::mem::replace(&mut registers.now, before);
        self.merge_branch(otherwise, registers, out)?;
        let otherwise = std::mem::take(&mut registers.now);
        let names: BTreeSet<&Name> = then.keys().chain(otherwise.keys()).collect();
        for name in names {
            let now = |branch: &BTreeMap<Name, Value>| branch.get(name).cloned();
            let value = match (now(&then), now(&otherwise)) {
                (Some(x), Some(y)) if x == y => x,
                // Without a value before, it is not read where it got none.
                (Some(only), None) | (None, Some(only)) if registers.inner.contains(name) => only,
                (x, y) => {
                    let ty = self.lanes.ty(*self.lanes.names.get(name)?);
                    let old = || Value::Var(name.clone());
                    let parts = [Value::Var(mask_name.clone()), x.unwrap_or_else(old), y.unwrap_or_else(old)];
                    let new = name.refresh();
                    out.push(Stmt::Let(new.clone(), ty, Value::Select(ty, Box::new(parts))));
                    self.lanes.names.insert(new.clone(), *self.lanes.names.get(name)?);
                    Value::Var(new)
                }
            };
            registers.now.insert(name.clone(), value);
        }
        Some(())
    }

    /// Computes one branch, and what the registers are after it.
    fn merge_branch(&mut self, block: &[Stmt], registers: &mut Registers, out: &mut Block) -> Option<()> {
        for stmt in block {
            let now = |value: &Value| {
                let mut value = value.clone();
                Rename(&registers.now).value(&mut value);
                value
            };
            match stmt {
                Stmt::Let(name, ty, value) => {
                    let value = self.held(name, &now(value)).ok()?;
                    out.push(Stmt::Let(name.clone(), self.held_type(name, *ty), value));
                }
                Stmt::Var(name, _, value) => {
                    registers.inner.insert(name.clone());
                    let value = value.as_ref().map(now);
                    value.map_or(Some(()), |value| self.set(name, &value, registers, out))?;
                }
                Stmt::Set(name, value) => {
                    let value = now(value);
                    self.set(name, &value, registers, out)?;
                }
                Stmt::If(condition, then, otherwise) => {
                    let condition = now(condition);
                    self.select(&condition, then, otherwise, registers, out)?;
                }
                _ => {}
            }
        }
        Some(())
    }

    /// Gives a register a value.
    fn set(&mut self, name: &Name, value: &Value, registers: &mut Registers, out: &mut Block) -> Option<()> {
        let scalar = *self.lanes.names.get(name)?;
        let new = name.refresh();
        let value = self.lanes.vector(value, scalar).ok()?;
        out.push(Stmt::Let(new.clone(), self.lanes.ty(scalar), value));
        self.lanes.names.insert(new.clone(), scalar);
        registers.now.insert(name.clone(), Value::Var(new));
        Some(())
    }
}

/// Whether a statement computes values and sets registers, and does nothing else.
fn only_computes(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Comment(_) | Stmt::Let(..) | Stmt::Var(..) | Stmt::Set(..) => true,
        Stmt::If(_, then, otherwise) => then.iter().chain(otherwise).all(only_computes),
        _ => false,
    }
}

/// Registers of branches that are computed in all lanes.
#[derive(Default)]
struct Registers {
    /// What they are, as far as that has changed.
    now: BTreeMap<Name, Value>,
    /// Those that branches declare.
    inner: BTreeSet<Name>,
}

/// Replaces registers by what they are now.
struct Rename<'a>(&'a BTreeMap<Name, Value>);

impl VisitMut for Rename<'_> {
    fn value(&mut self, value: &mut Value) {
        if let Value::Var(name) = value {
            if let Some(new) = self.0.get(name) {
                *value = new.clone();
            }
            return;
        }
        walk::walk_value_mut(self, value);
    }
}

/// Whether all loads are in range in all lanes, also in those that do not come here.
struct Safe<'a> {
    lanes: &'a Lanes,
    buffers: &'a [Buffer],
    holds: bool,
}

impl Visit for Safe<'_> {
    fn value(&mut self, value: &Value) {
        if matches!(value, Value::Foreign(..) | Value::Gather(..)) {
            self.holds = false;
        }
        walk::walk_value(self, value);
    }

    fn access(&mut self, access: &Access, _write: bool) {
        let facts = &self.lanes.facts;
        let len = &self.buffers[access.buffer.0 as usize].len;
        let last = &access.index + i64::from(access.lanes) - 1;
        self.holds &= facts.proves_ge0(&access.index) && facts.proves_lt(&last, len);
    }
}
