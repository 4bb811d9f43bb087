//! Which values differ from lane to lane, and what they are in vectors.
//!
//! In: the body of a loop over lanes. Out: for each value, the value that all lanes share or the vector of all
//! lanes. Whatever has no vector form is an error, upon which the loop stays a loop.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::expr::{Binary, Compare, Foreign, Unary};
use crate::names::Name;
use crate::nat::{Facts, Nat, NatVar, Obligation};
use crate::types::Scalar;

use super::super::super::facts::iterating;
use super::super::super::ir::*;
use super::super::super::walk::{self, VisitMut};

/// There is no vector form.
#[derive(Debug)]
pub(super) struct Stuck;

/// A value in terms of vectors.
pub(super) enum Lifted {
    /// The same in all lanes.
    Uniform(Value),
    /// One lane for each iteration.
    Varying(Value),
}

/// What is known about a loop over lanes.
pub(super) struct Lanes {
    /// The variable that counts lanes.
    pub var: NatVar,
    /// Number of lanes.
    pub width: u32,
    /// Registers that differ from lane to lane, and their type.
    pub names: BTreeMap<Name, Scalar>,
    /// Registers that are set where lanes go different ways; some lanes of them may be read unset.
    pub divided: BTreeSet<Name>,
    /// What accesses see.
    pub scalars: BTreeMap<(BufferId, Vec<usize>), Scalar>,
    /// Naturals computed at run time that differ from lane to lane, with one variable for each lane.
    pub nats: BTreeMap<NatVar, Vec<NatVar>>,
    /// Arrays of which each lane has its own, interleaved.
    pub private: BTreeSet<BufferId>,
    pub facts: Facts,
}

/// A natural, seen from the lanes.
enum Shape {
    Uniform(Nat),
    /// `start + lane * step`
    Affine(Nat, Nat),
    Other,
}

impl Lanes {
    pub fn new(looped: &Loop, facts: &Facts) -> Option<Self> {
        let width = u32::try_from(looped.count.as_const()?).ok()?;
        Some(Self {
            var: looped.var.clone(),
            width,
            names: BTreeMap::new(),
            divided: BTreeSet::new(),
            scalars: BTreeMap::new(),
            nats: BTreeMap::new(),
            private: BTreeSet::new(),
            facts: iterating(facts, looped),
        })
    }

    pub fn ty(&self, scalar: Scalar) -> ValueType {
        ValueType { scalar, lanes: self.width }
    }

    pub fn nat_varies(&self, nat: &Nat) -> bool {
        nat.as_const().is_none() && nat.mentions_any(&|var| *var == self.var || self.nats.contains_key(var))
    }

