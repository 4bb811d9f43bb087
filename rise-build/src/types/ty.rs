//! Types while they are inferred: data types with unknowns.
//!
//! An unknown data type is a [`TyVar`] of the [`Solver`](super::solver::Solver); an unknown natural is a
//! `NatVar` that the solver knows as unknown. Functions have no type here: they are applied when elaborated.

use std::fmt;
use std::sync::Arc;

use crate::nat::{Nat, NatVar};

use super::Scalar;

/// An unknown data type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TyVar(pub(super) u32);

/// A data type, perhaps with unknowns.
#[derive(Clone, Debug)]
pub(super) enum Ty {
    /// Unknown, or known to the solver.
    Var(TyVar),
    /// One scalar.
    Scalar(Scalar),
    /// A natural as a value.
    Nat,
    /// A natural below the bound.
    Idx(Nat),
    /// `Simd<t, n>`
    Vector(Arc<Ty>, Nat),
    /// `[t; n]`
    Array(Nat, Arc<Ty>),
    /// An array whose element type depends on the position.
    DepArray(Nat, NatVar, Arc<Ty>),
    /// A tuple.
    Tuple(Arc<[Ty]>),
    /// A type parameter of a rule: the one at this position.
    Given(Arc<str>, usize),
    /// The type of what is wrong already; agrees with everything.
    Error,
}

/// What an unknown type can become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// Any data type.
    Any,
    /// The type of an integer literal: a number type or a natural; `i32` if nothing decides.
    Integer,
    /// The type of a float literal: `f32` if nothing decides.
    Float,
}

impl Ty {
    pub(super) const BOOL: Ty = Ty::Scalar(Scalar::Bool);

    pub(super) fn array(len: Nat, element: Ty) -> Ty {
        Ty::Array(len, Arc::new(element))
    }

    pub(super) fn pair(a: Ty, b: Ty) -> Ty {
        Ty::Tuple(Arc::from([a, b]))
    }

    pub(super) fn is_error(&self) -> bool {
        matches!(self, Ty::Error)
    }

    /// The type with its naturals replaced.
    pub(super) fn map_nats(&self, f: &dyn Fn(&Nat) -> Nat) -> Ty {
        match self {
            Ty::Var(_) | Ty::Scalar(_) | Ty::Nat | Ty::Given(..) | Ty::Error => self.clone(),
            Ty::Idx(n) => Ty::Idx(f(n)),
            Ty::Vector(t, n) => Ty::Vector(t.clone(), f(n)),
            Ty::Array(n, t) => Ty::array(f(n), t.map_nats(f)),
            Ty::DepArray(n, i, t) => Ty::DepArray(f(n), i.clone(), Arc::new(t.map_nats(f))),
            Ty::Tuple(parts) => Ty::Tuple(parts.iter().map(|part| part.map_nats(f)).collect()),
        }
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ty::Var(_) | Ty::Error => f.write_str("_"),
            Ty::Scalar(scalar) => write!(f, "{scalar}"),
            Ty::Nat => f.write_str("Nat"),
            Ty::Given(name, _) => f.write_str(name),
            Ty::Idx(bound) => write!(f, "Idx[{bound}]"),
            Ty::Vector(t, lanes) => write!(f, "Simd<{t}, {lanes}>"),
            Ty::Array(len, t) => write!(f, "[{t}; {len}]"),
            Ty::DepArray(len, i, t) => write!(f, "[{i} => {t}; {len}]"),
            Ty::Tuple(parts) => {
                f.write_str("(")?;
                for (position, part) in parts.iter().enumerate() {
                    let comma = if position == 0 { "" } else { ", " };
                    write!(f, "{comma}{part}")?;
                }
                f.write_str(")")
            }
        }
    }
}
