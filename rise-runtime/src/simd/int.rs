//! What integers alone can do.

#[cfg(target_arch = "x86_64")]
use super::{Element, Mask, transmute};
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

/// `a << counts`, or with `RIGHT` `a >> counts`, in lanes of `W`, each of which holds several of `V` and is as signed as
/// these: one of them after the other is shifted, and what else lies in its lane is left out. Where all counts are the
/// same and known, compilers make a shift and a mask of it.
#[cfg(target_arch = "x86_64")]
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
pub(super) fn shifted_by_parts<const RIGHT: bool, V: Int, W: Int>(a: V, counts: V) -> V {
    const { assert!(size_of::<V>() == size_of::<W>() && V::LANES > W::LANES) };
    let bits = 8 * size_of::<V::Elem>();
    let number = |n: usize| W::splat(W::Elem::from_usize(n));
    // SAFETY: registers of one size.
    let (a, counts): (W, W) = unsafe { (transmute(a), transmute(counts)) };
    let mut result = W::splat(W::Elem::ZERO);
    let mut at = 0;
    while at < 8 * size_of::<W::Elem>() {
        let mask = number(((1 << bits) - 1) << at);
        let count = counts.shr(number(at)).and(number(bits - 1));
        // To the right it comes from the upper end, where its sign is that of its lane.
        let above = number(8 * size_of::<W::Elem>() - bits - at);
        let part = if RIGHT { a.shl(above).shr(count).shr(above) } else { a.and(mask).shl(count) };
        result = result.or(part.and(mask));
        at += bits;
    }
    // SAFETY: registers of one size.
    unsafe { transmute(result) }
}
