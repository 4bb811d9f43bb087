//! Logarithms: the exponent, and a polynomial in `s = f / (2 + f)` for a significand `1 + f` near 1.

use super::number::{Number, polynomial};
use crate::simd::{Float, Int, Mask, Simd};

/// A number as `2^k · (1 + f)` with `1 + f` from `√½` to `√2`; of subnormal numbers the scaled exponent.
#[inline(always)]
pub(super) fn parts_f32<V: Float<Elem = f32>>(x: V) -> (Number<V>, Number<V>) {
    const SQRT_HALF: u32 = 0x3f3504f3;
    let tiny = x.lt(V::splat(f32::MIN_POSITIVE));
    let x = V::select(tiny, x.mul(V::splat(33554432.0)), x);
    let bias = V::select(tiny, V::splat(-25.0 - 127.0), V::splat(-127.0));
    let bits = x.to_bits().add(V::Bits::splat(0x3f800000 - SQRT_HALF));
    // The exponent as a float, by way of the low bits of 2^23.
    let exponent =
        V::from_bits(bits.shr(V::Bits::splat(23)).and(V::Bits::splat(0xff)).or(V::Bits::splat(0x4b000000)));
    let k = Number(exponent) - Number::of(8388608.0) + Number(bias);
    let significand = V::from_bits(bits.and(V::Bits::splat(0x007fffff)).add(V::Bits::splat(SQRT_HALF)));
    (k, Number(significand) - Number::of(1.0))
}

#[inline(always)]
fn parts_f64<V: Float<Elem = f64>>(x: V) -> (Number<V>, Number<V>) {
    const SQRT_HALF: u64 = 0x3fe6a09e667f3bcd;
    let tiny = x.lt(V::splat(f64::MIN_POSITIVE));
    let x = V::select(tiny, x.mul(V::splat(18014398509481984.0)), x);
    let bias = V::select(tiny, V::splat(-54.0 - 1023.0), V::splat(-1023.0));
    let bits = x.to_bits().add(V::Bits::splat(0x3ff0000000000000 - SQRT_HALF));
    let low = bits.shr(V::Bits::splat(52)).and(V::Bits::splat(0x7ff));
    let exponent = V::from_bits(low.or(V::Bits::splat(0x4330000000000000)));
    let k = Number(exponent) - Number::of(4503599627370496.0) + Number(bias);
    let significand =
        V::from_bits(bits.and(V::Bits::splat(0x000fffffffffffff)).add(V::Bits::splat(SQRT_HALF)));
    (k, Number(significand) - Number::of(1.0))
}

/// `s` and `R` of `ln(1 + f) = f − (f²/2 − s·(f²/2 + R))`.
#[inline(always)]
fn series_f32<V: Float<Elem = f32>>(f: Number<V>) -> (Number<V>, Number<V>) {
    let s = f / (Number::of(2.0) + f);
    let z = s * s;
    (s, z * polynomial!(z; 0.6666666269302368, 0.40000972151756287, 0.28498786687850952, 0.24279078841209412))
}

#[inline(always)]
fn series_f64<V: Float<Elem = f64>>(f: Number<V>) -> (Number<V>, Number<V>) {
    let s = f / (Number::of(2.0) + f);
    let z = s * s;
    let r = polynomial!(z; 6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01,
        2.222219843214978396e-01, 1.818357216161805012e-01, 1.531383769920937332e-01, 1.479819860511658591e-01);
    (s, z * r)
}

/// The logarithm computed for a positive number, or what is due for zero, infinity, NaN and negative numbers.
#[inline(always)]
fn completed<V: Float>(x: V, result: Number<V>, nan: V::Elem, infinity: V::Elem) -> V {
    let zero = V::splat(<V::Elem as crate::simd::Element>::ZERO);
    let infinity = V::splat(infinity);
    // Negative numbers and NaN fail the comparison.
    let result =
        V::select(x.ge(zero).and(x.ne(infinity)), result.0, V::select(x.eq(infinity), x, V::splat(nan)));
    x.if_eq(zero, infinity.neg(), result)
}

#[inline(always)]
pub(in crate::simd) fn ln_f32<V: Float<Elem = f32>>(x: V) -> V {
    let (k, f) = parts_f32(x);
    let (s, r) = series_f32(f);
    let half = Number::of(0.5) * f * f;
    let low = s * (half + r) + k * Number::of(9.0580006145e-06);
    completed(x, k * Number::of(6.9313812256e-01) - ((half - low) - f), f32::NAN, f32::INFINITY)
}

#[inline(always)]
pub(in crate::simd) fn ln_f64<V: Float<Elem = f64>>(x: V) -> V {
    let (k, f) = parts_f64(x);
    let (s, r) = series_f64(f);
    let half = Number::of(0.5) * f * f;
    let low = s * (half + r) + k * Number::of(1.90821492927058770002e-10);
    completed(x, k * Number::of(6.93147180369123816490e-01) - ((half - low) - f), f64::NAN, f64::INFINITY)
}

#[inline(always)]
pub(in crate::simd) fn log2_f32<V: Float<Elem = f32>>(x: V) -> V {
    const HIGH: f32 = 1.4428710938e+00;
    const LOW: f32 = -1.7605285393e-04;
    let (k, f) = parts_f32(x);
    let (s, r) = series_f32(f);
    let half = Number::of(0.5) * f * f;
    let high = (f - half).head(0xfffff000);
    let low = (f - high) - half + s * (half + r);
    let result = (low + high) * Number::of(LOW) + low * Number::of(HIGH) + high * Number::of(HIGH) + k;
    completed(x, result, f32::NAN, f32::INFINITY)
}

#[inline(always)]
pub(in crate::simd) fn log2_f64<V: Float<Elem = f64>>(x: V) -> V {
    const HIGH: f64 = 1.44269504072144627571e+00;
    const LOW: f64 = 1.67517131648865118353e-10;
    let (k, f) = parts_f64(x);
    let (s, r) = series_f64(f);
    let half = Number::of(0.5) * f * f;
    let high = (f - half).head(0xffffffff00000000);
    let low = (f - high) - half + s * (half + r);
    let value = high * Number::of(HIGH);
    let rest = (low + high) * Number::of(LOW) + low * Number::of(HIGH);
    let sum = k + value;
    let result = rest + ((k - sum) + value) + sum;
    completed(x, result, f64::NAN, f64::INFINITY)
}
