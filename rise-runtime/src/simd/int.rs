//! What integers alone can do.

#[cfg(target_arch = "x86_64")]
use super::{Element, Mask};
use super::{Simd, by_halves};

/// A vector of integers.
pub trait Int: Simd<Half = <Self as Int>::LowerHalf> {
    /// [`Half`](Simd::Half), known to be of integers.
    type LowerHalf: Int<Elem = Self::Elem>;

    by_halves! {
        /// `a & b`.
        fn and(a, b);
        /// `a | b`.
        fn or(a, b);
        /// `a ^ b`.
        fn xor(a, b);
        /// `!a`.
        fn not(a);
        /// `a << b`, the count modulo the number of bits.
        fn shl(a, b);
        /// `a >> b`, the count modulo the number of bits; keeps the sign of signed ones.
        fn shr(a, b);
    }
}

/// Division through floats `F` that hold every value of the integers exactly, with bits to spare for the
/// quotient's distance to the next integer: `f64` for 32 bits, `f32` for fewer.
#[cfg(target_arch = "x86_64")]
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
pub(super) fn divided<V: Int, F: Simd<Mask = V::Mask>>(a: V, b: V) -> V {
    let zero = V::splat(V::Elem::ZERO);
    let quotient = a.cast::<F>().div(b.cast::<F>()).cast::<V>();
    // Dividing by zero gives an infinity, and `MIN / −1` is one too large for `V`.
    let quotient = V::select(b.eq(zero), zero, quotient);
    let wraps = a.eq(V::splat(V::Elem::MIN)).and(b.eq(V::splat(V::Elem::ZERO.sub(V::Elem::ONE))));
    if V::Elem::MIN < V::Elem::ZERO { V::select(wraps, a, quotient) } else { quotient }
}

/// The remainder by way of the quotient, which division by zero gives as 0.
#[cfg(target_arch = "x86_64")]
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
pub(super) fn remainder<V: Int>(a: V, b: V) -> V {
    a.sub(a.div(b).mul(b))
}
