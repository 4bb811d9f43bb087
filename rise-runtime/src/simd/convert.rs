//! Conversions between lanes of different types.
//!
//! In: a vector, and the type of another with as many lanes. Out: each lane `as` the other type. [`through`] splits
//! a conversion into steps between 32 and 64 bit types, which an instruction set has (a [`Hub`]), with 8 and 16
//! bit types going through 32 bits, but to each other. What a hub does not define is converted half by half, in the
//! end as scalars.

// Some steps are what x86 builds from others.
#![cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]

use super::mask::convert_halves;
use super::scalar::kind;
use super::{Element, Float, Int, Mask, Simd, transmute};

/// Steps with a default of halves.
macro_rules! steps {
    ($($(#[$doc:meta])* $name:ident: $from:ident -> $to:ident;)*) => {$(
        $(#[$doc])*
        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn $name(a: Self::$from) -> Self::$to {
            convert_halves::<Self, Self::$from, Self::$to>(a)
        }
    )*};
}

/// The conversions that an instruction set has for a number of lanes, hung on the mask of these.
pub(super) trait Hub: Mask {
    type F32: Float<Elem = f32, Mask = Self>;
    type F64: Float<Elem = f64, Mask = Self>;
    type I32: Int<Elem = i32, Mask = Self>;
    type I64: Int<Elem = i64, Mask = Self>;
    type U32: Int<Elem = u32, Mask = Self>;
    type U64: Int<Elem = u64, Mask = Self>;

    /// Of 8 or 16 bits, signed or not.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn widen<A: Simd<Mask = Self>>(a: A) -> Self::I32 {
        convert_halves::<Self, A, Self::I32>(a)
    }

    /// To the low 8 or 16 bits.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn narrow<B: Simd<Mask = Self>>(a: Self::I32) -> B {
        convert_halves::<Self, Self::I32, B>(a)
    }

    /// Of 8 bits to 16.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn words<A: Simd<Mask = Self>, B: Simd<Mask = Self>>(a: A) -> B {
        Self::narrow(Self::widen(a))
    }

    /// Of 16 bits to the low 8.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn bytes<A: Simd<Mask = Self>, B: Simd<Mask = Self>>(a: A) -> B {
        Self::narrow(Self::widen(a))
    }

    steps! {
        f32_to_f64: F32 -> F64;
        f32_to_i32: F32 -> I32;
        f32_to_u32: F32 -> U32;
        f64_to_f32: F64 -> F32;
        f64_to_i32: F64 -> I32;
        f64_to_i64: F64 -> I64;
        f64_to_u32: F64 -> U32;
        f64_to_u64: F64 -> U64;
        i32_to_f32: I32 -> F32;
        i32_to_f64: I32 -> F64;
        i32_to_i64: I32 -> I64;
        i64_to_f32: I64 -> F32;
        i64_to_f64: I64 -> F64;
        i64_to_i32: I64 -> I32;
        u32_to_f32: U32 -> F32;
        u32_to_f64: U32 -> F64;
        u32_to_u64: U32 -> U64;
        u64_to_f32: U64 -> F32;
        u64_to_f64: U64 -> F64;
    }
}

/// Each lane of `a` as the type of the lanes of `B`.
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
pub(super) fn through<H: Hub, A: Simd<Mask = H>, B: Simd<Mask = H>>(a: A) -> B {
    // SAFETY: each arm is for the type that its kind names, and vectors of a type and a width have one layout.
    unsafe {
        match A::Elem::KIND {
            kind::F32 => from_f32::<H, B>(transmute(a)),
            kind::F64 => from_f64::<H, B>(transmute(a)),
            kind::I32 => from_i32::<H, B>(transmute(a)),
            kind::U32 => from_u32::<H, B>(transmute(a)),
            kind::I64 => from_i64::<H, B>(transmute(a)),
            kind::U64 => from_u64::<H, B>(transmute(a)),
            kind::I8 | kind::U8 => match B::Elem::KIND {
                kind::I8 | kind::U8 => transmute(a),
                kind::I16 | kind::U16 => H::words(a),
                _ => from_i32::<H, B>(H::widen(a)),
            },
            _ => match B::Elem::KIND {
                kind::I8 | kind::U8 => H::bytes(a),
                kind::I16 | kind::U16 => transmute(a),
                _ => from_i32::<H, B>(H::widen(a)),
            },
        }
    }
}

/// A conversion from one type: an arm for each target, and last the one for 8 and 16 bits.
macro_rules! from {
    ($($name:ident($a:ident: $from:ident) { $($($kind:ident)|+ => $to:expr,)* _ => $small:expr, })*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        unsafe fn $name<H: Hub, B: Simd<Mask = H>>($a: H::$from) -> B {
            unsafe {
                match B::Elem::KIND {
                    $($(kind::$kind)|+ => transmute($to),)*
                    _ => $small,
                }
            }
        }
    )*};
}

