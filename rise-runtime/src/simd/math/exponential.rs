//! `e^x` and `2^x`: a power of two times a polynomial on `±ln 2 / 2`.

use super::number::{Number, choose, polynomial};
use crate::simd::{Element, Float, Int, Simd};

/// Adding this rounds to a whole number and leaves it in the low bits: `1.5·2^23`.
const ROUND_F32: f32 = 12582912.0;
/// `1.5·2^52`.
const ROUND_F64: f64 = 6755399441055744.0;

/// `e^r` for `|r|` up to half of `ln 2`.
#[inline(always)]
fn near_zero_f32<V: Float<Elem = f32>>(r: Number<V>) -> Number<V> {
    let q = polynomial!(r; 0.5, 0.16666576666119928, 0.04166655421298415, 0.008363232883682618, 0.0013926250831497611);
    Number::of(1.0) + (r + r * r * q)
}

/// `e^r` for `|r|` up to half of `ln 2`.
#[inline(always)]
fn near_zero_f64<V: Float<Elem = f64>>(r: Number<V>) -> Number<V> {
    let q = polynomial!(r; 0.5000000000000001, 0.16666666666666669, 0.041666666666623824, 0.008333333333330039,
        0.0013888888917367081, 0.00019841269863171557, 2.4801521057868204e-05, 2.7557268275906696e-06,
        2.7620201591031547e-07, 2.5100472505694996e-08);
    Number::of(1.0) + (r + r * r * q)
}

/// `x·2^n` for `n` from −250 to 250. `rounded` holds `n` in its low bits.
#[inline(always)]
fn scaled_f32<V: Float<Elem = f32>>(x: Number<V>, (n, rounded): (Number<V>, Number<V>)) -> Number<V> {
    match x.0.scaled(n.0, rounded.0) {
        Some(scaled) => Number(scaled),
        None => Number(scaled_by_bits_f32(x.0, rounded.0)),
    }
}

/// The same in two steps that are exact but for the last rounding.
#[inline(always)]
pub(in crate::simd) fn scaled_by_bits_f32<V: Float<Elem = f32>>(x: V, rounded: V) -> V {
    let n = rounded.to_bits().sub(V::Bits::splat(ROUND_F32.to_bits() - 256));
    let half = n.shr(V::Bits::splat(1));
    (Number(x) * power_f32(half) * power_f32(n.sub(half))).0
}

/// `2^(n − 128)`.
#[inline(always)]
fn power_f32<V: Float<Elem = f32>>(n: V::Bits) -> Number<V> {
    Number(V::from_bits(n.sub(V::Bits::splat(1)).shl(V::Bits::splat(23))))
}

/// `x·2^n` for `n` from −2000 to 2000. `rounded` holds `n` in its low bits.
#[inline(always)]
pub(super) fn scaled_f64<V: Float<Elem = f64>>(
    x: Number<V>,
    (n, rounded): (Number<V>, Number<V>),
) -> Number<V> {
    match x.0.scaled(n.0, rounded.0) {
        Some(scaled) => Number(scaled),
        None => Number(scaled_by_bits_f64(x.0, rounded.0)),
    }
}

/// The same in two steps that are exact but for the last rounding.
#[inline(always)]
pub(in crate::simd) fn scaled_by_bits_f64<V: Float<Elem = f64>>(x: V, rounded: V) -> V {
    let n = rounded.to_bits().sub(V::Bits::splat(ROUND_F64.to_bits() - 2048));
    let half = n.shr(V::Bits::splat(1));
    (Number(x) * power_f64(half) * power_f64(n.sub(half))).0
}

/// `2^(n − 1024)`.
#[inline(always)]
fn power_f64<V: Float<Elem = f64>>(n: V::Bits) -> Number<V> {
    Number(V::from_bits(n.sub(V::Bits::splat(1)).shl(V::Bits::splat(52))))
}

/// A number rounded to a whole one, that as a float, and its bits for `scaled`.
#[inline(always)]
pub(super) fn whole_f64<V: Float<Elem = f64>>(x: Number<V>) -> (Number<V>, Number<V>) {
    let rounded = x + Number::of(ROUND_F64);
    (rounded - Number::of(ROUND_F64), rounded)
}

#[inline(always)]
fn whole_f32<V: Float<Elem = f32>>(x: Number<V>) -> (Number<V>, Number<V>) {
    let rounded = x + Number::of(ROUND_F32);
    (rounded - Number::of(ROUND_F32), rounded)
}

/// Where a number is below what gives more than 0, and what the function is computed of: 0 there, since what underflows
/// takes a CPU hundreds of steps, and else no more than what overflows. NaN is not below, and stays, as second operand.
#[inline(always)]
pub(super) fn bounded<V: Float>(x: V, low: V::Elem, high: V::Elem) -> (V::Mask, Number<V>) {
    let below = x.lt(V::splat(low));
    (below, Number(zero_where(below, V::splat(high).min(x))))
}

/// A value, or 0.
#[inline(always)]
pub(super) fn zero_where<V: Float>(mask: V::Mask, value: V) -> V {
    choose(mask, V::splat(<V::Elem as Element>::ZERO), value)
}

#[inline(always)]
pub(in crate::simd) fn exp_f32<V: Float<Elem = f32>>(x: V) -> V {
    let (below, a) = bounded(x, -104.0, 90.0);
    let whole @ (n, _) = whole_f32(a * Number::of(std::f32::consts::LOG2_E));
    // ln 2 in two parts, the first of few enough bits that its product with `n` is exact.
    let r = a - n * Number::of(0.69314575) - n * Number::of(1.4286068e-6);
    zero_where(below, scaled_f32(near_zero_f32(r), whole).0)
}

#[inline(always)]
pub(in crate::simd) fn exp_f64<V: Float<Elem = f64>>(x: V) -> V {
    let (below, a) = bounded(x, -746.0, 711.0);
    let whole @ (n, _) = whole_f64(a * Number::of(std::f64::consts::LOG2_E));
    let r = a - n * Number::of(6.93147180369123816490e-01) - n * Number::of(1.90821492927058770002e-10);
    zero_where(below, scaled_f64(near_zero_f64(r), whole).0)
}

#[inline(always)]
pub(in crate::simd) fn exp2_f32<V: Float<Elem = f32>>(x: V) -> V {
    let (below, a) = bounded(x, -151.0, 129.0);
    let whole @ (n, _) = whole_f32(a);
    let r = (a - n) * Number::of(std::f32::consts::LN_2);
    zero_where(below, scaled_f32(near_zero_f32(r), whole).0)
}

#[inline(always)]
pub(in crate::simd) fn exp2_f64<V: Float<Elem = f64>>(x: V) -> V {
    let (below, a) = bounded(x, -1076.0, 1025.0);
    let whole @ (n, _) = whole_f64(a);
    let r = (a - n) * Number::of(std::f64::consts::LN_2);
    zero_where(below, scaled_f64(near_zero_f64(r), whole).0)
}
