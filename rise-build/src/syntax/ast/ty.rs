//! Types and kinds.

use super::{Ident, Nat, Origin};

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Type {
    /// What it is.
    pub kind: TypeKind,
    /// Where it was written.
    pub origin: Origin,
}

/// The forms of types: data types, then function types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeKind {
    /// `f32`
    Scalar(Scalar),
    /// `[t; n]`, `Array[n, t]`, `n.t`
    Array(Box<Type>, Nat),
    /// `(s, t)`, `Tuple[s, t]`, at least two.
    Tuple(Vec<Type>),
    /// `Simd<t, n>`
    Simd(Box<Type>, Nat),
    /// `Idx[n]`
    Idx(Nat),
    /// `DepArray[n, |i| t]`: the element type depends on the position.
    DepArray(Nat, NatToData),
    /// A data type variable.
    Name(Ident),
    /// `g(n)`, with `g` from naturals to data types.
    Apply(Ident, Vec<Nat>),
    /// `s -> t`; `fn(r, s) -> t` is the same as `r -> s -> t`.
    Fun(Box<Type>, Box<Type>),
    /// `(n: Nat) => t`
    DepFun(Vec<KindParam>, Box<Type>),
    /// `_`: to be inferred.
    Hole,
    /// Could not be read.
    Error,
}

/// A function from naturals to data types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NatToData {
    /// A parameter of kind `Nat -> Data`.
    Name(Ident),
    /// `|i| t`
    Lambda(Ident, Box<Type>),
}

impl Type {
    /// A type at a place.
    pub fn new(kind: TypeKind, origin: Origin) -> Self {
        Type { kind, origin }
    }

    /// The node that stands for what could not be read.
    pub fn error(origin: Origin) -> Self {
        Self::new(TypeKind::Error, origin)
    }
}

/// Scalar types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    /// All of them.
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

    /// The scalar type of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scalar| scalar.name() == name)
    }

    /// Its name, Rust's.
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

    /// Whether it is a float type.
    pub fn is_float(self) -> bool {
        matches!(self, Scalar::F32 | Scalar::F64)
    }
}

/// Kinds of type-level parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// `Nat`
    Nat,
    /// `Data`, `DataType`
    Data,
    /// `AddrSpace`, `AddrSp`
    AddrSpace,
    /// `Nat -> Nat`
    NatToNat,
    /// `Nat -> Data`
    NatToData,
}

impl Kind {
    /// As written in the Rust-shaped notation.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Nat => "Nat",
            Kind::Data => "Data",
            Kind::AddrSpace => "AddrSpace",
            Kind::NatToNat => "Nat -> Nat",
            Kind::NatToData => "Nat -> Data",
        }
    }
}

/// `n: Nat`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KindParam {
    /// Its name.
    pub name: Ident,
    /// Its kind.
    pub kind: Kind,
}

/// An argument between `::<` and `>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KindArg {
    /// A bare name: a natural, a type variable or an address space.
    Name(Ident),
    /// Surely a natural.
    Nat(Nat),
    /// Surely a type.
    Type(Type),
    /// `_`: to be inferred.
    Hole(Origin),
}
