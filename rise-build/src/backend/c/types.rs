//! Types as C writes them.

use crate::backend::c_family::{Words, short};
use crate::loops::ValueType;
use crate::types::Scalar;

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

/// The type of a register.
pub fn register(ty: ValueType) -> String {
    match ty.lanes {
        1 => scalar(ty.scalar).to_owned(),
        _ => short(ty),
    }
}

/// The signed integer of the same size.
pub fn signed(ty: Scalar) -> Scalar {
    match ty {
        Scalar::U8 => Scalar::I8,
        Scalar::U16 => Scalar::I16,
        Scalar::U32 | Scalar::F32 | Scalar::Bool => Scalar::I32,
        Scalar::U64 | Scalar::F64 => Scalar::I64,
        other => other,
    }
}

/// How C spells what the family has in common.
pub const WORDS: Words = Words {
    stored: scalar,
    index: "uint32_t",
    natural: "size_t",
    least: ["INT32_MIN", "INT64_MIN"],
    long: ["INT64_C(", ")"],
    ulong: ["UINT64_C(", ")"],
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Literal;

    #[test]
    fn constants_keep_type_and_bits() {
        assert_eq!(WORDS.literal(Literal::Int(-128, Scalar::I8)), "(-128)");
        assert_eq!(WORDS.literal(Literal::Int(i128::from(i32::MIN), Scalar::I32)), "INT32_MIN");
        assert_eq!(
            WORDS.literal(Literal::Int(i128::from(u64::MAX), Scalar::U64)),
            "UINT64_C(18446744073709551615)"
        );
        assert_eq!(WORDS.literal(Literal::Float(-0.0, Scalar::F32)), "(-0.0f)");
        assert_eq!(WORDS.literal(Literal::Float(f64::from(0.1_f32), Scalar::F32)), "0.1f");
        assert_eq!(WORDS.literal(Literal::Float(1e300, Scalar::F64)), "1e300");
        assert_eq!(WORDS.literal(Literal::Float(f64::NEG_INFINITY, Scalar::F64)), "(-INFINITY)");
    }
}
