//! Loops over lanes become straight code on vectors.
//!
//! ```text
//! for lanes i in 0..8            let a: f32x8 = x[j ..8]
//!   let a = x[j + i]        →    y[j ..8] = a * f32x8(c)
//!   y[j + i] = a * c
//! ```
//!
//! What does not depend on the lane stays scalar. Loads and stores at distance 1 become vector accesses, at any
//! other fixed distance gathers; all others are done lane by lane. An array declared in the loop becomes one array
//! with the lanes side by side. Where a condition depends on the lane, both branches are computed and the results
//! selected if that is safe, else the lanes go one by one unless they all agree. A loop that has no vector form
//! becomes sequential.

use std::collections::{BTreeMap, BTreeSet};

use crate::expr::{Compare, Literal};
use crate::names::Name;
use crate::nat::{Facts, Nat, NatVar};

use super::super::facts::{assume, define, iterating};
use super::super::ir::*;
use super::super::walk::{self, VisitLoops, VisitMut};
use super::copy::Copier;
use super::lanes::{Lanes, Lifted, OneLane, Stuck};
use super::{Options, TooLarge};

#[allow(clippy::unnecessary_wraps)]
pub(super) fn run(kernel: &mut Kernel, _: &Options) -> Result<(), TooLarge> {
    every(kernel, false);
    Ok(())
}

/// Loops over lanes that are about to be copied, where it is plain what becomes of them: once, not in each copy.
#[allow(clippy::unnecessary_wraps)]
pub(super) fn early(kernel: &mut Kernel, _: &Options) -> Result<(), TooLarge> {
    every(kernel, true);
    Ok(())
}

fn every(kernel: &mut Kernel, early: bool) {
    let facts = kernel.facts.clone();
    Vectorizer { buffers: &mut kernel.buffers, early, copied: false }.block(&mut kernel.body, facts);
}

struct Vectorizer<'a> {
    buffers: &'a mut Vec<Buffer>,
    /// Whether only loops are of interest that will be copied.
    early: bool,
    /// Whether what is visited will be.
    copied: bool,
}

impl VisitLoops for Vectorizer<'_> {
    fn looped(&mut self, mut looped: Loop, facts: &mut Facts, out: &mut Block) {
        let around = self.copied;
        self.copied |= looped.kind == LoopKind::Unroll;
        self.body(&mut looped, facts);
        self.copied = around;
        if looped.kind != LoopKind::Vec || self.early && !(self.copied && is_plain(&looped.body)) {
            return out.push(Stmt::For(looped));
        }
        match self.vectorized(&looped, facts) {
            Ok(block) if self.early && !stays_whole(&block) => out.push(Stmt::For(looped)),
            Ok(mut block) => {
                // Declarations keep to themselves.
                let declares = block.iter().any(|stmt| matches!(stmt, Stmt::Alloc(_)));
                if declares { out.push(Stmt::Block(block)) } else { out.append(&mut block) }
            }
            Err(Stuck) if self.early => out.push(Stmt::For(looped)),
            Err(Stuck) => out.push(Stmt::For(Loop { kind: LoopKind::Seq, ..looped })),
        }
    }
}

impl Vectorizer<'_> {
    fn vectorized(&mut self, looped: &Loop, facts: &Facts) -> Result<Block, Stuck> {
        let mut lanes = Lanes::new(looped, facts).ok_or(Stuck)?;
        if !matches!(lanes.width, 2 | 4 | 8 | 16 | 32 | 64) {
            return Err(Stuck);
        }
        let mut analysis = Analysis::new(&mut lanes, self.buffers);
        analysis.run(&looped.body)?;
        let private = lanes.private.clone();
        let mut code = Code { lanes, buffers: self.buffers };
        let block = code.block(&looped.body)?;
        for id in private {
            let buffer = &mut self.buffers[id.0 as usize];
            buffer.len = &buffer.len * &looped.count;
        }
        Ok(block)
    }
}

/// Neither choices nor declarations, of which copies could make less.
fn is_plain(block: &[Stmt]) -> bool {
    block.iter().all(|stmt| matches!(stmt, Stmt::Comment(_) | Stmt::Let(..) | Stmt::Store(..)))
}

