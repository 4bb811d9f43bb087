//! Operations on lanes of 8 or 16 bits that fill no register, beside wider ones of which there are as many.
//!
//! In: vectors that would be worked on half by half, in the end as scalars. Out: the same, worked on in 32 bits, for which
//! there are registers of so many lanes; what matters of the result is in its low bits. It hangs on the mask, as
//! conversions do. (The baseline leaves such lanes to the compiler.)

use super::convert::Hub;
use super::scalar::kind;
use super::{Element, Mask, Simd};

/// Numbers of the operations on two vectors, and of the comparisons.
#[allow(missing_docs)]
pub mod op {
    pub const ADD: u8 = 0;
    pub const SUB: u8 = 1;
    pub const MUL: u8 = 2;
    pub const DIV: u8 = 3;
    pub const REM: u8 = 4;
    pub const MIN: u8 = 5;
    pub const MAX: u8 = 6;
    pub const EQ: u8 = 7;
    pub const NE: u8 = 8;
    pub const LT: u8 = 9;
    pub const LE: u8 = 10;
    pub const GT: u8 = 11;
    pub const GE: u8 = 12;
}

/// Whether vectors of the type are such.
pub(super) const fn is_narrow<V: Simd>() -> bool {
    let is_small = matches!(V::Elem::KIND, kind::I8 | kind::I16 | kind::U8 | kind::U16);
    is_small && size_of::<V>() < 16 && V::LANES >= 4
}

/// The operation of that number.
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
pub(super) fn operate<V: Simd, const OP: u8>(a: V, b: V) -> V {
    match OP {
        op::ADD => a.add(b),
        op::SUB => a.sub(b),
        op::MUL => a.mul(b),
        op::DIV => a.div(b),
        op::REM => a.rem(b),
        op::MIN => a.min(b),
        _ => a.max(b),
    }
}

/// The comparison of that number.
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
pub(super) fn compare<V: Simd, const OP: u8>(a: V, b: V) -> V::Mask {
    match OP {
        op::EQ => a.eq(b),
        op::NE => a.ne(b),
        op::LT => a.lt(b),
        op::LE => a.le(b),
        op::GT => a.gt(b),
        _ => a.ge(b),
    }
}

/// The operation in 32 bits.
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
pub(super) fn operate_wide<H: Hub, A: Simd<Mask = H>, const OP: u8>(a: A, b: A) -> A {
    H::narrow(operate::<H::I32, OP>(H::widen(a), H::widen(b)))
}

/// The comparison in 32 bits.
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
pub(super) fn compare_wide<H: Hub, A: Simd<Mask = H>, const OP: u8>(a: A, b: A) -> H {
    compare::<H::I32, OP>(H::widen(a), H::widen(b))
}

/// The selection in 32 bits.
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
pub(super) fn select_wide<H: Hub, A: Simd<Mask = H>>(mask: H, a: A, b: A) -> A {
    H::narrow(H::I32::select(mask, H::widen(a), H::widen(b)))
}

/// Half by half, where the mask knows of no registers.
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
pub(super) fn operate_halves<A: Simd, const OP: u8>(a: A, b: A) -> A {
    let ((a0, a1), (b0, b1)) = (a.halves(), b.halves());
    A::join(operate::<A::Half, OP>(a0, b0), operate::<A::Half, OP>(a1, b1))
}

/// The same for comparisons.
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
pub(super) fn compare_halves<A: Simd, const OP: u8>(a: A, b: A) -> A::Mask {
    let ((a0, a1), (b0, b1)) = (a.halves(), b.halves());
    A::Mask::join(compare::<A::Half, OP>(a0, b0), compare::<A::Half, OP>(a1, b1))
}

/// The same for selections.
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
pub(super) fn select_halves<A: Simd>(mask: A::Mask, a: A, b: A) -> A {
    let ((m0, m1), (a0, a1), (b0, b1)) = (mask.halves(), a.halves(), b.halves());
    A::join(A::Half::select(m0, a0, b0), A::Half::select(m1, a1, b1))
}

/// What masks do that know of registers for 32 bits.
macro_rules! by_hub {
    () => {
        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn convert<A: $crate::simd::Simd<Mask = Self>, B: $crate::simd::Simd<Mask = Self>>(a: A) -> B {
            $crate::simd::convert::through::<Self, A, B>(a)
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn operate_narrow<A: $crate::simd::Simd<Mask = Self>, const OP: u8>(a: A, b: A) -> A {
            $crate::simd::narrow::operate_wide::<Self, A, OP>(a, b)
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn compare_narrow<A: $crate::simd::Simd<Mask = Self>, const OP: u8>(a: A, b: A) -> Self {
            $crate::simd::narrow::compare_wide::<Self, A, OP>(a, b)
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn select_narrow<A: $crate::simd::Simd<Mask = Self>>(self, a: A, b: A) -> A {
            $crate::simd::narrow::select_wide::<Self, A>(self, a, b)
        }
    };
}
pub(crate) use by_hub;
