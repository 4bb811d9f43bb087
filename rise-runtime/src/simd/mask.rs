//! Masks: what comparisons give and selections take.

use super::{Element, Simd, narrow, transmute};
use crate::dispatch::Level;

/// One truth value a lane.
pub trait Mask: Copy + Send + Sync + 'static {
    /// The mask of half as many lanes; of `bool` itself.
    type Half: Mask;
    /// The number of lanes.
    const LANES: usize;
    /// The instruction set that it belongs to.
    const LEVEL: Level = Level::Baseline;

    /// The lower and the upper lanes.
    fn halves(self) -> (Self::Half, Self::Half);

    /// The upper lanes or the lower ones, as the type that an instruction set calls a mask of half as many lanes: it is
    /// [`Half`](Mask::Half), which no generic code knows.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn half<H: Mask>(self, upper: bool) -> H {
        const { assert!(2 * H::LANES == Self::LANES) };
        let halves = self.halves();
        // SAFETY: both are the same mask.
        unsafe { transmute::<Self::Half, H>(if upper { halves.1 } else { halves.0 }) }
    }

    /// The mask with these lower and upper lanes.
    fn join(lower: Self::Half, upper: Self::Half) -> Self;

    /// The same value in each lane.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn splat(value: bool) -> Self {
        Self::join(Self::Half::splat(value), Self::Half::splat(value))
    }

    /// `self && other`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn and(self, other: Self) -> Self {
        let ((a0, a1), (b0, b1)) = (self.halves(), other.halves());
        Self::join(a0.and(b0), a1.and(b1))
    }

    /// `self || other`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn or(self, other: Self) -> Self {
        let ((a0, a1), (b0, b1)) = (self.halves(), other.halves());
        Self::join(a0.or(b0), a1.or(b1))
    }

    /// `self != other`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn xor(self, other: Self) -> Self {
        let ((a0, a1), (b0, b1)) = (self.halves(), other.halves());
        Self::join(a0.xor(b0), a1.xor(b1))
    }

    /// `!self`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn not(self) -> Self {
        let (a0, a1) = self.halves();
        Self::join(a0.not(), a1.not())
    }

    /// `if self { a } else { b }`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn select(self, a: Self, b: Self) -> Self {
        self.and(a).or(self.not().and(b))
    }

    /// Bit `i` is lane `i`; the bits above are 0.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn bits(self) -> u64 {
        let (lower, upper) = self.halves();
        lower.bits() | upper.bits() << (Self::LANES / 2)
    }

    /// Lane `i` is bit `i`; the bits above do not matter.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn from_bits(bits: u64) -> Self {
        Self::join(Self::Half::from_bits(bits), Self::Half::from_bits(bits >> (Self::LANES / 2)))
    }

    /// True in the first `count` lanes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn first(count: usize) -> Self {
        Self::from_bits(if count < 64 { (1 << count) - 1 } else { u64::MAX })
    }

    /// Whether some lane is true.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn any(self) -> bool {
        self.bits() != 0
    }

    /// Whether all lanes are true.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn all(self) -> bool {
        !self.not().any()
    }

    /// The value of lane `i`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn lane(self, i: usize) -> bool {
        self.bits() >> i & 1 != 0
    }

    /// The truth values from `from` on.
    ///
    /// # Safety
    /// All lanes are readable.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    unsafe fn load(from: *const bool) -> Self {
        // SAFETY: the caller's promise.
        unsafe { Self::join(Self::Half::load(from), Self::Half::load(from.add(Self::LANES / 2))) }
    }

    /// Writes the truth values from `to` on.
    ///
    /// # Safety
    /// All lanes are writable.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    unsafe fn store(self, to: *mut bool) {
        let (lower, upper) = self.halves();
        // SAFETY: the caller's promise.
        unsafe {
            lower.store(to);
            upper.store(to.add(Self::LANES / 2));
        }
    }

    /// The truth values at `from`, `from + stride` …
    ///
    /// # Safety
    /// All of them are readable.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    unsafe fn gather(from: *const bool, stride: isize) -> Self {
        let half = (Self::LANES / 2) as isize;
        // SAFETY: the caller's promise.
        unsafe {
            let upper = Self::Half::gather(from.wrapping_offset(stride * half), stride);
            Self::join(Self::Half::gather(from, stride), upper)
        }
    }

    /// Each lane of `a` as the type of the lanes of `B`: [`Simd::cast`].
    #[doc(hidden)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn convert<A: Simd<Mask = Self>, B: Simd<Mask = Self>>(a: A) -> B {
        convert_halves::<Self, A, B>(a)
    }

    /// The same of twice as many lanes, which may fill registers where these do not.
    #[doc(hidden)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn convert_both<A: Simd<Mask = Both<Self>>, B: Simd<Mask = Both<Self>>>(a: A) -> B {
        convert_halves::<Both<Self>, A, B>(a)
    }

    /// An operation on lanes of 8 or 16 bits that fill no register, by its number.
    #[doc(hidden)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn operate_narrow<A: Simd<Mask = Self>, const OP: u8>(a: A, b: A) -> A {
        narrow::operate_halves::<A, OP>(a, b)
    }

    /// A comparison of such, by its number.
    #[doc(hidden)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn compare_narrow<A: Simd<Mask = Self>, const OP: u8>(a: A, b: A) -> Self {
        narrow::compare_halves::<A, OP>(a, b)
    }

    /// `if self { a } else { b }` of such.
    #[doc(hidden)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn select_narrow<A: Simd<Mask = Self>>(self, a: A, b: A) -> A {
        narrow::select_halves(self, a, b)
    }
}

