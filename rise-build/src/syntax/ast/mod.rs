//! What the user wrote: no types are inferred, no names resolved.
//!
//! Every node carries an [`Origin`]; since origins compare equal, `==` on trees compares what is said and not
//! where. Where the parser recovered from an error stands an `Error` node, and a diagnostic tells why.
//! A natural or a type given as an argument of a call is an expression here (`split(32)`, `take(n - 1)`):
//! only the types say which it is, and [`Expr::to_nat`], [`Expr::to_type`] convert it then.

mod convert;
mod expr;
mod item;
mod nat;
mod strategy;
mod ty;

use std::fmt;
use std::sync::Arc;

use crate::diagnostics::Origin;

pub use crate::scalar::Scalar;
pub(super) use convert::named_type;
pub use expr::{
    BinaryOp, Block, Expr, ExprKind, Let, Literal, LiteralValue, Param, Pattern, PatternKind, UnaryOp,
};
pub use item::{
    Attribute, CARRIED, Compile, ExternFn, ExternPath, Import, Item, Kernel, Module, Notation, Rule,
    StrategyItem, StrategyParam, Target, UNDERSTOOD, Visibility,
};
pub use nat::{Nat, NatCall, NatKind, NatOp, Obligation, ObligationKind, Relation};
pub use strategy::{Arg, ArgValue, Place, PlaceKind, Strategy, StrategyKind, Version};
pub use ty::{Kind, KindArg, KindParam, NatToData, Type, TypeKind};

/// A name that the user wrote; its [`Origin`] leads to the span for names that are emitted again.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ident {
    /// The name, with `r#` where it was written so.
    pub text: Arc<str>,
    /// Where it was written.
    pub origin: Origin,
}

impl Ident {
    /// A name at a place.
    pub fn new(text: impl Into<Arc<str>>, origin: Origin) -> Self {
        Ident { text: text.into(), origin }
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl fmt::Debug for Ident {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Display for Ident {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A label without its quote: `rows`, or `rows.outer` after a split.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label {
    /// The segments joined by dots.
    pub text: Arc<str>,
    /// Where it was written.
    pub origin: Origin,
}

impl Label {
    /// A label at a place.
    pub fn new(text: impl Into<Arc<str>>, origin: Origin) -> Self {
        Label { text: text.into(), origin }
    }

    /// The label.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl fmt::Debug for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}", self.text)
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}", self.text)
    }
}

/// Labels from the outside to the inside: `'rows.rest/'cols`.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct LabelPath {
    /// At least one label; each stands inside the one before.
    pub labels: Vec<Label>,
    /// Where it was written.
    pub origin: Origin,
}

impl fmt::Debug for LabelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for LabelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, label) in self.labels.iter().enumerate() {
            let slash = if index == 0 { "" } else { "/" };
            write!(f, "{slash}{label}")?;
        }
        Ok(())
    }
}
