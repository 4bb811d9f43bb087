//! Types as OpenCL C writes them.

use crate::backend::c_family::Words;
use crate::loops::ValueType;
use crate::types::Scalar;

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

/// Whether OpenCL has vectors of so many lanes.
pub fn has_lanes(lanes: u32) -> bool {
    matches!(lanes, 1 | 2 | 3 | 4 | 8 | 16)
}

/// How OpenCL C spells what the family has in common.
pub const WORDS: Words = Words {
    stored,
    index: "uint",
    natural: "ulong",
    least: ["INT_MIN", "LONG_MIN"],
    long: ["", "l"],
    ulong: ["", "ul"],
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Literal;

    #[test]
    fn constants_keep_type_and_bits() {
        assert_eq!(WORDS.literal(Literal::Int(-128, Scalar::I8)), "(-128)");
        assert_eq!(WORDS.literal(Literal::Int(i128::from(i32::MIN), Scalar::I32)), "INT_MIN");
        assert_eq!(WORDS.literal(Literal::Int(i128::from(u64::MAX), Scalar::U64)), "18446744073709551615ul");
        assert_eq!(WORDS.literal(Literal::Float(-0.0, Scalar::F32)), "(-0.0f)");
        assert_eq!(WORDS.literal(Literal::Float(1e300, Scalar::F64)), "1e300");
    }
}
