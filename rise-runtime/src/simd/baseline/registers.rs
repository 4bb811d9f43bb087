//! The registers of SSE2 under the names that `wide` gives them, with as much of its functions as is used.
//!
//! Each function is its instructions and nothing else. Those of `wide` are the same instructions at the end of several
//! calls that pass registers as integers in memory: to make them registers again takes LLVM up to half of its time for a
//! large kernel, and those that it makes are worse.
#![allow(non_camel_case_types)]

use crate::simd::transmute;
use crate::simd::x86::Bitwise;
use core::arch::x86_64::*;
use core::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Not, Shl, Shr, Sub};

/// `impl Trait for name`, by an expression of the registers of both operands.
macro_rules! operator {
    ($name:ident $trait:ident $method:ident |$a:ident, $b:ident $(: $other:ident)?| $body:expr) => {
        impl $trait $(<$other>)? for $name {
            type Output = Self;

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn $method(self, other: operator!(@other $($other)?)) -> Self {
                let ($a, $b) = (self, other);
                // SAFETY: the instructions of SSE2, which every CPU of this architecture has.
                #[allow(unused_unsafe)]
                unsafe { $body }
            }
        }
    };
    (@other) => { Self };
    (@other $other:ident) => { $other };
}

/// A register, comparisons and selection; masks are registers of the same type.
macro_rules! register {
    ($name:ident($reg:ident) $t:ident $n:literal: $($compare:ident |$a:ident, $b:ident| $body:expr;)*) => {
        #[derive(Debug, Clone, Copy)]
        #[repr(transparent)]
        pub(super) struct $name($reg);

        impl $name {
            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            pub(super) const fn new(lanes: [$t; $n]) -> Self {
                // SAFETY: a register is its lanes in order.
                unsafe { core::mem::transmute(lanes) }
            }

            $(
                #[cfg_attr(not(debug_assertions), inline(always))]
                #[cfg_attr(debug_assertions, inline)]
                pub(super) fn $compare(self, other: Self) -> Self {
                    let ($a, $b) = (self, other);
                    // SAFETY: the instructions of SSE2.
                    #[allow(unused_unsafe)]
                    unsafe { $body }
                }
            )*
        }
    };
}

macro_rules! floats {
    ($($name:ident($reg:ident) $t:ident $n:literal: $add:ident $sub:ident $mul:ident $div:ident
        $eq:ident $ne:ident $lt:ident $le:ident $gt:ident $ge:ident $min:ident $max:ident $sqrt:ident
        $and:ident $and_not:ident $or:ident;)*) => {$(
        register! { $name($reg) $t $n:
            simd_eq |a, b| Self($eq(a.0, b.0));
            simd_ne |a, b| Self($ne(a.0, b.0));
            simd_lt |a, b| Self($lt(a.0, b.0));
            simd_le |a, b| Self($le(a.0, b.0));
            simd_gt |a, b| Self($gt(a.0, b.0));
            simd_ge |a, b| Self($ge(a.0, b.0));
            fast_min |a, b| Self($min(a.0, b.0));
            fast_max |a, b| Self($max(a.0, b.0));
        }
        operator! { $name Add add |a, b| Self($add(a.0, b.0)) }
        operator! { $name Sub sub |a, b| Self($sub(a.0, b.0)) }
        operator! { $name Mul mul |a, b| Self($mul(a.0, b.0)) }
        operator! { $name Div div |a, b| Self($div(a.0, b.0)) }

        impl $name {
            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            pub(super) fn select(self, a: Self, b: Self) -> Self {
                // SAFETY: the instructions of SSE2.
                unsafe { Self($or($and(self.0, a.0), $and_not(self.0, b.0))) }
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            pub(super) fn sqrt(self) -> Self {
                // SAFETY: the instruction of SSE2.
                unsafe { Self($sqrt(self.0)) }
            }
        }
    )*};
}

floats! {
    f32x4(__m128) f32 4: _mm_add_ps _mm_sub_ps _mm_mul_ps _mm_div_ps
        _mm_cmpeq_ps _mm_cmpneq_ps _mm_cmplt_ps _mm_cmple_ps _mm_cmpgt_ps _mm_cmpge_ps _mm_min_ps _mm_max_ps _mm_sqrt_ps
        _mm_and_ps _mm_andnot_ps _mm_or_ps;
    f64x2(__m128d) f64 2: _mm_add_pd _mm_sub_pd _mm_mul_pd _mm_div_pd
        _mm_cmpeq_pd _mm_cmpneq_pd _mm_cmplt_pd _mm_cmple_pd _mm_cmpgt_pd _mm_cmpge_pd _mm_min_pd _mm_max_pd _mm_sqrt_pd
        _mm_and_pd _mm_andnot_pd _mm_or_pd;
}

impl f32x4 {
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    pub(super) fn from_i32x4(a: i32x4) -> Self {
        // SAFETY: the instruction of SSE2.
        unsafe { Self(_mm_cvtepi32_ps(a.0)) }
    }

    /// As `as` does: NaN becomes 0 and what is too large the largest. The instruction has the least for both.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    pub(super) fn trunc_int(self) -> i32x4 {
        // SAFETY: the instructions of SSE2.
        unsafe {
            let number = _mm_and_ps(self.0, _mm_cmpord_ps(self.0, self.0));
            let is_large = _mm_cmpge_ps(self.0, _mm_set1_ps(2_147_483_648.0));
            i32x4(_mm_cvttps_epi32(number).xor(_mm_castps_si128(is_large)))
        }
    }
}

