//! Scalar types, in the language and in every stage.

use std::fmt;

/// The element types that hardware knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scalar {
    /// `bool`
    Bool,
    /// `i8`
    I8,
    /// `i16`
    I16,
    /// `i32`
    I32,
    /// `i64`
    I64,
    /// `u8`
    U8,
    /// `u16`
    U16,
    /// `u32`
    U32,
    /// `u64`
    U64,
    /// `f32`
    F32,
    /// `f64`
    F64,
}

impl Scalar {
    /// All of them, in order of declaration.
    pub const ALL: [Scalar; 11] = [
        Scalar::Bool,
        Scalar::I8,
        Scalar::I16,
        Scalar::I32,
        Scalar::I64,
        Scalar::U8,
        Scalar::U16,
        Scalar::U32,
        Scalar::U64,
        Scalar::F32,
        Scalar::F64,
    ];

    /// The name, which is the Rust name too.
    pub fn name(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::I8 => "i8",
            Scalar::I16 => "i16",
            Scalar::I32 => "i32",
            Scalar::I64 => "i64",
            Scalar::U8 => "u8",
            Scalar::U16 => "u16",
            Scalar::U32 => "u32",
            Scalar::U64 => "u64",
            Scalar::F32 => "f32",
            Scalar::F64 => "f64",
        }
    }

    /// The scalar with this name.
    pub fn from_name(name: &str) -> Option<Scalar> {
        Scalar::ALL.into_iter().find(|scalar| scalar.name() == name)
    }

    /// The types that there are, for messages.
    pub(crate) const THERE_ARE: &str =
        "scalars are bool, i8 to i64, u8 to u64, f32 and f64; arrays are `[f32; n]`, tuples `(f32, f32)`";

    /// The scalar with this name, here or in other languages.
    pub fn meant(name: &str) -> Option<Scalar> {
        const ELSEWHERE: &[(&str, Scalar)] = &[
            ("float", Scalar::F32),
            ("float32", Scalar::F32),
            ("float64", Scalar::F64),
            ("double", Scalar::F64),
            ("int8", Scalar::I8),
            ("int16", Scalar::I16),
            ("int32", Scalar::I32),
            ("int64", Scalar::I64),
            ("uint8", Scalar::U8),
            ("uint16", Scalar::U16),
            ("uint32", Scalar::U32),
            ("uint64", Scalar::U64),
            ("byte", Scalar::U8),
            ("boolean", Scalar::Bool),
            ("int", Scalar::I32),
            ("uint", Scalar::U32),
            ("unsigned", Scalar::U32),
            ("long", Scalar::I64),
            ("char", Scalar::U8),
            ("usize", Scalar::U64),
            ("isize", Scalar::I64),
        ];
        let elsewhere = || ELSEWHERE.iter().find(|(foreign, _)| *foreign == name).map(|(_, ours)| *ours);
        Scalar::from_name(name).or_else(elsewhere)
    }

    /// `f32` or `f64`.
    pub fn is_float(self) -> bool {
        matches!(self, Scalar::F32 | Scalar::F64)
    }

    /// Any of the eight integer types.
    pub fn is_integer(self) -> bool {
        !self.is_float() && self != Scalar::Bool
    }

    /// An integer type with a sign.
    pub fn is_signed(self) -> bool {
        matches!(self, Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64)
    }

    /// Size in memory.
    pub fn bytes(self) -> u32 {
        match self {
            Scalar::Bool | Scalar::I8 | Scalar::U8 => 1,
            Scalar::I16 | Scalar::U16 => 2,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
            Scalar::I64 | Scalar::U64 | Scalar::F64 => 8,
        }
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
