//! AVX2 and FMA. Registers of 128 and 256 bits, masks that are registers themselves.
//!
//! The tables at the end name an intrinsic for each operation; whatever a row does not name is the same on both
//! halves. Comparisons give lanes of their operands' size, and the module `masks` brings them to the size that masks have.
//! Functions are safe to call where the CPU has the features, which [`Isa`] demands of its users.

mod convert;
mod masks;

use super::float::{absolute, negated, rounded};
use super::int::{divided, remainder, shifted_by_parts};
use super::isa::widths;
use super::math::{self, of_register};
use super::x86::{
    Bitwise, Blend, folds_of_integers, mul_bytes_128, mul_bytes_256, mul_quads_128, mul_quads_256,
    sra_quads_128, sra_quads_256,
};
use super::{Both, Float, Int, Isa, Mask, Simd, Width};
use core::arch::x86_64::*;
use masks::{Bytes16, Bytes32, Doubles4, Doubles8, Quads2, Quads4, Words8, Words16};
pub use masks::{M2, M4, M8};

/// AVX2 and FMA.
#[derive(Debug, Clone, Copy)]
pub struct Avx2;

impl Isa for Avx2 {
    const LEVEL: crate::dispatch::Level = crate::dispatch::Level::Avx2;
    const NAME: &'static str = "avx2";
    const FMA: bool = true;
    const REGISTERS: usize = 16;
    const BYTES: usize = 32;
}

widths! { Avx2:
    1 bool: f32 f64 i8 i16 i32 i64 u8 u16 u32 u64;
    2 M2: _ F64x2 _ _ _ I64x2 _ _ _ U64x2;
    4 M4: F32x4 F64x4 _ _ I32x4 I64x4 _ _ U32x4 U64x4;
    8 M8: F32x8 _ _ I16x8 I32x8 _ _ U16x8 U32x8 _;
    16 Both<M8>: _ _ I8x16 I16x16 _ _ U8x16 U16x16 _ _;
    32 Both<Both<M8>>: _ _ I8x32 _ _ _ U8x32 _ _ _;
    64 Both<Both<Both<M8>>>: _ _ _ _ _ _ _ _ _ _;
}

/// A register, what all element types have in common, and the rest of its [`Simd`].
macro_rules! register {
    ($name:ident($reg:ident) $class:ident $n:literal: $splat:ident; $($rest:tt)*) => {
        #[doc = concat!(stringify!($n), " lanes of ", stringify!($class), " in a register.")]
        #[derive(Debug, Clone, Copy)]
        #[repr(transparent)]
        pub struct $name($reg);

        // SAFETY: a register is its lanes in order; the CPU has the instructions where values of it exist.
        unsafe impl Simd for $name {
            type Elem = <Avx2 as Width<1>>::$class;
            type Mask = <Avx2 as Width<$n>>::Mask;
            type Half = <Avx2 as Width<{ $n / 2 }>>::$class;
            const LANES: usize = $n;

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn splat(value: Self::Elem) -> Self {
                unsafe { Self($splat(value as _)) }
            }

            $($rest)*
        }
    };
}

/// Functions of two vectors, each one instruction.
macro_rules! binary {
    ($($method:ident $intrinsic:ident)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn $method(self, other: Self) -> Self {
            unsafe { Self($intrinsic(self.0, other.0)) }
        }
    )*};
}

/// Functions of one vector.
macro_rules! unary {
    ($($method:ident |$a:ident| $body:expr;)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn $method(self) -> Self {
            let $a = self;
            $body
        }
    )*};
}

/// Comparisons of floats, each one instruction with a constant.
macro_rules! compare {
    ($lanes:ident $intrinsic:ident $to_int:ident: $($method:ident $constant:ident)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn $method(self, other: Self) -> Self::Mask {
            unsafe { $lanes::to_mask($to_int($intrinsic::<$constant>(self.0, other.0))) }
        }
    )*};
}

