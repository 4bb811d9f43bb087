//! AVX-512: F, BW, DQ and VL. Registers of 128, 256 and 512 bits, masks of one bit a lane.
//!
//! The tables at the end name an intrinsic for each operation; whatever a row does not name is the same on both
//! halves. Functions are safe to call where the CPU has the features, which [`Isa`] demands of its users.

mod convert;
mod masks;

use super::float::{absolute, negated, rounded};
use super::int::{divided, remainder, shifted_by_parts};
use super::isa::widths;
use super::math::{self, of_register};
use super::x86::{Bitwise, folds_of_integers, mul_bytes_128, mul_bytes_256, mul_bytes_512};
use super::{Float, Int, Isa, Mask, Simd, Width, transmute};
use core::arch::x86_64::*;
pub use masks::{K2, K4, K8, K16, K32, K64};

/// AVX-512.
#[derive(Debug, Clone, Copy)]
pub struct Avx512;

impl Isa for Avx512 {
    const LEVEL: crate::dispatch::Level = crate::dispatch::Level::Avx512;
    const NAME: &'static str = "avx512";
    const FMA: bool = true;
    const REGISTERS: usize = 32;
    const BYTES: usize = 64;
}

widths! { Avx512:
    1 bool: f32 f64 i8 i16 i32 i64 u8 u16 u32 u64;
    2 K2: _ F64x2 _ _ _ I64x2 _ _ _ U64x2;
    4 K4: F32x4 F64x4 _ _ I32x4 I64x4 _ _ U32x4 U64x4;
    8 K8: F32x8 F64x8 _ I16x8 I32x8 I64x8 _ U16x8 U32x8 U64x8;
    16 K16: F32x16 _ I8x16 I16x16 I32x16 _ U8x16 U16x16 U32x16 _;
    32 K32: _ _ I8x32 I16x32 _ _ U8x32 U16x32 _ _;
    64 K64: _ _ I8x64 _ _ _ U8x64 _ _ _;
}

