//! Conversions of 4 and 8 lanes. Those between floats and 64 bit integers are left to scalars.

use super::{Avx2, M4, M8};
use crate::simd::convert::*;
use crate::simd::mask::convert_halves;
use crate::simd::scalar::kind;
use crate::simd::x86::{Bitwise, Part, hub_types, small, steps};
use crate::simd::{Both, Element, Simd, transmute};
use core::arch::x86_64::*;

impl Hub for M8 {
    hub_types!(Avx2 8);
    small!(i64 __m128i: _mm256_cvtepi8_epi32 _mm256_cvtepu8_epi32 _mm256_cvtepi16_epi32 _mm256_cvtepu16_epi32
        bytes_of_8 words_of_8);

    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn words<A: Simd<Mask = Self>, B: Simd<Mask = Self>>(a: A) -> B {
        // SAFETY: the CPU has the instructions; vectors of a type and a width have one layout.
        unsafe {
            let bytes = i64::into_register(transmute(a));
            transmute(if A::Elem::KIND == kind::I8 {
                _mm_cvtepi8_epi16(bytes)
            } else {
                _mm_cvtepu8_epi16(bytes)
            })
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn bytes<A: Simd<Mask = Self>, B: Simd<Mask = Self>>(a: A) -> B {
        // SAFETY: as above.
        unsafe {
            let words: __m128i = transmute(a);
            let words = words.and(_mm_set1_epi16(0xff));
            transmute(i64::of_register(_mm_packus_epi16(words, words)))
        }
    }

    steps! {
        f32_to_i32(a: F32) -> I32 = saturated(a, -(i32::MIN as f32), transmute(_mm256_cvttps_epi32(transmute(a))));
        f32_to_u32(a: F32) -> U32 = f32_to_u32_by_i32::<Self>(a);
        i32_to_f32(a: I32) -> F32 = transmute(_mm256_cvtepi32_ps(transmute(a)));
        u32_to_f32(a: U32) -> F32 = u32_to_f32_by_words::<Self>(a);
    }
}

impl Hub for M4 {
    hub_types!(Avx2 4);
    small!(i32 i64: _mm_cvtepi8_epi32 _mm_cvtepu8_epi32 _mm_cvtepi16_epi32 _mm_cvtepu16_epi32
        bytes_of_4 words_of_4);
    steps! {
        f32_to_f64(a: F32) -> F64 = transmute(_mm256_cvtps_pd(transmute(a)));
        f32_to_i32(a: F32) -> I32 = saturated(a, -(i32::MIN as f32), transmute(_mm_cvttps_epi32(transmute(a))));
        f32_to_u32(a: F32) -> U32 = f32_to_u32_by_i32::<Self>(a);
        f64_to_f32(a: F64) -> F32 = transmute(_mm256_cvtpd_ps(transmute(a)));
        f64_to_i32(a: F64) -> I32 = saturated(a, -f64::from(i32::MIN), transmute(_mm256_cvttpd_epi32(transmute(a))));
        f64_to_u32(a: F64) -> U32 = f64_to_u32_by_bits::<Self>(a);
        i32_to_f32(a: I32) -> F32 = transmute(_mm_cvtepi32_ps(transmute(a)));
        i32_to_f64(a: I32) -> F64 = transmute(_mm256_cvtepi32_pd(transmute(a)));
        i32_to_i64(a: I32) -> I64 = transmute(_mm256_cvtepi32_epi64(transmute(a)));
        i64_to_i32(a: I64) -> I32 = transmute(low_halves(transmute(a)));
        u32_to_f32(a: U32) -> F32 = u32_to_f32_by_words::<Self>(a);
        u32_to_f64(a: U32) -> F64 = u32_to_f64_by_bits::<Self>(a);
        u32_to_u64(a: U32) -> U64 = transmute(_mm256_cvtepu32_epi64(transmute(a)));
    }
}

/// Conversions of 16 lanes: those of 8 and 16 bits are one register, all others two.
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
pub(super) fn both<A: Simd<Mask = Both<M8>>, B: Simd<Mask = Both<M8>>>(a: A) -> B {
    // SAFETY: the CPU has the instructions; each arm is for the types that their sizes and kinds name.
    unsafe {
        match (size_of::<A::Elem>(), size_of::<B::Elem>()) {
            (1, 2) if A::Elem::KIND == kind::I8 => transmute(_mm256_cvtepi8_epi16(transmute(a))),
            (1, 2) => transmute(_mm256_cvtepu8_epi16(transmute(a))),
            (2, 1) => {
                let words = transmute::<A, __m256i>(a).and(_mm256_set1_epi16(0xff));
                let (lower, upper) = (_mm256_castsi256_si128(words), _mm256_extracti128_si256::<1>(words));
                transmute(_mm_packus_epi16(lower, upper))
            }
            (1, 1) | (2, 2) => transmute(a),
            _ => convert_halves::<Both<M8>, A, B>(a),
        }
    }
}

/// The low words of 8 lanes.
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
unsafe fn words_of_8(a: __m256i) -> __m128i {
    unsafe {
        let words = a.and(_mm256_set1_epi32(0xffff));
        _mm_packus_epi32(_mm256_castsi256_si128(words), _mm256_extracti128_si256::<1>(words))
    }
}

/// The low bytes of 8 lanes.
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
unsafe fn bytes_of_8(a: __m256i) -> __m128i {
    unsafe {
        let bytes = a.and(_mm256_set1_epi32(0xff));
        let words = _mm_packus_epi32(_mm256_castsi256_si128(bytes), _mm256_extracti128_si256::<1>(bytes));
        _mm_packus_epi16(words, words)
    }
}

/// The low words of 4 lanes.
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
unsafe fn words_of_4(a: __m128i) -> __m128i {
    unsafe {
        let words = a.and(_mm_set1_epi32(0xffff));
        _mm_packus_epi32(words, words)
    }
}

/// The low bytes of 4 lanes.
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
unsafe fn bytes_of_4(a: __m128i) -> __m128i {
    unsafe {
        let bytes = a.and(_mm_set1_epi32(0xff));
        let words = _mm_packus_epi32(bytes, bytes);
        _mm_packus_epi16(words, words)
    }
}

/// The low halves of 4 lanes of 64 bits.
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
unsafe fn low_halves(a: __m256i) -> __m128i {
    unsafe {
        let (low, high) = (_mm256_castsi256_si128(a), _mm256_extracti128_si256::<1>(a));
        let (low, high) = (_mm_castsi128_ps(low), _mm_castsi128_ps(high));
        _mm_castps_si128(_mm_shuffle_ps::<0b10_00_10_00>(low, high))
    }
}
