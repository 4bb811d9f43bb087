//! What names stand for while commands are lowered.
//!
//! An environment is an immutable list, so that a view which is resolved later keeps the meanings that its
//! names had where it was written.

use std::sync::Arc;

use crate::dpia::imperative::{Acc, Exp};
use crate::names::Name;
use crate::nat::{Nat, NatVar};
use crate::types::DataType;

use super::super::ir::{BufferId, ValueType};
use super::bug;

/// The meanings of names and of variables that lowering renames.
#[derive(Clone, Default)]
pub(super) struct Env {
    values: Option<Arc<Frame>>,
    nats: Arc<Vec<(NatVar, Nat)>>,
}

struct Frame {
    name: Name,
    meaning: Meaning,
    next: Option<Arc<Frame>>,
}

/// What a name stands for.
#[derive(Clone)]
pub(super) enum Meaning {
    /// Memory or registers.
    Storage(Arc<Storage>),
    /// A natural.
    Nat(Nat),
    /// Element `.1` of an array, resolved at each use.
    Element(Arc<Exp>, Nat, Env),
    /// Element `.1` of an array acceptor.
    Place(Arc<Acc>, Nat, Env),
}

/// Where a value of a type lies.
pub(super) struct Storage {
    /// The type, of which `parts` hold the leaves, or the parts of a parameter or result.
    pub ty: DataType,
    /// In order of the type.
    pub parts: Vec<Held>,
    /// Whether tuples inside arrays lie in one buffer, as the caller's do.
    pub packed: bool,
}

/// One leaf or part.
#[derive(Clone)]
pub(super) enum Held {
    /// An array.
    Buffer(BufferId),
    /// A scalar or vector.
    Register(Name, ValueType),
    /// An index or natural of the caller.
    Nat(NatVar),
}

impl Env {
    /// With a further meaning.
    #[must_use]
    pub fn with(&self, name: &Name, meaning: Meaning) -> Self {
        let frame = Frame { name: name.clone(), meaning, next: self.values.clone() };
        Self { values: Some(Arc::new(frame)), nats: self.nats.clone() }
    }

    /// With a natural for a variable.
    #[must_use]
    pub fn with_nat(&self, var: &NatVar, value: Nat) -> Self {
        let mut nats = (*self.nats).clone();
        nats.push((var.clone(), value));
        Self { values: self.values.clone(), nats: Arc::new(nats) }
    }

    /// The meaning of a name.
    pub fn get(&self, name: &Name) -> &Meaning {
        let mut frame = self.values.as_ref();
        while let Some(found) = frame {
            if found.name == *name {
                return &found.meaning;
            }
            frame = found.next.as_ref();
        }
        bug(format_args!("{name:?} is not bound"))
    }

    /// A natural with the meanings of its variables.
    pub fn nat(&self, nat: &Nat) -> Nat {
        match nat.as_const() {
            Some(_) => nat.clone(),
            None => nat.map_vars(&mut |var| {
                self.nats.iter().rev().find(|(other, _)| other == var).map(|(_, value)| value.clone())
            }),
        }
    }

    /// A type with the meanings of its variables.
    pub fn ty(&self, ty: &DataType) -> DataType {
        if self.nats.is_empty() { ty.clone() } else { ty.map_nats(&|nat| self.nat(nat)) }
    }

    /// Whether both are the very same list.
    pub fn same(&self, other: &Env) -> bool {
        let values = match (&self.values, &other.values) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        };
        values && Arc::ptr_eq(&self.nats, &other.nats)
    }
}
