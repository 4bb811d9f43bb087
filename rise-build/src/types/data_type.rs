//! The types of values: scalars, indices, vectors, arrays, tuples (RISE & Shine, figure 3).
//!
//! Every type here is closed but for size variables: inference has finished, no unknowns are left.
//! Functions are not values and have no `DataType`.

use std::fmt;
use std::sync::Arc;

use crate::nat::{Nat, NatVar};
pub use crate::scalar::Scalar;

/// The type of a value that can be stored.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum DataType {
    /// One scalar.
    Scalar(Scalar),
    /// A natural number used as a value.
    Nat,
    /// A natural number below the bound.
    Idx(Nat),
    /// `Simd<t, n>`
    Vector(Scalar, u32),
    /// `[t; n]`
    Array(Nat, Arc<DataType>),
    /// `n` elements, of which number `i` has the body's type with the variable replaced by `i`.
    DepArray(Nat, NatVar, Arc<DataType>),
    /// `(s, t, …)`, at least two components.
    Tuple(Arc<[DataType]>),
}

impl DataType {
    /// `[element; len]`
    pub fn array(len: Nat, element: DataType) -> Self {
        DataType::Array(len, Arc::new(element))
    }

    /// `(a, b)`
    pub fn pair(a: DataType, b: DataType) -> Self {
        DataType::Tuple(Arc::from([a, b]))
    }

    /// Length and element type of an array.
    pub fn as_array(&self) -> Option<(&Nat, &DataType)> {
        match self {
            DataType::Array(len, element) => Some((len, element)),
            _ => None,
        }
    }

    /// Whether an array has elements that are tuples with arrays in them.
    pub fn has_apart_elements(&self) -> bool {
        match self {
            DataType::Array(_, element) | DataType::DepArray(_, _, element) => match &**element {
                DataType::Tuple(parts) => parts.iter().any(|part| !part.is_small()),
                element => element.has_apart_elements(),
            },
            DataType::Tuple(parts) => parts.iter().any(DataType::has_apart_elements),
            _ => false,
        }
    }

    /// Whether vectors of so many elements exist.
    pub fn is_width(lanes: &Nat) -> bool {
        matches!(lanes.as_const(), Some(1 | 2 | 4 | 8 | 16 | 32 | 64))
    }

    /// The components of a tuple.
    pub fn as_tuple(&self) -> Option<&[DataType]> {
        match self {
            DataType::Tuple(parts) => Some(parts),
            _ => None,
        }
    }

    /// The scalar of a scalar or vector type; a natural has none.
    pub fn scalar(&self) -> Option<Scalar> {
        match self {
            DataType::Scalar(scalar) | DataType::Vector(scalar, _) => Some(*scalar),
            _ => None,
        }
    }

    /// A number, or several at once.
    pub fn is_numbers(&self) -> bool {
        match self {
            DataType::Tuple(parts) => parts.iter().all(DataType::is_numbers),
            other => other.scalar().is_some(),
        }
    }

    /// No array anywhere inside: a value that registers hold (RISE & Shine, V: small reads).
    pub fn is_small(&self) -> bool {
        match self {
            DataType::Array(..) | DataType::DepArray(..) => false,
            DataType::Tuple(parts) => parts.iter().all(DataType::is_small),
            _ => true,
        }
    }

    /// The type with a size variable replaced.
    #[must_use]
    pub fn subst(&self, var: &NatVar, by: &Nat) -> Self {
        self.map_nats(&|nat| nat.subst(var, by))
    }

    /// The type with every natural replaced by `f` of it.
    #[must_use]
    pub fn map_nats(&self, f: &dyn Fn(&Nat) -> Nat) -> Self {
        match self {
            DataType::Scalar(_) | DataType::Nat | DataType::Vector(..) => self.clone(),
            DataType::Idx(bound) => DataType::Idx(f(bound)),
            DataType::Array(len, element) => DataType::array(f(len), element.map_nats(f)),
            DataType::DepArray(len, var, element) => {
                DataType::DepArray(f(len), var.clone(), Arc::new(element.map_nats(f)))
            }
            DataType::Tuple(parts) => DataType::Tuple(parts.iter().map(|part| part.map_nats(f)).collect()),
        }
    }
}

impl fmt::Display for DataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DataType::Scalar(scalar) => write!(f, "{scalar}"),
            DataType::Nat => f.write_str("Nat"),
            DataType::Idx(bound) => write!(f, "Idx[{bound}]"),
            DataType::Vector(scalar, lanes) => write!(f, "Simd<{scalar}, {lanes}>"),
            DataType::Array(len, element) => write!(f, "[{element}; {len}]"),
            DataType::DepArray(len, var, element) => write!(f, "[{var} => {element}; {len}]"),
            DataType::Tuple(parts) => {
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

impl fmt::Debug for DataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
