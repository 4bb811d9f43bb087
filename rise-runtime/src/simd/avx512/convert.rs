//! Conversions of 4, 8 and 16 lanes.

use super::{Avx512, K4, K8, K16};
use crate::simd::convert::{Hub, saturated};
use crate::simd::scalar::kind;
use crate::simd::x86::{Part, hub_types, small, steps};
use crate::simd::{Element, Simd, transmute};
use core::arch::x86_64::*;

impl Hub for K16 {
    hub_types!(Avx512 16);
    small!(__m128i __m256i: _mm512_cvtepi8_epi32 _mm512_cvtepu8_epi32 _mm512_cvtepi16_epi32 _mm512_cvtepu16_epi32
        _mm512_cvtepi32_epi8 _mm512_cvtepi32_epi16);
    steps! {
        f32_to_i32(a: F32) -> I32 = saturated(a, -(i32::MIN as f32), transmute(_mm512_cvttps_epi32(transmute(a))));
        f32_to_u32(a: F32) -> U32 = transmute(_mm512_cvttps_epu32(transmute(a.max(Self::F32::splat(0.0)))));
        i32_to_f32(a: I32) -> F32 = transmute(_mm512_cvtepi32_ps(transmute(a)));
        u32_to_f32(a: U32) -> F32 = transmute(_mm512_cvtepu32_ps(transmute(a)));
    }
}

impl Hub for K8 {
    hub_types!(Avx512 8);
    small!(i64 __m128i: _mm256_cvtepi8_epi32 _mm256_cvtepu8_epi32 _mm256_cvtepi16_epi32 _mm256_cvtepu16_epi32
        _mm256_cvtepi32_epi8 _mm256_cvtepi32_epi16);
    steps! {
        f32_to_f64(a: F32) -> F64 = transmute(_mm512_cvtps_pd(transmute(a)));
        f32_to_i32(a: F32) -> I32 = saturated(a, -(i32::MIN as f32), transmute(_mm256_cvttps_epi32(transmute(a))));
        f32_to_u32(a: F32) -> U32 = transmute(_mm256_cvttps_epu32(transmute(a.max(Self::F32::splat(0.0)))));
        f64_to_f32(a: F64) -> F32 = transmute(_mm512_cvtpd_ps(transmute(a)));
        f64_to_i32(a: F64) -> I32 = saturated(a, -f64::from(i32::MIN), transmute(_mm512_cvttpd_epi32(transmute(a))));
        f64_to_i64(a: F64) -> I64 = saturated(a, -(i64::MIN as f64), transmute(_mm512_cvttpd_epi64(transmute(a))));
        f64_to_u32(a: F64) -> U32 = transmute(_mm512_cvttpd_epu32(transmute(a.max(Self::F64::splat(0.0)))));
        f64_to_u64(a: F64) -> U64 = transmute(_mm512_cvttpd_epu64(transmute(a.max(Self::F64::splat(0.0)))));
        i32_to_f32(a: I32) -> F32 = transmute(_mm256_cvtepi32_ps(transmute(a)));
        i32_to_f64(a: I32) -> F64 = transmute(_mm512_cvtepi32_pd(transmute(a)));
        i32_to_i64(a: I32) -> I64 = transmute(_mm512_cvtepi32_epi64(transmute(a)));
        i64_to_f32(a: I64) -> F32 = transmute(_mm512_cvtepi64_ps(transmute(a)));
        i64_to_f64(a: I64) -> F64 = transmute(_mm512_cvtepi64_pd(transmute(a)));
        i64_to_i32(a: I64) -> I32 = transmute(_mm512_cvtepi64_epi32(transmute(a)));
        u32_to_f32(a: U32) -> F32 = Self::f64_to_f32(Self::u32_to_f64(a));
        u32_to_f64(a: U32) -> F64 = transmute(_mm512_cvtepu32_pd(transmute(a)));
        u32_to_u64(a: U32) -> U64 = transmute(_mm512_cvtepu32_epi64(transmute(a)));
        u64_to_f32(a: U64) -> F32 = transmute(_mm512_cvtepu64_ps(transmute(a)));
        u64_to_f64(a: U64) -> F64 = transmute(_mm512_cvtepu64_pd(transmute(a)));
    }
}

impl Hub for K4 {
    hub_types!(Avx512 4);
    small!(i32 i64: _mm_cvtepi8_epi32 _mm_cvtepu8_epi32 _mm_cvtepi16_epi32 _mm_cvtepu16_epi32
        _mm_cvtepi32_epi8 _mm_cvtepi32_epi16);
    steps! {
        f32_to_f64(a: F32) -> F64 = transmute(_mm256_cvtps_pd(transmute(a)));
        f32_to_i32(a: F32) -> I32 = saturated(a, -(i32::MIN as f32), transmute(_mm_cvttps_epi32(transmute(a))));
        f32_to_u32(a: F32) -> U32 = transmute(_mm_cvttps_epu32(transmute(a.max(Self::F32::splat(0.0)))));
        f64_to_f32(a: F64) -> F32 = transmute(_mm256_cvtpd_ps(transmute(a)));
        f64_to_i32(a: F64) -> I32 = saturated(a, -f64::from(i32::MIN), transmute(_mm256_cvttpd_epi32(transmute(a))));
        f64_to_i64(a: F64) -> I64 = saturated(a, -(i64::MIN as f64), transmute(_mm256_cvttpd_epi64(transmute(a))));
        f64_to_u32(a: F64) -> U32 = transmute(_mm256_cvttpd_epu32(transmute(a.max(Self::F64::splat(0.0)))));
        f64_to_u64(a: F64) -> U64 = transmute(_mm256_cvttpd_epu64(transmute(a.max(Self::F64::splat(0.0)))));
        i32_to_f32(a: I32) -> F32 = transmute(_mm_cvtepi32_ps(transmute(a)));
        i32_to_f64(a: I32) -> F64 = transmute(_mm256_cvtepi32_pd(transmute(a)));
        i32_to_i64(a: I32) -> I64 = transmute(_mm256_cvtepi32_epi64(transmute(a)));
        i64_to_f32(a: I64) -> F32 = transmute(_mm256_cvtepi64_ps(transmute(a)));
        i64_to_f64(a: I64) -> F64 = transmute(_mm256_cvtepi64_pd(transmute(a)));
        i64_to_i32(a: I64) -> I32 = transmute(_mm256_cvtepi64_epi32(transmute(a)));
        u32_to_f32(a: U32) -> F32 = Self::f64_to_f32(Self::u32_to_f64(a));
        u32_to_f64(a: U32) -> F64 = transmute(_mm256_cvtepu32_pd(transmute(a)));
        u32_to_u64(a: U32) -> U64 = transmute(_mm256_cvtepu32_epi64(transmute(a)));
        u64_to_f32(a: U64) -> F32 = transmute(_mm256_cvtepu64_ps(transmute(a)));
        u64_to_f64(a: U64) -> F64 = transmute(_mm256_cvtepu64_pd(transmute(a)));
    }
}
