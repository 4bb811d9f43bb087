//! Functions of many operations that wait for no iteration before are computed in vectors ahead of loops that go one by
//! one.
//!
//! ```text
//!                                        for j in 0..n / 16
//! for i in 0..n                            for lanes l in 0..16
//!   sum = 0.5 * sum + exp(x[i])    →         ahead[l] = exp(x[16·j + l])
//!                                          for l in 0..16
//!                                            sum = 0.5 * sum + ahead[l]
//!                                        … the last 16 once more, for those that are left over
//! ```
//!
//! The steps stay as they are, in their order. Fewer iterations than the widest vector has lanes go by fours, and
//! fewer than these stay as well. Loops whose iterations know nothing of each other stay what they were made.

use std::collections::{BTreeMap, BTreeSet};

use crate::expr::Compare;
use crate::names::Name;
use crate::nat::{Facts, Nat, NatVar};
use crate::types::Scalar;

use super::super::facts::iterating;
use super::super::independent::is_independent;
use super::super::ir::*;
use super::super::walk::{self, Visit, VisitLoops, VisitMut};
use super::copy::Copier;
use super::{Options, TooLarge, measure};

/// Bytes of the widest vector.
const BYTES: i64 = 64;

/// Lanes of the shortest vector: fewer are not worth the way through memory.
const FEWEST: i64 = 4;

/// Larger bodies are not written out again.
const LARGEST: usize = 300;

#[allow(clippy::unnecessary_wraps)]
pub(super) fn run(kernel: &mut Kernel, options: &Options) -> Result<(), TooLarge> {
    if !options.device {
        let facts = kernel.facts.clone();
        Ahead { buffers: &mut kernel.buffers }.block(&mut kernel.body, facts);
    }
    Ok(())
}

struct Ahead<'a> {
    buffers: &'a mut Vec<Buffer>,
}

impl VisitLoops for Ahead<'_> {
    fn looped(&mut self, mut looped: Loop, facts: &mut Facts, out: &mut Block) {
        match self.cut(&looped, facts) {
            Some(mut cut) => out.append(&mut cut),
            // Lanes are vectors already.
            None if looped.kind == LoopKind::Vec => out.push(Stmt::For(looped)),
            None => {
                let inside = iterating(facts, &looped);
                self.block(&mut looped.body, inside);
                out.push(Stmt::For(looped));
            }
        }
    }
}

