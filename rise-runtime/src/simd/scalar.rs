//! Scalars: vectors of one lane, and the meaning of every operation.

use super::math::{self, of_register};
use super::{Float, Int, Simd, transmute};

/// Numbers of the scalar types. (Not an enumeration: a `match` on a constant integer is decided when a function is
/// instantiated, so that its other arms cost nothing, even without optimisation.)
#[doc(hidden)]
#[allow(missing_docs)]
pub mod kind {
    pub const F32: u8 = 0;
    pub const F64: u8 = 1;
    pub const I8: u8 = 2;
    pub const I16: u8 = 3;
    pub const I32: u8 = 4;
    pub const I64: u8 = 5;
    pub const U8: u8 = 6;
    pub const U16: u8 = 7;
    pub const U32: u8 = 8;
    pub const U64: u8 = 9;
}

/// A scalar type.
pub trait Element:
    Simd<Elem = Self, Mask = bool, Half = Self> + Default + PartialEq + PartialOrd + std::fmt::Debug
{
    /// Zero.
    const ZERO: Self;
    /// One.
    const ONE: Self;
    /// Which type this is.
    #[doc(hidden)]
    const KIND: u8;
    /// The least value.
    const MIN: Self;
    /// The greatest value.
    const MAX: Self;

    /// `n as Self`.
    fn from_usize(n: usize) -> Self;

    /// `self as T`.
    fn as_element<T: Element>(self) -> T;
}

/// The functions of [`Simd`] that are the same for all scalars.
macro_rules! common {
    ($t:ident) => {
        type Elem = $t;
        type Mask = bool;
        type Half = $t;
        const LANES: usize = 1;

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn halves(self) -> ($t, $t) {
            (self, self)
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn join(lower: $t, _: $t) -> $t {
            lower
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn splat(value: $t) -> $t {
            value
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn iota() -> $t {
            <$t as Element>::ZERO
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        unsafe fn gather(from: *const $t, _: isize) -> $t {
            // SAFETY: the caller's promise.
            unsafe { from.read_unaligned() }
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        unsafe fn scatter(self, to: *mut $t, _: isize) {
            // SAFETY: the caller's promise.
            unsafe { to.write_unaligned(self) }
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        unsafe fn gather_at<I: Simd<Elem = u32, Mask = bool>>(base: *const $t, indices: I) -> $t {
            // SAFETY: the caller's promise.
            unsafe { base.add(indices.lane(0) as usize).read_unaligned() }
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        unsafe fn gather_by<const STRIDE: isize>(from: *const $t) -> $t {
            // SAFETY: the caller's promise.
            unsafe { from.read_unaligned() }
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn interleave(self, other: $t) -> ($t, $t) {
            (self, other)
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn lane(self, _: usize) -> $t {
            self
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn min(self, other: $t) -> $t {
            if self < other { self } else { other }
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn max(self, other: $t) -> $t {
            if self > other { self } else { other }
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn eq(self, other: $t) -> bool {
            self == other
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn ne(self, other: $t) -> bool {
            self != other
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn lt(self, other: $t) -> bool {
            self < other
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn le(self, other: $t) -> bool {
            self <= other
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn gt(self, other: $t) -> bool {
            self > other
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn ge(self, other: $t) -> bool {
            self >= other
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn select(mask: bool, a: $t, b: $t) -> $t {
            if mask { a } else { b }
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn reduce_add(self) -> $t {
            self
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn reduce_mul(self) -> $t {
            self
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn reduce_min(self) -> $t {
            self
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn reduce_max(self) -> $t {
            self
        }
    };
}

/// `NAME(|arguments| expression)`: a function over `Self`.
macro_rules! define {
    ($t:ident: $($name:ident(|$a:ident $(, $b:ident)*| $body:expr);)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn $name(self $(, $b: $t)*) -> $t {
            let $a = self;
            $body
        }
    )*};
}

macro_rules! element {
    ($t:ident $kind:ident $zero:literal $one:literal) => {
        impl Element for $t {
            const ZERO: $t = $zero;
            const ONE: $t = $one;
            const KIND: u8 = kind::$kind;
            const MIN: $t = $t::MIN;
            const MAX: $t = $t::MAX;

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn from_usize(n: usize) -> $t {
                n as $t
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn as_element<T: Element>(self) -> T {
                // SAFETY: each arm makes the type that its kind names.
                unsafe {
                    match T::KIND {
                        kind::F32 => transmute(self as f32),
                        kind::F64 => transmute(self as f64),
                        kind::I8 => transmute(self as i8),
                        kind::I16 => transmute(self as i16),
                        kind::I32 => transmute(self as i32),
                        kind::I64 => transmute(self as i64),
                        kind::U8 => transmute(self as u8),
                        kind::U16 => transmute(self as u16),
                        kind::U32 => transmute(self as u32),
                        _ => transmute(self as u64),
                    }
                }
            }
        }
    };
}

macro_rules! ints {
    ($($t:ident $kind:ident $abs:ident;)*) => {$(
        element!($t $kind 0 1);

        // SAFETY: one lane.
        unsafe impl Simd for $t {
            common!($t);
            define! { $t:
                add(|a, b| a.wrapping_add(b));
                sub(|a, b| a.wrapping_sub(b));
                mul(|a, b| a.wrapping_mul(b));
                div(|a, b| if b == 0 { 0 } else { a.wrapping_div(b) });
                rem(|a, b| if b == 0 { a } else { a.wrapping_rem(b) });
                neg(|a| a.wrapping_neg());
                abs(|a| ints!(@$abs a));
            }
        }

        impl Int for $t {
            type LowerHalf = $t;
            define! { $t:
                and(|a, b| a & b);
                or(|a, b| a | b);
                xor(|a, b| a ^ b);
                not(|a| !a);
                shl(|a, b| a.wrapping_shl(b as u32));
                shr(|a, b| a.wrapping_shr(b as u32));
            }
        }
    )*};
    (@signed $a:ident) => { $a.wrapping_abs() };
    (@unsigned $a:ident) => { $a };
}

ints! {
    i8 I8 signed;
    i16 I16 signed;
    i32 I32 signed;
    i64 I64 signed;
    u8 U8 unsigned;
    u16 U16 unsigned;
    u32 U32 unsigned;
    u64 U64 unsigned;
}

macro_rules! floats {
    ($($t:ident $kind:ident $bits:ident;)*) => {$(
        element!($t $kind 0.0 1.0);

        // SAFETY: one lane.
        unsafe impl Simd for $t {
            common!($t);
            define! { $t:
                add(|a, b| a + b);
                sub(|a, b| a - b);
                mul(|a, b| a * b);
                div(|a, b| a / b);
                rem(|a, b| a % b);
                neg(|a| -a);
                abs(|a| $t::abs(a));
            }
        }

        impl Float for $t {
            type LowerHalf = $t;
            type Bits = $bits;
            type Double = f64;
            math::functions! { of_register [$t] }
            define! { $t:
                sqrt(|a| $t::sqrt(a));
                floor(|a| $t::floor(a));
                ceil(|a| $t::ceil(a));
                trunc(|a| $t::trunc(a));
                round(|a| $t::round(a));
                fma(|a, b, c| $t::mul_add(a, b, c));
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn scaled(self, _: $t, _: $t) -> Option<$t> {
                None
            }
        }
    )*};
}

floats! {
    f32 F32 u32;
    f64 F64 u64;
}
