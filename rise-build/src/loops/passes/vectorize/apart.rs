//! Choices in which lanes go different ways, where it is not safe to compute both branches in all of them: lanes that all
//! agree go together, and others one by one.
//!
//! ```text
//! if i < n              if 16 * j + 15 < n
//!   y[i] = x[i]    →      y[16 * j ..16] = x[16 * j ..16]
//!                       else
//!                         if 16 * j < n      … for each lane
//!                           y[16 * j] = x[16 * j]
//! ```

use std::collections::{BTreeMap, BTreeSet};

use crate::expr::Compare;
use crate::names::Name;
use crate::nat::{Nat, NatVar};

use super::super::super::ir::*;
use super::super::super::walk;
use super::super::copy::Copier;
use super::Code;
use super::lanes::Stuck;

impl Code<'_> {
    /// Two-way choice in which lanes go different ways.
    pub(super) fn divergent(
        &mut self,
        condition: &Value,
        then: &[Stmt],
        otherwise: &[Stmt],
        out: &mut Block,
    ) -> Result<(), Stuck> {
        let simple =
            self.stored_part(condition, then, otherwise).or_else(|| self.merged(condition, then, otherwise));
        if let Some(simple) = simple {
            out.extend(simple);
            return Ok(());
        }
        let by_lanes = self.by_lanes(condition, then, otherwise)?;
        let negated = negated(condition);
        let none = negated.and_then(|negated| self.lanes.in_all_lanes(&negated));
        let rest = match none {
            Some(none) if !otherwise.is_empty() => {
                let fresh = Copier::new(self.buffers).copy(otherwise);
                self.adopt(otherwise, &fresh);
                match self.branch(condition, false, &fresh) {
                    Ok(otherwise) => vec![Stmt::If(none, otherwise, by_lanes)],
                    Err(Stuck) => by_lanes,
                }
            }
            _ => by_lanes,
        };
        let all = self.lanes.in_all_lanes(condition);
        let whole = all.and_then(|all| {
            let fresh = Copier::new(self.buffers).copy(then);
            self.adopt(then, &fresh);
            Some((all, self.branch(condition, true, &fresh).ok()?))
        });
        match whole {
            Some((all, whole)) => out.push(Stmt::If(all, whole, rest)),
            None => out.extend(rest),
        }
        Ok(())
    }

    /// Stores of registers in the lanes at an end of the vector, side by side.
    fn stored_part(&self, condition: &Value, then: &[Stmt], otherwise: &[Stmt]) -> Option<Block> {
        let part = self.part(condition).filter(|_| otherwise.is_empty())?;
        let stores = then.iter().map(|stmt| match stmt {
            Stmt::Store(access, value @ Value::Var(_)) if !self.lanes.private.contains(&access.buffer) => {
                let Element::Scalar(scalar) = self.buffers[access.buffer.0 as usize].element else {
                    return None;
                };
                let (to, value) = (self.lanes.whole_access(access)?, self.lanes.vector(value, scalar).ok()?);
                Some(Stmt::StorePart(Box::new(StorePart { to, value, part: part.clone() })))
            }
            _ => None,
        });
        stores.collect()
    }

    /// The lanes at an end of the vector for which a condition holds, if it is about their number.
    fn part(&self, condition: &Value) -> Option<LanesPart> {
        let is_lane = |nat: &Nat| nat.as_var() == Some(&self.lanes.var);
        match condition {
            Value::CompareNat(Compare::Lt, lane, end) if is_lane(lane) && !self.lanes.nat_varies(end) => {
                Some(LanesPart::Until(end.clone()))
            }
            Value::CompareNat(Compare::Le, start, lane) if is_lane(lane) && !self.lanes.nat_varies(start) => {
                Some(LanesPart::From(start.clone()))
            }
            _ => None,
        }
    }

    /// What is known about the declarations of a block holds for those of its copy.
    fn adopt(&mut self, block: &[Stmt], copy: &[Stmt]) {
        let collect = |block: &[Stmt]| {
            let (mut names, mut nats, mut ids) = (Vec::new(), Vec::new(), Vec::new());
            walk::stmts(block, &mut |stmt| match stmt {
                Stmt::Let(name, ..) | Stmt::Var(name, ..) => names.push(name.clone()),
                Stmt::LetNat(var, _) => nats.push(var.clone()),
                Stmt::Alloc(id) => ids.push(*id),
                _ => {}
            });
            (names, nats, ids)
        };
        let (old, new) = (collect(block), collect(copy));
        for (old, new) in old.0.iter().zip(&new.0) {
            if let Some(scalar) = self.lanes.names.get(old).copied() {
                self.lanes.names.insert(new.clone(), scalar);
            }
        }
        for (old, new) in old.1.iter().zip(&new.1) {
            if let Some(vars) = self.lanes.nats.get(old) {
                let vars = vars.iter().map(|var| NatVar::new(var.text())).collect();
                self.lanes.nats.insert(new.clone(), vars);
            }
        }
        for (old, new) in old.2.iter().zip(&new.2) {
            let scalars: Vec<_> = self
                .lanes
                .scalars
                .iter()
                .filter(|((id, _), _)| id == old)
                .map(|((_, p), s)| (p.clone(), *s))
                .collect();
            for (path, scalar) in scalars {
                self.lanes.scalars.insert((*new, path), scalar);
            }
            if self.lanes.private.contains(old) {
                self.lanes.private.insert(*new);
                let buffer = &mut self.buffers[new.0 as usize];
                buffer.len = &buffer.len * &Nat::from(self.lanes.width);
            }
        }
    }

    /// A choice lane by lane; registers that it sets are taken apart before and put together after.
    fn by_lanes(&mut self, condition: &Value, then: &[Stmt], otherwise: &[Stmt]) -> Result<Block, Stuck> {
        let mut inner = BTreeSet::new();
        let mut set = BTreeSet::new();
        for block in [then, otherwise] {
            walk::stmts(block, &mut |stmt| match stmt {
                Stmt::Let(name, ..) | Stmt::Var(name, ..) => {
                    inner.insert(name.clone());
                }
                Stmt::Set(name, _) => {
                    set.insert(name.clone());
                }
                _ => {}
            });
        }
        let mut out = Block::new();
        let mut registers = BTreeMap::new();
        let outer: Vec<Name> = set.iter().filter(|name| !inner.contains(name)).cloned().collect();
        for name in &outer {
            let scalar = *self.lanes.names.get(name).ok_or(Stuck)?;
            let parts: Vec<Name> = (0..self.lanes.width).map(|_| name.refresh()).collect();
            for (lane, part) in parts.iter().enumerate() {
                let old = Value::Lane(self.lanes.ty(scalar), lane as u32, Box::new(Value::Var(name.clone())));
                out.push(Stmt::Var(part.clone(), ValueType::scalar(scalar), Some(old)));
            }
            registers.insert(name.clone(), parts);
        }
        // Registers of the branches are scalars again, one for each lane.
        let saved = self.lanes.names.clone();
        self.lanes.names.retain(|name, _| !inner.contains(name));
        let choice = Stmt::If(condition.clone(), then.to_vec(), otherwise.to_vec());
        self.each_lane(&[choice], &registers, &mut out);
        self.lanes.names = saved;
        for (name, parts) in registers {
            let scalar = self.lanes.names[&name];
            let parts = parts.into_iter().map(Value::Var).collect();
            out.push(Stmt::Set(name, Value::Lanes(self.lanes.ty(scalar), parts)));
        }
        Ok(if outer.is_empty() { out } else { vec![Stmt::Block(out)] })
    }
}

/// The opposite of a comparison of naturals.
fn negated(condition: &Value) -> Option<Value> {
    use crate::expr::Compare::{Eq, Ge, Gt, Le, Lt, Ne};
    match condition {
        Value::CompareNat(op, a, b) => {
            let op = match op {
                Lt => Ge,
                Le => Gt,
                Gt => Le,
                Ge => Lt,
                Eq => Ne,
                Ne => Eq,
            };
            Some(Value::CompareNat(op, a.clone(), b.clone()))
        }
        _ => None,
    }
}
