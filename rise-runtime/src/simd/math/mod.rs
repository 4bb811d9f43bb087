//! Elementary functions, written once over [`Float`](super::Float) for vectors and scalars alike.
//!
//! In: lanes. Out: lanes, each within 4 units in the last place, with the standard library's results for zeros,
//! infinities and NaN. The bits of a lane depend on that lane alone, neither on its position nor on the instruction
//! set: only operations that round once everywhere are used, `+ - * /` and those on bits, and no fused
//! multiplication, which the baseline lacks. Where only a few arguments need more work (a large angle), it is
//! done for those lanes, in a function that is not inlined.
//!
//! The algorithms are those of fdlibm (logarithm, power, angles in `f64`) and of Cephes (angles in `f32`, hyperbolic
//! tangent); the exponential's polynomials were fitted for it.

// Constants are written as in their sources, or in full; some only resemble well-known ones.
#![allow(clippy::excessive_precision, clippy::approx_constant)]

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
pub(super) use power::{pow_f32, pow_f64};
pub(super) use reduction::with_large_angles;
pub(super) use trigonometric::{cos_f32, cos_f64, sin_f32, sin_f64, tan_f32, tan_f64};

/// The functions of a [`FloatElement`](super::FloatElement), each by a function of this module.
macro_rules! elementary {
    ($t:ident: $($name:ident($x:ident $(, $y:ident)?) = $by:ident;)*) => {
        $(
            #[inline(always)]
            fn $name<V: Float<Elem = $t>>($x: V $(, $y: V)?) -> V {
                framed!([V: Float<Elem = $t>] ($x: V $(, $y: V)?) -> V { math::$by($x $(, $y)?) })
            }
        )*
    };
}
pub(super) use elementary;
