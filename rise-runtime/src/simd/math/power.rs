//! `x^y`: `2^(y·log2 |x|)`, the logarithm with more bits than the result has, and the sign of `x` for odd `y`.

use super::exponential::{bounded, scaled_f64, whole_f64, zero_where};
use super::logarithm::parts_f32;
use super::number::{Number, choose, polynomial};
use crate::simd::{Float, Int, Mask, Simd};

/// Clears the low half of a significand.
const HEAD: u64 = 0xffffffff00000000;

/// `a^y` for `a` not below 0, where neither is special: the exponent and the significand as `f32` has them, all else in
/// `f64`, where polynomials to 4e-12 and 4e-11 and plain products leave what `f32` needs.
#[inline(always)]
pub(in crate::simd) fn power_f32<V: Float<Elem = f32>>(a: V, y: V) -> V {
    let of = Number::<V::Double>::of;
    let wide = |x: V| Number(x.cast::<V::Double>());
    let (k, f) = parts_f32(a);
    let (k, f) = (wide(k.0), wide(f.0));
    let s = f / (of(2.0) + f);
    let z = s * s;
    // Both polynomials in halves, since all else waits for them.
    let log2 = (of(2.8853900817900863) + z * of(0.96179667334165959))
        + (z * z)
            * ((of(0.57708358498064634) + z * of(0.41167271847116662)) + (z * z) * of(0.34073011160614058));
    let t = wide(y) * (k + s * log2);
    // Beyond this `f32` has infinity or 0, and `f64` still powers of two.
    let t = Number(t.0.max(V::Double::splat(-160.0)).min(V::Double::splat(160.0)));
    let (n, rounded) = whole_f64(t);
    let r = t - n;
    let r2 = r * r;
    let low = (of(0.99999999996162191) + r * of(0.69314718072872081))
        + r2 * (of(0.24022651198750265) + r * of(0.055504103528110041));
    let high = (of(0.0096180271732596089) + r * of(0.0013333922876570957))
        + r2 * (of(0.00015469317180656756) + r * of(0.000015201895835372561));
    let power = low + (r2 * r2) * high;
    let exponent = rounded.0.to_bits().shl(<V::Double as Float>::Bits::splat(52));
    let power = V::Double::from_bits(power.0.to_bits().add(exponent)).cast::<V>();
    // It is not below 0. Without this its halves would be stored one by one, and who reads all of it would wait for both.
    power.max(V::splat(0.0))
}

#[inline(always)]
pub(in crate::simd) fn power_f64<V: Float<Elem = f64>>(a: V, y: V) -> V {
    let (high, low) = log2(a);
    // Beyond this the result overflows, underflows or is 1 all the same.
    let limit = V::splat(1e22);
    let b = Number(y.max(limit.neg()).min(limit));
    let head = b.head(HEAD);
    let rest = (b - head) * high + b * low;
    power_of_two(head * high, rest).0
}

#[inline(always)]
pub(in crate::simd) fn completed_f32<V: Float<Elem = f32>>(x: V, y: V, power: V) -> V {
    completed(x, y, power, [0.0, 0.5, 1.0, f32::INFINITY, f32::NAN])
}

#[inline(always)]
pub(in crate::simd) fn completed_f64<V: Float<Elem = f64>>(x: V, y: V, power: V) -> V {
    completed(x, y, power, [0.0, 0.5, 1.0, f64::INFINITY, f64::NAN])
}

#[inline(always)]
pub(in crate::simd) fn pow_f32<V: Float<Elem = f32>>(x: V, y: V) -> V {
    completed_f32(x, y, power_f32(x.abs(), y))
}

#[inline(always)]
pub(in crate::simd) fn pow_f64<V: Float<Elem = f64>>(x: V, y: V) -> V {
    completed_f64(x, y, power_f64(x.abs(), y))
}

/// `|x|^y` where that is all, else what zeros, infinities, ones, NaN and negative bases demand.
#[inline(always)]
fn completed<V: Float>(x: V, y: V, magnitude: V, [zero, half, one, infinity, nan]: [V::Elem; 5]) -> V {
    let [zero, half, one, infinity, nan] = [zero, half, one, infinity, nan].map(V::splat);
    let (a, b) = (x.abs(), y.abs());
    // |x| of 0 and ∞, and y of ±∞: the result is 0 or ∞ (or 1, below).
    let grows = a.gt(one).xor(y.lt(zero));
    let limit = choose(grows, infinity, zero);
    let extreme = a.eq(zero).or(a.eq(infinity)).or(b.eq(infinity));
    let value = choose(extreme, limit, magnitude);
    let whole = y.floor().eq(y);
    let halved = y.mul(half);
    let odd = whole.and(halved.floor().ne(halved)).and(b.ne(infinity));
    let sign = V::Bits::splat(<V::Elem as crate::simd::FloatElement>::SIGN);
    let negative = V::Bits::select(odd, x.to_bits().and(sign), V::Bits::splat(crate::simd::Element::ZERO));
    let value = V::from_bits(value.to_bits().xor(negative));
    let undefined = x.lt(zero).and(whole.not()).and(a.ne(infinity));
    let value = choose(undefined.or(x.ne(x)).or(y.ne(y)), nan, value);
    choose(x.eq(one).or(y.eq(zero)).or(a.eq(one).and(b.eq(infinity))), one, value)
}

