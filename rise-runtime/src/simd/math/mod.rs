//! Elementary functions, written once over [`Float`](super::Float) for vectors and scalars alike.
//!
//! In: lanes. Out: lanes, each within 4 units in the last place, with the standard library's results for zeros,
//! infinities and NaN. The bits of a lane depend on that lane alone, neither on its position nor on the instruction
//! set: only operations that round once everywhere are used, `+ - * /` and those on bits, and no fused
//! multiplication, which the baseline lacks. Where only a few arguments need more work (a large angle), it is
//! done for those lanes, in a function that is not inlined.
//!
//! The algorithms are those of fdlibm (logarithm, power, angles in `f64`) and of Cephes (angles in `f32`, hyperbolic
//! tangent); the polynomials of the exponential and of the power in `f32` were fitted for them.

// Constants are written as in their sources, or in full; some only resemble well-known ones.
#![allow(clippy::excessive_precision, clippy::approx_constant)]

use super::{Isa, Simd};

mod exponential;
mod hyperbolic;
mod logarithm;
mod number;
mod power;
mod reduction;
mod trigonometric;

pub(super) use exponential::{exp_f32, exp_f64, exp2_f32, exp2_f64};
#[cfg(test)]
pub(super) use exponential::{scaled_by_bits_f32, scaled_by_bits_f64};
pub(super) use hyperbolic::{tanh_f32, tanh_f64};
pub(super) use logarithm::{ln_f32, ln_f64, log2_f32, log2_f64};
pub(super) use power::{completed_f32, completed_f64, pow_f32, pow_f64, power_f32, power_f64};
pub(super) use reduction::with_large_angles;
pub(super) use trigonometric::{cos_f32, cos_f64, sin_f32, sin_f64, tan_f32, tan_f64};

/// The functions of a [`FloatElement`](super::FloatElement), each by a function of this module.
macro_rules! elementary {
    ($t:ident: $($name:ident($x:ident $(, $y:ident)*) = $by:ident;)*) => {
        $(
            #[inline(always)]
            fn $name<V: Float<Elem = $t>>($x: V $(, $y: V)*) -> V {
                framed!([V: Float<Elem = $t>] ($x: V $(, $y: V)*) -> V { math::$by($x $(, $y)*) })
            }
        )*
    };
}
pub(super) use elementary;

/// Does something for the functions of the language: a name, what is called instead of the formula, what does it to
/// many, the arguments, and the type that all of it is computed in if that is a longer one.
macro_rules! functions {
    ($then:ident $given:tt) => {
        $then! { @list $given
            exp exp_by_call exp_each(x);
            ln ln_by_call ln_each(x);
            sin sin_by_call sin_each(x);
            cos cos_by_call cos_each(x);
            tan tan_by_call tan_each(x);
            tanh tanh_by_call tanh_each(x);
            pow_in_part pow_by_call pow_each(x, y);
            pow_in_full pow_in_full_by_call pow_in_full_each(x, y);
            power power_by_call power_each(x, y) in f64;
        }
    };
}
pub(super) use functions;

/// The functions of a trait that are made of [`functions`].
macro_rules! by_calls {
    (@list [] $($formula:ident $call:ident $each:ident($x:ident $(, $y:ident)?) $(in f64)?;)*) => {$(
        #[doc(hidden)]
        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn $call(mut self $(, $y: Self)?) -> Self {
            // SAFETY: one of each.
            unsafe { Self::$each(&raw mut self $(, &raw const $y)?, 1) };
            self
        }

        #[doc(hidden)]
        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        unsafe fn $each($x: *mut Self $(, $y: *const Self)?, count: usize) {
            for i in 0..count {
                // SAFETY: the caller has so many.
                unsafe { $x.add(i).write($x.add(i).read().$formula($($y.add(i).read())?)) };
            }
        }
    )*};
}
pub(super) use by_calls;

