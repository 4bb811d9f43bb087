//! Vectors of every logical width on every instruction set.
//!
//! Generated code is one generic body over an [`Isa`] `S`. It names the vector of `N` lanes of `T` as
//! [`V<S, T, N>`](V) (`T` may be `bool`: then it is the [`Mask`]) and works on it through the traits [`Simd`],
//! [`Float`], [`Int`] and [`Mask`], written as functions (`Simd::min(a, b)`), since a scalar is the vector of one
//! lane and has methods of the same names with other meanings. Every function has the *scalar meaning* of the
//! language in each lane: integers wrap, `x / 0 = 0`, `x % 0 = x`, `MIN / −1 = MIN`, shifts mask their counts,
//! casts are Rust's `as`, `min(a, b) = if a < b { a } else { b }`.
//!
//! How it is made: each trait has a default for each function that works on the two halves of a vector, down to
//! scalars, which define them all. A logical width without registers of its own is thus [`Twice`] the half, and says
//! nothing else but that few lanes of few bits are worked on in wider ones; a register type overrides what the instruction
//! set can do. Everything is
//! `#[inline(always)]` and nothing takes a closure: inside a `#[target_feature]` function all of it melts into
//! instructions, and a single call would cost more than the vectors gain.
//!
//! With debug assertions operations are but `#[inline]`, so that unoptimised builds call them: melted into one function
//! without being optimised, each has places of its own there for all that it does on the way, which fills the stack and
//! takes the compiler long. Formulas and squares of many operations have functions of their own then (`framed`).
//!
//! A mask belongs to an instruction set and a number of lanes, not to an element type, so that comparisons of
//! any types combine. It follows that its type knows both, which is why conversions hang on it.

mod convert;
mod float;
mod framed;
mod int;
mod isa;
mod mask;
mod narrow;
mod scalar;
pub mod shuffle;
mod slant;
mod twice;

#[cfg(target_arch = "x86_64")]
pub mod avx2;
#[cfg(target_arch = "x86_64")]
pub mod avx512;
pub mod baseline;
mod math;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use baseline::Baseline;
pub use float::{Float, FloatElement};
pub use int::Int;
pub use isa::{Isa, Typed, V, Width};
pub use mask::{Both, Mask};
pub use scalar::{Element, kind};
pub use twice::Twice;
#[cfg(target_arch = "x86_64")]
pub use {avx2::Avx2, avx512::Avx512};

#[cfg(test)]
mod tests;

