//! Acceptors at a path: where a value is stored.

use crate::dpia::imperative::{Acc, Exp};
use crate::nat::{Nat, NatVar};
use crate::types::{DataType, Scalar};

use super::super::ir::*;
use super::env::{Env, Meaning};
use super::storage::Place;
use super::{Lowering, Path, Small, Step, bug, layout, projections};
use crate::names::Name;

/// Where a path of an acceptor leads.
pub(super) struct Target {
    pub place: Place,
    /// Nothing is stored where this does not hold.
    pub guard: Option<Value>,
}

impl Lowering {
    pub(super) fn assign(&mut self, acc: &Acc, exp: &Exp, env: &Env, out: &mut Block) {
        let paths = layout::leaf_paths(&self.acc_type(acc, env));
        let single = paths.len() == 1;
        let values: Vec<Small> = (paths.iter())
            .map(|leaf| {
                let small = self.read(exp, env, projections(leaf), out);
                if single { small } else { before_writes(small, out) }
            })
            .collect();
        for (leaf, small) in paths.iter().zip(values) {
            self.write(acc, env, projections(leaf), small, out);
        }
    }

    /// Stores a value without arrays and tuples.
    fn write(&mut self, acc: &Acc, env: &Env, path: Path, small: Small, out: &mut Block) {
        match small {
            Small::Value(value, ty) if ty.lanes > 1 => self.write_vector(acc, env, &path, value, ty, out),
            small => {
                let target = self.target(acc, env, path, out);
                self.store(target, small, out);
            }
        }
    }

    fn store(&mut self, target: Target, small: Small, out: &mut Block) {
        let mut stores = Block::new();
        match target.place {
            Place::Memory(access, _, lane) => {
                let scalar = self.buffers[access.buffer.0 as usize].scalar(&access.path);
                let (value, _) = self.as_value(small, scalar);
                let value = match lane {
                    Some(lane) => {
                        let old = Value::Load(access.clone());
                        with_lane(&old, ValueType { scalar, lanes: access.lanes }, &lane, value)
                    }
                    None => value,
                };
                stores.push(Stmt::Store(access, value));
            }
            Place::Register(name, ty, _, lane) => {
                let (value, _) = self.as_value(small, ty.scalar);
                let value = match lane {
                    Some(lane) if ty.lanes > 1 => with_lane(&Value::Var(name.clone()), ty, &lane, value),
                    _ => value,
                };
                stores.push(Stmt::Set(name, value));
            }
            Place::Nat(nat) => bug(format_args!("the natural {nat} is written")),
        }
        match target.guard {
            Some(guard) => out.push(Stmt::If(guard, stores, Block::new())),
            None => out.append(&mut stores),
        }
    }

    /// Stores a vector: at once if its lanes are consecutive in memory, else lane by lane.
    fn write_vector(
        &mut self,
        acc: &Acc,
        env: &Env,
        path: &Path,
        value: Value,
        ty: ValueType,
        out: &mut Block,
    ) {
        let at = |lane: Nat| {
            let mut path = path.clone();
            path.insert(0, Step::Lane(lane));
            path
        };
        let lane = NatVar::new("lane");
        let mut whole = None;
        let needed = self.nested(|this, out| {
            this.facts.range(&lane, &Nat::lit(0), &Nat::from(ty.lanes));
            let target = this.target(acc, env, at(Nat::var(&lane)), out);
            whole = Some(target).filter(|target| target.guard.is_none());
        });
        let whole = whole.and_then(|target| whole_vector(target.place, &lane, ty.lanes));
        if let Some(place) = whole.filter(|_| needed.is_empty()) {
            return self.store(Target { place, guard: None }, Small::Value(value, ty), out);
        }
        let name = Name::fresh("vector");
        out.push(Stmt::Let(name.clone(), ty, value));
        for lane in 0..ty.lanes {
            let target = self.target(acc, env, at(Nat::from(lane)), out);
            let part = Value::Lane(ty, lane, Box::new(Value::Var(name.clone())));
            self.store(target, Small::Value(part, ValueType::scalar(ty.scalar)), out);
        }
    }