/// A register, what all element types have in common, and the rest of its [`Simd`].
macro_rules! register {
    ($name:ident($reg:ident) $class:ident $n:literal:
        $splat:ident $blend:ident $load:ident $store:ident $($gather:ident)?; $($rest:tt)*) => {
        #[doc = concat!(stringify!($n), " lanes of ", stringify!($class), " in a register.")]
        #[derive(Debug, Clone, Copy)]
        #[repr(transparent)]
        pub struct $name($reg);

        // SAFETY: a register is its lanes in order; the CPU has the instructions where values of it exist.
        unsafe impl Simd for $name {
            type Elem = <Avx512 as Width<1>>::$class;
            type Mask = <Avx512 as Width<$n>>::Mask;
            type Half = <Avx512 as Width<{ $n / 2 }>>::$class;
            const LANES: usize = $n;

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn splat(value: Self::Elem) -> Self {
                unsafe { Self($splat(value as _)) }
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn select(mask: Self::Mask, a: Self, b: Self) -> Self {
                unsafe { Self($blend(mask.0, b.0, a.0)) }
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            unsafe fn stream(self, to: *mut Self::Elem) {
                unsafe { super::x86::stream(self, to) }
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            unsafe fn load_partial(from: *const Self::Elem, count: usize) -> Self {
                unsafe { Self($load(<Self::Mask as Mask>::first(count).0, from.cast())) }
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            unsafe fn store_partial(self, to: *mut Self::Elem, count: usize) {
                unsafe { $store(to.cast(), <Self::Mask as Mask>::first(count).0, self.0) }
            }

            $(
                #[cfg_attr(not(debug_assertions), inline(always))]
                #[cfg_attr(debug_assertions, inline)]
                unsafe fn gather_at<I: Simd<Elem = u32, Mask = Self::Mask>>(
                    base: *const Self::Elem,
                    indices: I,
                ) -> Self {
                    // The instruction takes signed offsets: count from the middle.
                    const SCALE: i32 = size_of::<<$name as Simd>::Elem>() as i32;
                    let middle = base.wrapping_add(1 << 31);
                    unsafe {
                        let offsets = transmute(indices.sub(I::splat(1 << 31)));
                        Self($gather::<SCALE>(offsets, middle.cast()))
                    }
                }
            )?

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

/// Comparisons, each one instruction with a constant.
macro_rules! compare {
    ($intrinsic:ident $mask:ident: $($method:ident $constant:ident)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn $method(self, other: Self) -> Self::Mask {
            unsafe { masks::$mask($intrinsic::<$constant>(self.0, other.0)) }
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

macro_rules! floats {
    ($($name:ident($reg:ident) $class:ident $bits:ident $mask:ident $n:literal:
        $splat:ident $add:ident $sub:ident $mul:ident $div:ident $min:ident $max:ident $sqrt:ident
        $whole:ident $fma:ident $scale:ident $compare:ident $blend:ident $load:ident $store:ident
        $(gathers $gather:ident)?;)*) => {$(
        register! { $name($reg) $class $n: $splat $blend $load $store $($gather)?;
            binary! { add $add sub $sub mul $mul div $div min $min max $max }
            compare! { $compare $mask:
                eq _CMP_EQ_OQ ne _CMP_NEQ_UQ lt _CMP_LT_OQ le _CMP_LE_OQ gt _CMP_GT_OQ ge _CMP_GE_OQ
            }
            unary! {
                neg |a| negated(a);
                abs |a| absolute(a);
            }
        }

        impl Float for $name {
            type LowerHalf = <Self as Simd>::Half;
            type Bits = <Avx512 as Width<$n>>::$bits;
            type Double = <Avx512 as Width<$n>>::F64;
            math::functions! { of_register [$name of Avx512 $class, "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma"] }
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

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn scaled(self, n: Self, _: Self) -> Option<Self> {
                unsafe { Some(Self($scale(self.0, n.0))) }
            }
        }
    )*};
}

macro_rules! ints {
    ($($name:ident($reg:ident) $class:ident $mask:ident $n:literal $(divided as $float:ident)?:
        $splat:ident $add:ident $sub:ident $mul:ident $min:ident $max:ident
        $compare:ident $blend:ident $load:ident $store:ident
        $(shifts $shl:ident $shr:ident)? $(by $wide:ident $parts:tt)? $(gathers $gather:ident)?;)*) => {$(
        register! { $name($reg) $class $n: $splat $blend $load $store $($gather)?;
            binary! { add $add sub $sub mul $mul min $min max $max }
            compare! { $compare $mask:
                eq _MM_CMPINT_EQ ne _MM_CMPINT_NE lt _MM_CMPINT_LT
                le _MM_CMPINT_LE gt _MM_CMPINT_NLE ge _MM_CMPINT_NLT
            }
            unary! {
                neg |a| Self::splat(0).sub(a);
                abs |a| if <Self::Elem as Simd>::lt(0, !0) { a } else { a.max(a.neg()) };
            }
            folds_of_integers! { reduce_add add reduce_mul mul reduce_min min reduce_max max }
            $(
                #[cfg_attr(not(debug_assertions), inline(always))]
                #[cfg_attr(debug_assertions, inline)]
                fn div(self, other: Self) -> Self {
                    divided::<Self, <Avx512 as Width<$n>>::$float>(self, other)
                }

                #[cfg_attr(not(debug_assertions), inline(always))]
                #[cfg_attr(debug_assertions, inline)]
                fn rem(self, other: Self) -> Self {
                    remainder(self, other)
                }
            )?
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
    (@shifts $shl:ident $shr:ident) => {
        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn shl(self, counts: Self) -> Self {
            let counts = counts.and(Self::splat(<Self as Simd>::Elem::BITS as _).sub(Self::splat(1)));
            unsafe { Self($shl(self.0, counts.0)) }
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn shr(self, counts: Self) -> Self {
            let counts = counts.and(Self::splat(<Self as Simd>::Elem::BITS as _).sub(Self::splat(1)));
            unsafe { Self($shr(self.0, counts.0)) }
        }
    };
    // Bytes are shifted in lanes of words.
    (@shifts $wide:ident $n:tt) => {
        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn shl(self, counts: Self) -> Self {
            shifted_by_parts::<false, Self, <Avx512 as Width<$n>>::$wide>(self, counts)
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn shr(self, counts: Self) -> Self {
            shifted_by_parts::<true, Self, <Avx512 as Width<$n>>::$wide>(self, counts)
        }
    };
}

floats! {
    F32x4(__m128) F32 U32 K4 4:
        _mm_set1_ps _mm_add_ps _mm_sub_ps _mm_mul_ps _mm_div_ps _mm_min_ps _mm_max_ps _mm_sqrt_ps
        _mm_roundscale_ps _mm_fmadd_ps _mm_scalef_ps _mm_cmp_ps_mask _mm_mask_blend_ps _mm_maskz_loadu_ps
        _mm_mask_storeu_ps;
    F32x8(__m256) F32 U32 K8 8:
        _mm256_set1_ps _mm256_add_ps _mm256_sub_ps _mm256_mul_ps _mm256_div_ps _mm256_min_ps _mm256_max_ps
        _mm256_sqrt_ps _mm256_roundscale_ps _mm256_fmadd_ps _mm256_scalef_ps _mm256_cmp_ps_mask _mm256_mask_blend_ps
        _mm256_maskz_loadu_ps _mm256_mask_storeu_ps;
    F32x16(__m512) F32 U32 K16 16:
        _mm512_set1_ps _mm512_add_ps _mm512_sub_ps _mm512_mul_ps _mm512_div_ps _mm512_min_ps _mm512_max_ps
        _mm512_sqrt_ps _mm512_roundscale_ps _mm512_fmadd_ps _mm512_scalef_ps _mm512_cmp_ps_mask _mm512_mask_blend_ps
        _mm512_maskz_loadu_ps _mm512_mask_storeu_ps gathers _mm512_i32gather_ps;
    F64x2(__m128d) F64 U64 K2 2:
        _mm_set1_pd _mm_add_pd _mm_sub_pd _mm_mul_pd _mm_div_pd _mm_min_pd _mm_max_pd _mm_sqrt_pd
        _mm_roundscale_pd _mm_fmadd_pd _mm_scalef_pd _mm_cmp_pd_mask _mm_mask_blend_pd _mm_maskz_loadu_pd
        _mm_mask_storeu_pd;
    F64x4(__m256d) F64 U64 K4 4:
        _mm256_set1_pd _mm256_add_pd _mm256_sub_pd _mm256_mul_pd _mm256_div_pd _mm256_min_pd _mm256_max_pd
        _mm256_sqrt_pd _mm256_roundscale_pd _mm256_fmadd_pd _mm256_scalef_pd _mm256_cmp_pd_mask _mm256_mask_blend_pd
        _mm256_maskz_loadu_pd _mm256_mask_storeu_pd;
    F64x8(__m512d) F64 U64 K8 8:
        _mm512_set1_pd _mm512_add_pd _mm512_sub_pd _mm512_mul_pd _mm512_div_pd _mm512_min_pd _mm512_max_pd
        _mm512_sqrt_pd _mm512_roundscale_pd _mm512_fmadd_pd _mm512_scalef_pd _mm512_cmp_pd_mask _mm512_mask_blend_pd
        _mm512_maskz_loadu_pd _mm512_mask_storeu_pd gathers _mm512_i32gather_pd;
}

ints! {
    I64x2(__m128i) I64 K2 2:
        _mm_set1_epi64x _mm_add_epi64 _mm_sub_epi64 _mm_mullo_epi64 _mm_min_epi64 _mm_max_epi64
        _mm_cmp_epi64_mask _mm_mask_blend_epi64 _mm_maskz_loadu_epi64 _mm_mask_storeu_epi64 shifts
        _mm_sllv_epi64 _mm_srav_epi64;
    I64x4(__m256i) I64 K4 4:
        _mm256_set1_epi64x _mm256_add_epi64 _mm256_sub_epi64 _mm256_mullo_epi64 _mm256_min_epi64
        _mm256_max_epi64 _mm256_cmp_epi64_mask _mm256_mask_blend_epi64 _mm256_maskz_loadu_epi64
        _mm256_mask_storeu_epi64 shifts _mm256_sllv_epi64 _mm256_srav_epi64;
    I64x8(__m512i) I64 K8 8:
        _mm512_set1_epi64 _mm512_add_epi64 _mm512_sub_epi64 _mm512_mullo_epi64 _mm512_min_epi64
        _mm512_max_epi64 _mm512_cmp_epi64_mask _mm512_mask_blend_epi64 _mm512_maskz_loadu_epi64
        _mm512_mask_storeu_epi64 shifts _mm512_sllv_epi64 _mm512_srav_epi64 gathers _mm512_i32gather_epi64;
    U64x2(__m128i) U64 K2 2:
        _mm_set1_epi64x _mm_add_epi64 _mm_sub_epi64 _mm_mullo_epi64 _mm_min_epu64 _mm_max_epu64
        _mm_cmp_epu64_mask _mm_mask_blend_epi64 _mm_maskz_loadu_epi64 _mm_mask_storeu_epi64 shifts
        _mm_sllv_epi64 _mm_srlv_epi64;
    U64x4(__m256i) U64 K4 4:
        _mm256_set1_epi64x _mm256_add_epi64 _mm256_sub_epi64 _mm256_mullo_epi64 _mm256_min_epu64
        _mm256_max_epu64 _mm256_cmp_epu64_mask _mm256_mask_blend_epi64 _mm256_maskz_loadu_epi64
        _mm256_mask_storeu_epi64 shifts _mm256_sllv_epi64 _mm256_srlv_epi64;
    U64x8(__m512i) U64 K8 8:
        _mm512_set1_epi64 _mm512_add_epi64 _mm512_sub_epi64 _mm512_mullo_epi64 _mm512_min_epu64
        _mm512_max_epu64 _mm512_cmp_epu64_mask _mm512_mask_blend_epi64 _mm512_maskz_loadu_epi64
        _mm512_mask_storeu_epi64 shifts _mm512_sllv_epi64 _mm512_srlv_epi64 gathers _mm512_i32gather_epi64;
    I32x4(__m128i) I32 K4 4 divided as F64:
        _mm_set1_epi32 _mm_add_epi32 _mm_sub_epi32 _mm_mullo_epi32 _mm_min_epi32 _mm_max_epi32
        _mm_cmp_epi32_mask _mm_mask_blend_epi32 _mm_maskz_loadu_epi32 _mm_mask_storeu_epi32 shifts
        _mm_sllv_epi32 _mm_srav_epi32;
    I32x8(__m256i) I32 K8 8 divided as F64:
        _mm256_set1_epi32 _mm256_add_epi32 _mm256_sub_epi32 _mm256_mullo_epi32 _mm256_min_epi32
        _mm256_max_epi32 _mm256_cmp_epi32_mask _mm256_mask_blend_epi32 _mm256_maskz_loadu_epi32
        _mm256_mask_storeu_epi32 shifts _mm256_sllv_epi32 _mm256_srav_epi32;
    I32x16(__m512i) I32 K16 16 divided as F64:
        _mm512_set1_epi32 _mm512_add_epi32 _mm512_sub_epi32 _mm512_mullo_epi32 _mm512_min_epi32
        _mm512_max_epi32 _mm512_cmp_epi32_mask _mm512_mask_blend_epi32 _mm512_maskz_loadu_epi32
        _mm512_mask_storeu_epi32 shifts _mm512_sllv_epi32 _mm512_srav_epi32 gathers _mm512_i32gather_epi32;
    U32x4(__m128i) U32 K4 4 divided as F64:
        _mm_set1_epi32 _mm_add_epi32 _mm_sub_epi32 _mm_mullo_epi32 _mm_min_epu32 _mm_max_epu32
        _mm_cmp_epu32_mask _mm_mask_blend_epi32 _mm_maskz_loadu_epi32 _mm_mask_storeu_epi32 shifts
        _mm_sllv_epi32 _mm_srlv_epi32;
    U32x8(__m256i) U32 K8 8 divided as F64:
        _mm256_set1_epi32 _mm256_add_epi32 _mm256_sub_epi32 _mm256_mullo_epi32 _mm256_min_epu32
        _mm256_max_epu32 _mm256_cmp_epu32_mask _mm256_mask_blend_epi32 _mm256_maskz_loadu_epi32
        _mm256_mask_storeu_epi32 shifts _mm256_sllv_epi32 _mm256_srlv_epi32;
    U32x16(__m512i) U32 K16 16 divided as F64:
        _mm512_set1_epi32 _mm512_add_epi32 _mm512_sub_epi32 _mm512_mullo_epi32 _mm512_min_epu32
        _mm512_max_epu32 _mm512_cmp_epu32_mask _mm512_mask_blend_epi32 _mm512_maskz_loadu_epi32
        _mm512_mask_storeu_epi32 shifts _mm512_sllv_epi32 _mm512_srlv_epi32 gathers _mm512_i32gather_epi32;
    I16x8(__m128i) I16 K8 8 divided as F32:
        _mm_set1_epi16 _mm_add_epi16 _mm_sub_epi16 _mm_mullo_epi16 _mm_min_epi16 _mm_max_epi16
        _mm_cmp_epi16_mask _mm_mask_blend_epi16 _mm_maskz_loadu_epi16 _mm_mask_storeu_epi16 shifts
        _mm_sllv_epi16 _mm_srav_epi16;
    I16x16(__m256i) I16 K16 16 divided as F32:
        _mm256_set1_epi16 _mm256_add_epi16 _mm256_sub_epi16 _mm256_mullo_epi16 _mm256_min_epi16
        _mm256_max_epi16 _mm256_cmp_epi16_mask _mm256_mask_blend_epi16 _mm256_maskz_loadu_epi16
        _mm256_mask_storeu_epi16 shifts _mm256_sllv_epi16 _mm256_srav_epi16;
    I16x32(__m512i) I16 K32 32 divided as F32:
        _mm512_set1_epi16 _mm512_add_epi16 _mm512_sub_epi16 _mm512_mullo_epi16 _mm512_min_epi16
        _mm512_max_epi16 _mm512_cmp_epi16_mask _mm512_mask_blend_epi16 _mm512_maskz_loadu_epi16
        _mm512_mask_storeu_epi16 shifts _mm512_sllv_epi16 _mm512_srav_epi16;
    U16x8(__m128i) U16 K8 8 divided as F32:
        _mm_set1_epi16 _mm_add_epi16 _mm_sub_epi16 _mm_mullo_epi16 _mm_min_epu16 _mm_max_epu16
        _mm_cmp_epu16_mask _mm_mask_blend_epi16 _mm_maskz_loadu_epi16 _mm_mask_storeu_epi16 shifts
        _mm_sllv_epi16 _mm_srlv_epi16;
    U16x16(__m256i) U16 K16 16 divided as F32:
        _mm256_set1_epi16 _mm256_add_epi16 _mm256_sub_epi16 _mm256_mullo_epi16 _mm256_min_epu16
        _mm256_max_epu16 _mm256_cmp_epu16_mask _mm256_mask_blend_epi16 _mm256_maskz_loadu_epi16
        _mm256_mask_storeu_epi16 shifts _mm256_sllv_epi16 _mm256_srlv_epi16;
    U16x32(__m512i) U16 K32 32 divided as F32:
        _mm512_set1_epi16 _mm512_add_epi16 _mm512_sub_epi16 _mm512_mullo_epi16 _mm512_min_epu16
        _mm512_max_epu16 _mm512_cmp_epu16_mask _mm512_mask_blend_epi16 _mm512_maskz_loadu_epi16
        _mm512_mask_storeu_epi16 shifts _mm512_sllv_epi16 _mm512_srlv_epi16;
    I8x16(__m128i) I8 K16 16 divided as F32:
        _mm_set1_epi8 _mm_add_epi8 _mm_sub_epi8 mul_bytes_128 _mm_min_epi8 _mm_max_epi8 _mm_cmp_epi8_mask
        _mm_mask_blend_epi8 _mm_maskz_loadu_epi8 _mm_mask_storeu_epi8 by I16 8;
    I8x32(__m256i) I8 K32 32 divided as F32:
        _mm256_set1_epi8 _mm256_add_epi8 _mm256_sub_epi8 mul_bytes_256 _mm256_min_epi8 _mm256_max_epi8
        _mm256_cmp_epi8_mask _mm256_mask_blend_epi8 _mm256_maskz_loadu_epi8 _mm256_mask_storeu_epi8 by I16 16;
    I8x64(__m512i) I8 K64 64 divided as F32:
        _mm512_set1_epi8 _mm512_add_epi8 _mm512_sub_epi8 mul_bytes_512 _mm512_min_epi8 _mm512_max_epi8
        _mm512_cmp_epi8_mask _mm512_mask_blend_epi8 _mm512_maskz_loadu_epi8 _mm512_mask_storeu_epi8 by I16 32;
    U8x16(__m128i) U8 K16 16 divided as F32:
        _mm_set1_epi8 _mm_add_epi8 _mm_sub_epi8 mul_bytes_128 _mm_min_epu8 _mm_max_epu8 _mm_cmp_epu8_mask
        _mm_mask_blend_epi8 _mm_maskz_loadu_epi8 _mm_mask_storeu_epi8 by U16 8;
    U8x32(__m256i) U8 K32 32 divided as F32:
        _mm256_set1_epi8 _mm256_add_epi8 _mm256_sub_epi8 mul_bytes_256 _mm256_min_epu8 _mm256_max_epu8
        _mm256_cmp_epu8_mask _mm256_mask_blend_epi8 _mm256_maskz_loadu_epi8 _mm256_mask_storeu_epi8 by U16 16;
    U8x64(__m512i) U8 K64 64 divided as F32:
        _mm512_set1_epi8 _mm512_add_epi8 _mm512_sub_epi8 mul_bytes_512 _mm512_min_epu8 _mm512_max_epu8
        _mm512_cmp_epu8_mask _mm512_mask_blend_epi8 _mm512_maskz_loadu_epi8 _mm512_mask_storeu_epi8 by U16 32;
}
