//! What floats alone can do.

use super::framed::framed;
use super::math::by_calls;
use super::{Element, Int, Mask, Simd, by_halves, math, transmute};

/// A float type with its mathematics, written once for all its vectors.
pub trait FloatElement: Element {
    /// The unsigned integer of the same size.
    type Bits: Element + Int<LowerHalf = Self::Bits>;
    /// Infinity.
    const INFINITY: Self;
    /// The bits of −0.
    const SIGN: Self::Bits;
    /// The bits of the number before ½.
    const BEFORE_HALF: Self::Bits;

    /// `e^x`.
    fn exp<V: Float<Elem = Self>>(x: V) -> V;
    /// The natural logarithm.
    fn ln<V: Float<Elem = Self>>(x: V) -> V;
    /// Sine.
    fn sin<V: Float<Elem = Self>>(x: V) -> V;
    /// Cosine.
    fn cos<V: Float<Elem = Self>>(x: V) -> V;
    /// Tangent.
    fn tan<V: Float<Elem = Self>>(x: V) -> V;
    /// Hyperbolic tangent.
    fn tanh<V: Float<Elem = Self>>(x: V) -> V;
    /// `x^y`.
    fn pow<V: Float<Elem = Self>>(x: V, y: V) -> V;
    /// `x^y` for `x` not below 0, where neither is special.
    fn power<V: Float<Elem = Self>>(x: V, y: V) -> V;
    /// `x^y`, given the power of `|x|`.
    fn completed<V: Float<Elem = Self>>(x: V, y: V, power: V) -> V;
    /// `2^x`.
    fn exp2<V: Float<Elem = Self>>(x: V) -> V;
    /// The logarithm to base 2.
    fn log2<V: Float<Elem = Self>>(x: V) -> V;
}

/// Declares functions that [`FloatElement`] defines.
macro_rules! mathematics {
    ($($(#[$doc:meta])* fn $name:ident($x:ident $(, $y:ident)?);)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        fn $name(self $(, $y: Self)?) -> Self {
            <Self::Elem as FloatElement>::$name(self $(, $y)?)
        }
    )*};
}

/// A vector of floats.
pub trait Float: Simd<Elem: FloatElement, Half = <Self as Float>::LowerHalf> {
    /// [`Half`](Simd::Half), known to be of floats.
    type LowerHalf: Float<Elem = Self::Elem>;
    /// The vector of unsigned integers of the same size.
    type Bits: Int<Elem = <Self::Elem as FloatElement>::Bits, Mask = Self::Mask>;

    /// The vector of `f64` with as many lanes.
    type Double: Float<Elem = f64, Mask = Self::Mask>;

    /// The bits of each lane.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn to_bits(self) -> Self::Bits {
        // SAFETY: plain lanes of the same size.
        unsafe { transmute(self) }
    }

    /// The float of these bits.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn from_bits(bits: Self::Bits) -> Self {
        // SAFETY: plain lanes of the same size.
        unsafe { transmute(bits) }
    }

    by_halves! {
        /// The square root, correctly rounded.
        fn sqrt(a);
        /// The largest whole number not above.
        fn floor(a);
        /// The least whole number not below.
        fn ceil(a);
        /// The whole part.
        fn trunc(a);
        /// The nearest whole number, halves away from zero.
        fn round(a);
        /// `a·b + c`, rounded once on every instruction set (slowly where there is no such instruction; see
        /// [`Isa::mul_add`](super::Isa::mul_add)).
        fn fma(a, b, c);
    }

    /// `a·2^n` for whole `n`, rounded once, where there is an instruction for it. Others take `n` from the low bits of
    /// `rounded`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn scaled(self, n: Self, rounded: Self) -> Option<Self> {
        let ((a0, a1), (n0, n1), (r0, r1)) = (self.halves(), n.halves(), rounded.halves());
        match (a0.scaled(n0, r0), a1.scaled(n1, r1)) {
            (Some(lower), Some(upper)) => Some(Self::join(lower, upper)),
            _ => None,
        }
    }

    /// The quarters of turns of angles, and those of large angles once more, exactly.
    #[doc(hidden)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn with_large_angles(self, n: Self::Bits, y: Self, z: Self) -> (Self::Bits, Self, Self)
    where
        Self: Float<Elem = f64>,
    {
        math::with_large_angles(self, n, y, z)
    }

    /// `1 / √a`, both correctly rounded.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn rsqrt(self) -> Self {
        Self::splat(Self::Elem::ONE).div(self.sqrt())
    }

    mathematics! {
        /// `e^x`.
        fn exp(x);
        /// The natural logarithm.
        fn ln(x);
        /// Sine.
        fn sin(x);
        /// Cosine.
        fn cos(x);
        /// Tangent.
        fn tan(x);
        /// Hyperbolic tangent.
        fn tanh(x);
        /// `x^y`.
        fn pow(x, y);
        /// `x^y` for `x` not below 0, where neither is special.
        fn power(x, y);
        /// `2^x`.
        fn exp2(x);
        /// The logarithm to base 2.
        fn log2(x);
    }

    /// `x^y`, of which what is long are calls: of the plain power, where all is finite and no base has a sign.
    #[doc(hidden)]
    #[inline(always)]
    fn pow_in_part(self, y: Self) -> Self {
        let (zero, infinity) = (Self::splat(Self::Elem::ZERO), Self::splat(Self::Elem::INFINITY));
        // The bits of what has a sign and those of NaN are greater.
        let plain = self.to_bits().lt(infinity.to_bits()).and(y.abs().lt(infinity));
        if !plain.all() {
            return self.pow_in_full_by_call(y);
        }
        let of_zero = y.if_lt(zero, infinity, zero);
        Self::select(self.eq(zero).and(y.ne(zero)), of_zero, self.power_by_call(y))
    }

    /// `x^y` for any numbers, of which the power of `|x|` is a call.
    #[doc(hidden)]
    #[inline(always)]
    fn pow_in_full(self, y: Self) -> Self {
        let power = self.abs().power_by_call(y);
        <Self::Elem as FloatElement>::completed(self, y, power)
    }

    // The same as calls, of one vector and of many.
    math::functions! { by_calls [] }
}