/// What SSE2 lacks, lane by lane: LLVM makes vectors of it again, and of products of small numbers cheaper ones.
macro_rules! by_lanes {
    ($a:ident $b:ident $method:ident [$($lane:literal)*]) => {{
        let (a, b) = ($a.to_array(), $b.to_array());
        Self::new([$(a[$lane].$method(b[$lane] as _)),*])
    }};
}

/// Integers. Unsigned ones are in the order of signed ones once the bits of their signs are changed.
macro_rules! ints {
    ($($name:ident($t:ident) $n:literal $lanes:tt by $counts:ident:
        $add:ident $sub:ident $eq:ident $above:ident $set:ident $(bits $bits:ident)?;)*) => {$(
        register! { $name(__m128i) $t $n:
            simd_eq |a, b| Self($eq(a.0, b.0));
            simd_ne |a, b| !a.simd_eq(b);
            simd_lt |a, b| b.simd_gt(a);
            simd_le |a, b| !a.simd_gt(b);
            simd_gt |a, b| match $t::MIN {
                0 => {
                    let sign = Self::splat(1 << ($t::BITS - 1));
                    Self($above((a ^ sign).0, (b ^ sign).0))
                }
                _ => Self($above(a.0, b.0)),
            };
            simd_ge |a, b| !b.simd_gt(a);
        }
        operator! { $name Add add |a, b| Self($add(a.0, b.0)) }
        operator! { $name Sub sub |a, b| Self($sub(a.0, b.0)) }
        operator! { $name Mul mul |a, b| by_lanes!(a b wrapping_mul $lanes) }
        operator! { $name BitAnd bitand |a, b| Self(a.0.and(b.0)) }
        operator! { $name BitOr bitor |a, b| Self(a.0.or(b.0)) }
        operator! { $name BitXor bitxor |a, b| Self(a.0.xor(b.0)) }
        operator! { $name Shl shl |a, counts: $counts| by_lanes!(a counts wrapping_shl $lanes) }
        operator! { $name Shr shr |a, counts: $counts| by_lanes!(a counts wrapping_shr $lanes) }

        impl Not for $name {
            type Output = Self;

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn not(self) -> Self {
                self ^ Self::splat(!0)
            }
        }

        impl $name {
            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            pub(super) fn splat(value: $t) -> Self {
                // SAFETY: the instructions of SSE2.
                unsafe { Self($set(value as _)) }
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            pub(super) const fn to_array(self) -> [$t; $n] {
                // SAFETY: a register is its lanes in order.
                unsafe { core::mem::transmute(self) }
            }

            $(
                #[cfg_attr(not(debug_assertions), inline(always))]
                #[cfg_attr(debug_assertions, inline)]
                pub(super) fn to_bitmask(self) -> u32 {
                    // SAFETY: the instructions of SSE2; registers of numbers are as large.
                    unsafe { $bits(transmute(self)) as u32 }
                }
            )?

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            pub(super) fn select(self, a: Self, b: Self) -> Self {
                // SAFETY: the instructions of SSE2.
                unsafe { Self(self.0.and(a.0).or(_mm_andnot_si128(self.0, b.0))) }
            }
        }
    )*};
}

ints! {
    i32x4(i32) 4 [0 1 2 3] by u32x4: _mm_add_epi32 _mm_sub_epi32 _mm_cmpeq_epi32 _mm_cmpgt_epi32
        _mm_set1_epi32 bits _mm_movemask_ps;
    u32x4(u32) 4 [0 1 2 3] by u32x4: _mm_add_epi32 _mm_sub_epi32 _mm_cmpeq_epi32 _mm_cmpgt_epi32
        _mm_set1_epi32;
    i64x2(i64) 2 [0 1] by u64x2: _mm_add_epi64 _mm_sub_epi64 is_equal_quad is_above_quad
        _mm_set1_epi64x bits _mm_movemask_pd;
    u64x2(u64) 2 [0 1] by u64x2: _mm_add_epi64 _mm_sub_epi64 is_equal_quad is_above_quad
        _mm_set1_epi64x;
}

/// Whether both halves of 64 bits are equal.
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
unsafe fn is_equal_quad(a: __m128i, b: __m128i) -> __m128i {
    // SAFETY: the instructions of SSE2.
    unsafe {
        let halves = _mm_cmpeq_epi32(a, b);
        halves.and(_mm_shuffle_epi32::<0b10110001>(halves))
    }
}

/// Whether the upper half is greater or, where both are equal, the lower one: then `b − a` borrows.
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
unsafe fn is_above_quad(a: __m128i, b: __m128i) -> __m128i {
    // SAFETY: the instructions of SSE2.
    unsafe {
        let borrows = _mm_cmpeq_epi32(a, b).and(_mm_sub_epi64(b, a));
        _mm_shuffle_epi32::<0b11110101>(_mm_cmpgt_epi32(a, b).or(borrows))
    }
}
