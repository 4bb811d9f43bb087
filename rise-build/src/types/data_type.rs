//! The types of values: scalars, indices, vectors, arrays, tuples (RISE & Shine, figure 3).
//!
//! Every type here is closed but for size variables: inference has finished, no unknowns are left.
//! Functions are not values and have no `DataType`.

use std::fmt;
use std::rc::Rc;

use crate::nat::{Nat, NatVar};

/// The element types that hardware knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scalar {
    /// `bool`
    Bool,
    /// `i8`
    I8,
    /// `i16`
    I16,
    /// `i32`
    I32,
    /// `i64`
    I64,
    /// `u8`
    U8,
    /// `u16`
    U16,
    /// `u32`
    U32,
    /// `u64`
    U64,
    /// `f32`
    F32,
    /// `f64`
    F64,
}

impl Scalar {
    /// All of them, in order of declaration.
    pub const ALL: [Scalar; 11] = [
        Scalar::Bool,
        Scalar::I8,
        Scalar::I16,
        Scalar::I32,
        Scalar::I64,
        Scalar::U8,
        Scalar::U16,
        Scalar::U32,
        Scalar::U64,
        Scalar::F32,
        Scalar::F64,
    ];

    /// The name, which is the Rust name too.
    pub fn name(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::I8 => "i8",
            Scalar::I16 => "i16",
            Scalar::I32 => "i32",
            Scalar::I64 => "i64",
            Scalar::U8 => "u8",
            Scalar::U16 => "u16",
            Scalar::U32 => "u32",
            Scalar::U64 => "u64",
            Scalar::F32 => "f32",
            Scalar::F64 => "f64",
        }
    }

    /// The scalar with this name.
    pub fn from_name(name: &str) -> Option<Scalar> {
        Scalar::ALL.into_iter().find(|scalar| scalar.name() == name)
    }

    /// `f32` or `f64`.
    pub fn is_float(self) -> bool {
        matches!(self, Scalar::F32 | Scalar::F64)
    }

    /// Any of the eight integer types.
    pub fn is_integer(self) -> bool {
        !self.is_float() && self != Scalar::Bool
    }

    /// An integer type with a sign.
    pub fn is_signed(self) -> bool {
        matches!(self, Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64)
    }

    /// Size in memory.
    pub fn bytes(self) -> u32 {
        match self {
            Scalar::Bool | Scalar::I8 | Scalar::U8 => 1,
            Scalar::I16 | Scalar::U16 => 2,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
            Scalar::I64 | Scalar::U64 | Scalar::F64 => 8,
        }
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

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
    Array(Nat, Rc<DataType>),
    /// `n` elements, of which number `i` has the body's type with the variable replaced by `i`.
    DepArray(Nat, NatVar, Rc<DataType>),
    /// `(s, t, …)`, at least two components.
    Tuple(Rc<[DataType]>),
}

impl DataType {
    /// `[element; len]`
    pub fn array(len: Nat, element: DataType) -> Self {
        DataType::Array(len, Rc::new(element))
    }

    /// `(a, b)`
    pub fn pair(a: DataType, b: DataType) -> Self {
        DataType::Tuple(Rc::from([a, b]))
    }

    /// Length and element type of an array.
    pub fn as_array(&self) -> Option<(&Nat, &DataType)> {
        match self {
            DataType::Array(len, element) => Some((len, element)),
            _ => None,
        }
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
                DataType::DepArray(f(len), var.clone(), Rc::new(element.map_nats(f)))
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