/// Whether no lane is computed by itself: copies could know more of lanes that do not lie side by side.
fn stays_whole(block: &[Stmt]) -> bool {
    let mut whole = is_plain(block);
    walk::values(block, &mut |value| {
        whole &= !matches!(value, Value::Gather(..) | Value::Lanes(..) | Value::Lane(..));
    });
    whole
}

/// Finds out what differs from lane to lane.
struct Analysis<'a> {
    lanes: &'a mut Lanes,
    buffers: &'a [Buffer],
    /// Registers and arrays declared in the loop.
    own: BTreeMap<Name, ValueType>,
    own_buffers: BTreeSet<BufferId>,
    changed: bool,
    stuck: bool,
}

impl<'a> Analysis<'a> {
    fn new(lanes: &'a mut Lanes, buffers: &'a [Buffer]) -> Self {
        let (own, own_buffers) = (BTreeMap::new(), BTreeSet::new());
        Self { lanes, buffers, own, own_buffers, changed: true, stuck: false }
    }

    fn run(&mut self, body: &[Stmt]) -> Result<(), Stuck> {
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
            | Stmt::Ask(_) => self.stuck = true,
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

/// Makes vector code.
pub(super) struct Code<'a> {
    pub(super) lanes: Lanes,
    pub(super) buffers: &'a mut Vec<Buffer>,
}

impl Code<'_> {
    fn block(&mut self, block: &[Stmt]) -> Result<Block, Stuck> {
        let facts = self.lanes.facts.clone();
        let mut out = Block::with_capacity(block.len());
        for stmt in block {
            self.stmt(stmt, &mut out)?;
        }
        self.lanes.facts = facts;
        Ok(out)
    }

    /// A value for a register, as a vector if the register is one.
    pub(super) fn held(&self, name: &Name, value: &Value) -> Result<Value, Stuck> {
        match self.lanes.names.get(name) {
            Some(scalar) => self.lanes.vector(value, *scalar),
            None => self.uniform(value),
        }
    }

    fn uniform(&self, value: &Value) -> Result<Value, Stuck> {
        match self.lanes.lift(value)? {
            Lifted::Uniform(value) => Ok(value),
            Lifted::Varying(_) => Err(Stuck),
        }
    }

    pub(super) fn held_type(&self, name: &Name, ty: ValueType) -> ValueType {
        if self.lanes.names.contains_key(name) { self.lanes.ty(ty.scalar) } else { ty }
    }

    fn stmt(&mut self, stmt: &Stmt, out: &mut Block) -> Result<(), Stuck> {
        match stmt {
            Stmt::Comment(_) | Stmt::Alloc(_) | Stmt::Swap(..) | Stmt::Barrier { .. } => {
                out.push(stmt.clone());
            }
            Stmt::Product(_) | Stmt::Transpose(_) | Stmt::StorePart(_) | Stmt::Ask(_) => return Err(Stuck),
            Stmt::Let(name, ty, value) => {
                let value = self.held(name, value)?;
                out.push(Stmt::Let(name.clone(), self.held_type(name, *ty), value));
            }
            Stmt::Var(name, ty, value) => {
                let mut value = value.as_ref().map(|value| self.held(name, value)).transpose()?;
                if value.is_none() && self.lanes.divided.contains(name) {
                    let zero = Value::Literal(Literal::zero(ty.scalar));
                    value = Some(Value::Broadcast(self.lanes.ty(ty.scalar), Box::new(zero)));
                }
                out.push(Stmt::Var(name.clone(), self.held_type(name, *ty), value));
            }
            Stmt::Set(name, value) => out.push(Stmt::Set(name.clone(), self.held(name, value)?)),
            Stmt::LetNat(var, value) => self.let_nat(var, value, out)?,
            Stmt::Store(access, value) => self.store(access, value, out)?,
            Stmt::For(looped) => {
                let inside = iterating(&self.lanes.facts, looped);
                let facts = std::mem::replace(&mut self.lanes.facts, inside);
                let body = self.block(&looped.body)?;
                self.lanes.facts = facts;
                out.push(Stmt::For(Loop { body, ..looped.clone() }));
            }
            Stmt::If(condition, then, otherwise) if self.lanes.varies(condition) => {
                self.divergent(condition, then, otherwise, out)?;
            }
            Stmt::If(condition, then, otherwise) => {
                let then = self.branch(condition, true, then)?;
                let otherwise = self.branch(condition, false, otherwise)?;
                out.push(Stmt::If(condition.clone(), then, otherwise));
            }
            Stmt::Block(block) => {
                let block = self.block(block)?;
                out.push(Stmt::Block(block));
            }
        }
        Ok(())
    }

