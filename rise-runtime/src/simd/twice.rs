//! The vector of two halves: every logical width that no register has.

use super::math::{self, of_halves};
use super::narrow::{self, is_narrow, op};
use super::{Float, Int, Mask, Simd, shuffle, slant};
use std::marker::PhantomData;

/// Two vectors as one of twice the width. `M` is its mask, which the halves alone do not determine.
#[derive(Debug)]
#[repr(C)]
pub struct Twice<V, M>(V, V, PhantomData<M>);

impl<V: Copy, M> Clone for Twice<V, M> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<V: Copy, M> Copy for Twice<V, M> {}

/// Functions of two vectors, which the mask knows for lanes of few bits.
macro_rules! narrow {
    ($($function:ident -> $result:ty: $($name:ident $op:ident),*;)*) => {$($(
        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn $name(self, other: Self) -> $result {
            match const { is_narrow::<Self>() } {
                true => M::$function::<Self, { op::$op }>(self, other),
                false => <$result>::join(self.0.$name(other.0), self.1.$name(other.1)),
            }
        }
    )*)*};
}

// SAFETY: two halves that are plain lanes, one after the other.
unsafe impl<V: Simd, M: Mask<Half = V::Mask>> Simd for Twice<V, M> {
    type Elem = V::Elem;
    type Mask = M;
    type Half = V;
    const LANES: usize = 2 * V::LANES;

    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn halves(self) -> (V, V) {
        (self.0, self.1)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn join(lower: V, upper: V) -> Self {
        Self(lower, upper, PhantomData)
    }

    narrow! {
        operate_narrow -> Self: add ADD, sub SUB, mul MUL, div DIV, rem REM, min MIN, max MAX;
        compare_narrow -> M: eq EQ, ne NE, lt LT, le LE, gt GT, ge GE;
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn select(mask: M, a: Self, b: Self) -> Self {
        match const { is_narrow::<Self>() } {
            true => mask.select_narrow(a, b),
            false => narrow::select_halves(mask, a, b),
        }
    }

    // By halves down to one register: where elements are read out of a longer vector in memory, compilers keep an
    // accumulator as so many scalars all through its loop.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn lane(self, i: usize) -> Self::Elem {
        debug_assert!(i < Self::LANES);
        let (half, i) = (Self::LANES / 2, i & (Self::LANES - 1));
        if i < half { self.0.lane(i) } else { self.1.lane(i - half) }
    }

    // Shuffles take whole registers.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    unsafe fn gather_by<const STRIDE: isize>(from: *const V::Elem) -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            let upper = from.wrapping_offset(STRIDE * V::LANES as isize);
            Self::join(V::gather_by::<STRIDE>(from), V::gather_by::<STRIDE>(upper))
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    unsafe fn transpose<const PAST: bool>(
        height: usize,
        from: *const V::Elem,
        from_stride: isize,
        to: *mut V::Elem,
        to_stride: isize,
    ) {
        // SAFETY: the caller's promise.
        unsafe {
            // A register holds as much everywhere, whether or not there is a type of lanes for it.
            if size_of::<Self>() <= 16 {
                return shuffle::transpose_in_registers::<Self, PAST>(
                    height,
                    from,
                    from_stride,
                    to,
                    to_stride,
                );
            }
            V::transpose::<PAST>(height, from, from_stride, to, to_stride);
            V::transpose::<PAST>(
                height,
                from.add(V::LANES),
                from_stride,
                to.offset(V::LANES as isize * to_stride),
                to_stride,
            );
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    unsafe fn transpose_slant<const PAST: bool>(
        rows: usize,
        from: *const V::Elem,
        from_stride: isize,
        to: *mut V::Elem,
        to_stride: isize,
    ) {
        // SAFETY: the caller's promise.
        unsafe {
            if size_of::<Self>() <= 16 {
                return slant::in_registers::<Self, PAST>(rows, from, from_stride, to, to_stride);
            }
            let half = V::LANES as isize;
            let upper = from.offset(half * from_stride + half);
            V::transpose_slant::<PAST>(rows, from, from_stride, to, to_stride);
            V::transpose_slant::<PAST>(rows, upper, from_stride, to.offset(half), to_stride);
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn if_lt(self, other: Self, a: Self, b: Self) -> Self {
        Self::join(self.0.if_lt(other.0, a.0, b.0), self.1.if_lt(other.1, a.1, b.1))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn if_le(self, other: Self, a: Self, b: Self) -> Self {
        Self::join(self.0.if_le(other.0, a.0, b.0), self.1.if_le(other.1, a.1, b.1))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn if_eq(self, other: Self, a: Self, b: Self) -> Self {
        Self::join(self.0.if_eq(other.0, a.0, b.0), self.1.if_eq(other.1, a.1, b.1))
    }
}

impl<V: Float, M: Mask<Half = V::Mask>> Float for Twice<V, M> {
    type LowerHalf = V;
    type Bits = Twice<V::Bits, M>;
    type Double = Twice<V::Double, M>;
    math::functions! { of_halves [V] }
}

impl<V: Int, M: Mask<Half = V::Mask>> Int for Twice<V, M> {
    type LowerHalf = V;
}
