//! Instruction sets, and which vector each gives for an element type and a logical width.

use super::{Float, Int, Mask};

/// The vectors of `N` lanes of an instruction set.
#[allow(missing_docs)]
pub trait Width<const N: usize>: Copy + 'static {
    /// What comparisons of any of them give.
    type Mask: Mask;
    type F32: Float<Elem = f32, Mask = Self::Mask, Bits = Self::U32>;
    type F64: Float<Elem = f64, Mask = Self::Mask, Bits = Self::U64>;
    type I8: Int<Elem = i8, Mask = Self::Mask>;
    type I16: Int<Elem = i16, Mask = Self::Mask>;
    type I32: Int<Elem = i32, Mask = Self::Mask>;
    type I64: Int<Elem = i64, Mask = Self::Mask>;
    type U8: Int<Elem = u8, Mask = Self::Mask>;
    type U16: Int<Elem = u16, Mask = Self::Mask>;
    type U32: Int<Elem = u32, Mask = Self::Mask>;
    type U64: Int<Elem = u64, Mask = Self::Mask>;
}

/// An instruction set: the type that a generated body is generic over.
///
/// Its vectors may be used only where the CPU has it, inside a function that enables it; that is what
/// [`dispatch`](crate::dispatch) and the thin `#[target_feature]` instances see to.
pub trait Isa: Width<1> + Width<2> + Width<4> + Width<8> + Width<16> + Width<32> + Width<64> {
    /// What the dispatcher calls it.
    const LEVEL: crate::dispatch::Level;
    /// The name, as in `RISE_ISA`.
    const NAME: &'static str;
    /// Whether `fma` is one instruction.
    const FMA: bool;
    /// The number of vector registers.
    const REGISTERS: usize;
    /// The bytes of a vector register.
    const BYTES: usize;

    /// `a·b + c`: fused where the hardware is, else rounded twice.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn mul_add<F: Float>(a: F, b: F, c: F) -> F {
        if Self::FMA { a.fma(b, c) } else { a.mul(b).add(c) }
    }
}

/// A scalar type as the name of a vector type.
pub trait Typed {
    /// The vector of `N` lanes of this type.
    type Of<S: Width<N>, const N: usize>: Copy + Send + Sync + 'static;
}

/// The vector of `N` lanes of `T` on `S`: 1, 2, 4, 8, 16, 32 or 64 lanes of a number type, or of `bool`.
pub type V<S, T, const N: usize> = <T as Typed>::Of<S, N>;

macro_rules! typed {
    ($($t:ident $name:ident;)*) => {$(
        impl Typed for $t {
            type Of<S: Width<N>, const N: usize> = S::$name;
        }
    )*};
}

typed! {
    bool Mask;
    f32 F32;
    f64 F64;
    i8 I8;
    i16 I16;
    i32 I32;
    i64 I64;
    u8 U8;
    u16 U16;
    u32 U32;
    u64 U64;
}

/// The table of an instruction set's vectors, a row for each width; `_` is twice the vector of the row above.
macro_rules! widths {
    ($isa:ident: $($n:literal $mask:ty:
        $f32:tt $f64:tt $i8:tt $i16:tt $i32:tt $i64:tt $u8:tt $u16:tt $u32:tt $u64:tt;)*) => {$(
        impl $crate::simd::Width<$n> for $isa {
            type Mask = $mask;
            type F32 = widths!(@$f32 F32 $isa $n $mask);
            type F64 = widths!(@$f64 F64 $isa $n $mask);
            type I8 = widths!(@$i8 I8 $isa $n $mask);
            type I16 = widths!(@$i16 I16 $isa $n $mask);
            type I32 = widths!(@$i32 I32 $isa $n $mask);
            type I64 = widths!(@$i64 I64 $isa $n $mask);
            type U8 = widths!(@$u8 U8 $isa $n $mask);
            type U16 = widths!(@$u16 U16 $isa $n $mask);
            type U32 = widths!(@$u32 U32 $isa $n $mask);
            type U64 = widths!(@$u64 U64 $isa $n $mask);
        }
    )*};
    (@_ $name:ident $isa:ident $n:literal $mask:ty) => {
        $crate::simd::Twice<<$isa as $crate::simd::Width<{ $n / 2 }>>::$name, $mask>
    };
    (@$vector:ident $name:ident $isa:ident $n:literal $mask:ty) => { $vector };
}
pub(crate) use widths;
