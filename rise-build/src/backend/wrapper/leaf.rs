//! Parameters and results taken apart: tuples into what is passed on by itself.

use crate::backend::rust::stored;
use crate::nat::{Nat, NatVar};
use crate::types::{DataType, Scalar};

/// One component of a parameter or result.
#[derive(Clone)]
pub struct Leaf {
    /// Its identifier inside the generated functions.
    pub ident: String,
    /// Its name in messages: `p.0`.
    pub shown: String,
    /// The expression of it in the user's words: `p.0`.
    pub path: String,
    /// What it is.
    pub form: Form,
}

/// What a component is.
#[derive(Clone)]
pub enum Form {
    /// An array with these dimensions.
    Array(Vec<Nat>, DataType),
    /// A scalar or vector.
    Value(DataType),
    /// An index: a `u32` below the bound.
    Index(Nat, Option<NatVar>),
    /// A natural: a `usize`.
    Nat(Option<NatVar>),
}

impl Form {
    fn of(ty: &DataType, nat: Option<&NatVar>) -> Self {
        match ty {
            DataType::Array(..) => {
                let (mut shape, mut element) = (Vec::new(), ty);
                while let DataType::Array(len, inner) = element {
                    shape.push(len.clone());
                    element = inner;
                }
                Form::Array(shape, element.clone())
            }
            DataType::Idx(bound) => Form::Index(bound.clone(), nat.cloned()),
            DataType::Nat => Form::Nat(nat.cloned()),
            _ => Form::Value(ty.clone()),
        }
    }

    /// The scalar behind the runner's pointer, where it differs from the element at the boundary.
    pub fn lanes_of(&self) -> Option<Scalar> {
        match self {
            Form::Array(_, DataType::Vector(scalar, _)) | Form::Value(DataType::Vector(scalar, _)) => {
                Some(*scalar)
            }
            _ => None,
        }
    }

    /// The Rust type of an element, or of the value itself.
    pub fn element(&self) -> String {
        match self {
            Form::Array(_, element) => stored(element),
            Form::Value(ty) => stored(ty),
            Form::Index(..) => "u32".into(),
            Form::Nat(_) => "usize".into(),
        }
    }
}

/// A type as a tree of leaves: `leaf` makes the text of one.
pub fn tree(ty: &DataType, leaf: &mut dyn FnMut(&DataType) -> String) -> String {
    match ty.as_tuple() {
        Some(parts) => {
            let parts: Vec<String> = parts.iter().map(|part| tree(part, leaf)).collect();
            format!("({})", parts.join(", "))
        }
        None => leaf(ty),
    }
}

/// The leaves of a parameter or result; `path` is how the user's code reaches it.
pub fn leaves(
    path: &str,
    shown: &str,
    ident: &str,
    ty: &DataType,
    nat: Option<&NatVar>,
    out: &mut Vec<Leaf>,
) {
    match ty.as_tuple() {
        Some(parts) => {
            for (at, part) in parts.iter().enumerate() {
                let [path, shown] = [path, shown].map(|text| format!("{text}.{at}"));
                leaves(&path, &shown, &format!("{ident}_{at}"), part, None, out);
            }
        }
        None => out.push(Leaf {
            ident: ident.into(),
            shown: shown.into(),
            path: path.into(),
            form: Form::of(ty, nat),
        }),
    }
}