from! {
    from_f32(a: F32) {
        F32 => a,
        F64 => H::f32_to_f64(a),
        I32 => H::f32_to_i32(a),
        U32 => H::f32_to_u32(a),
        I64 => H::f64_to_i64(H::f32_to_f64(a)),
        U64 => H::f64_to_u64(H::f32_to_f64(a)),
        _ => H::narrow(H::f32_to_i32(clamped::<H::F32, B>(a))),
    }
    from_f64(a: F64) {
        F32 => H::f64_to_f32(a),
        F64 => a,
        I32 => H::f64_to_i32(a),
        U32 => H::f64_to_u32(a),
        I64 => H::f64_to_i64(a),
        U64 => H::f64_to_u64(a),
        _ => H::narrow(H::f64_to_i32(clamped::<H::F64, B>(a))),
    }
    from_i32(a: I32) {
        F32 => H::i32_to_f32(a),
        F64 => H::i32_to_f64(a),
        I32 | U32 => a,
        I64 | U64 => H::i32_to_i64(a),
        _ => H::narrow(a),
    }
    from_u32(a: U32) {
        F32 => H::u32_to_f32(a),
        F64 => H::u32_to_f64(a),
        I32 | U32 => a,
        I64 | U64 => H::u32_to_u64(a),
        _ => H::narrow(transmute(a)),
    }
    from_i64(a: I64) {
        F32 => H::i64_to_f32(a),
        F64 => H::i64_to_f64(a),
        I32 | U32 => H::i64_to_i32(a),
        I64 | U64 => a,
        _ => H::narrow(H::i64_to_i32(a)),
    }
    from_u64(a: U64) {
        F32 => H::u64_to_f32(a),
        F64 => H::u64_to_f64(a),
        I32 | U32 => H::i64_to_i32(transmute(a)),
        I64 | U64 => a,
        _ => H::narrow(H::i64_to_i32(transmute(a))),
    }
}

/// Within the range of the lanes of `B`, NaN as 0.
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
fn clamped<F: Float, B: Simd>(a: F) -> F {
    let (zero, least) = (F::splat(F::Elem::ZERO), F::splat(B::Elem::MIN.as_element()));
    let a = if B::Elem::MIN < B::Elem::ZERO { a.if_eq(a, a, zero) } else { a };
    a.max(least).min(F::splat(B::Elem::MAX.as_element()))
}

/// Lanes that the instruction for truncation to signed integers left at its error value, as a cast has them: the
/// greatest where `a` is at least `limit`, 0 where it is NaN.
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
pub(super) fn saturated<F: Float, I: Int<Mask = F::Mask>>(a: F, limit: F::Elem, truncated: I) -> I {
    let high = I::select(a.ge(F::splat(limit)), I::splat(I::Elem::MAX), truncated);
    I::select(a.eq(a), high, I::splat(I::Elem::ZERO))
}

/// `f32` to `u32` by the conversion to `i32`, which saturates: what is above `i32` moves down and its bits back up.
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
pub(super) fn f32_to_u32_by_i32<H: Hub>(a: H::F32) -> H::U32 {
    const TOP: f32 = 2147483648.0;
    let a = a.max(H::F32::splat(0.0));
    // SAFETY: signed and unsigned lanes of one size.
    let (low, high): (H::U32, H::U32) =
        unsafe { (transmute(H::f32_to_i32(a)), transmute(H::f32_to_i32(a.sub(H::F32::splat(TOP))))) };
    H::U32::select(a.ge(H::F32::splat(TOP)), high.xor(H::U32::splat(1 << 31)), low)
}

/// `u32` to `f32` by halves of 16 bits, whose sum alone rounds.
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
pub(super) fn u32_to_f32_by_words<H: Hub>(a: H::U32) -> H::F32 {
    // SAFETY: signed and unsigned lanes of one size.
    let (low, high) =
        unsafe { (transmute(a.and(H::U32::splat(0xffff))), transmute(a.shr(H::U32::splat(16)))) };
    H::i32_to_f32(high).mul(H::F32::splat(65536.0)).add(H::i32_to_f32(low))
}

/// The bits of 2⁵²: a number below, put into their low part, is a float that much greater.
const SHIFTED: u64 = 4503599627370496f64.to_bits();

/// `u32` to `f64`, by the bits of the sum with 2⁵².
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
pub(super) fn u32_to_f64_by_bits<H: Hub>(a: H::U32) -> H::F64 {
    let sum = H::u32_to_u64(a).or(H::U64::splat(SHIFTED));
    // SAFETY: lanes of one size.
    let sum: H::F64 = unsafe { transmute(sum) };
    sum.sub(H::F64::splat(f64::from_bits(SHIFTED)))
}

/// `f64` to `u32`, by the bits of the sum with 2⁵².
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
pub(super) fn f64_to_u32_by_bits<H: Hub>(a: H::F64) -> H::U32 {
    let a = a.max(H::F64::splat(0.0)).min(H::F64::splat(f64::from(u32::MAX))).trunc();
    // SAFETY: lanes of one size.
    unsafe { transmute(H::i64_to_i32(transmute(a.add(H::F64::splat(f64::from_bits(SHIFTED)))))) }
}
