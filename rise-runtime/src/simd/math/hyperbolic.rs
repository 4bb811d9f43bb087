//! The hyperbolic tangent: a polynomial near zero, else by the exponential.

use super::number::{Number, polynomial};
use crate::simd::{Float, Int, Simd};

/// Below this a polynomial is more exact.
const NEAR: f64 = 0.625;

/// `1 − 2 / (e^2a + 1)` for `a` not near zero.
#[inline(always)]
fn far<V: Float>(a: V, one: V::Elem, two: V::Elem) -> V {
    let exp = Number(a.add(a).exp());
    (Number::of(one) - Number::of(two) / (exp + Number::of(one))).0
}

/// `result` with the sign of `x`.
#[inline(always)]
fn signed<V: Float>(result: V, x: V) -> V {
    let sign = V::Bits::splat(<V::Elem as crate::simd::FloatElement>::SIGN);
    V::from_bits(result.to_bits().or(x.to_bits().and(sign)))
}

#[inline(always)]
pub(in crate::simd) fn tanh_f32<V: Float<Elem = f32>>(x: V) -> V {
    let a = x.abs();
    let z = Number(a) * Number(a);
    let p = polynomial!(z; -3.33332819422E-1, 1.33314422036E-1, -5.37397155531E-2, 2.06390887954E-2, -5.70498872745E-3);
    let near = Number(a) + Number(a) * (z * p);
    signed(a.if_lt(V::splat(NEAR as f32), near.0, far(a, 1.0, 2.0)), x)
}

#[inline(always)]
pub(in crate::simd) fn tanh_f64<V: Float<Elem = f64>>(x: V) -> V {
    let a = x.abs();
    let z = Number(a) * Number(a);
    let p = polynomial!(z; -1.61468768441708447952E3, -9.92877231001918586564E1, -9.64399179425052238628E-1);
    let q = polynomial!(z; 4.84406305325125486048E3, 2.23548839060100448583E3, 1.12811678491632931402E2, 1.0);
    let near = Number(a) + Number(a) * (z * p / q);
    signed(a.if_lt(V::splat(NEAR), near.0, far(a, 1.0, 2.0)), x)
}