impl Ahead<'_> {
    /// The loop where what can be is computed ahead.
    fn cut(&mut self, looped: &Loop, facts: &Facts) -> Option<Block> {
        let is_straight = looped.kind == LoopKind::Seq && !has_loops(&looped.body);
        if !is_straight || is_independent(looped) || measure::size(&looped.body) > LARGEST {
            return None;
        }
        let steps = Steps::of(looped)?;
        let widest = steps.ahead.iter().map(|computed| i64::from(computed.scalar.bytes())).max()?;
        let width = match looped.count.as_const() {
            Some(count) => (BYTES / widest).min(count.checked_ilog2().map_or(0, |bits| 1 << bits)),
            None => BYTES / widest,
        };
        let is_worth_it = width >= FEWEST && !facts.proves_lt(&looped.count, &Nat::lit(width));
        is_worth_it.then(|| self.cut_by(looped, &steps, width))
    }

    /// The loop in vectors of so many lanes; fewer iterations go in the shortest ones, and those that fill none as they do.
    fn cut_by(&mut self, looped: &Loop, steps: &Steps, width: i64) -> Block {
        let lanes = Nat::lit(width);
        let pieces = self.pieces(looped, steps, &lanes);
        if looped.count.as_const().is_some() {
            return vec![Stmt::Block(pieces)];
        }
        let few = match width > FEWEST {
            true => self.cut_by(looped, steps, FEWEST),
            false => vec![Stmt::For(looped.clone())],
        };
        let enough = Value::CompareNat(Compare::Ge, looped.count.clone(), lanes);
        vec![Stmt::If(enough, pieces, few)]
    }

    /// Vectors, each with the steps that take its lanes.
    fn pieces(&mut self, looped: &Loop, steps: &Steps, lanes: &Nat) -> Block {
        let (count, whole, left) = (&looped.count, looped.count.div(lanes) * lanes, looped.count.rem(lanes));
        let places: Vec<BufferId> =
            steps.ahead.iter().map(|computed| self.allocated(computed.scalar, lanes)).collect();
        let mut out: Block = places.iter().map(|place| Stmt::Alloc(*place)).collect();
        let piece = NatVar::new(looped.var.text());
        let start = Nat::var(&piece) * lanes;
        let mut body = vec![self.vector(looped, steps, &places, &start, lanes)];
        body.push(self.steps(looped, steps, &places, [&start, &Nat::lit(0)], lanes));
        out.push(Stmt::For(Loop { var: piece, count: count.div(lanes), kind: LoopKind::Seq, body }));
        if !left.is_zero() {
            let last = self.vector(looped, steps, &places, &(count - lanes), lanes);
            let rest = vec![last, self.steps(looped, steps, &places, [&whole, &(lanes - &left)], &left)];
            match count.as_const() {
                Some(_) => out.extend(rest),
                None => out.push(Stmt::If(Value::any(left), rest, Block::new())),
            }
        }
        out
    }

    fn allocated(&mut self, scalar: Scalar, lanes: &Nat) -> BufferId {
        self.buffers.push(Buffer::scalars("ahead", scalar, lanes.clone(), Role::Stack));
        BufferId(self.buffers.len() as u32 - 1)
    }

    /// What is computed ahead, from an iteration on.
    fn vector(
        &mut self,
        looped: &Loop,
        steps: &Steps,
        places: &[BufferId],
        start: &Nat,
        lanes: &Nat,
    ) -> Stmt {
        let lane = NatVar::new("lane");
        let stores = steps.ahead.iter().zip(places).map(|(computed, place)| {
            Stmt::Store(Access::scalar(*place, Nat::var(&lane)), computed.value.clone())
        });
        let block: Block = steps.before.iter().cloned().chain(stores).collect();
        let body = Copier::new(self.buffers).with(&looped.var, Nat::var(&lane) + start).copy(&block);
        Stmt::For(Loop { var: lane, count: lanes.clone(), kind: LoopKind::Vec, body })
    }

    /// So many steps from an iteration on, which take what was computed ahead from a lane on.
    fn steps(
        &mut self,
        looped: &Loop,
        steps: &Steps,
        places: &[BufferId],
        [first, lane]: [&Nat; 2],
        count: &Nat,
    ) -> Stmt {
        let step = NatVar::new("step");
        let mut copier = Copier::new(self.buffers).with(&looped.var, Nat::var(&step) + first);
        for (computed, place) in steps.ahead.iter().zip(places) {
            let load = Value::Load(Access::scalar(*place, Nat::var(&step) + lane));
            *copier.names.place(computed.name.id()) = Some(load);
        }
        let body = copier.copy(&steps.body);
        Stmt::For(Loop { var: step, count: count.clone(), kind: LoopKind::Seq, body })
    }
}

fn has_loops(block: &[Stmt]) -> bool {
    let mut found = false;
    walk::stmts(block, &mut |stmt| {
        found |= !matches!(
            stmt,
            Stmt::Comment(_)
                | Stmt::Let(..)
                | Stmt::LetNat(..)
                | Stmt::Var(..)
                | Stmt::Set(..)
                | Stmt::Store(..)
                | Stmt::If(..)
                | Stmt::Block(_)
        );
    });
    found
}

/// A value that waits for no other iteration.
struct Computed {
    /// What stands for it in the steps.
    name: Name,
    scalar: Scalar,
    value: Value,
}

/// A body, taken apart.
#[derive(Default)]
struct Steps {
    /// What is computed ahead.
    ahead: Vec<Computed>,
    /// What that is made of: statements that wait for no other iteration.
    before: Block,
    /// The rest.
    body: Block,
    /// Functions that wait for no other iteration, by name.
    known: BTreeMap<Name, Scalar>,
    /// Registers and naturals that wait for others, and memory that is written.
    names: BTreeSet<Name>,
    nats: BTreeSet<NatVar>,
    written: BTreeSet<BufferId>,
}

impl Steps {
    /// Those of a loop in which anything can be computed ahead.
    fn of(looped: &Loop) -> Option<Steps> {
        let mut steps = Steps::default();
        walk::stmts(&looped.body, &mut |stmt| match stmt {
            Stmt::Set(name, _) | Stmt::Var(name, ..) => drop(steps.names.insert(name.clone())),
            _ => {}
        });
        walk::touches(&looped.body, &mut |id, write| {
            if write {
                steps.written.insert(id);
            }
        });
        for stmt in &looped.body {
            steps.declared_inside(stmt);
        }
        for stmt in &looped.body {
            steps.stmt(stmt.clone());
        }
        (!steps.ahead.is_empty()).then_some(steps)
    }

    /// What is declared inside of a statement stays there.
    fn declared_inside(&mut self, stmt: &Stmt) {
        let blocks = match stmt {
            Stmt::If(_, then, otherwise) => &[then, otherwise][..],
            Stmt::Block(block) => &[block],
            _ => &[],
        };
        for block in blocks {
            walk::stmts(block, &mut |stmt| match stmt {
                Stmt::Let(name, ..) => drop(self.names.insert(name.clone())),
                Stmt::LetNat(var, _) => drop(self.nats.insert(var.clone())),
                _ => {}
            });
        }
    }