/// Of twice a vector: the same of all halves.
macro_rules! of_halves {
    (@list [$half:ident] $($formula:ident $call:ident $each:ident($x:ident $(, $y:ident)?) $(in f64)?;)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        unsafe fn $each($x: *mut Self $(, $y: *const Self)?, count: usize) {
            // SAFETY: so many of twice a vector are twice as many.
            unsafe { $half::$each($x.cast() $(, $y.cast())?, 2 * count) }
        }
    )*};
}
pub(super) use of_halves;

/// Of a register or a scalar: functions that are no part of what calls them. They are compiled once, with this crate and
/// for the instruction set of the register. In place a formula is compiled anew for every copy of a loop that has it,
/// which takes seconds for a power. Arguments lie in memory, many in a row, since that is how they are passed anyhow.
/// Of the greatest registers as many as make a `$long` vector are computed at once, since each waits for itself; a
/// `$wide` vector where each is more registers of `f64`.
macro_rules! of_register {
    (@list [$scalar:ident] $($rest:tt)*) => {
        $crate::simd::math::of_register! { @each [$scalar [$scalar] [$scalar] []] $($rest)* }
    };
    (@list [$name:ident of $isa:ident $class:ident $(, $features:literal)?] $($rest:tt)*) => {
        $crate::simd::math::of_register! { @each [
            $name
            [<$isa as Width<{ math::together::<$isa, $name>() }>>::$class]
            [<$isa as Width<{ math::together_in_f64::<$isa, $name>() }>>::$class]
            [$($features)?]
        ] $($rest)* }
    };
    (@each $given:tt $($formula:ident $call:ident $each:ident $args:tt $(in $in:ident)?;)*) => {
        $($crate::simd::math::of_register! { @one $given $formula $each $args $($in)? })*
    };
    (@one [$name:ident $long:tt $wide:tt $features:tt] $formula:ident $each:ident $args:tt f64) => {
        $crate::simd::math::of_register! { @one [$name $wide $wide $features] $formula $each $args }
    };
    (@one [$name:ident [$long:ty] $wide:tt [$($features:literal)?]] $formula:ident $each:ident($x:ident $(, $y:ident)?)) => {
        #[inline(always)]
        unsafe fn $each($x: *mut Self $(, $y: *const Self)?, count: usize) {
            $(#[target_feature(enable = $features)])?
            #[inline(never)]
            unsafe fn one($x: *mut $name $(, $y: *const $name)?) {
                // By the trait: scalars have methods of the same names, of which the bits are others.
                // SAFETY: the caller's promise.
                unsafe { $x.write(Float::$formula($x.read() $(, $y.read())?)) };
            }
            $(#[target_feature(enable = $features)])?
            #[inline(never)]
            unsafe fn together($x: *mut $long $(, $y: *const $long)?) {
                // SAFETY: the caller's promise.
                unsafe { $x.write_unaligned(Float::$formula($x.read_unaligned() $(, $y.read_unaligned())?)) };
            }
            const TOGETHER: usize = size_of::<$long>() / size_of::<$name>();
            let mut i = 0;
            // No loop is in what is called: its constants would go to the stack, where registers lie across lines of the
            // cache, and be read again before they are there.
            // SAFETY: the caller has so many; who has a vector of an instruction set runs on a CPU that has it.
            unsafe {
                while TOGETHER > 1 && i + TOGETHER <= count {
                    together($x.add(i).cast() $(, $y.add(i).cast())?);
                    i += TOGETHER;
                }
                while i < count {
                    one($x.add(i) $(, $y.add(i))?);
                    i += 1;
                }
            }
        }
    };
}
pub(super) use of_register;

/// The lanes that are computed at once: of the greatest registers those of 64 bytes, as kernels have.
pub(super) const fn together<S: Isa, V: Simd>() -> usize {
    if size_of::<V>() == S::BYTES { 64 / size_of::<V::Elem>() } else { V::LANES }
}

/// The same where they are computed in `f64`: four registers at most. Compilers take seconds for a power of more of the
/// baseline's.
pub(super) const fn together_in_f64<S: Isa, V: Simd>() -> usize {
    let (lanes, most) = (together::<S, V>(), 4 * S::BYTES / size_of::<f64>());
    if lanes < most { lanes } else { most }
}
