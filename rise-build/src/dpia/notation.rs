//! How the papers write types, constants and operators; shared by the printers of both stages.

use std::fmt;

use crate::expr::{AddressSpace, Binary, Compare, Literal};
use crate::types::{DataType, Scalar};

use super::functional::{LoopForm, Operation};

/// A type: `Array[n, f32]`, `Tuple[s, t]`.
pub(super) struct Ty<'a>(pub(super) &'a DataType);

impl fmt::Display for Ty<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            DataType::Array(len, element) => write!(f, "Array[{len}, {}]", Ty(element)),
            DataType::DepArray(len, var, element) => {
                write!(f, "DepArray[{len}, {var} => {}]", Ty(element))
            }
            DataType::Tuple(parts) => {
                f.write_str("Tuple[")?;
                for (k, part) in parts.iter().enumerate() {
                    write!(f, "{}{}", if k == 0 { "" } else { ", " }, Ty(part))?;
                }
                f.write_str("]")
            }
            other => write!(f, "{other}"),
        }
    }
}

/// A constant: `0.0f`.
pub(super) struct Constant(pub(super) Literal);

impl fmt::Display for Constant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Literal::Bool(value) => write!(f, "{value}"),
            Literal::Int(value, _) => write!(f, "{value}"),
            Literal::Float(value, Scalar::F32) => write!(f, "{:?}f", value as f32),
            Literal::Float(value, _) => write!(f, "{value:?}"),
        }
    }
}

/// Symbol and binding strength of an operator.
pub(super) fn infix(op: &Operation) -> Option<(&'static str, u8)> {
    Some(match op {
        Operation::Binary(Binary::Mul) => ("*", 6),
        Operation::Binary(Binary::Div) => ("/", 6),
        Operation::Binary(Binary::Rem) => ("%", 6),
        Operation::Binary(Binary::Add) => ("+", 5),
        Operation::Binary(Binary::Sub) => ("-", 5),
        Operation::Compare(Compare::Eq) => ("==", 3),
        Operation::Compare(Compare::Ne) => ("!=", 3),
        Operation::Compare(Compare::Lt) => ("<", 3),
        Operation::Compare(Compare::Le) => ("<=", 3),
        Operation::Compare(Compare::Gt) => (">", 3),
        Operation::Compare(Compare::Ge) => (">=", 3),
        _ => return None,
    })
}

/// The name of an operation that is no operator.
pub(super) fn operation_name(op: &Operation, ty: &DataType) -> String {
    match op {
        Operation::Unary(op) => op.name().into(),
        Operation::Binary(op) => op.name().into(),
        Operation::Compare(op) => op.name().into(),
        Operation::MulAdd => "mul_add".into(),
        Operation::Fma => "fma".into(),
        Operation::Cast => format!("cast[{}]", Ty(ty)),
        Operation::VectorFromScalar => "vectorFromScalar".into(),
        Operation::Foreign(foreign) => foreign.name.clone(),
    }
}

/// The name of an address space.
pub(super) fn space_name(space: AddressSpace) -> &'static str {
    match space {
        AddressSpace::Default => "Default",
        AddressSpace::Global => "Global",
        AddressSpace::Local => "Local",
        AddressSpace::Private => "Private",
    }
}

/// How the language calls a `depMap` that runs like this.
pub(super) fn dep_map_name(form: LoopForm) -> &'static str {
    if form == LoopForm::Par { "depMapPar" } else { "depMapSeq" }
}

/// How the language calls a `map` that runs like this.
pub(super) fn map_name(form: LoopForm) -> String {
    match form {
        LoopForm::Seq => "mapSeq".into(),
        LoopForm::Unroll => "mapSeqUnroll".into(),
        LoopForm::Vec => "mapVec".into(),
        LoopForm::Par => "mapPar".into(),
        LoopForm::Stream => "mapStream".into(),
        LoopForm::Global(d) => format!("mapGlobal({d})"),
        LoopForm::WorkGroup(d) => format!("mapWorkGroup({d})"),
        LoopForm::Local(d) => format!("mapLocal({d})"),
    }
}
