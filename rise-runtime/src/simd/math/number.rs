//! Lanes of floats with the operators of arithmetic, for formulas.

use crate::simd::{Float, Mask, Simd};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A vector in a formula.
#[derive(Clone, Copy)]
pub(super) struct Number<V>(pub V);

macro_rules! operators {
    ($($trait:ident $name:ident)*) => {$(
        impl<V: Simd> $trait for Number<V> {
            type Output = Self;

            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                Self(Simd::$name(self.0, other.0))
            }
        }
    )*};
}

operators!(Add add Sub sub Mul mul Div div);

impl<V: Simd> Neg for Number<V> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(Simd::neg(self.0))
    }
}

impl<V: Float> Number<V> {
    /// A constant.
    #[inline(always)]
    pub(super) fn of(value: V::Elem) -> Self {
        Self(V::splat(value))
    }

    /// The value, with the low bits that `mask` lacks cleared, so that products with it are exact.
    #[inline(always)]
    pub(super) fn head(self, mask: <V::Elem as crate::simd::FloatElement>::Bits) -> Self {
        use crate::simd::Int;
        Self(V::from_bits(self.0.to_bits().and(V::Bits::splat(mask))))
    }
}

/// `if mask { a } else { b }`.
#[inline(always)]
pub(super) fn choose<V: Float>(mask: V::Mask, a: V, b: V) -> V {
    V::select(mask, a, b)
}

/// Whether any lane is true.
#[inline(always)]
pub(super) fn any<M: Mask>(mask: M) -> bool {
    mask.any()
}

/// `c0 + x·(c1 + x·(c2 + …))`.
macro_rules! polynomial {
    ($x:expr; $last:expr) => { Number::of($last) };
    ($x:expr; $first:expr, $($rest:expr),+) => { Number::of($first) + $x * polynomial!($x; $($rest),+) };
}
pub(super) use polynomial;