/// `−a`, by its bits.
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
pub(super) fn negated<V: Float>(a: V) -> V {
    V::from_bits(a.to_bits().xor(V::Bits::splat(V::Elem::SIGN)))
}

/// `|a|`, by its bits.
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
pub(super) fn absolute<V: Float>(a: V) -> V {
    V::from_bits(a.to_bits().and(V::Bits::splat(V::Elem::SIGN.not())))
}

/// The nearest whole number, halves away from zero, by way of truncation. (Adding ½ itself would lift the number
/// before ½ to 1.)
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
pub(super) fn rounded<V: Float>(a: V) -> V {
    let sign = a.to_bits().and(V::Bits::splat(V::Elem::SIGN));
    let half = V::from_bits(sign.or(V::Bits::splat(V::Elem::BEFORE_HALF)));
    a.add(half).trunc()
}

/// The whole part, by the sum with `whole`, from which on all numbers are whole and which thus rounds.
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
pub(super) fn trunc_by_sum<V: Float>(a: V, whole: V::Elem) -> V {
    let (zero, one) = (V::splat(V::Elem::ZERO), V::splat(V::Elem::ONE));
    let whole = V::splat(whole);
    let size = a.abs();
    let near = size.add(whole).sub(whole);
    let small = near.sub(size.if_lt(near, one, zero));
    let size = size.if_lt(whole, small, size);
    let sign = a.to_bits().and(V::Bits::splat(V::Elem::SIGN));
    V::from_bits(size.to_bits().or(sign))
}

/// The largest whole number not above, by way of truncation.
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
pub(super) fn floor_by_trunc<V: Float>(a: V) -> V {
    let whole = a.trunc();
    a.if_lt(whole, whole.sub(V::splat(V::Elem::ONE)), whole)
}

/// The least whole number not below, by way of truncation.
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
pub(super) fn ceil_by_trunc<V: Float>(a: V) -> V {
    let whole = a.trunc();
    whole.if_lt(a, whole.add(V::splat(V::Elem::ONE)), whole)
}

impl FloatElement for f32 {
    type Bits = u32;
    const INFINITY: f32 = f32::INFINITY;
    const SIGN: u32 = (-0.0f32).to_bits();
    const BEFORE_HALF: u32 = 0.5f32.to_bits() - 1;

    math::elementary! { f32:
        exp(x) = exp_f32; exp2(x) = exp2_f32; ln(x) = ln_f32; log2(x) = log2_f32;
        sin(x) = sin_f32; cos(x) = cos_f32; tan(x) = tan_f32; tanh(x) = tanh_f32;
        pow(x, y) = pow_f32; power(x, y) = power_f32; completed(x, y, power) = completed_f32;
    }
}

impl FloatElement for f64 {
    type Bits = u64;
    const INFINITY: f64 = f64::INFINITY;
    const SIGN: u64 = (-0.0f64).to_bits();
    const BEFORE_HALF: u64 = 0.5f64.to_bits() - 1;

    math::elementary! { f64:
        exp(x) = exp_f64; exp2(x) = exp2_f64; ln(x) = ln_f64; log2(x) = log2_f64;
        sin(x) = sin_f64; cos(x) = cos_f64; tan(x) = tan_f64; tanh(x) = tanh_f64;
        pow(x, y) = pow_f64; power(x, y) = power_f64; completed(x, y, power) = completed_f64;
    }
}
