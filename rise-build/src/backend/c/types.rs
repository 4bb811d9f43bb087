//! Types and constants as C writes them.

use crate::expr::Literal;
use crate::loops::{Element, ValueType};
use crate::types::{DataType, Scalar};

/// The C type of a scalar.
pub fn scalar(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Bool => "bool",
        Scalar::I8 => "int8_t",
        Scalar::I16 => "int16_t",
        Scalar::I32 => "int32_t",
        Scalar::I64 => "int64_t",
        Scalar::U8 => "uint8_t",
        Scalar::U16 => "uint16_t",
        Scalar::U32 => "uint32_t",
        Scalar::U64 => "uint64_t",
        Scalar::F32 => "float",
        Scalar::F64 => "double",
    }
}

/// The name under which helpers know a type: `f32`, `f32x16`.
pub fn short(ty: ValueType) -> String {
    match ty.lanes {
        1 => ty.scalar.name().to_owned(),
        lanes => format!("{}x{lanes}", ty.scalar),
    }
}

/// The type of a register.
pub fn register(ty: ValueType) -> String {
    match ty.lanes {
        1 => scalar(ty.scalar).to_owned(),
        _ => short(ty),
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
        Scalar::U64 => format!("UINT64_C({value})"),
        Scalar::I64 if value == i128::from(i64::MIN) => "INT64_MIN".into(),
        Scalar::I64 if value < 0 => format!("(-INT64_C({}))", -value),
        Scalar::I64 => format!("INT64_C({value})"),
        Scalar::I32 if value == i128::from(i32::MIN) => "INT32_MIN".into(),
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

/// The name of the struct that a tuple is: `tuple_f32_i32`.
pub fn tuple(parts: &[DataType]) -> String {
    let parts: Vec<String> = parts.iter().map(|part| format!("_{}", tuple_part(part))).collect();
    format!("tuple{}", parts.concat())
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

/// How a tuple lies in memory.
pub struct Layout {
    /// Bytes from one to the next.
    pub size: u32,
    /// What it is aligned to.
    pub align: u32,
    /// Where each component begins.
    pub offsets: Vec<u32>,
    /// The components in order of their offsets.
    pub order: Vec<usize>,
}

/// Components of greater alignment first, as rustc lays tuples out.
pub fn layout(parts: &[DataType]) -> Layout {
    let sizes: Vec<(u32, u32)> = parts.iter().map(extent).collect();
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|at| std::cmp::Reverse(sizes[*at].1));
    let (mut end, mut offsets) = (0, vec![0; parts.len()]);
    for at in &order {
        offsets[*at] = end;
        end += sizes[*at].0;
    }
    let align = sizes.iter().map(|(_, align)| *align).max().unwrap_or(1);
    Layout { size: end.div_ceil(align) * align, align, offsets, order }
}

/// Size and alignment.
fn extent(ty: &DataType) -> (u32, u32) {
    match ty {
        DataType::Scalar(scalar) => (scalar.bytes(), scalar.bytes()),
        DataType::Vector(scalar, lanes) => (scalar.bytes() * lanes, scalar.bytes()),
        DataType::Idx(_) => (4, 4),
        DataType::Nat => (8, 8),
        DataType::Tuple(parts) => {
            let Layout { size, align, .. } = layout(parts);
            (size, align)
        }
        DataType::Array(_, element) | DataType::DepArray(_, _, element) => extent(element),
    }
}

/// The structs that a tuple needs, inner ones first.
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
    out.push((name.clone(), format!("typedef struct {{\n{fields}}} {name};\n")));
}

fn field(ty: &DataType) -> (String, String) {
    match ty {
        DataType::Scalar(ty) => (scalar(*ty).to_owned(), String::new()),
        DataType::Vector(ty, lanes) => (scalar(*ty).to_owned(), format!("[{lanes}]")),
        DataType::Idx(_) => ("uint32_t".to_owned(), String::new()),
        DataType::Nat => ("size_t".to_owned(), String::new()),
        DataType::Tuple(parts) => (tuple(parts), String::new()),
        DataType::Array(_, element) | DataType::DepArray(_, _, element) => field(element),
    }
}

/// The type behind the pointer to a buffer.
pub fn element(element: &Element) -> String {
    match element {
        Element::Scalar(ty) => scalar(*ty).to_owned(),
        Element::Index => "uint32_t".to_owned(),
        Element::Tuple(parts) => tuple(parts),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nat::Nat;

    #[test]
    fn constants_keep_type_and_bits() {
        assert_eq!(literal(Literal::Int(-128, Scalar::I8)), "(-128)");
        assert_eq!(literal(Literal::Int(i128::from(i32::MIN), Scalar::I32)), "INT32_MIN");
        assert_eq!(
            literal(Literal::Int(i128::from(u64::MAX), Scalar::U64)),
            "UINT64_C(18446744073709551615)"
        );
        assert_eq!(literal(Literal::Float(-0.0, Scalar::F32)), "(-0.0f)");
        assert_eq!(literal(Literal::Float(f64::from(0.1_f32), Scalar::F32)), "0.1f");
        assert_eq!(literal(Literal::Float(1e300, Scalar::F64)), "1e300");
        assert_eq!(literal(Literal::Float(f64::NEG_INFINITY, Scalar::F64)), "(-INFINITY)");
    }

    #[test]
    fn tuples_are_structs() {
        let inner = DataType::pair(DataType::Scalar(Scalar::F32), DataType::Idx(Nat::lit(3)));
        let mut out = Vec::new();
        tuple_definitions(&[inner, DataType::Vector(Scalar::U8, 4)], &mut out);
        assert_eq!(out[0].1, "typedef struct {\n    float _0;\n    uint32_t _1;\n} tuple_f32_idx;\n");
        assert!(out[1].1.contains("uint8_t _1[4];"), "{}", out[1].1);
    }
}
