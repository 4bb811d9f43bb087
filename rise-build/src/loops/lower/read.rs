//! Expressions at a path: what is read becomes a value, with the statements that it needs first.

use std::sync::Arc;

use crate::dpia::imperative::Exp;
use crate::expr::{Compare, Literal};
use crate::nat::{Nat, NatVar};
use crate::types::{DataType, Scalar};

use super::super::ir::*;
use super::env::{Env, Meaning};
use super::storage::Place;
use super::{Lowering, Path, Small, Step, bug};
use crate::names::Name;

impl Lowering {
    /// What stands at the path of an expression; the path leads to a value without arrays and tuples.
    pub(super) fn read(&mut self, exp: &Exp, env: &Env, mut path: Path, out: &mut Block) -> Small {
        match exp {
            Exp::Var(name) => self.read_name(name, env, path, out),
            Exp::Literal(literal) => {
                Small::Value(Value::Literal(*literal), ValueType::scalar(literal.scalar()))
            }
            Exp::Nat(nat) => Small::Nat(env.nat(nat)),
            Exp::Scalar(op, ty, operands) => self.scalar(op, ty, operands, env, path, out),
            Exp::Select(parts) => self.select(parts, env, path, out),
            Exp::Tuple(parts) => match path.pop() {
                Some(Step::Proj(position)) => self.read(&parts[position], env, path, out),
                step => bug(format_args!("{step:?} of a tuple")),
            },
            Exp::Proj(position, tuple) => {
                path.push(Step::Proj(*position));
                self.read(tuple, env, path, out)
            }
            Exp::Idx(index, array) => {
                path.push(Step::Index(env.nat(index)));
                self.read(array, env, path, out)
            }
            Exp::View(view, operands) => self.view(view, operands, env, path, out),
            Exp::MakeArray(parts) => self.make_array(parts, env, path, out),
            Exp::Map(delayed, array) => self.delayed(delayed, Some(array), env, path, out),
            Exp::Generate(delayed) => self.delayed(delayed, None, env, path, out),
        }
    }

    fn read_name(&mut self, name: &Name, env: &Env, mut path: Path, out: &mut Block) -> Small {
        match env.get(name) {
            Meaning::Storage(storage) => {
                let place = self.locate(&storage.clone(), path);
                self.load(place, out)
            }
            Meaning::Nat(nat) => Small::Nat(nat.clone()),
            Meaning::Element(exp, index, env) => {
                path.push(Step::Index(index.clone()));
                let (exp, env) = (exp.clone(), env.clone());
                self.shared(&exp, &env, path, out)
            }
            Meaning::Place(..) => bug(format_args!("the acceptor {name} is read")),
        }
    }

    /// What stands at a place.
    pub(super) fn load(&mut self, place: Place, out: &mut Block) -> Small {
        match place {
            Place::Nat(nat) => Small::Nat(nat),
            Place::Memory(access, natural, lane) => {
                let scalar = self.buffers[access.buffer.0 as usize].scalar(&access.path);
                let ty = ValueType { scalar, lanes: access.lanes };
                let (value, ty) = match lane {
                    Some(lane) => lane_of(Value::Load(access), ty, &lane),
                    None => (Value::Load(access), ty),
                };
                self.loaded(value, ty, natural, out)
            }
            Place::Register(name, ty, natural, lane) => match lane {
                Some(lane) => {
                    let (value, ty) = lane_of(Value::Var(name), ty, &lane);
                    self.loaded(value, ty, natural, out)
                }
                None => self.loaded(Value::Var(name), ty, natural, out),
            },
        }
    }

    fn loaded(&mut self, value: Value, ty: ValueType, natural: Option<DataType>, out: &mut Block) -> Small {
        match natural {
            Some(natural) => Small::Nat(self.shared_natural(value, &natural, out)),
            None => Small::Value(value, ty),
        }
    }

    /// A variable for a natural that is computed at run time.
    pub(super) fn name_natural(&mut self, value: Value, ty: &DataType, out: &mut Block) -> Nat {
        let var = NatVar::new("at");
        self.natural_fact(&var, ty);
        out.push(Stmt::LetNat(var.clone(), value));
        Nat::var(&var)
    }

    pub(super) fn natural_fact(&mut self, var: &NatVar, ty: &DataType) {
        match ty {
            DataType::Idx(bound) => self.facts.range(var, &Nat::lit(0), bound),
            _ => self.facts.size(var),
        }
    }

