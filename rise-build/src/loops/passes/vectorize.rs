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

mod apart;
mod choices;
mod lanes;
mod varying;

use std::collections::BTreeMap;

use crate::expr::Literal;
use crate::names::Name;
use crate::nat::{Facts, NatVar};

use super::super::facts::{assume, define, iterating};
use super::super::ir::*;
use super::super::walk::{self, VisitLoops, VisitMut};
use super::copy::Copier;
use super::{Options, TooLarge};
use lanes::{Lanes, Lifted, OneLane, Stuck};
use varying::Analysis;

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
        whole &= !matches!(value, Value::Gather(..) | Value::Lanes(..) | Value::Lane(..) | Value::Half(..));
    });
    whole
}

/// Makes vector code.
struct Code<'a> {
    lanes: Lanes,
    buffers: &'a mut Vec<Buffer>,
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
    fn held(&self, name: &Name, value: &Value) -> Result<Value, Stuck> {
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

    fn held_type(&self, name: &Name, ty: ValueType) -> ValueType {
        if self.lanes.names.contains_key(name) { self.lanes.ty(ty.scalar) } else { ty }
    }

    fn stmt(&mut self, stmt: &Stmt, out: &mut Block) -> Result<(), Stuck> {
        match stmt {
            Stmt::Comment(_) | Stmt::Alloc(_) | Stmt::Swap(..) | Stmt::Barrier { .. } => {
                out.push(stmt.clone());
            }
            Stmt::Product(_) | Stmt::Transpose(_) | Stmt::StorePart(_) | Stmt::Lend(_) | Stmt::Ask(..) => {
                return Err(Stuck);
            }
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

    fn store(&mut self, access: &Access, value: &Value, out: &mut Block) -> Result<(), Stuck> {
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