/// `log2 a` for `a > 0` in two parts, of which the first has few bits.
#[inline(always)]
fn log2<V: Float<Elem = f64>>(a: V) -> (Number<V>, Number<V>) {
    let of = Number::<V>::of;
    let tiny = a.lt(V::splat(f64::MIN_POSITIVE));
    let a = V::select(tiny, a.mul(V::splat(9007199254740992.0)), a);
    let bias = V::select(tiny, V::splat(-53.0 - 1023.0), V::splat(-1023.0));
    let bits = a.to_bits();
    let exponent = V::from_bits(bits.shr(V::Bits::splat(52)).or(V::Bits::splat(0x4330000000000000)));
    let n = Number(exponent) - of(4503599627370496.0) + Number(bias);
    let m = V::from_bits(bits.and(V::Bits::splat(0x000fffffffffffff)).or(V::Bits::splat(0x3ff0000000000000)));
    // Near 1 as it is, near 3/2 by that, near 2 by half of it.
    let near_two = m.ge(V::splat(1.7320508075688772));
    let near_middle = m.ge(V::splat(1.224744871391589)).and(near_two.not());
    let m = Number(V::select(near_two, m.mul(V::splat(0.5)), m));
    let n = n + Number(V::select(near_two, V::splat(1.0), V::splat(0.0)));
    let base = Number(V::select(near_middle, V::splat(1.5), V::splat(1.0)));
    let base_high = Number(V::select(near_middle, V::splat(5.84962487220764160156e-01), V::splat(0.0)));
    let base_low = Number(V::select(near_middle, V::splat(1.35003920212974897128e-08), V::splat(0.0)));
    // s = (m − base) / (m + base), and its high part with the error of that.
    let u = m - base;
    let v = of(1.0) / (m + base);
    let s = u * v;
    let s_high = s.head(HEAD);
    let t_high = (m + base).head(HEAD);
    let t_low = m - (t_high - base);
    let s_low = v * ((u - s_high * t_high) - s_high * t_low);
    let s2 = s * s;
    let r = s2
        * s2
        * polynomial!(s2; 5.99999999999994648725e-01, 4.28571428578550184252e-01, 3.33333329818377432918e-01,
        2.72728123808534006489e-01, 2.30660745775561754067e-01, 2.06975017800338417784e-01);
    let r = r + s_low * (s_high + s);
    let s2 = s_high * s_high;
    let t_high = (of(3.0) + s2 + r).head(HEAD);
    let t_low = r - ((t_high - of(3.0)) - s2);
    let u = s_high * t_high;
    let v = s_low * t_high + t_low * s;
    let p_high = (u + v).head(HEAD);
    let p_low = v - (p_high - u);
    let z_high = of(9.61796700954437255859e-01) * p_high;
    let z_low = of(-7.02846165095275826516e-09) * p_high + p_low * of(9.61796693925975554329e-01) + base_low;
    let high = (((z_high + z_low) + base_high) + n).head(HEAD);
    let low = z_low - (((high - n) - base_high) - z_high);
    (high, low)
}

/// `2^(high + low)`.
#[inline(always)]
fn power_of_two<V: Float<Elem = f64>>(high: Number<V>, low: Number<V>) -> Number<V> {
    let of = Number::<V>::of;
    // Where the first part overflows the second means nothing; elsewhere it is less than 1 by far.
    let (below, high) = bounded(high.0, -1100.0, 1100.0);
    let low = Number(low.0.max(V::splat(-1.0)).min(V::splat(1.0)));
    let whole @ (n, _) = whole_f64(high + low);
    let high = high - n;
    let t = (low + high).head(HEAD);
    let u = t * of(6.93147182464599609375e-01);
    let v = (low - (t - high)) * of(6.93147180559945286227e-01) + t * of(-1.90465429995776804525e-09);
    let z = u + v;
    let w = v - (z - u);
    let t = z * z;
    let t = z - t
        * polynomial!(t; 1.66666666666666019037e-01, -2.77777777770155933842e-03, 6.61375632143793436117e-05,
        -1.65339022054652515390e-06, 4.13813679705723846039e-08);
    let r = (z * t) / (t - of(2.0)) - (w + z * w);
    Number(zero_where(below, scaled_f64(of(1.0) - (r - z), whole).0))
}
