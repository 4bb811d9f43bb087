//! Types and kinds.

use super::{Ident, Nat, Origin, Scalar};

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
    /// `|i| 2 * i`, `|i| [f32; i]`: a function of a natural.
    Function(Ident, Box<KindArg>),
    /// `_`: to be inferred.
    Hole(Origin),
}

impl KindArg {
    /// Where it was written.
    pub fn origin(&self) -> Origin {
        match self {
            KindArg::Name(name) | KindArg::Function(name, _) => name.origin,
            KindArg::Nat(nat) => nat.origin,
            KindArg::Type(ty) => ty.origin,
            KindArg::Hole(origin) => *origin,
        }
    }
}
