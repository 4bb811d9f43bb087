//! Naturals as written in types, and the obligations of `where`.

use super::{Expr, Ident, Origin};

/// A natural.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nat {
    /// What it is.
    pub kind: NatKind,
    /// Where it was written.
    pub origin: Origin,
}

/// The forms of naturals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NatKind {
    /// A number.
    Literal(u64),
    /// A variable.
    Name(Ident),
    /// `a + b`
    Binary(NatOp, Box<Nat>, Box<Nat>),
    /// `min(a, b)`
    Call(NatCall, Box<Nat>, Box<Nat>),
    /// `f(a)`, with `f` a parameter of kind `Nat -> Nat`.
    Apply(Ident, Vec<Nat>),
    /// `sum(i in from..to, body)`: `to` is not included.
    Sum {
        /// The variable.
        name: Ident,
        /// Its first value.
        from: Box<Nat>,
        /// One past its last value.
        to: Box<Nat>,
        /// What is added up.
        body: Box<Nat>,
    },
    /// `_`: to be inferred.
    Hole,
    /// Could not be read.
    Error,
}

impl Nat {
    /// A natural at a place.
    pub fn new(kind: NatKind, origin: Origin) -> Self {
        Nat { kind, origin }
    }

    /// The node that stands for what could not be read.
    pub fn error(origin: Origin) -> Self {
        Self::new(NatKind::Error, origin)
    }
}

/// Operators on naturals, which bind as in mathematics: `^` (to the right) before `* / %` before `+ -`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NatOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`, rounded down
    Div,
    /// `%`
    Rem,
    /// `^`
    Pow,
}

impl NatOp {
    /// The operator as written.
    pub fn symbol(self) -> &'static str {
        match self {
            NatOp::Add => "+",
            NatOp::Sub => "-",
            NatOp::Mul => "*",
            NatOp::Div => "/",
            NatOp::Rem => "%",
            NatOp::Pow => "^",
        }
    }

    /// How tightly it binds.
    pub fn precedence(self) -> u8 {
        match self {
            NatOp::Add | NatOp::Sub => 1,
            NatOp::Mul | NatOp::Div | NatOp::Rem => 2,
            NatOp::Pow => 3,
        }
    }
}

/// Functions of two naturals that are known by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NatCall {
    /// `min`
    Min,
    /// `max`
    Max,
    /// `ceil_div`, `ceilDiv`, `div_ceil`
    CeilDiv,
}

impl NatCall {
    /// The function of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "min" => Some(NatCall::Min),
            "max" => Some(NatCall::Max),
            "ceil_div" | "ceilDiv" | "div_ceil" => Some(NatCall::CeilDiv),
            _ => None,
        }
    }

    /// As written in the Rust-shaped notation.
    pub fn name(self) -> &'static str {
        match self {
            NatCall::Min => "min",
            NatCall::Max => "max",
            NatCall::CeilDiv => "ceil_div",
        }
    }
}

/// One condition of a `where` clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obligation {
    /// What it demands.
    pub kind: ObligationKind,
    /// Where it was written.
    pub origin: Origin,
}

/// The forms of conditions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObligationKind {
    /// `a == b`, `a <= b`, …; divisibility is `n % 32 == 0`.
    Compare(Relation, Nat, Nat),
    /// `32 divides n`
    Divides(Nat, Nat),
    /// `associative(f)`: of rules.
    Predicate(Ident, Vec<Expr>),
}

/// How two naturals stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

impl Relation {
    /// As written.
    pub fn symbol(self) -> &'static str {
        match self {
            Relation::Eq => "==",
            Relation::Ne => "!=",
            Relation::Lt => "<",
            Relation::Le => "<=",
            Relation::Gt => ">",
            Relation::Ge => ">=",
        }
    }
}
