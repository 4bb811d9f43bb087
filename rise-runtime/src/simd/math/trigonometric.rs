//! Sine, cosine and tangent: polynomials on an eighth of a turn to both sides, chosen by the quarter.

use super::number::{Number, polynomial};
use super::reduction::{quarters, quarters_of_f32};
use crate::simd::{Float, Int, Simd};

/// Sine and cosine of `|y| ≤ π/4`.
#[inline(always)]
fn both_f32<V: Float<Elem = f32>>(y: Number<V>) -> (V, V) {
    let z = y * y;
    let sin = y + y * (z * polynomial!(z; -1.6666654611E-1, 8.3321608736E-3, -1.9515295891E-4));
    let p = polynomial!(z; 4.166664568298827E-002, -1.388731625493765E-003, 2.443315711809948E-005);
    let cos = Number::of(1.0) - (Number::of(0.5) * z - z * z * p);
    (sin.0, cos.0)
}

/// Sine and cosine of `y + z`, where `z` is the rounding error of `y`.
#[inline(always)]
fn both_f64<V: Float<Elem = f64>>(y: Number<V>, z: Number<V>) -> (V, V) {
    let half = Number::of(0.5);
    let s = y * y;
    let r = polynomial!(s; 8.33333333332248946124e-03, -1.98412698298579493134e-04, 2.75573137070700676789e-06,
        -2.50507602534068634195e-08, 1.58969099521155010221e-10);
    let v = s * y;
    let sin = y - ((s * (half * z - v * r) - z) - v * Number::of(-1.66666666666666324348e-01));
    let r = s
        * polynomial!(s; 4.16666666666666019037e-02, -1.38888888888741095749e-03, 2.48015872894767294178e-05,
        -2.75573143513906633035e-07, 2.08757232129817482790e-09, -1.13596475577881948265e-11);
    let h = half * s;
    let w = Number::of(1.0) - h;
    let cos = w + (((Number::of(1.0) - w) - h) + (s * r - y * z));
    (sin.0, cos.0)
}

/// `b` in odd quarters, else `a`.
#[inline(always)]
fn by_parity<V: Float>(n: V::Bits, one: V::Bits, zero: V::Bits, a: V, b: V) -> V {
    V::select(n.and(one).eq(zero), a, b)
}

/// The quarter of each lane, sine and cosine within it.
#[inline(always)]
fn lanes_f32<V: Float<Elem = f32>>(x: V) -> (V::Bits, V, V) {
    let (n, y) = quarters_of_f32(x.cast::<V::Double>());
    let (sin, cos) = both_f32(Number(y.cast::<V>()));
    (n.cast::<V::Bits>(), sin, cos)
}

#[inline(always)]
fn lanes_f64<V: Float<Elem = f64>>(x: V) -> (V::Bits, V, V) {
    let (n, y, z) = quarters(x);
    let (sin, cos) = both_f64(y, z);
    (n, sin, cos)
}

macro_rules! functions {
    ($t:ident $bits:ident $lanes:ident $sin:ident $cos:ident) => {
        #[inline(always)]
        pub(in crate::simd) fn $sin<V: Float<Elem = $t>>(x: V) -> V {
            let (n, sin, cos) = $lanes(x);
            let (zero, one) = (V::Bits::splat(0), V::Bits::splat(1));
            let value = by_parity(n, one, zero, sin, cos);
            // The sign changes in the second half of the turn.
            let value = V::from_bits(
                value.to_bits().xor(n.and(V::Bits::splat(2)).shl(V::Bits::splat($bits::BITS as $bits - 2))),
            );
            x.if_eq(V::splat(0.0), x, value)
        }

        #[inline(always)]
        pub(in crate::simd) fn $cos<V: Float<Elem = $t>>(x: V) -> V {
            let (n, sin, cos) = $lanes(x);
            let (zero, one) = (V::Bits::splat(0), V::Bits::splat(1));
            let value = by_parity(n, one, zero, cos, sin);
            let n = n.add(one);
            V::from_bits(
                value.to_bits().xor(n.and(V::Bits::splat(2)).shl(V::Bits::splat($bits::BITS as $bits - 2))),
            )
        }
    };
}

functions!(f32 u32 lanes_f32 sin_f32 cos_f32);
functions!(f64 u64 lanes_f64 sin_f64 cos_f64);

/// Sine over cosine, or what they are a quarter further.
#[inline(always)]
fn tangent<V: Float<Elem = f64>>(n: V::Bits, sin: V, cos: V) -> V {
    let (zero, one) = (V::Bits::splat(0), V::Bits::splat(1));
    by_parity(n, one, zero, sin, cos.neg()).div(by_parity(n, one, zero, cos, sin))
}

/// In `f64`, since the errors of both parts would add up.
#[inline(always)]
pub(in crate::simd) fn tan_f32<V: Float<Elem = f32>>(x: V) -> V {
    let (n, y) = quarters_of_f32(x.cast::<V::Double>());
    let (sin, cos) = both_f64(Number(y), Number::of(0.0));
    x.if_eq(V::splat(0.0), x, tangent(n, sin, cos).cast::<V>())
}

#[inline(always)]
pub(in crate::simd) fn tan_f64<V: Float<Elem = f64>>(x: V) -> V {
    let (n, sin, cos) = lanes_f64(x);
    x.if_eq(V::splat(0.0), x, tangent(n, sin, cos))
}
