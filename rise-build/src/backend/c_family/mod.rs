//! What C and OpenCL C have in common: constants, operators, structs, and names of helpers.

mod helper;
mod nat;
mod tuples;

use crate::expr::{Binary, Literal};
use crate::loops::{Element, ValueType};
use crate::types::Scalar;

pub use helper::{definitions, identifiers, naturals};
pub use nat::NATURALS;
pub use tuples::{Layout, layout, tuple_definitions};

/// What they spell differently.
pub struct Words {
    /// The type of a scalar in memory.
    pub stored: fn(Scalar) -> &'static str,
    /// The type of an index in memory.
    pub index: &'static str,
    /// The type of a natural in memory.
    pub natural: &'static str,
    /// The least integers of 32 and of 64 bits.
    pub least: [&'static str; 2],
    /// What stands before and behind the digits of an integer of 64 bits.
    pub long: [&'static str; 2],
    /// The same without a sign.
    pub ulong: [&'static str; 2],
}

impl Words {
    /// A constant.
    pub fn literal(&self, literal: Literal) -> String {
        match literal {
            Literal::Bool(value) => value.to_string(),
            Literal::Int(value, ty) => self.integer(value, ty),
            Literal::Float(value, Scalar::F32) => {
                float(f64::from(value as f32), &format!("{:?}f", (value as f32).abs()))
            }
            Literal::Float(value, _) => float(value, &format!("{:?}", value.abs())),
        }
    }

    fn integer(&self, value: i128, ty: Scalar) -> String {
        let ([least, least_long], [before, behind]) = (self.least, self.long);
        match ty {
            Scalar::U32 => format!("{value}u"),
            Scalar::U64 => format!("{}{value}{}", self.ulong[0], self.ulong[1]),
            Scalar::I64 if value == i128::from(i64::MIN) => least_long.to_owned(),
            Scalar::I64 if value < 0 => format!("(-{before}{}{behind})", -value),
            Scalar::I64 => format!("{before}{value}{behind}"),
            Scalar::I32 if value == i128::from(i32::MIN) => least.to_owned(),
            _ if value < 0 => format!("({value})"),
            _ => value.to_string(),
        }
    }

    /// The type behind the pointer to a buffer.
    pub fn element(&self, element: &Element) -> String {
        match element {
            Element::Scalar(ty) => (self.stored)(*ty).to_owned(),
            Element::Index => self.index.to_owned(),
            Element::Tuple(parts) => tuples::tuple(parts),
        }
    }
}

fn float(value: f64, text: &str) -> String {
    let text = match value {
        _ if value.is_nan() => "NAN",
        _ if value.is_infinite() => "INFINITY",
        _ => text,
    };
    if value.is_sign_negative() && !value.is_nan() { format!("(-{text})") } else { text.to_owned() }
}

/// The name under which helpers know a type: `f32`, `f32x16`.
pub fn short(ty: ValueType) -> String {
    match ty.lanes {
        1 => ty.scalar.name().to_owned(),
        lanes => format!("{}x{lanes}", ty.scalar),
    }
}

/// The unsigned type of the same size, in which a signed one is computed.
pub fn unsigned(scalar: Scalar) -> Scalar {
    match scalar {
        Scalar::I8 => Scalar::U8,
        Scalar::I16 => Scalar::U16,
        Scalar::I32 | Scalar::F32 => Scalar::U32,
        Scalar::I64 | Scalar::F64 => Scalar::U64,
        other => other,
    }
}

/// The operator on bits.
pub fn bitwise(op: Binary) -> Option<&'static str> {
    match op {
        Binary::And => Some(" & "),
        Binary::Or => Some(" | "),
        Binary::Xor => Some(" ^ "),
        _ => None,
    }
}