    /// A value, and no natural: of a natural, the scalar.
    pub(super) fn as_value(&self, small: Small, natural: Scalar) -> (Value, ValueType) {
        match small {
            Small::Value(value, ty) => (value, ty),
            Small::Nat(nat) => {
                (Value::FromNat(natural, self.facts.simplify(&nat)), ValueType::scalar(natural))
            }
        }
    }

    /// A natural; an integer that is none becomes one, at least 0.
    pub(super) fn as_natural(&mut self, small: Small, out: &mut Block) -> Nat {
        match small {
            Small::Nat(nat) => self.facts.simplify(&nat),
            Small::Value(value, ty) => self.name_natural(to_natural(value, ty), &DataType::Nat, out),
        }
    }

    pub(super) fn read_value(
        &mut self,
        exp: &Exp,
        env: &Env,
        path: Path,
        out: &mut Block,
    ) -> (Value, ValueType) {
        let small = self.read(exp, env, path, out);
        self.as_value(small, Scalar::U64)
    }

    /// Both alternatives are evaluated where they are cheap, since every index in them is in range; what takes loops
    /// is evaluated only where it is chosen.
    fn select(&mut self, parts: &Arc<[Exp; 3]>, env: &Env, path: Path, out: &mut Block) -> Small {
        let lane: Path = path.iter().take(1).filter(|s| matches!(s, Step::Lane(_))).cloned().collect();
        let condition = self.read_value(&parts[0], env, lane, out);
        let (mut first, mut second) = (Small::Nat(Nat::lit(0)), Small::Nat(Nat::lit(0)));
        let mut then = self.nested(|this, out| first = this.read(&parts[1], env, path.clone(), out));
        let mut otherwise = self.nested(|this, out| second = this.read(&parts[2], env, path, out));
        let takes_loops = |block: &Block| block.iter().any(|stmt| matches!(stmt, Stmt::For(_)));
        if condition.1.lanes == 1 && (takes_loops(&then) || takes_loops(&otherwise)) {
            return self.joined(condition.0, (then, first), (otherwise, second), out);
        }
        out.append(&mut then);
        out.append(&mut otherwise);
        self.choose(condition, first, second, out)
    }

    /// `then` where the condition holds, else `otherwise`.
    pub(super) fn choose(
        &mut self,
        condition: (Value, ValueType),
        then: Small,
        otherwise: Small,
        out: &mut Block,
    ) -> Small {
        let naturals = matches!((&then, &otherwise), (Small::Nat(_), Small::Nat(_)));
        let (then, then_ty) = self.as_value(then, Scalar::U64);
        let (otherwise, other_ty) = self.as_value(otherwise, Scalar::U64);
        let ty = if then_ty.lanes >= other_ty.lanes { then_ty } else { other_ty };
        let mask = ValueType { scalar: Scalar::Bool, lanes: ty.lanes };
        let parts = [
            widened(condition.0, condition.1, mask),
            widened(then, then_ty, ty),
            widened(otherwise, other_ty, ty),
        ];
        let value = Value::Select(ty, Box::new(parts));
        match naturals {
            true => Small::Nat(self.name_natural(value, &DataType::Nat, out)),
            false => Small::Value(value, ty),
        }
    }

    /// A value that is computed differently where a condition on naturals holds: in a register, unless both
    /// ways are free of statements and of loads, which would not be in range.
    pub(super) fn join(
        &mut self,
        condition: Value,
        then: &mut dyn FnMut(&mut Self, &mut Block) -> Small,
        otherwise: &mut dyn FnMut(&mut Self, &mut Block) -> Small,
        out: &mut Block,
    ) -> Small {
        let bool = ValueType::scalar(Scalar::Bool);
        let (mut first, mut second) = (Small::Nat(Nat::lit(0)), Small::Nat(Nat::lit(0)));
        let then = self.branch(&condition, true, |this, out| first = then(this, out));
        let otherwise = self.branch(&condition, false, |this, out| second = otherwise(this, out));
        if then.is_empty() && otherwise.is_empty() && harmless(&first) && harmless(&second) {
            return self.choose((condition, bool), first, second, out);
        }
        self.joined(condition, (then, first), (otherwise, second), out)
    }