    fn stmt(&mut self, mut stmt: Stmt) {
        match &stmt {
            Stmt::Let(name, ty, value) if self.is_free(value) => {
                self.before.push(stmt.clone());
                if self.is_long(value) {
                    self.known.insert(name.clone(), ty.scalar);
                    return;
                }
            }
            Stmt::LetNat(_, value) if self.is_free(value) && !self.is_long(value) => {
                self.before.push(stmt.clone());
            }
            Stmt::Let(name, ..) => drop(self.names.insert(name.clone())),
            Stmt::LetNat(var, _) => drop(self.nats.insert(var.clone())),
            _ => {}
        }
        Taken { steps: self, always: true }.stmt(&mut stmt);
        self.body.push(stmt);
    }

    /// Whether the value waits for no other iteration.
    fn is_free(&self, value: &Value) -> bool {
        let mut free = Free { steps: self, holds: true };
        free.value(value);
        free.holds
    }

    /// Whether functions of many operations are part of the value.
    fn is_long(&self, value: &Value) -> bool {
        let mut found = Formulas { known: &self.known, found: false };
        found.value(value);
        found.found
    }

    /// The scalar of a value that is worth being computed ahead.
    fn worth(&self, value: &Value) -> Option<Scalar> {
        let scalar = match value {
            Value::Var(name) => *self.known.get(name)?,
            Value::Unary(_, ty, _) | Value::Binary(_, ty, ..) | Value::Select(ty, _) => ty.scalar,
            Value::MulAdd(ty, _) | Value::Fma(ty, _) => ty.scalar,
            Value::Cast(_, scalar, _) => *scalar,
            _ => return None,
        };
        let is_number = scalar != Scalar::Bool;
        (is_number && self.is_free(value) && self.is_long(value)).then_some(scalar)
    }

    /// The name of what is computed ahead.
    fn name(&mut self, scalar: Scalar, value: &Value) -> Name {
        if let Some(known) = self.ahead.iter().find(|computed| computed.value == *value) {
            return known.name.clone();
        }
        let name = Name::fresh("ahead");
        self.ahead.push(Computed { name: name.clone(), scalar, value: value.clone() });
        name
    }
}

struct Free<'a> {
    steps: &'a Steps,
    holds: bool,
}

impl Visit for Free<'_> {
    fn value(&mut self, value: &Value) {
        use Value::*;
        self.holds &= match value {
            Var(name) => !self.steps.names.contains(name),
            Load(access) => access.lanes == 1 && !self.steps.written.contains(&access.buffer),
            Unary(_, ty, _) | Binary(_, ty, ..) | Compare(_, ty, ..) | Cast(ty, ..) | Select(ty, _) => {
                ty.lanes == 1
            }
            MulAdd(ty, _) | Fma(ty, _) => ty.lanes == 1,
            Literal(_) | Nat(_) | CompareNat(..) | FromNat(..) | ClampIndex(..) => true,
            _ => false,
        };
        walk::walk_value(self, value);
    }

    fn nat(&mut self, nat: &Nat) {
        self.holds &= !nat.mentions_any(&|var| self.steps.nats.contains(var));
    }
}

struct Formulas<'a> {
    known: &'a BTreeMap<Name, Scalar>,
    found: bool,
}

impl Visit for Formulas<'_> {
    fn value(&mut self, value: &Value) {
        self.found |= match value {
            Value::Var(name) => self.known.contains_key(name),
            value => value.is_formula(),
        };
        walk::walk_value(self, value);
    }
}

/// Takes what is computed ahead in place of computing it.
struct Taken<'a> {
    steps: &'a mut Steps,
    /// Whether it is computed in each iteration. What may be computed seldom stays where it is.
    always: bool,
}

impl VisitMut for Taken<'_> {
    fn stmt(&mut self, stmt: &mut Stmt) {
        if let Stmt::If(condition, then, otherwise) = stmt {
            self.value(condition);
            let around = std::mem::replace(&mut self.always, false);
            self.block(then);
            self.block(otherwise);
            self.always = around;
        } else {
            walk::walk_stmt_mut(self, stmt);
        }
    }

    fn value(&mut self, value: &mut Value) {
        let is_computed = self.always || matches!(value, Value::Var(_));
        match self.steps.worth(value).filter(|_| is_computed) {
            Some(scalar) => *value = Value::Var(self.steps.name(scalar, value)),
            None => walk::walk_value_mut(self, value),
        }
    }
}
