//! Conversions of 4 lanes: bytes and words, and `f64`, of which 4 are two registers.

use crate::simd::scalar::kind;
use crate::simd::x86::{Bitwise, Part};
use crate::simd::{Element, Simd, transmute};
use core::arch::x86_64::*;

/// 8 and 16 bits to 32: they go to the upper end of each lane and are shifted down.
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
pub(super) unsafe fn widen<A: Simd>(a: A) -> __m128i {
    unsafe {
        let zero = _mm_setzero_si128();
        match A::Elem::KIND {
            kind::I8 | kind::U8 => {
                let bytes = i32::into_register(transmute(a));
                let words = _mm_unpacklo_epi8(zero, bytes);
                let high = _mm_unpacklo_epi16(zero, words);
                if A::Elem::KIND == kind::I8 {
                    _mm_srai_epi32::<24>(high)
                } else {
                    _mm_srli_epi32::<24>(high)
                }
            }
            _ => {
                let high = _mm_unpacklo_epi16(zero, i64::into_register(transmute(a)));
                if A::Elem::KIND == kind::I16 {
                    _mm_srai_epi32::<16>(high)
                } else {
                    _mm_srli_epi32::<16>(high)
                }
            }
        }
    }
}

/// 32 bits to the low 8 or 16.
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
pub(super) unsafe fn narrow<B: Simd>(a: __m128i) -> B {
    unsafe {
        match B::Elem::KIND {
            kind::I8 | kind::U8 => {
                let bytes = a.and(_mm_set1_epi32(0xff));
                let words = _mm_packs_epi32(bytes, bytes);
                transmute(i32::of_register(_mm_packus_epi16(words, words)))
            }
            _ => {
                // As signed words, which the instruction leaves as they are.
                let words = _mm_srai_epi32::<16>(_mm_slli_epi32::<16>(a));
                transmute(i64::of_register(_mm_packs_epi32(words, words)))
            }
        }
    }
}

#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
pub(super) unsafe fn f32_to_f64(a: __m128) -> [__m128d; 2] {
    unsafe { [_mm_cvtps_pd(a), _mm_cvtps_pd(_mm_movehl_ps(a, a))] }
}

#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
pub(super) unsafe fn f64_to_f32([a, b]: [__m128d; 2]) -> __m128 {
    unsafe { _mm_movelh_ps(_mm_cvtpd_ps(a), _mm_cvtpd_ps(b)) }
}

#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
pub(super) unsafe fn i32_to_f64(a: __m128i) -> [__m128d; 2] {
    unsafe { [_mm_cvtepi32_pd(a), _mm_cvtepi32_pd(_mm_unpackhi_epi64(a, a))] }
}

/// What does not fit becomes the least integer.
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
pub(super) unsafe fn f64_to_i32([a, b]: [__m128d; 2]) -> __m128i {
    unsafe { _mm_unpacklo_epi64(_mm_cvttpd_epi32(a), _mm_cvttpd_epi32(b)) }
}