    fn branch(&mut self, condition: &Value, holds: bool, block: &[Stmt]) -> Result<Block, Stuck> {
        let facts = self.lanes.facts.clone();
        assume(&mut self.lanes.facts, condition, holds);
        let block = self.block(block);
        self.lanes.facts = facts;
        block
    }

    fn let_nat(&mut self, var: &NatVar, value: &Value, out: &mut Block) -> Result<(), Stuck> {
        match self.lanes.nats.get(var).cloned() {
            Some(vars) => {
                for (lane, var) in vars.iter().enumerate() {
                    out.push(Stmt::LetNat(var.clone(), self.lanes.at_lane(value, lane as u32)));
                }
            }
            None => out.push(Stmt::LetNat(var.clone(), value.clone())),
        }
        define(&mut self.lanes.facts, var, value);
        Ok(())
    }

    pub(super) fn store(&mut self, access: &Access, value: &Value, out: &mut Block) -> Result<(), Stuck> {
        let private = self.lanes.private.contains(&access.buffer);
        let scalar = self.buffers[access.buffer.0 as usize].scalar(&access.path);
        if !private && !self.lanes.nat_varies(&access.index) {
            out.push(Stmt::Store(access.clone(), self.uniform(value)?));
            return Ok(());
        }
        let whole = if private { self.lanes.private_access(access) } else { self.lanes.whole_access(access) };
        if let Some(access) = whole {
            out.push(Stmt::Store(access, self.lanes.vector(value, scalar)?));
            return Ok(());
        }
        let value = match self.lanes.lift(value)? {
            Lifted::Varying(vector) => {
                let name = Name::fresh("lanes");
                out.push(Stmt::Let(name.clone(), self.lanes.ty(scalar), vector));
                self.lanes.names.insert(name.clone(), scalar);
                Value::Var(name)
            }
            Lifted::Uniform(value) => value,
        };
        self.each_lane(&[Stmt::Store(access.clone(), value)], &BTreeMap::new(), out);
        Ok(())
    }

    /// Statements for one lane after the other; `registers` are the lanes' own copies of registers.
    fn each_lane(&mut self, stmts: &[Stmt], registers: &BTreeMap<Name, Vec<Name>>, out: &mut Block) {
        for lane in 0..self.lanes.width {
            let mut copy = Copier::new(self.buffers).copy(stmts);
            let own = registers.iter().map(|(name, lanes)| (name.clone(), lanes[lane as usize].clone()));
            let own: BTreeMap<Name, Name> = own.collect();
            let mut one = OneLane { lanes: &self.lanes, lane, registers: &own };
            one.block(&mut copy);
            set_registers(&mut copy, &own);
            out.append(&mut copy);
        }
    }

    /// Two-way choice in which lanes go different ways.
    fn divergent(
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

fn set_registers(block: &mut Block, registers: &BTreeMap<Name, Name>) {
    struct Sets<'a>(&'a BTreeMap<Name, Name>);
    impl VisitMut for Sets<'_> {
        fn stmt(&mut self, stmt: &mut Stmt) {
            if let Stmt::Set(name, _) = stmt
                && let Some(new) = self.0.get(name)
            {
                *name = new.clone();
            }
            walk::walk_stmt_mut(self, stmt);
        }
        fn value(&mut self, _: &mut Value) {}
    }
    Sets(registers).block(block);
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
