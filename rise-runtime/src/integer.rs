//! Floats as integers, without branches.
//!
//! `x as u8` is what [`integer`] computes: the integer next to `x` on the side of 0, the nearest one that there is, and 0
//! for what is no number. Compilers make vectors of a loop over `as`, but take each vector apart again for the
//! conversion; here the float is chosen first, so that one instruction converts all lanes.

use crate::dispatch::Level;
use crate::simd::Isa;

/// `x as T`.
#[inline(always)]
pub fn integer<S: Isa, T>(x: impl ToInteger<T>) -> T {
    x.integer::<S>()
}

/// A float that becomes an integer.
pub trait ToInteger<T> {
    /// `self as T`.
    fn integer<S: Isa>(self) -> T;
}

macro_rules! to_integer {
    ($($from:ident: $($to:ident by $via:ident),*;)*) => {$($(
        impl ToInteger<$to> for $from {
            #[inline(always)]
            fn integer<S: Isa>(self) -> $to {
                // Integers of 64 bits are converted one by one below AVX-512.
                if size_of::<$to>() == 8 && S::LEVEL != Level::Avx512 {
                    return self as $to;
                }
                const LEAST: $from = $to::MIN as $from;
                // The greatest integer, or one more where it is no float.
                const GREATEST: $from = $to::MAX as $from;
                const IS_EXACT: bool = GREATEST as i128 == $to::MAX as i128;
                const LAST: $from = if IS_EXACT { GREATEST } else { GREATEST.next_down() };
                // What is no number is not greater than 0.
                let known = if LEAST == 0.0 || self == self { self } else { 0.0 };
                let above = if known > LEAST { known } else { LEAST };
                let within = if above < LAST { above } else { LAST };
                // SAFETY: the number lies between the least and the greatest integer of the type.
                let near = unsafe { within.to_int_unchecked::<$via>() } as $to;
                if !IS_EXACT && self >= GREATEST { $to::MAX } else { near }
            }
        }
    )*)*};
}

// There are instructions for 32 and 64 bits.
to_integer! {
    f32: u8 by i32, i8 by i32, u16 by i32, i16 by i32, u32 by u32, i32 by i32, u64 by u64, i64 by i64;
    f64: u8 by i32, i8 by i32, u16 by i32, i16 by i32, u32 by u32, i32 by i32, u64 by u64, i64 by i64;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Baseline;

    macro_rules! check {
        ($isa:ty: $from:ident $($to:ident)*) => {$(
            // Numbers of every exponent, and those around the bounds of the type.
            let every = (0..1_u64 << 14).map(|n| $from::from_bits((n << (8 * size_of::<$from>() - 14)) as _));
            let around = [0, 1, $to::MIN as i128, $to::MAX as i128, $to::MAX as i128 + 1];
            let near = around.into_iter().flat_map(|n| {
                let x = n as $from;
                [x, x.next_down(), x.next_up(), x - 0.5, x + 0.5, x - 1.0, x + 1.0, -x]
            });
            for x in every.chain(near).chain([$from::NAN, -$from::NAN, $from::INFINITY, -$from::INFINITY, -0.0]) {
                assert_eq!(integer::<$isa, $to>(x), x as $to, "{x:e} as {}", stringify!($to));
            }
        )*};
    }

    #[test]
    fn integers_are_those_of_rust() {
        check!(Baseline: f32 u8 i8 u16 i16 u32 i32 u64 i64);
        check!(Baseline: f64 u8 i8 u16 i16 u32 i32 u64 i64);
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn integers_of_64_bits_are_those_of_rust() {
        use crate::simd::Avx512;
        check!(Avx512: f32 u64 i64);
        check!(Avx512: f64 u64 i64);
    }
}