/// Declares functions of a vector trait whose default is the same function on both halves.
macro_rules! by_halves {
    ($($(#[$doc:meta])* fn $name:ident($a:ident $(, $b:ident)*);)*) => {$(
        $(#[$doc])*
        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn $name(self $(, $b: Self)*) -> Self {
            by_halves!(@ $name self $($b)*)
        }
    )*};
    (@ $name:ident $a:ident) => {{
        let (a0, a1) = $a.halves();
        Self::join(a0.$name(), a1.$name())
    }};
    (@ $name:ident $a:ident $b:ident) => {{
        let (a0, a1) = $a.halves();
        let (b0, b1) = $b.halves();
        Self::join(a0.$name(b0), a1.$name(b1))
    }};
    (@ $name:ident $a:ident $b:ident $c:ident) => {{
        let (a0, a1) = $a.halves();
        let (b0, b1) = $b.halves();
        let (c0, c1) = $c.halves();
        Self::join(a0.$name(b0, c0), a1.$name(b1, c1))
    }};
}
pub(crate) use by_halves;

/// Declares comparisons; the default compares both halves.
macro_rules! comparisons {
    ($($(#[$doc:meta])* fn $name:ident;)*) => {$(
        $(#[$doc])*
        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn $name(self, other: Self) -> Self::Mask {
            let (a0, a1) = self.halves();
            let (b0, b1) = other.halves();
            Mask::join(Self::Half::$name(a0, b0), Self::Half::$name(a1, b1))
        }
    )*};
}

/// Declares folds of all lanes; the default combines both halves and folds what remains.
macro_rules! folds {
    ($($(#[$doc:meta])* fn $name:ident by $op:ident;)*) => {$(
        $(#[$doc])*
        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn $name(self) -> Self::Elem {
            let (a0, a1) = self.halves();
            a0.$op(a1).$name()
        }
    )*};
}

/// A vector of [`LANES`](Simd::LANES) elements; a scalar is one of one lane.
///
/// # Safety
/// The type is exactly its elements in lane order, without padding, and valid for any bits.
pub unsafe trait Simd: Copy + Send + Sync + 'static {
    /// The type of a lane.
    type Elem: Element;
    /// What comparisons give.
    type Mask: Mask;
    /// The vector of half as many lanes; of a scalar the scalar itself.
    type Half: Simd<Elem = Self::Elem, Mask = <Self::Mask as Mask>::Half>;
    /// The number of lanes, a power of 2.
    const LANES: usize;

    /// The lower and the upper lanes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn halves(self) -> (Self::Half, Self::Half) {
        // SAFETY: both are the same elements in the same order.
        let Pair(lower, upper) = unsafe { transmute::<Self, Pair<Self::Half>>(self) };
        (lower, upper)
    }

    /// The upper lanes or the lower ones, as the type that an instruction set calls a vector of half as many lanes: it is
    /// [`Half`](Simd::Half), which no generic code knows.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn half<H: Simd<Elem = Self::Elem>>(self, upper: bool) -> H {
        const { assert!(2 * H::LANES == Self::LANES) };
        let halves = self.halves();
        // SAFETY: both are the same number of elements in order.
        unsafe { transmute::<Self::Half, H>(if upper { halves.1 } else { halves.0 }) }
    }

    /// The vector with these lower and upper lanes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn join(lower: Self::Half, upper: Self::Half) -> Self {
        // SAFETY: both are the same elements in the same order.
        unsafe { transmute::<Pair<Self::Half>, Self>(Pair(lower, upper)) }
    }

    /// The same value in each lane.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn splat(value: Self::Elem) -> Self {
        Self::join(Self::Half::splat(value), Self::Half::splat(value))
    }

    /// The number of each lane: 0, 1, 2 …
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn iota() -> Self {
        let lower = Self::Half::iota();
        Self::join(lower, lower.add(Self::Half::splat(Self::Elem::from_usize(Self::LANES / 2))))
    }

    /// The elements from `from` on.
    ///
    /// # Safety
    /// All lanes are readable. Any alignment will do.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    unsafe fn load(from: *const Self::Elem) -> Self {
        // SAFETY: a vector is its elements in order.
        unsafe { from.cast::<Self>().read_unaligned() }
    }

    /// The elements from `from` on, and the lines of the cache that lie two pages further are asked for, as
    /// [`ask_by_room`](crate::memory::ask_by_room) does it: where memory is read in order, they are close in time.
    ///
    /// # Safety
    /// All lanes are readable. Any alignment will do, and what lies further need not be memory.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    unsafe fn load_ahead(from: *const Self::Elem, is_roomy: bool) -> Self {
        /// Bytes of two pages, and of a line.
        const AHEAD: usize = 8192;
        const LINE: usize = 64;
        let mut line = 0;
        while line < size_of::<Self>() {
            // Each cache is asked, one of them for a line that is there: around a branch, constants stay in no registers.
            let (near, far) = if is_roomy { (AHEAD, 0) } else { (0, AHEAD) };
            crate::memory::ask(from.cast::<u8>(), near + line);
            crate::memory::ask_far(from.cast::<u8>(), far + line);
            line += LINE;
        }
        // SAFETY: the caller's promise.
        unsafe { Self::load(from) }
    }

    /// Writes the elements from `to` on.
    ///
    /// # Safety
    /// All lanes are writable. Any alignment will do.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    unsafe fn store(self, to: *mut Self::Elem) {
        // SAFETY: a vector is its elements in order.
        unsafe { to.cast::<Self>().write_unaligned(self) }
    }

    /// Writes the elements from `to` on, past the cache where the address is a multiple of the vector's size.
    /// Other threads, and this one by other means than plain reads, see them after a
    /// [`fence`](crate::memory::fence).
    ///
    /// # Safety
    /// All lanes are writable. Any alignment will do.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    unsafe fn stream(self, to: *mut Self::Elem) {
        // SAFETY: the caller's promise.
        unsafe {
            if Self::LANES > 1 && size_of::<Self>() > 16 {
                let (lower, upper) = self.halves();
                lower.stream(to);
                upper.stream(to.add(Self::LANES / 2));
            } else {
                #[cfg(target_arch = "x86_64")]
                x86::stream(self, to);
                #[cfg(not(target_arch = "x86_64"))]
                self.store(to);
            }
        }
    }

    /// The first `count` elements from `from` on, and zeros.
    ///
    /// # Safety
    /// `count` elements are readable, and no more than there are lanes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    unsafe fn load_partial(from: *const Self::Elem, count: usize) -> Self {
        let mut out = Self::splat(Self::Elem::ZERO);
        let lanes = (&raw mut out).cast::<Self::Elem>();
        let mut i = 0;
        while i < count {
            // SAFETY: the caller's promise.
            unsafe { lanes.add(i).write(from.add(i).read_unaligned()) };
            i += 1;
        }
        out
    }

    /// Writes the first `count` lanes.
    ///
    /// # Safety
    /// `count` elements are writable, and no more than there are lanes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    unsafe fn store_partial(self, to: *mut Self::Elem, count: usize) {
        let lanes = (&raw const self).cast::<Self::Elem>();
        let mut i = 0;
        while i < count {
            // SAFETY: the caller's promise.
            unsafe { to.add(i).write_unaligned(lanes.add(i).read()) };
            i += 1;
        }
    }

    /// Writes the lanes before `end`, as halves, quarters and so on: a store through a mask takes some CPUs hundreds of
    /// steps.
    ///
    /// # Safety
    /// These lanes are writable.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    unsafe fn store_until(self, to: *mut Self::Elem, end: usize) {
        // SAFETY: the caller's promise; the lower half is written where `end` is not in it.
        unsafe {
            if end >= Self::LANES {
                self.store(to);
            } else if Self::LANES > 1 {
                let ((lower, upper), half) = (self.halves(), Self::LANES / 2);
                if end < half {
                    lower.store_until(to, end);
                } else {
                    lower.store(to);
                    upper.store_until(to.wrapping_add(half), end - half);
                }
            }
        }
    }

    /// Writes the lanes from `start` on, likewise. `to` is where lane 0 would be.
    ///
    /// # Safety
    /// These lanes are writable.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    unsafe fn store_from(self, to: *mut Self::Elem, start: usize) {
        // SAFETY: the caller's promise; the upper half is written where `start` is not in it.
        unsafe {
            if start == 0 {
                self.store(to);
            } else if Self::LANES > 1 {
                let ((lower, upper), half) = (self.halves(), Self::LANES / 2);
                let middle = to.wrapping_add(half);
                if start < half {
                    upper.store(middle);
                    lower.store_from(to, start);
                } else {
                    upper.store_from(middle, start - half);
                }
            }
        }
    }

    /// The elements at `from`, `from + stride`, `from + 2·stride` …
    ///
    /// # Safety
    /// All of them are readable.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    unsafe fn gather(from: *const Self::Elem, stride: isize) -> Self {
        let half = (Self::LANES / 2) as isize;
        // SAFETY: the caller's promise.
        unsafe {
            Self::join(
                Self::Half::gather(from, stride),
                Self::Half::gather(from.wrapping_offset(stride * half), stride),
            )
        }
    }

    /// [`gather`](Simd::gather) with a stride known beforehand: one of −1 to 4 takes loads and shuffles only.
    ///
    /// # Safety
    /// All of the elements are readable, and those between them.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    unsafe fn gather_by<const STRIDE: isize>(from: *const Self::Elem) -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            match STRIDE {
                -1 => shuffle::reversed(Self::load(from.wrapping_sub(Self::LANES - 1))),
                0 => Self::splat(from.read_unaligned()),
                1 => Self::load(from),
                2..=4 => shuffle::every::<Self>(from, STRIDE as usize),
                _ => Self::gather(from, STRIDE),
            }
        }
    }

    /// The lanes of both, alternating: the lower half of the result and the upper one.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn interleave(self, other: Self) -> (Self, Self) {
        let ((a0, a1), (b0, b1)) = (self.halves(), other.halves());
        let ((c0, c1), (d0, d1)) = (a0.interleave(b0), a1.interleave(b1));
        (Self::join(c0, c1), Self::join(d0, d1))
    }

    /// Copies rows of as many elements as there are lanes to columns; strides are the distances of rows. `height` is a
    /// multiple of the lanes. `PAST` is whether rows are written past the cache, as by [`stream`](Simd::stream).
    ///
    /// # Safety
    /// All rows are readable from `from` on and writable from `to` on, and they do not overlap.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    unsafe fn transpose<const PAST: bool>(
        height: usize,
        from: *const Self::Elem,
        from_stride: isize,
        to: *mut Self::Elem,
        to_stride: isize,
    ) {
        // SAFETY: the caller's promise.
        unsafe { shuffle::transpose_in_registers::<Self, PAST>(height, from, from_stride, to, to_stride) }
    }

    /// Copies rows to columns in a slant: lane `j` of row `i` that is written is lane `j` of row `j - i` that is read, of
    /// which there are those from `1 - rows` to the number of lanes; `rows` is a multiple of 8. `PAST` is whether rows are
    /// written past the cache.
    ///
    /// # Safety
    /// All these rows are readable and writable, with as many elements as there are lanes, and they do not overlap.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    unsafe fn transpose_slant<const PAST: bool>(
        rows: usize,
        from: *const Self::Elem,
        from_stride: isize,
        to: *mut Self::Elem,
        to_stride: isize,
    ) {
        // SAFETY: the caller's promise.
        unsafe { slant::in_registers::<Self, PAST>(rows, from, from_stride, to, to_stride) }
    }

    /// Writes to `to`, `to + stride`, `to + 2·stride` …, in this order.
    ///
    /// # Safety
    /// All of them are writable.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    unsafe fn scatter(self, to: *mut Self::Elem, stride: isize) {
        let (lower, upper) = self.halves();
        let half = (Self::LANES / 2) as isize;
        // SAFETY: the caller's promise.
        unsafe {
            lower.scatter(to, stride);
            upper.scatter(to.wrapping_offset(stride * half), stride);
        }
    }

    /// The elements of `base` at `indices`, each as unsigned number.
    ///
    /// # Safety
    /// All of them are readable.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    unsafe fn gather_at<I: Simd<Elem = u32, Mask = Self::Mask>>(base: *const Self::Elem, indices: I) -> Self {
        let (lower, upper) = indices.halves();
        // SAFETY: the caller's promise.
        unsafe { Self::join(Self::Half::gather_at(base, lower), Self::Half::gather_at(base, upper)) }
    }

    /// The element of lane `i`. (It is slow where `i` is not constant.)
    ///
    /// # Panics
    /// In debug builds, where there is no such lane; in others some lane is read.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn lane(self, i: usize) -> Self::Elem {
        debug_assert!(i < Self::LANES);
        let i = i & (Self::LANES - 1);
        // SAFETY: a vector is its elements in order, and `i` is one of them.
        unsafe { (&raw const self).cast::<Self::Elem>().add(i).read() }
    }

    /// The vector with `value` in lane `i`.
    ///
    /// # Panics
    /// In debug builds, where there is no such lane; in others some lane is replaced.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn with_lane(mut self, i: usize, value: Self::Elem) -> Self {
        debug_assert!(i < Self::LANES);
        let i = i & (Self::LANES - 1);
        // SAFETY: a vector is its elements in order, and `i` is one of them.
        unsafe { (&raw mut self).cast::<Self::Elem>().add(i).write(value) };
        self
    }

    /// The vector of an array of its lanes.
    ///
    /// # Panics
    /// Where the number of elements is not that of the lanes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn from_lanes(lanes: &[Self::Elem]) -> Self {
        assert!(lanes.len() == Self::LANES);
        // SAFETY: the length is that of the vector.
        unsafe { Self::load(lanes.as_ptr()) }
    }

    by_halves! {
        /// `a + b`; integers wrap.
        fn add(a, b);
        /// `a − b`; integers wrap.
        fn sub(a, b);
        /// `a · b`; integers wrap.
        fn mul(a, b);
        /// `a / b`; of integers `x / 0 = 0` and `MIN / −1 = MIN`.
        fn div(a, b);
        /// `a % b`, with the sign of `a`; of integers `x % 0 = x`.
        fn rem(a, b);
        /// `−a`; integers wrap.
        fn neg(a);
        /// `|a|`; integers wrap.
        fn abs(a);
        /// `if a < b { a } else { b }`.
        fn min(a, b);
        /// `if a > b { a } else { b }`.
        fn max(a, b);
    }

    comparisons! {
        /// `a == b`.
        fn eq;
        /// `a != b`.
        fn ne;
        /// `a < b`.
        fn lt;
        /// `a <= b`.
        fn le;
        /// `a > b`.
        fn gt;
        /// `a >= b`.
        fn ge;
    }

    /// `if mask { a } else { b }` in each lane.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn select(mask: Self::Mask, a: Self, b: Self) -> Self {
        let (m0, m1) = mask.halves();
        let (a0, a1) = a.halves();
        let (b0, b1) = b.halves();
        Self::join(Self::Half::select(m0, a0, b0), Self::Half::select(m1, a1, b1))
    }

    /// `if self < other { a } else { b }`. Like its brothers no slower than comparison and selection, and faster
    /// where masks are vectors of another width.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn if_lt(self, other: Self, a: Self, b: Self) -> Self {
        Self::select(self.lt(other), a, b)
    }

    /// `if self <= other { a } else { b }`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn if_le(self, other: Self, a: Self, b: Self) -> Self {
        Self::select(self.le(other), a, b)
    }

    /// `if self == other { a } else { b }`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn if_eq(self, other: Self, a: Self, b: Self) -> Self {
        Self::select(self.eq(other), a, b)
    }

    /// Each lane `as` the other type.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn cast<B: Simd<Mask = Self::Mask>>(self) -> B {
        <Self::Mask as Mask>::convert::<Self, B>(self)
    }

    folds! {
        /// The sum of all lanes, as a balanced tree: this re-associates and reorders.
        fn reduce_add by add;
        /// The product of all lanes, as a balanced tree.
        fn reduce_mul by mul;
        /// The least lane, as a balanced tree.
        fn reduce_min by min;
        /// The greatest lane, as a balanced tree.
        fn reduce_max by max;
    }
}

/// The lower and the upper half of a vector.
#[repr(C)]
#[derive(Clone, Copy)]
struct Pair<V>(V, V);

/// `mem::transmute` between types whose sizes are equal by a trait's promise, which the compiler cannot see.
///
/// # Safety
/// Both types are plain lanes of the same number of bytes.
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
unsafe fn transmute<A: Copy, B: Copy>(a: A) -> B {
    // At run time, since arms for other types are instantiated and never run.
    debug_assert!(size_of::<A>() == size_of::<B>());
    // SAFETY: the sizes are equal, and any bits are valid.
    unsafe { (&raw const a).cast::<B>().read_unaligned() }
}