    /// Whether a value differs from lane to lane.
    pub fn varies(&self, value: &Value) -> bool {
        struct Varies<'a>(&'a Lanes, bool);
        impl walk::Visit for Varies<'_> {
            fn value(&mut self, value: &Value) {
                if let Value::Var(name) = value {
                    self.1 |= self.0.names.contains_key(name);
                }
                walk::walk_value(self, value);
            }
            fn nat(&mut self, nat: &Nat) {
                self.1 |= self.0.nat_varies(nat);
            }
            fn access(&mut self, access: &Access, _write: bool) {
                self.1 |= self.0.private.contains(&access.buffer);
                self.nat(&access.index);
            }
        }
        let mut visitor = Varies(self, false);
        walk::Visit::value(&mut visitor, value);
        visitor.1
    }

    fn shape(&self, nat: &Nat) -> Shape {
        if !self.nat_varies(nat) {
            return Shape::Uniform(nat.clone());
        }
        let affine = |nat: &Nat| match nat.mentions_any(&|var| self.nats.contains_key(var)) {
            true => None,
            false => nat.affine_in(&self.var),
        };
        // What is affine at a glance is left for a later pass to simplify.
        let at_a_glance = affine(nat).filter(|(step, _)| step.as_const().is_some());
        match at_a_glance.or_else(|| affine(&self.facts.simplify(nat))) {
            Some((step, start)) if step.is_zero() => Shape::Uniform(start),
            Some((step, start)) => Shape::Affine(start, step),
            None => Shape::Other,
        }
    }

    /// The vector of a value, with equal lanes if it is uniform.
    pub fn vector(&self, value: &Value, scalar: Scalar) -> Result<Value, Stuck> {
        Ok(match self.lift(value)? {
            Lifted::Varying(value) => value,
            Lifted::Uniform(value) => self.broadcast(value, scalar),
        })
    }

    fn broadcast(&self, value: Value, scalar: Scalar) -> Value {
        Value::Broadcast(self.ty(scalar), Box::new(value))
    }

    /// A value in terms of vectors.
    pub fn lift(&self, value: &Value) -> Result<Lifted, Stuck> {
        if !self.varies(value) {
            return Ok(Lifted::Uniform(value.clone()));
        }
        let varying = match value {
            Value::Var(_) => value.clone(),
            Value::Load(access) => return self.load(access, value),
            Value::Unary(op, ty, a) => {
                let [a] = self.operands(*ty, [&**a])?;
                Value::Unary(*op, self.ty(ty.scalar), Box::new(a))
            }
            Value::Binary(op, ty, a, b) => {
                let [a, b] = self.operands(*ty, [&**a, &**b])?;
                Value::Binary(*op, self.ty(ty.scalar), Box::new(a), Box::new(b))
            }
            Value::Compare(op, ty, a, b) => {
                let [a, b] = self.operands(*ty, [&**a, &**b])?;
                Value::Compare(*op, self.ty(ty.scalar), Box::new(a), Box::new(b))
            }
            Value::MulAdd(ty, args) => {
                let [a, b, c] = &**args;
                Value::MulAdd(self.ty(ty.scalar), Box::new(self.operands(*ty, [a, b, c])?))
            }
            Value::Fma(ty, args) => {
                let [a, b, c] = &**args;
                Value::Fma(self.ty(ty.scalar), Box::new(self.operands(*ty, [a, b, c])?))
            }
            Value::Cast(from, to, a) => {
                let [a] = self.operands(*from, [&**a])?;
                Value::Cast(self.ty(from.scalar), *to, Box::new(a))
            }
            Value::Select(ty, args) => {
                let [condition, then, otherwise] = &**args;
                let condition = self.vector(condition, Scalar::Bool)?;
                let [then, otherwise] = self.operands(*ty, [then, otherwise])?;
                Value::Select(self.ty(ty.scalar), Box::new([condition, then, otherwise]))
            }
            Value::FromNat(scalar, nat) => return Ok(self.from_nat(*scalar, nat)),
            Value::CompareNat(op, a, b) => return Ok(self.compare_nat(*op, a, b)),
            Value::Foreign(foreign, 1, args) => return self.foreign(foreign, args, value),
            Value::Foreign(..)
            | Value::Literal(_)
            | Value::Nat(_)
            | Value::Apart(_)
            | Value::ClampIndex(..)
            | Value::ToLine(..)
            | Value::Large(_)
            | Value::Past(_)
            | Value::InLines
            | Value::Gather(..)
            | Value::Broadcast(..)
            | Value::Lane(..)
            | Value::Half(..)
            | Value::Lanes(..)
            | Value::Ramp(..) => return Err(Stuck),
        };
        Ok(Lifted::Varying(varying))
    }

    /// By the version for vectors where one fits, else lane by lane.
    fn foreign(&self, foreign: &Arc<Foreign>, args: &[Value], value: &Value) -> Result<Lifted, Stuck> {
        let fits = |lanes: u32| self.width.is_multiple_of(lanes);
        match foreign.numbers() {
            Some((scalars, _)) if foreign.vectors.iter().any(|version| fits(version.lanes)) => {
                let args = args.iter().zip(scalars).map(|(arg, scalar)| self.vector(arg, scalar));
                let args = args.collect::<Result<_, Stuck>>()?;
                Ok(Lifted::Varying(Value::Foreign(foreign.clone(), self.width, args)))
            }
            _ => Ok(self.by_lanes(value, foreign.result.scalar().ok_or(Stuck)?)),
        }
    }

    fn operands<const N: usize>(&self, ty: ValueType, operands: [&Value; N]) -> Result<[Value; N], Stuck> {
        if ty.lanes != 1 {
            return Err(Stuck);
        }
        let mut lifted = Vec::with_capacity(N);
        for operand in operands {
            lifted.push(self.vector(operand, ty.scalar)?);
        }
        <[Value; N]>::try_from(lifted).map_err(|_| Stuck)
    }

    fn load(&self, access: &Access, value: &Value) -> Result<Lifted, Stuck> {
        if access.lanes != 1 {
            return Err(Stuck);
        }
        let private = self.private.contains(&access.buffer);
        Ok(match self.shape(&access.index) {
            Shape::Uniform(index) if private => {
                Lifted::Varying(Value::Load(self.interleaved(access, &index, None)))
            }
            Shape::Uniform(index) => Lifted::Uniform(Value::Load(Access { index, ..access.clone() })),
            Shape::Affine(index, step) if !private => {
                let first = Access { index, ..access.clone() };
                Lifted::Varying(if step.is_one() && access.path.is_empty() {
                    Value::Load(Access { lanes: self.width, ..first })
                } else {
                    Value::Gather(first, step, self.width)
                })
            }
            _ => {
                let lanes = (0..self.width).map(|lane| self.at_lane(value, lane));
                let key = (access.buffer, access.path.clone());
                let scalar = *self.scalars.get(&key).ok_or(Stuck)?;
                Lifted::Varying(Value::Lanes(self.ty(scalar), lanes.collect()))
            }
        })
    }

    /// Element `index` of each lane's own copy, or of one lane's.
    fn interleaved(&self, access: &Access, index: &Nat, lane: Option<u32>) -> Access {
        let start = index * &Nat::from(self.width);
        match lane {
            Some(lane) => Access { index: start + Nat::from(lane), ..access.clone() },
            None => Access { index: start, lanes: self.width, ..access.clone() },
        }
    }

    /// Where an element of a lane's own copy is written.
    pub fn private_access(&self, access: &Access) -> Option<Access> {
        match self.shape(&access.index) {
            Shape::Uniform(index) => Some(self.interleaved(access, &index, None)),
            _ => None,
        }
    }

    /// Where a vector is written, if the lanes lie side by side.
    pub fn whole_access(&self, access: &Access) -> Option<Access> {
        match self.shape(&access.index) {
            Shape::Affine(index, step) if step.is_one() && access.path.is_empty() && access.lanes == 1 => {
                Some(Access { index, lanes: self.width, ..access.clone() })
            }
            _ => None,
        }
    }

    fn from_nat(&self, scalar: Scalar, nat: &Nat) -> Lifted {
        match self.shape(nat) {
            Shape::Uniform(nat) => Lifted::Uniform(Value::FromNat(scalar, nat)),
            Shape::Affine(start, step) if step.as_const().is_some_and(|step| step > 0) => {
                Lifted::Varying(Value::Ramp(self.ty(scalar), start, step))
            }
            _ => self.by_lanes(&Value::FromNat(scalar, nat.clone()), scalar),
        }
    }

    /// A comparison of naturals; where the difference grows or falls by one with each lane, of the lane with a bound that
    /// is cut off to fit.
    fn compare_nat(&self, op: Compare, a: &Nat, b: &Nat) -> Lifted {
        match self.shape(&(a - b)) {
            Shape::Uniform(difference) => {
                let parts = Obligation::ge0(&difference);
                let (negative, positive) = parts.sides();
                Lifted::Uniform(Value::CompareNat(op, positive.clone(), negative.clone()))
            }
            // start + lane op 0
            Shape::Affine(start, step) if step.is_one() => Lifted::Varying(self.compare_lane(op, &-start)),
            // start - lane op 0
            Shape::Affine(start, step) if step.as_const() == Some(-1) => {
                let op = match op {
                    Compare::Lt => Compare::Gt,
                    Compare::Le => Compare::Ge,
                    Compare::Gt => Compare::Lt,
                    Compare::Ge => Compare::Le,
                    Compare::Eq | Compare::Ne => op,
                };
                Lifted::Varying(self.compare_lane(op, &start))
            }
            _ => self.by_lanes(&Value::CompareNat(op, a.clone(), b.clone()), Scalar::Bool),
        }
    }

    /// `lane op bound`; the bound may be below zero or above the number of lanes.
    fn compare_lane(&self, op: Compare, bound: &Nat) -> Value {
        let next = bound + 1;
        let holds = match op {
            Compare::Lt | Compare::Ge => self.lane_with(Compare::Lt, 0, bound),
            Compare::Le | Compare::Gt => self.lane_with(Compare::Lt, 0, &next),
            Compare::Eq | Compare::Ne => self.lane_with(Compare::Eq, 1, &next),
        };
        match op {
            Compare::Lt | Compare::Le | Compare::Eq => holds,
            Compare::Ge | Compare::Gt | Compare::Ne => {
                Value::Unary(Unary::Not, self.ty(Scalar::Bool), Box::new(holds))
            }
        }
    }

    /// `first + lane op bound`, where a bound before or behind all of these is one of none.
    fn lane_with(&self, op: Compare, first: u32, bound: &Nat) -> Value {
        let ty = self.ty(Scalar::I32);
        let parts = Obligation::ge0(bound);
        let (negative, positive) = parts.sides();
        let cut = Nat::min(&(Nat::max(positive, negative) - negative), &Nat::from(first + self.width));
        let cut = self.facts.simplify(&cut);
        let bound = self.broadcast(Value::FromNat(Scalar::I32, cut), Scalar::I32);
        let lane = Value::Ramp(ty, Nat::from(first), Nat::lit(1));
        Value::Compare(op, ty, Box::new(lane), Box::new(bound))
    }

    /// The vector of what each lane computes alone.
    fn by_lanes(&self, value: &Value, scalar: Scalar) -> Lifted {
        let lanes = (0..self.width).map(|lane| self.at_lane(value, lane));
        Lifted::Varying(Value::Lanes(self.ty(scalar), lanes.collect()))
    }

    /// What a scalar value is in one lane.
    pub fn at_lane(&self, value: &Value, lane: u32) -> Value {
        let mut value = value.clone();
        OneLane { lanes: self, lane, registers: &BTreeMap::new() }.value(&mut value);
        value
    }

    /// What a condition is in one lane, or `None` if it depends on more than naturals.
    pub fn condition_at(&self, condition: &Value, choose: &dyn Fn(&Nat) -> Option<Nat>) -> Option<Value> {
        match condition {
            Value::Binary(Binary::And, ty, a, b) => {
                let (a, b) = (self.condition_at(a, choose)?, self.condition_at(b, choose)?);
                Some(Value::Binary(Binary::And, *ty, Box::new(a), Box::new(b)))
            }
            Value::CompareNat(op, a, b)
                if matches!(op, Compare::Lt | Compare::Le | Compare::Gt | Compare::Ge) =>
            {
                // What is compared with zero must be monotone in the lane.
                let difference = match op {
                    Compare::Lt | Compare::Le => b - a,
                    _ => a - b,
                };
                let lane = choose(&difference)?;
                Some(Value::CompareNat(*op, a.subst(&self.var, &lane), b.subst(&self.var, &lane)))
            }
            other if !self.varies(other) => Some(other.clone()),
            _ => None,
        }
    }

    /// The condition that holds if a condition holds in all lanes; `None` if there is no simple one.
    pub fn in_all_lanes(&self, condition: &Value) -> Option<Value> {
        let last = Nat::from(self.width - 1);
        self.condition_at(condition, &|difference| match self.shape(difference) {
            Shape::Uniform(_) => Some(Nat::lit(0)),
            Shape::Affine(_, step) => Some(if step.as_const()? > 0 { Nat::lit(0) } else { last.clone() }),
            Shape::Other => None,
        })
    }
}

