//! Scalar operations, which mean the same on all targets.

use crate::simd::{Float, Int, Simd};

#[test]
fn integers_wrap_and_divide_by_anything() {
    assert_eq!(Simd::add(i32::MAX, 1), i32::MIN);
    assert_eq!(Simd::sub(0u8, 1), 255);
    assert_eq!(Simd::mul(200u8, 2), 144);
    assert_eq!(Simd::neg(i8::MIN), i8::MIN);
    assert_eq!(Simd::abs(i8::MIN), i8::MIN);
    assert_eq!(Simd::abs(200u8), 200);
    assert_eq!(Simd::div(7, 0), 0);
    assert_eq!(Simd::rem(7, 0), 7);
    assert_eq!(Simd::div(i64::MIN, -1), i64::MIN);
    assert_eq!(Simd::rem(i64::MIN, -1), 0);
    assert_eq!(Simd::rem(-7, 3), -1);
    assert_eq!(Int::shl(1u8, 9), 2);
    assert_eq!(Int::shr(-8i32, 33), -4);
    assert_eq!(Int::shl(1i32, -1), i32::MIN);
}

#[test]
fn least_and_greatest_are_comparisons() {
    assert!(Simd::min(1.0, f32::NAN).is_nan());
    assert_eq!(Simd::min(f32::NAN, 1.0), 1.0);
    assert_eq!(Simd::max(f64::NAN, 1.0), 1.0);
    assert!(Simd::min(-0.0f32, 0.0).is_sign_positive());
    assert!(Simd::max(0.0f32, -0.0).is_sign_negative());
}

#[test]
fn casts_are_those_of_rust() {
    assert_eq!(Simd::cast::<u8>(300.7f32), 255);
    assert_eq!(Simd::cast::<i8>(f64::NAN), 0);
    assert_eq!(Simd::cast::<u8>(-1i32), 255);
    assert_eq!(Simd::cast::<f32>(u64::MAX), 18446744073709551616.0);
    assert_eq!(Simd::cast::<i32>(-3.9f32), -3);
}

#[test]
fn rounding_is_away_from_zero() {
    assert_eq!(Float::round(2.5f32), 3.0);
    assert_eq!(Float::round(-2.5f64), -3.0);
    assert_eq!(Float::floor(-0.5f32), -1.0);
    assert_eq!(Float::fma(1.0 + f32::EPSILON, 1.0 - f32::EPSILON, -1.0), -f32::EPSILON * f32::EPSILON);
}
