//! Masks whose lanes are all ones or all zeros: of 32 bits, and of 64 where there are two.
//!
//! Lanes of other sizes are brought to and from these: `to_mask` and `of_mask` of the types named after them.

use super::convert::both;
use crate::dispatch::Level;
use crate::simd::narrow::by_hub;
use crate::simd::x86::{Bitwise, Blend};
use crate::simd::{Both, Mask, Simd};
use core::arch::x86_64::*;

macro_rules! masks {
    ($($name:ident($reg:ident) $n:literal of $half:ident: $splat:ident $ones:literal { $($rest:tt)* })*) => {$(
        #[doc = concat!("The mask of ", stringify!($n), " lanes.")]
        #[derive(Debug, Clone, Copy)]
        #[repr(transparent)]
        pub struct $name($reg);

        impl Mask for $name {
            type Half = $half;
            const LANES: usize = $n;
            const LEVEL: Level = Level::Avx2;

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn splat(value: bool) -> Self {
                unsafe { Self($splat(if value { $ones } else { 0 })) }
            }

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
                self.xor(Self::splat(true))
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn select(self, a: Self, b: Self) -> Self {
                Self(a.0.blend(self.0, b.0))
            }

            $($rest)*
        }
    )*};
}

masks! {
    M2(__m128i) 2 of bool: _mm_set1_epi64x -1 {
        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn halves(self) -> (bool, bool) {
            let bits = self.bits();
            (bits & 1 != 0, bits & 2 != 0)
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn join(lower: bool, upper: bool) -> Self {
            unsafe { Self(_mm_set_epi64x(-i64::from(upper), -i64::from(lower))) }
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn bits(self) -> u64 {
            unsafe { _mm_movemask_pd(_mm_castsi128_pd(self.0)) as u64 }
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn first(count: usize) -> Self {
            unsafe { Self(_mm_cmpgt_epi64(_mm_set1_epi64x(count as i64), _mm_set_epi64x(1, 0))) }
        }
    }

    M4(__m128i) 4 of M2: _mm_set1_epi32 -1 {
        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn halves(self) -> (M2, M2) {
            unsafe { (M2(_mm_cvtepi32_epi64(self.0)), M2(_mm_cvtepi32_epi64(_mm_unpackhi_epi64(self.0, self.0)))) }
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn join(lower: M2, upper: M2) -> Self {
            unsafe {
                let (lower, upper) = (_mm_castsi128_ps(lower.0), _mm_castsi128_ps(upper.0));
                Self(_mm_castps_si128(_mm_shuffle_ps::<0b10_00_10_00>(lower, upper)))
            }
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn bits(self) -> u64 {
            unsafe { _mm_movemask_ps(_mm_castsi128_ps(self.0)) as u64 }
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn from_bits(bits: u64) -> Self {
            unsafe {
                let lanes = _mm_setr_epi32(1, 2, 4, 8);
                Self(_mm_cmpeq_epi32(_mm_set1_epi32(bits as i32).and(lanes), lanes))
            }
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn first(count: usize) -> Self {
            unsafe { Self(_mm_cmpgt_epi32(_mm_set1_epi32(count as i32), _mm_setr_epi32(0, 1, 2, 3))) }
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        unsafe fn load(from: *const bool) -> Self {
            unsafe {
                let bytes = _mm_cvtsi32_si128(from.cast::<i32>().read_unaligned());
                Self(_mm_sub_epi32(_mm_setzero_si128(), _mm_cvtepu8_epi32(bytes)))
            }
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        unsafe fn store(self, to: *mut bool) {
            unsafe {
                let words = _mm_packs_epi32(self.0, self.0);
                let bytes = _mm_packs_epi16(words, words).and(_mm_set1_epi8(1));
                to.cast::<i32>().write_unaligned(_mm_cvtsi128_si32(bytes));
            }
        }

        by_hub!();
    }

    M8(__m256i) 8 of M4: _mm256_set1_epi32 -1 {
        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn halves(self) -> (M4, M4) {
            unsafe { (M4(_mm256_castsi256_si128(self.0)), M4(_mm256_extracti128_si256::<1>(self.0))) }
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn join(lower: M4, upper: M4) -> Self {
            unsafe { Self(_mm256_set_m128i(upper.0, lower.0)) }
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn bits(self) -> u64 {
            unsafe { _mm256_movemask_ps(_mm256_castsi256_ps(self.0)) as u64 }
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn from_bits(bits: u64) -> Self {
            unsafe {
                let lanes = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
                Self(_mm256_cmpeq_epi32(_mm256_set1_epi32(bits as i32).and(lanes), lanes))
            }
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn first(count: usize) -> Self {
            unsafe {
                let lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
                Self(_mm256_cmpgt_epi32(_mm256_set1_epi32(count as i32), lanes))
            }
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        unsafe fn load(from: *const bool) -> Self {
            unsafe {
                let bytes = _mm_cvtsi64_si128(from.cast::<i64>().read_unaligned());
                Self(_mm256_sub_epi32(_mm256_setzero_si256(), _mm256_cvtepu8_epi32(bytes)))
            }
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        unsafe fn store(self, to: *mut bool) {
            unsafe {
                let words = Words8::of_mask(self);
                let bytes = _mm_packs_epi16(words, words).and(_mm_set1_epi8(1));
                to.cast::<i64>().write_unaligned(_mm_cvtsi128_si64(bytes));
            }
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn convert_both<A: Simd<Mask = Both<Self>>, B: Simd<Mask = Both<Self>>>(a: A) -> B {
            both(a)
        }

        by_hub!();
    }
}

/// How lanes of a size become a mask, and a mask such lanes.
macro_rules! lanes {
    ($($name:ident($reg:ident): $mask:ty { |$a:ident| $to:expr, |$m:ident| $of:expr })*) => {$(
        pub(super) struct $name;

        impl $name {
            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            #[allow(unused_unsafe)]
            pub(super) unsafe fn to_mask($a: $reg) -> $mask {
                unsafe { $to }
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            #[allow(unused_unsafe)]
            pub(super) unsafe fn of_mask($m: $mask) -> $reg {
                unsafe { $of }
            }
        }
    )*};
}

lanes! {
    Quads2(__m128i): M2 { |a| M2(a), |m| m.0 }
    Doubles4(__m128i): M4 { |a| M4(a), |m| m.0 }
    Doubles8(__m256i): M8 { |a| M8(a), |m| m.0 }
    Quads4(__m256i): M4 {
        |a| M4::join(M2(_mm256_castsi256_si128(a)), M2(_mm256_extracti128_si256::<1>(a))),
        |m| _mm256_cvtepi32_epi64(m.0)
    }
    Words8(__m128i): M8 {
        |a| M8(_mm256_cvtepi16_epi32(a)),
        |m| { let (lower, upper) = m.halves(); _mm_packs_epi32(lower.0, upper.0) }
    }
    Words16(__m256i): Both<M8> {
        |a| Both::join(
            Words8::to_mask(_mm256_castsi256_si128(a)),
            Words8::to_mask(_mm256_extracti128_si256::<1>(a)),
        ),
        |m| { let (lower, upper) = m.halves(); _mm256_set_m128i(Words8::of_mask(upper), Words8::of_mask(lower)) }
    }
    Bytes16(__m128i): Both<M8> {
        |a| Both::join(
            M8(_mm256_cvtepi8_epi32(a)),
            M8(_mm256_cvtepi8_epi32(_mm_unpackhi_epi64(a, a))),
        ),
        |m| { let (lower, upper) = m.halves(); _mm_packs_epi16(Words8::of_mask(lower), Words8::of_mask(upper)) }
    }
    Bytes32(__m256i): Both<Both<M8>> {
        |a| Both::join(
            Bytes16::to_mask(_mm256_castsi256_si128(a)),
            Bytes16::to_mask(_mm256_extracti128_si256::<1>(a)),
        ),
        |m| { let (lower, upper) = m.halves(); _mm256_set_m128i(Bytes16::of_mask(upper), Bytes16::of_mask(lower)) }
    }
}