/// Takes one lane of everything.
pub(super) struct OneLane<'a> {
    pub lanes: &'a Lanes,
    pub lane: u32,
    /// Scalar registers that stand for lanes of vector registers.
    pub registers: &'a BTreeMap<Name, Name>,
}

impl VisitMut for OneLane<'_> {
    fn value(&mut self, value: &mut Value) {
        match value {
            Value::Var(name) => {
                if let Some(scalar) = self.registers.get(name) {
                    *value = Value::Var(scalar.clone());
                } else if let Some(scalar) = self.lanes.names.get(name) {
                    let ty = self.lanes.ty(*scalar);
                    *value = Value::Lane(ty, self.lane, Box::new(value.clone()));
                }
            }
            _ => walk::walk_value_mut(self, value),
        }
    }

    fn nat(&mut self, nat: &mut Nat) {
        if self.lanes.nat_varies(nat) {
            let lane = Nat::from(self.lane);
            *nat = nat.map_vars(&mut |var| {
                if *var == self.lanes.var {
                    return Some(lane.clone());
                }
                self.lanes.nats.get(var).map(|vars| Nat::var(&vars[self.lane as usize]))
            });
        }
    }

    fn access(&mut self, access: &mut Access, _write: bool) {
        self.nat(&mut access.index);
        if self.lanes.private.contains(&access.buffer) {
            let width = Nat::from(self.lanes.width);
            access.index = &access.index * &width + Nat::from(self.lane);
        }
    }
}