/// Each lane as another type, half by half.
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
pub(super) fn convert_halves<M: Mask, A: Simd<Mask = M>, B: Simd<Mask = M>>(a: A) -> B {
    let (lower, upper) = a.halves();
    B::join(
        <M::Half as Mask>::convert::<A::Half, B::Half>(lower),
        <M::Half as Mask>::convert::<A::Half, B::Half>(upper),
    )
}

impl Mask for bool {
    type Half = bool;
    const LANES: usize = 1;

    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn halves(self) -> (bool, bool) {
        (self, self)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn join(lower: bool, _: bool) -> bool {
        lower
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn splat(value: bool) -> bool {
        value
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn and(self, other: bool) -> bool {
        self & other
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn or(self, other: bool) -> bool {
        self | other
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn xor(self, other: bool) -> bool {
        self ^ other
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn not(self) -> bool {
        !self
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn bits(self) -> u64 {
        u64::from(self)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn from_bits(bits: u64) -> bool {
        bits & 1 != 0
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    unsafe fn load(from: *const bool) -> bool {
        // SAFETY: the caller's promise.
        unsafe { from.read() }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    unsafe fn store(self, to: *mut bool) {
        // SAFETY: the caller's promise.
        unsafe { to.write(self) }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    unsafe fn gather(from: *const bool, _: isize) -> bool {
        // SAFETY: the caller's promise.
        unsafe { from.read() }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn convert<A: Simd<Mask = bool>, B: Simd<Mask = bool>>(a: A) -> B {
        B::splat(a.lane(0).as_element::<B::Elem>())
    }
}

/// A mask of two halves.
#[derive(Debug, Clone, Copy)]
pub struct Both<M>(M, M);

impl<M: Mask> Mask for Both<M> {
    type Half = M;
    const LANES: usize = 2 * M::LANES;
    const LEVEL: Level = M::LEVEL;

    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn convert<A: Simd<Mask = Self>, B: Simd<Mask = Self>>(a: A) -> B {
        M::convert_both(a)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn halves(self) -> (M, M) {
        (self.0, self.1)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn join(lower: M, upper: M) -> Self {
        Self(lower, upper)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn any(self) -> bool {
        self.0.or(self.1).any()
    }
}