/// Selections by a comparison of floats, without a mask in between.
macro_rules! choose {
    ($intrinsic:ident $blend:ident: $($method:ident $constant:ident)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn $method(self, other: Self, a: Self, b: Self) -> Self {
            unsafe { Self($blend(b.0, a.0, $intrinsic::<$constant>(self.0, other.0))) }
        }
    )*};
}

macro_rules! floats {
    ($($name:ident($reg:ident) $class:ident $bits:ident $n:literal $lanes:ident:
        $splat:ident $add:ident $sub:ident $mul:ident $div:ident $min:ident $max:ident $sqrt:ident
        $whole:ident $fma:ident $compare:ident $blend:ident $to_int:ident $of_int:ident
        $load:ident $store:ident;)*) => {$(
        register! { $name($reg) $class $n: $splat;
            binary! { add $add sub $sub mul $mul div $div min $min max $max }
            compare! { $lanes $compare $to_int:
                eq _CMP_EQ_OQ ne _CMP_NEQ_UQ lt _CMP_LT_OQ le _CMP_LE_OQ gt _CMP_GT_OQ ge _CMP_GE_OQ
            }
            choose! { $compare $blend: if_lt _CMP_LT_OQ if_le _CMP_LE_OQ if_eq _CMP_EQ_OQ }
            unary! {
                neg |a| negated(a);
                abs |a| absolute(a);
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn select(mask: Self::Mask, a: Self, b: Self) -> Self {
                unsafe { Self($blend(b.0, a.0, $of_int($lanes::of_mask(mask)))) }
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            unsafe fn load_partial(from: *const Self::Elem, count: usize) -> Self {
                unsafe { Self($load(from, $lanes::of_mask(Mask::first(count)))) }
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            unsafe fn store_partial(self, to: *mut Self::Elem, count: usize) {
                unsafe { $store(to, $lanes::of_mask(Mask::first(count)), self.0) }
            }
        }

        impl Float for $name {
            type LowerHalf = <Self as Simd>::Half;
            type Bits = <Avx2 as Width<$n>>::$bits;
            type Double = <Avx2 as Width<$n>>::F64;
            math::functions! { of_register [$name of Avx2 $class, "avx2,fma"] }
            unary! {
                sqrt |a| unsafe { Self($sqrt(a.0)) };
                floor |a| unsafe { Self($whole::<{ _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC }>(a.0)) };
                ceil |a| unsafe { Self($whole::<{ _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC }>(a.0)) };
                trunc |a| unsafe { Self($whole::<{ _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC }>(a.0)) };
                round |a| rounded(a);
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn fma(self, b: Self, c: Self) -> Self {
                unsafe { Self($fma(self.0, b.0, c.0)) }
            }
        }
    )*};
}

macro_rules! ints {
    ($($name:ident($reg:ident) $class:ident $n:literal $lanes:ident $(divided as $float:ident)?:
        $splat:ident $add:ident $sub:ident $mul:ident $eq:ident $gt:ident
        $(extremes $min:ident $max:ident)? $(shifts $shl:ident $shr:ident)?
        $(partial $load:ident $store:ident)? $(by $wide:ident $parts:tt)?;)*) => {$(
        register! { $name($reg) $class $n: $splat;
            binary! { add $add sub $sub mul $mul }
            unary! {
                neg |a| Self::splat(0).sub(a);
                abs |a| if <Self::Elem as Simd>::lt(0, !0) { a } else { a.max(a.neg()) };
            }
            folds_of_integers! { reduce_add add reduce_mul mul reduce_min min reduce_max max }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn eq(self, other: Self) -> Self::Mask {
                unsafe { $lanes::to_mask($eq(self.0, other.0)) }
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn ne(self, other: Self) -> Self::Mask {
                self.eq(other).not()
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn lt(self, other: Self) -> Self::Mask {
                unsafe { $lanes::to_mask(other.above(self)) }
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn le(self, other: Self) -> Self::Mask {
                self.gt(other).not()
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn gt(self, other: Self) -> Self::Mask {
                unsafe { $lanes::to_mask(self.above(other)) }
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn ge(self, other: Self) -> Self::Mask {
                self.lt(other).not()
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn select(mask: Self::Mask, a: Self, b: Self) -> Self {
                unsafe { Self(a.0.blend($lanes::of_mask(mask), b.0)) }
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn if_lt(self, other: Self, a: Self, b: Self) -> Self {
                Self(a.0.blend(other.above(self), b.0))
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn if_le(self, other: Self, a: Self, b: Self) -> Self {
                Self(b.0.blend(self.above(other), a.0))
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn if_eq(self, other: Self, a: Self, b: Self) -> Self {
                unsafe { Self(a.0.blend($eq(self.0, other.0), b.0)) }
            }

            ints! { @extremes $($min $max)? }

            $(
                #[cfg_attr(not(debug_assertions), inline(always))]
                #[cfg_attr(debug_assertions, inline)]
                fn div(self, other: Self) -> Self {
                    divided::<Self, <Avx2 as Width<$n>>::$float>(self, other)
                }

                #[cfg_attr(not(debug_assertions), inline(always))]
                #[cfg_attr(debug_assertions, inline)]
                fn rem(self, other: Self) -> Self {
                    remainder(self, other)
                }
            )?

            $(
                #[cfg_attr(not(debug_assertions), inline(always))]
                #[cfg_attr(debug_assertions, inline)]
                unsafe fn load_partial(from: *const Self::Elem, count: usize) -> Self {
                    unsafe { Self($load(from.cast(), $lanes::of_mask(Mask::first(count)))) }
                }

                #[cfg_attr(not(debug_assertions), inline(always))]
                #[cfg_attr(debug_assertions, inline)]
                unsafe fn store_partial(self, to: *mut Self::Elem, count: usize) {
                    unsafe { $store(to.cast(), $lanes::of_mask(Mask::first(count)), self.0) }
                }
            )?
        }

        impl $name {
            /// The bits that counts of shifts have.
            const COUNTS: <Self as Simd>::Elem = (<Self as Simd>::Elem::BITS - 1) as _;

            /// All ones where `self > other`.
            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn above(self, other: Self) -> $reg {
                // The instruction compares signed numbers: unsigned ones move down by half their range.
                let low = if <Self as Simd>::Elem::MIN == 0 { 1 << Self::COUNTS } else { 0 };
                let low = Self::splat(low);
                unsafe { $gt(self.xor(low).0, other.xor(low).0) }
            }
        }

        impl Int for $name {
            type LowerHalf = <Self as Simd>::Half;

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn and(self, other: Self) -> Self {
                Self(self.0.and(other.0))
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn or(self, other: Self) -> Self {
                Self(self.0.or(other.0))
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn xor(self, other: Self) -> Self {
                Self(self.0.xor(other.0))
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn not(self) -> Self {
                self.xor(Self::splat(!0))
            }

            ints! { @shifts $($shl $shr)? $($wide $parts)? }
        }
    )*};
    (@extremes $min:ident $max:ident) => {
        binary! { min $min max $max }
    };
    (@extremes) => {
        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn min(self, other: Self) -> Self {
            self.if_lt(other, self, other)
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn max(self, other: Self) -> Self {
            other.if_lt(self, self, other)
        }
    };
    (@shifts $shl:ident $shr:ident) => {
        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn shl(self, counts: Self) -> Self {
            unsafe { Self($shl(self.0, counts.and(Self::splat(Self::COUNTS)).0)) }
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn shr(self, counts: Self) -> Self {
            unsafe { Self($shr(self.0, counts.and(Self::splat(Self::COUNTS)).0)) }
        }
    };
    // Bytes and words are shifted in lanes of wider integers.
    (@shifts $wide:ident $n:tt) => {
        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn shl(self, counts: Self) -> Self {
            shifted_by_parts::<false, Self, <Avx2 as Width<$n>>::$wide>(self, counts)
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn shr(self, counts: Self) -> Self {
            shifted_by_parts::<true, Self, <Avx2 as Width<$n>>::$wide>(self, counts)
        }
    };
}

floats! {
    F32x4(__m128) F32 U32 4 Doubles4:
        _mm_set1_ps _mm_add_ps _mm_sub_ps _mm_mul_ps _mm_div_ps _mm_min_ps _mm_max_ps _mm_sqrt_ps
        _mm_round_ps _mm_fmadd_ps _mm_cmp_ps _mm_blendv_ps _mm_castps_si128 _mm_castsi128_ps
        _mm_maskload_ps _mm_maskstore_ps;
    F32x8(__m256) F32 U32 8 Doubles8:
        _mm256_set1_ps _mm256_add_ps _mm256_sub_ps _mm256_mul_ps _mm256_div_ps _mm256_min_ps _mm256_max_ps
        _mm256_sqrt_ps _mm256_round_ps _mm256_fmadd_ps _mm256_cmp_ps _mm256_blendv_ps _mm256_castps_si256
        _mm256_castsi256_ps _mm256_maskload_ps _mm256_maskstore_ps;
    F64x2(__m128d) F64 U64 2 Quads2:
        _mm_set1_pd _mm_add_pd _mm_sub_pd _mm_mul_pd _mm_div_pd _mm_min_pd _mm_max_pd _mm_sqrt_pd
        _mm_round_pd _mm_fmadd_pd _mm_cmp_pd _mm_blendv_pd _mm_castpd_si128 _mm_castsi128_pd
        _mm_maskload_pd _mm_maskstore_pd;
    F64x4(__m256d) F64 U64 4 Quads4:
        _mm256_set1_pd _mm256_add_pd _mm256_sub_pd _mm256_mul_pd _mm256_div_pd _mm256_min_pd _mm256_max_pd
        _mm256_sqrt_pd _mm256_round_pd _mm256_fmadd_pd _mm256_cmp_pd _mm256_blendv_pd _mm256_castpd_si256
        _mm256_castsi256_pd _mm256_maskload_pd _mm256_maskstore_pd;
}

ints! {
    I64x2(__m128i) I64 2 Quads2:
        _mm_set1_epi64x _mm_add_epi64 _mm_sub_epi64 mul_quads_128 _mm_cmpeq_epi64 _mm_cmpgt_epi64 shifts
        _mm_sllv_epi64 sra_quads_128 partial _mm_maskload_epi64 _mm_maskstore_epi64;
    I64x4(__m256i) I64 4 Quads4:
        _mm256_set1_epi64x _mm256_add_epi64 _mm256_sub_epi64 mul_quads_256 _mm256_cmpeq_epi64
        _mm256_cmpgt_epi64 shifts _mm256_sllv_epi64 sra_quads_256 partial _mm256_maskload_epi64
        _mm256_maskstore_epi64;
    U64x2(__m128i) U64 2 Quads2:
        _mm_set1_epi64x _mm_add_epi64 _mm_sub_epi64 mul_quads_128 _mm_cmpeq_epi64 _mm_cmpgt_epi64 shifts
        _mm_sllv_epi64 _mm_srlv_epi64 partial _mm_maskload_epi64 _mm_maskstore_epi64;
    U64x4(__m256i) U64 4 Quads4:
        _mm256_set1_epi64x _mm256_add_epi64 _mm256_sub_epi64 mul_quads_256 _mm256_cmpeq_epi64
        _mm256_cmpgt_epi64 shifts _mm256_sllv_epi64 _mm256_srlv_epi64 partial _mm256_maskload_epi64
        _mm256_maskstore_epi64;
    I32x4(__m128i) I32 4 Doubles4 divided as F64:
        _mm_set1_epi32 _mm_add_epi32 _mm_sub_epi32 _mm_mullo_epi32 _mm_cmpeq_epi32 _mm_cmpgt_epi32 extremes
        _mm_min_epi32 _mm_max_epi32 shifts _mm_sllv_epi32 _mm_srav_epi32 partial _mm_maskload_epi32
        _mm_maskstore_epi32;
    I32x8(__m256i) I32 8 Doubles8 divided as F64:
        _mm256_set1_epi32 _mm256_add_epi32 _mm256_sub_epi32 _mm256_mullo_epi32 _mm256_cmpeq_epi32
        _mm256_cmpgt_epi32 extremes _mm256_min_epi32 _mm256_max_epi32 shifts _mm256_sllv_epi32
        _mm256_srav_epi32 partial _mm256_maskload_epi32 _mm256_maskstore_epi32;
    U32x4(__m128i) U32 4 Doubles4 divided as F64:
        _mm_set1_epi32 _mm_add_epi32 _mm_sub_epi32 _mm_mullo_epi32 _mm_cmpeq_epi32 _mm_cmpgt_epi32 extremes
        _mm_min_epu32 _mm_max_epu32 shifts _mm_sllv_epi32 _mm_srlv_epi32 partial _mm_maskload_epi32
        _mm_maskstore_epi32;
    U32x8(__m256i) U32 8 Doubles8 divided as F64:
        _mm256_set1_epi32 _mm256_add_epi32 _mm256_sub_epi32 _mm256_mullo_epi32 _mm256_cmpeq_epi32
        _mm256_cmpgt_epi32 extremes _mm256_min_epu32 _mm256_max_epu32 shifts _mm256_sllv_epi32
        _mm256_srlv_epi32 partial _mm256_maskload_epi32 _mm256_maskstore_epi32;
    I16x8(__m128i) I16 8 Words8 divided as F32:
        _mm_set1_epi16 _mm_add_epi16 _mm_sub_epi16 _mm_mullo_epi16 _mm_cmpeq_epi16 _mm_cmpgt_epi16 extremes
        _mm_min_epi16 _mm_max_epi16 by I32 4;
    I16x16(__m256i) I16 16 Words16 divided as F32:
        _mm256_set1_epi16 _mm256_add_epi16 _mm256_sub_epi16 _mm256_mullo_epi16 _mm256_cmpeq_epi16
        _mm256_cmpgt_epi16 extremes _mm256_min_epi16 _mm256_max_epi16 by I32 8;
    U16x8(__m128i) U16 8 Words8 divided as F32:
        _mm_set1_epi16 _mm_add_epi16 _mm_sub_epi16 _mm_mullo_epi16 _mm_cmpeq_epi16 _mm_cmpgt_epi16 extremes
        _mm_min_epu16 _mm_max_epu16 by U32 4;
    U16x16(__m256i) U16 16 Words16 divided as F32:
        _mm256_set1_epi16 _mm256_add_epi16 _mm256_sub_epi16 _mm256_mullo_epi16 _mm256_cmpeq_epi16
        _mm256_cmpgt_epi16 extremes _mm256_min_epu16 _mm256_max_epu16 by U32 8;
    I8x16(__m128i) I8 16 Bytes16 divided as F32:
        _mm_set1_epi8 _mm_add_epi8 _mm_sub_epi8 mul_bytes_128 _mm_cmpeq_epi8 _mm_cmpgt_epi8 extremes
        _mm_min_epi8 _mm_max_epi8 by I32 4;
    I8x32(__m256i) I8 32 Bytes32 divided as F32:
        _mm256_set1_epi8 _mm256_add_epi8 _mm256_sub_epi8 mul_bytes_256 _mm256_cmpeq_epi8 _mm256_cmpgt_epi8
        extremes _mm256_min_epi8 _mm256_max_epi8 by I32 8;
    U8x16(__m128i) U8 16 Bytes16 divided as F32:
        _mm_set1_epi8 _mm_add_epi8 _mm_sub_epi8 mul_bytes_128 _mm_cmpeq_epi8 _mm_cmpgt_epi8 extremes
        _mm_min_epu8 _mm_max_epu8 by U32 4;
    U8x32(__m256i) U8 32 Bytes32 divided as F32:
        _mm256_set1_epi8 _mm256_add_epi8 _mm256_sub_epi8 mul_bytes_256 _mm256_cmpeq_epi8 _mm256_cmpgt_epi8
        extremes _mm256_min_epu8 _mm256_max_epu8 by U32 8;
}