    /// Where the path of an acceptor leads.
    pub(super) fn target(&mut self, acc: &Acc, env: &Env, mut path: Path, out: &mut Block) -> Target {
        match acc {
            Acc::Var(name) => match env.get(name) {
                Meaning::Storage(storage) => {
                    Target { place: self.locate(&storage.clone(), path), guard: None }
                }
                Meaning::Place(acc, index, env) => {
                    path.push(Step::Index(index.clone()));
                    let (acc, env) = (acc.clone(), env.clone());
                    self.target(&acc, &env, path, out)
                }
                _ => bug(format_args!("the expression {name} is written")),
            },
            Acc::Idx(index, acc) => {
                path.push(Step::Index(env.nat(index)));
                self.target(acc, env, path, out)
            }
            Acc::Proj(position, acc) => {
                path.push(Step::Proj(*position));
                self.target(acc, env, path, out)
            }
            Acc::Tuple(parts) => match path.pop() {
                Some(Step::Proj(position)) => self.target(&parts[position], env, path, out),
                step => bug(format_args!("{step:?} of a tuple of acceptors")),
            },
            Acc::View { view, operand, indices, ty, acc } => {
                let ty = env.ty(ty);
                let (guard, path) =
                    self.view_target(view, *operand, indices.as_deref(), &ty, acc, env, path, out);
                let target = self.target(acc, env, path, out);
                Target { guard: both(guard, target.guard), ..target }
            }
            Acc::Map { param, body, acc } => {
                let Some(Step::Index(index)) = path.pop() else {
                    bug(format_args!("a whole map is written"))
                };
                let inner = env.with(param, Meaning::Place(acc.clone(), index, env.clone()));
                self.target(body, &inner, path, out)
            }
        }
    }

    /// The type that an acceptor takes.
    pub(super) fn acc_type(&self, acc: &Acc, env: &Env) -> DataType {
        match acc {
            Acc::Var(name) => match env.get(name) {
                Meaning::Storage(storage) => storage.ty.clone(),
                Meaning::Place(acc, index, env) => layout::element(&self.acc_type(acc, env), index),
                _ => bug(format_args!("the expression {name} is written")),
            },
            Acc::Idx(index, acc) => layout::element(&self.acc_type(acc, env), &env.nat(index)),
            Acc::Proj(position, acc) => match self.acc_type(acc, env).as_tuple() {
                Some(parts) => parts[*position].clone(),
                None => bug(format_args!("component {position} of no tuple is written")),
            },
            Acc::Tuple(parts) => DataType::Tuple(parts.iter().map(|part| self.acc_type(part, env)).collect()),
            Acc::View { ty, .. } => env.ty(ty),
            Acc::Map { param, body, acc } => match self.acc_type(acc, env) {
                DataType::DepArray(len, var, _) => {
                    let inner = env.with(param, Meaning::Place(acc.clone(), Nat::var(&var), env.clone()));
                    DataType::DepArray(len, var, std::sync::Arc::new(self.acc_type(body, &inner)))
                }
                DataType::Array(len, _) => {
                    let inner = env.with(param, Meaning::Place(acc.clone(), Nat::lit(0), env.clone()));
                    DataType::array(len, self.acc_type(body, &inner))
                }
                other => bug(format_args!("{other} is mapped")),
            },
        }
    }
}

fn both(a: Option<Value>, b: Option<Value>) -> Option<Value> {
    match (a, b) {
        (Some(a), Some(b)) => {
            let bool = ValueType::scalar(Scalar::Bool);
            Some(Value::Binary(crate::expr::Binary::And, bool, Box::new(a), Box::new(b)))
        }
        (a, b) => a.or(b),
    }
}

/// A value that stays what it is when other components are written.
fn before_writes(small: Small, out: &mut Block) -> Small {
    match small {
        Small::Value(value, ty) if !matches!(value, Value::Literal(_) | Value::FromNat(..)) => {
            let name = Name::fresh("component");
            out.push(Stmt::Let(name.clone(), ty, value));
            Small::Value(Value::Var(name), ty)
        }
        other => other,
    }
}

/// The place of a whole vector, from the place of its lane `lane`.
fn whole_vector(place: Place, lane: &NatVar, lanes: u32) -> Option<Place> {
    match place {
        Place::Memory(access, natural, None) => {
            let (step, index) = access.index.affine_in(lane)?;
            let whole = step.is_one() && access.path.is_empty();
            whole.then_some(Place::Memory(Access { index, lanes, ..access }, natural, None))
        }
        Place::Memory(access, natural, Some(at)) if at.as_var() == Some(lane) => {
            Some(Place::Memory(access, natural, None))
        }
        Place::Register(name, ty, natural, Some(at)) if at.as_var() == Some(lane) && ty.lanes == lanes => {
            Some(Place::Register(name, ty, natural, None))
        }
        _ => None,
    }
}

/// A vector with one lane replaced.
fn with_lane(vector: &Value, ty: ValueType, lane: &Nat, value: Value) -> Value {
    let old = |position| Value::Lane(ty, position, Box::new(vector.clone()));
    let scalar = ValueType::scalar(ty.scalar);
    let lanes = (0..ty.lanes).map(|position| match lane.as_const() {
        Some(at) if at == i64::from(position) => value.clone(),
        Some(_) => old(position),
        None => {
            let here = Value::CompareNat(crate::expr::Compare::Eq, lane.clone(), Nat::from(position));
            Value::Select(scalar, Box::new([here, value.clone(), old(position)]))
        }
    });
    Value::Lanes(ty, lanes.collect())
}
