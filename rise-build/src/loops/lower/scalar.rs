//! Scalar operations: operands are read, naturals stay naturals as long as they can.

use crate::dpia::imperative::{Exp, Operation};
use crate::nat::Nat;
use crate::types::{DataType, Scalar};

use super::super::ir::*;
use super::env::Env;
use super::read::{lane_of, widened};
use super::{Lowering, Path, Small, Step, bug};

impl Lowering {
    /// An operation; where the path asks for one lane, on that lane of each operand.
    pub(super) fn scalar(
        &mut self,
        op: &Operation,
        ty: &DataType,
        operands: &[(Exp, DataType)],
        env: &Env,
        path: Path,
        out: &mut Block,
    ) -> Small {
        let lane = path.iter().any(|step| matches!(step, Step::Lane(_)));
        let smalls: Vec<Small> =
            operands.iter().map(|(operand, _)| self.read(operand, env, path.clone(), out)).collect();
        let result = self.apply(op, &env.ty(ty), smalls, lane, out);
        match (result, path.last()) {
            // A foreign function or a conversion of naturals has no lanes to choose from.
            (Small::Value(value, ty), Some(Step::Lane(at))) => {
                let (value, ty) = lane_of(value, ty, at);
                Small::Value(value, ty)
            }
            (result, _) => result,
        }
    }

    fn apply(
        &mut self,
        op: &Operation,
        ty: &DataType,
        operands: Vec<Small>,
        lane: bool,
        out: &mut Block,
    ) -> Small {
        match (op, operands.as_slice()) {
            (Operation::Cast, [operand]) => self.cast(operand.clone(), ty, lane, out),
            (Operation::Compare(op), [Small::Nat(a), Small::Nat(b)]) => {
                Small::Value(Value::CompareNat(*op, a.clone(), b.clone()), ValueType::scalar(Scalar::Bool))
            }
            (Operation::Binary(op), [Small::Nat(a), Small::Nat(b)]) => match op.of_naturals(a, b) {
                Some(nat) => Small::Nat(nat),
                None => bug(format_args!("{} of naturals", op.name())),
            },
            (Operation::VectorFromScalar, [_]) => self.broadcast(operands, ty, lane),
            (Operation::Foreign(foreign), _) => {
                let args = operands.into_iter().zip(&foreign.params).map(|(small, ty)| {
                    let natural = ty.scalar().unwrap_or(Scalar::U64);
                    self.as_value(small, natural).0
                });
                let value = Value::Foreign(foreign.clone(), 1, args.collect());
                Small::Value(value, ValueType::scalar(foreign.result.scalar().unwrap_or(Scalar::U64)))
            }
            _ => self.arithmetic(op, operands),
        }
    }

    /// Operations whose operands have one type.
    fn arithmetic(&mut self, op: &Operation, operands: Vec<Small>) -> Small {
        let scalar = operands.iter().find_map(|small| match small {
            Small::Value(_, ty) => Some(ty.scalar),
            Small::Nat(_) => None,
        });
        let scalar = scalar.unwrap_or(Scalar::U64);
        let values: Vec<_> = operands.into_iter().map(|small| self.as_value(small, scalar)).collect();
        let lanes = values.iter().map(|(_, ty)| ty.lanes).max().unwrap_or(1);
        let ty = ValueType { scalar, lanes };
        let mut values = values.into_iter().map(|(value, from)| Box::new(widened(value, from, ty)));
        let mut next = || values.next().unwrap_or_else(|| bug(format_args!("{op:?} lacks an operand")));
        match op {
            Operation::Unary(op) => Small::Value(Value::Unary(*op, ty, next()), ty),
            Operation::Binary(op) => Small::Value(Value::Binary(*op, ty, next(), next()), ty),
            Operation::Compare(op) => {
                let result = ValueType { scalar: Scalar::Bool, lanes };
                Small::Value(Value::Compare(*op, ty, next(), next()), result)
            }
            Operation::MulAdd => Small::Value(Value::MulAdd(ty, Box::new([*next(), *next(), *next()])), ty),
            Operation::Fma => Small::Value(Value::Fma(ty, Box::new([*next(), *next(), *next()])), ty),
            Operation::Cast | Operation::VectorFromScalar | Operation::Foreign(_) => {
                bug(format_args!("{op:?} with other operands"))
            }
        }
    }

    fn cast(&mut self, operand: Small, ty: &DataType, lane: bool, out: &mut Block) -> Small {
        match (ty, operand) {
            (DataType::Nat, small) => Small::Nat(self.as_natural(small, out)),
            (DataType::Idx(bound), Small::Nat(nat)) => {
                Small::Nat(self.facts.simplify(&Nat::min(&nat, &(bound - 1))))
            }
            (DataType::Idx(bound), Small::Value(value, from)) => {
                let value = Value::ClampIndex(from.scalar, bound.clone(), Box::new(value));
                Small::Nat(self.name_natural(value, ty, out))
            }
            (DataType::Scalar(to) | DataType::Vector(to, _), Small::Nat(nat)) => {
                let (value, from) = self.as_value(Small::Nat(nat), *to);
                match ty {
                    DataType::Vector(_, lanes) if !lane => {
                        let to = ValueType { scalar: *to, lanes: *lanes };
                        Small::Value(widened(value, from, to), to)
                    }
                    _ => Small::Value(value, from),
                }
            }
            (DataType::Scalar(to) | DataType::Vector(to, _), Small::Value(value, from)) => {
                let result = ValueType { scalar: *to, lanes: from.lanes };
                match from.scalar == *to {
                    true => Small::Value(value, from),
                    false => Small::Value(Value::Cast(from, *to, Box::new(value)), result),
                }
            }
            (ty, _) => bug(format_args!("a cast to {ty}")),
        }
    }

    fn broadcast(&mut self, operands: Vec<Small>, ty: &DataType, lane: bool) -> Small {
        let (DataType::Vector(scalar, lanes), Some(operand)) = (ty, operands.into_iter().next()) else {
            bug(format_args!("a vector of type {ty}"))
        };
        let (value, from) = self.as_value(operand, *scalar);
        let to = ValueType { scalar: *scalar, lanes: if lane { 1 } else { *lanes } };
        Small::Value(widened(value, from, to), to)
    }
}
