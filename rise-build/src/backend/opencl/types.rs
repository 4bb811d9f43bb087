//! Types and constants as OpenCL C writes them.

use crate::backend::c::layout;
use crate::expr::Literal;
use crate::loops::{Element, ValueType};
use crate::types::{DataType, Scalar};

/// The type of a scalar in a register.
pub fn scalar(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Bool => "bool",
        Scalar::I8 => "char",
        Scalar::I16 => "short",
        Scalar::I32 => "int",
        Scalar::I64 => "long",
        Scalar::U8 => "uchar",
        Scalar::U16 => "ushort",
        Scalar::U32 => "uint",
        Scalar::U64 => "ulong",
        Scalar::F32 => "float",
        Scalar::F64 => "double",
    }
}

/// The type of a scalar in memory, where there are no truth values.
pub fn stored(ty: Scalar) -> &'static str {
    if ty == Scalar::Bool { "uchar" } else { scalar(ty) }
}

/// The type of a register. Truth values in lanes are 0 and -1, as comparisons give them.
pub fn register(ty: ValueType) -> String {
    match (ty.lanes, ty.scalar) {
        (1, scalar) => self::scalar(scalar).to_owned(),
        (lanes, Scalar::Bool) => format!("int{lanes}"),
        (lanes, scalar) => format!("{}{lanes}", self::scalar(scalar)),
    }
}

/// The name under which helpers know a type: `f32`, `f32x4`.
pub fn short(ty: ValueType) -> String {
    match ty.lanes {
        1 => ty.scalar.name().to_owned(),
        lanes => format!("{}x{lanes}", ty.scalar),
    }
}

/// The signed integer of the same size, which selects among lanes of the type.
pub fn mask(ty: Scalar) -> &'static str {
    match ty.bytes() {
        _ if ty == Scalar::Bool => "int",
        1 => "char",
        2 => "short",
        4 => "int",
        _ => "long",
    }
}

/// The unsigned type of the same size, in which a signed one is computed.
pub fn unsigned(scalar: Scalar) -> Scalar {
    match scalar {
        Scalar::I8 => Scalar::U8,
        Scalar::I16 => Scalar::U16,
        Scalar::I32 => Scalar::U32,
        Scalar::I64 => Scalar::U64,
        other => other,
    }
}

/// Whether OpenCL has vectors of so many lanes.
pub fn has_lanes(lanes: u32) -> bool {
    matches!(lanes, 1 | 2 | 3 | 4 | 8 | 16)
}

/// A constant.
pub fn literal(literal: Literal) -> String {
    match literal {
        Literal::Bool(value) => value.to_string(),
        Literal::Int(value, ty) => integer(value, ty),
        Literal::Float(value, Scalar::F32) => {
            float(f64::from(value as f32), &format!("{:?}f", (value as f32).abs()))
        }
        Literal::Float(value, _) => float(value, &format!("{:?}", value.abs())),
    }
}

fn integer(value: i128, ty: Scalar) -> String {
    match ty {
        Scalar::U32 => format!("{value}u"),
        Scalar::U64 => format!("{value}ul"),
        Scalar::I64 if value == i128::from(i64::MIN) => "LONG_MIN".into(),
        Scalar::I64 if value < 0 => format!("({value}l)"),
        Scalar::I64 => format!("{value}l"),
        Scalar::I32 if value == i128::from(i32::MIN) => "INT_MIN".into(),
        _ if value < 0 => format!("({value})"),
        _ => value.to_string(),
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

/// The type behind the pointer to a buffer.
pub fn element(element: &Element) -> String {
    match element {
        Element::Scalar(ty) => stored(*ty).to_owned(),
        Element::Index => "uint".to_owned(),
        Element::Tuple(parts) => tuple(parts),
    }
}

/// The name of the struct that a tuple is: `tuple_f32_i32`.
fn tuple(parts: &[DataType]) -> String {
    parts.iter().fold("tuple".to_owned(), |name, part| format!("{name}_{}", tuple_part(part)))
}

fn tuple_part(ty: &DataType) -> String {
    match ty {
        DataType::Scalar(scalar) => scalar.name().to_owned(),
        DataType::Vector(scalar, lanes) => format!("{scalar}x{lanes}"),
        DataType::Idx(_) => "idx".to_owned(),
        DataType::Nat => "nat".to_owned(),
        DataType::Tuple(parts) => format!("{}_end", tuple(parts)),
        DataType::Array(_, element) | DataType::DepArray(_, _, element) => tuple_part(element),
    }
}

/// The structs that a tuple needs, inner ones first; components lie as rustc lays them out.
pub fn tuple_definitions(parts: &[DataType], out: &mut Vec<(String, String)>) {
    let name = tuple(parts);
    if out.iter().any(|(known, _)| *known == name) {
        return;
    }
    let mut fields = String::new();
    for at in layout(parts).order {
        if let DataType::Tuple(parts) = &parts[at] {
            tuple_definitions(parts, out);
        }
        let (ty, lanes) = field(&parts[at]);
        fields.push_str(&format!("    {ty} _{at}{lanes};\n"));
    }
    out.push((name.clone(), format!("typedef struct {{\n{fields}}} {name};\n\n")));
}

fn field(ty: &DataType) -> (String, String) {
    match ty {
        DataType::Scalar(ty) => (stored(*ty).to_owned(), String::new()),
        DataType::Vector(ty, lanes) => (stored(*ty).to_owned(), format!("[{lanes}]")),
        DataType::Idx(_) => ("uint".to_owned(), String::new()),
        DataType::Nat => ("ulong".to_owned(), String::new()),
        DataType::Tuple(parts) => (tuple(parts), String::new()),
        DataType::Array(_, element) | DataType::DepArray(_, _, element) => field(element),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_keep_type_and_bits() {
        assert_eq!(literal(Literal::Int(-128, Scalar::I8)), "(-128)");
        assert_eq!(literal(Literal::Int(i128::from(i32::MIN), Scalar::I32)), "INT_MIN");
        assert_eq!(literal(Literal::Int(i128::from(u64::MAX), Scalar::U64)), "18446744073709551615ul");
        assert_eq!(literal(Literal::Float(-0.0, Scalar::F32)), "(-0.0f)");
        assert_eq!(literal(Literal::Float(1e300, Scalar::F64)), "1e300");
    }
}
