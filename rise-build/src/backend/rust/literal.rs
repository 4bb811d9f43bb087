//! Constants and types as Rust writes them.

use crate::expr::Literal;
use crate::loops::{Element, ValueType};
use crate::types::{DataType, Scalar};

/// A constant with its type.
pub fn literal(literal: Literal) -> String {
    match literal {
        Literal::Bool(value) => value.to_string(),
        Literal::Int(value, scalar) if value < 0 => format!("({value}{scalar})"),
        Literal::Int(value, scalar) => format!("{value}{scalar}"),
        Literal::Float(value, Scalar::F32) => {
            float(f64::from(value as f32), &format!("{:?}", value as f32), "f32")
        }
        Literal::Float(value, _) => float(value, &format!("{value:?}"), "f64"),
    }
}

/// A constant whose type is clear where it stands.
pub fn untyped(constant: Literal) -> String {
    let text = literal(constant);
    let number = text.strip_suffix(constant.scalar().name()).map(str::to_owned);
    number.unwrap_or(text)
}

fn float(value: f64, text: &str, ty: &str) -> String {
    if value.is_nan() {
        format!("{ty}::NAN")
    } else if value.is_infinite() {
        format!("{ty}::{}INFINITY", if value < 0.0 { "NEG_" } else { "" })
    } else if value.is_sign_negative() {
        format!("({text}{ty})")
    } else {
        format!("{text}{ty}")
    }
}

/// The name of the vector type; `F32x16` stands for `V<S, f32, 16>`.
pub fn vector(ty: ValueType) -> String {
    let scalar = ty.scalar.name();
    format!("{}{}x{}", scalar[..1].to_uppercase(), &scalar[1..], ty.lanes)
}

/// The type of a small value in the caller's memory.
pub fn stored(ty: &DataType) -> String {
    match ty {
        DataType::Scalar(scalar) => scalar.name().to_owned(),
        DataType::Vector(scalar, lanes) => format!("[{scalar}; {lanes}]"),
        DataType::Idx(_) => "u32".to_owned(),
        DataType::Nat => "usize".to_owned(),
        DataType::Tuple(parts) => tuple(parts),
        DataType::Array(_, element) | DataType::DepArray(_, _, element) => stored(element),
    }
}

fn tuple(parts: &[DataType]) -> String {
    let parts: Vec<String> = parts.iter().map(stored).collect();
    format!("({})", parts.join(", "))
}

/// The type behind the pointer to a buffer.
pub fn element(element: &Element) -> String {
    match element {
        Element::Scalar(scalar) => scalar.name().to_owned(),
        Element::Index => "u32".to_owned(),
        Element::Tuple(parts) => tuple(parts),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_keep_type_and_bits() {
        assert_eq!(literal(Literal::Int(-128, Scalar::I8)), "(-128i8)");
        assert_eq!(literal(Literal::Float(-0.0, Scalar::F32)), "(-0.0f32)");
        assert_eq!(literal(Literal::Float(f64::from(0.1_f32), Scalar::F32)), "0.1f32");
        assert_eq!(literal(Literal::Float(1e300, Scalar::F64)), "1e300f64");
        assert_eq!(literal(Literal::Float(f64::NEG_INFINITY, Scalar::F64)), "f64::NEG_INFINITY");
        assert_eq!(vector(ValueType { scalar: Scalar::Bool, lanes: 8 }), "Boolx8");
    }

    #[test]
    fn elements_are_rust_types() {
        let pair = DataType::pair(DataType::Vector(Scalar::F32, 4), DataType::Idx(crate::nat::Nat::lit(3)));
        assert_eq!(stored(&DataType::array(crate::nat::Nat::lit(2), pair)), "([f32; 4], u32)");
    }
}
