//! Angles modulo a quarter of a turn.
//!
//! In: an angle. Out: `(n, y, z)` with the angle `n·π/2 + y + z`, where `|y| ≤ π/4` about, `z` is what `y` lacks, and
//! the two low bits of `n` count.

use super::number::{Number, any};
use crate::simd::{Float, Simd};

/// Up to here three parts of π/2 give all the bits; above, the angle takes exact arithmetic.
const LARGE: f64 = 1048576.0;

/// `1.5·2^52`, which leaves a whole number in the low bits of a sum.
const ROUND: f64 = 6755399441055744.0;

/// Of angles in `f64`.
#[inline(always)]
pub(super) fn quarters<V: Float<Elem = f64>>(x: V) -> (V::Bits, Number<V>, Number<V>) {
    let rounded = Number(x) * Number::of(std::f64::consts::FRAC_2_PI) + Number::of(ROUND);
    let n = rounded - Number::of(ROUND);
    // The product with the first part is exact, and so are the next ones: 33 bits each.
    let a = Number(x) - n * Number::of(1.57079632673412561417e+00);
    let (b, b_rest) = difference(a, n * Number::of(6.07710050630396597660e-11));
    let (c, c_rest) = difference(b, n * Number::of(2.02226624871116645580e-21));
    let rest = (b_rest + c_rest) - n * Number::of(8.47842766036889956997e-32);
    let y = c + rest;
    let z = (c - y) + rest;
    let (n, y, z) = x.with_large_angles(rounded.0.to_bits(), y.0, z.0);
    (n, Number(y), Number(z))
}

/// Of angles in `f32`, whose quarters need no second part in `f64`.
#[inline(always)]
pub(super) fn quarters_of_f32<V: Float<Elem = f64>>(x: V) -> (V::Bits, V) {
    let rounded = Number(x) * Number::of(std::f64::consts::FRAC_2_PI) + Number::of(ROUND);
    let n = rounded - Number::of(ROUND);
    // 25 bits of π/2, and the rest of it.
    let y =
        Number(x) - n * Number::of(1.57079631090164184570e+00) - n * Number::of(1.58932547735281966916e-08);
    let (n, y, _) = x.with_large_angles(rounded.0.to_bits(), y.0, y.0);
    (n, y)
}

/// The quarters of angles that are not large, and large ones by exact arithmetic.
#[inline(always)]
pub(in crate::simd) fn with_large_angles<V: Float<Elem = f64>>(
    x: V,
    n: V::Bits,
    y: V,
    z: V,
) -> (V::Bits, V, V) {
    if any(x.abs().ge(V::splat(LARGE))) { exactly(x, n, y, z) } else { (n, y, z) }
}

/// `a − b` and what it lacks.
#[inline(always)]
fn difference<V: Float<Elem = f64>>(a: Number<V>, b: Number<V>) -> (Number<V>, Number<V>) {
    let d = a - b;
    let t = d - a;
    (d, (a - (d - t)) - (b + t))
}

/// Replaces what large lanes have.
#[cold]
#[inline(never)]
fn exactly<V: Float<Elem = f64>>(x: V, mut n: V::Bits, mut y: V, mut z: V) -> (V::Bits, V, V) {
    let mut i = 0;
    while i < V::LANES {
        let angle = x.lane(i);
        if angle.abs() >= LARGE {
            let (count, first, second) = exact(angle);
            n = n.with_lane(i, count);
            y = y.with_lane(i, first);
            z = z.with_lane(i, second);
        }
        i += 1;
    }
    (n, y, z)
}

/// The bits of 2/π after the point, after 64 zeros.
const TWO_OVER_PI: [u64; 21] = [
    0,
    0xa2f9836e4e441529,
    0xfc2757d1f534ddc0,
    0xdb6295993c439041,
    0xfe5163abdebbc561,
    0xb7246e3a424dd2e0,
    0x06492eea09d1921c,
    0xfe1deb1cb129a73e,
    0xe88235f52ebb4484,
    0xe99c7026b45f7e41,
    0x3991d639835339f4,
    0x9c845f8bbdf9283b,
    0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f,
    0x6d367ecf27cb09b7,
    0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea,
    0x6bfb5fb11f8d5d08,
    0x56033046fc7b6bab,
    0xf0cfbc209af4361d,
];