    /// A register that each branch sets to its value.
    fn joined(
        &mut self,
        condition: Value,
        (mut then, first): (Block, Small),
        (mut otherwise, second): (Block, Small),
        out: &mut Block,
    ) -> Small {
        let natural = matches!((&first, &second), (Small::Nat(_), Small::Nat(_)));
        let (first, ty) = self.as_value(first, Scalar::U64);
        let (second, other_ty) = self.as_value(second, Scalar::U64);
        let register = Name::fresh("joined");
        let wide = if ty.lanes >= other_ty.lanes { ty } else { other_ty };
        out.push(Stmt::Var(register.clone(), wide, None));
        then.push(Stmt::Set(register.clone(), widened(first, ty, wide)));
        otherwise.push(Stmt::Set(register.clone(), widened(second, other_ty, wide)));
        out.push(Stmt::If(condition, then, otherwise));
        match natural {
            true => Small::Nat(self.name_natural(Value::Var(register), &DataType::Nat, out)),
            false => Small::Value(Value::Var(register), wide),
        }
    }

    /// Array literals: a constant index chooses; otherwise a chain of choices over all elements.
    fn make_array(&mut self, parts: &[Exp], env: &Env, mut path: Path, out: &mut Block) -> Small {
        let Some(Step::Index(index)) = path.pop() else { bug(format_args!("a whole array literal is read")) };
        let index = self.facts.simplify(&index);
        if let Some(part) = index.as_const().and_then(|index| parts.get(usize::try_from(index).ok()?)) {
            return self.read(part, env, path, out);
        }
        if let Some(constants) = literals(parts).filter(|_| path.is_empty()) {
            return self.constant(&constants, index);
        }
        let mut smalls: Vec<Small> =
            parts.iter().map(|part| self.read(part, env, path.clone(), out)).collect();
        let Some(last) = smalls.pop() else { bug(format_args!("an element of no elements is read")) };
        let bool = ValueType::scalar(Scalar::Bool);
        let choices = smalls.into_iter().enumerate().rev();
        choices.fold(last, |rest, (position, small)| {
            let here = Value::CompareNat(Compare::Eq, index.clone(), Nat::from(position));
            self.choose((here, bool), small, rest, out)
        })
    }

    /// An element of an array of constants.
    fn constant(&mut self, constants: &[Literal], index: Nat) -> Small {
        let scalar = constants[0].scalar();
        let known = (self.buffers.iter()).position(|b| b.role == Role::Constant && b.values == constants);
        let id = known.map_or_else(
            || {
                let len = Nat::from(constants.len());
                let all = Buffer::scalars("constants", scalar, len, Role::Constant);
                self.buffer(Buffer { values: constants.to_vec(), ..all })
            },
            |position| BufferId(position as u32),
        );
        Small::Value(Value::Load(Access::scalar(id, index)), ValueType::scalar(scalar))
    }
}

fn literals(parts: &[Exp]) -> Option<Vec<Literal>> {
    let literals = parts.iter().map(|part| match part {
        Exp::Literal(literal) => Some(*literal),
        _ => None,
    });
    literals.collect::<Option<Vec<_>>>().filter(|literals| !literals.is_empty())
}

/// Reads no memory.
fn harmless(small: &Small) -> bool {
    match small {
        Small::Nat(_) => true,
        Small::Value(value, _) => matches!(value, Value::Literal(_) | Value::Var(_) | Value::FromNat(..)),
    }
}

/// An integer scalar as an unsigned one, at least 0.
fn to_natural(value: Value, ty: ValueType) -> Value {
    use crate::expr::Binary::Max;
    let value = match ty.scalar.is_signed() {
        true => {
            let zero = Value::Literal(Literal::zero(ty.scalar));
            Value::Binary(Max, ty, Box::new(value), Box::new(zero))
        }
        false => value,
    };
    match ty.scalar {
        Scalar::U64 => value,
        _ => Value::Cast(ty, Scalar::U64, Box::new(value)),
    }
}

/// A value as a vector of the type: itself, or equal lanes.
pub(super) fn widened(value: Value, from: ValueType, to: ValueType) -> Value {
    if from.lanes == to.lanes { value } else { Value::Broadcast(to, Box::new(value)) }
}

/// One lane of a vector; a scalar stands for equal lanes.
pub(super) fn lane_of(value: Value, ty: ValueType, lane: &Nat) -> (Value, ValueType) {
    let scalar = ValueType::scalar(ty.scalar);
    if ty.lanes == 1 {
        return (value, ty);
    }
    let at = |lane: u32| Value::Lane(ty, lane, Box::new(value.clone()));
    if let Some(lane) = lane.as_const() {
        return (at(lane as u32), scalar);
    }
    let last = at(ty.lanes - 1);
    let chosen = (0..ty.lanes - 1).rev().fold(last, |rest, position| {
        let here = Value::CompareNat(Compare::Eq, lane.clone(), Nat::from(position));
        Value::Select(scalar, Box::new([here, at(position), rest]))
    });
    (chosen, scalar)
}