/// An angle of at least 2^20 by as much of 2/π as it reaches: of `m·2^e·2/π` only what is left modulo 4 is computed,
/// 192 bits after the point of its quarter.
fn exact(angle: f64) -> (u64, f64, f64) {
    if !angle.is_finite() {
        return (0, f64::NAN, f64::NAN);
    }
    let bits = angle.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i64 - 1075;
    let significand = bits & 0x000fffffffffffff | 0x0010000000000000;
    let turns = product(significand, window((exponent - 2 + 64) as usize));
    // `turns` is a fraction of 4 quarters: two bits count them, the rest is the fraction of one.
    let quarter = turns[0] >> 62;
    let fraction = [turns[0] << 2 | turns[1] >> 62, turns[1] << 2 | turns[2] >> 62, turns[2] << 2];
    let up = fraction[0] >> 63;
    let (y, z) = radians(if up == 1 { negated(fraction) } else { fraction });
    let count = quarter + up;
    match (up == 1, angle < 0.0) {
        (false, false) => (count, y, z),
        (true, false) => (count, -y, -z),
        (false, true) => (count.wrapping_neg(), -y, -z),
        (true, true) => (count.wrapping_neg(), y, z),
    }
}

/// 192 bits of the table from bit `start` on.
fn window(start: usize) -> [u64; 3] {
    let (word, shift) = (start / 64, start % 64);
    [0, 1, 2].map(|i| {
        let wide = u128::from(TWO_OVER_PI[word + i]) << 64 | u128::from(TWO_OVER_PI[word + i + 1]);
        (wide << shift >> 64) as u64
    })
}

/// A product modulo 2^192, highest word first.
fn product(a: u64, b: [u64; 3]) -> [u64; 3] {
    let low = u128::from(a) * u128::from(b[2]);
    let middle = u128::from(a) * u128::from(b[1]) + (low >> 64);
    [a.wrapping_mul(b[0]).wrapping_add((middle >> 64) as u64), middle as u64, low as u64]
}

fn negated(a: [u64; 3]) -> [u64; 3] {
    let low = (!(u128::from(a[1]) << 64 | u128::from(a[2]))).wrapping_add(1);
    [(!a[0]).wrapping_add(u64::from(low == 0)), (low >> 64) as u64, low as u64]
}

/// A fraction of a quarter in radians, in two parts.
fn radians(fraction: [u64; 3]) -> (f64, f64) {
    const HIGH: f64 = std::f64::consts::FRAC_PI_2;
    const LOW: f64 = 6.123233995736766e-17;
    let high = u128::from(fraction[0]) << 64 | u128::from(fraction[1]);
    if high == 0 {
        // No float is as near to a multiple of π/2.
        return (0.0, 0.0);
    }
    let zeros = high.leading_zeros();
    let top = if zeros == 0 { high } else { high << zeros | u128::from(fraction[2]) << 64 >> (128 - zeros) };
    // Two numbers of 53 bits, exactly.
    let scale = |bits: u64, place: u32| bits as f64 * f64::from_bits(u64::from(1023 - place) << 52);
    let (a, b) =
        (scale((top >> 75) as u64, 53 + zeros), scale((top >> 22) as u64 & 0x1fffffffffffff, 106 + zeros));
    let y = a * HIGH;
    let z = a.mul_add(HIGH, -y) + (a * LOW + b * HIGH);
    let sum = y + z;
    (sum, (y - sum) + z)
}

#[cfg(test)]
mod tests {
    use super::exact;

    #[test]
    fn large_angles_lose_nothing() {
        // Computed with 2000 bits of π.
        let table = include!("reduction_cases.in");
        for (angle, count, y) in table {
            let (n, got, _) = exact(angle);
            assert_eq!((n & 3, got), (count, y), "{angle}");
            let (n, got, _) = exact(-angle);
            assert_eq!((n & 3, got), (count.wrapping_neg() & 3, -y), "{angle}");
        }
    }
}
