//! Lanes that change places.
//!
//! All of it is written as moves of lanes with constant numbers, which the compiler joins to the shuffles that the
//! instruction set has.

use super::framed::{called, framed};
use super::{Isa, Simd};

/// The last lane first.
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
pub fn reversed<V: Simd>(v: V) -> V {
    let mut out = v;
    let mut i = 0;
    while i < V::LANES {
        out = out.with_lane(i, v.lane(V::LANES - 1 - i));
        i += 1;
    }
    out
}

/// Each `stride`-th element from `from` on, for strides from 2 to 4, by as many loads.
///
/// # Safety
/// All elements from the first to the last are readable.
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
pub(super) unsafe fn every<V: Simd>(from: *const V::Elem, stride: usize) -> V {
    let n = V::LANES;
    // The last load ends at the last element, so that nothing beyond it is read.
    let last = (stride - 1) * (n - 1);
    // SAFETY: the caller's promise.
    let parts: [V; 4] = unsafe {
        let end = V::load(from.add(last));
        [
            V::load(from),
            if stride > 2 { V::load(from.add(n)) } else { end },
            if stride > 3 { V::load(from.add(2 * n)) } else { end },
            end,
        ]
    };
    let mut out = parts[0];
    let mut i = 1;
    while i < n {
        let at = i * stride;
        let part = if at >= last { 3 } else { at / n };
        let start = if part == 3 { last } else { part * n };
        out = out.with_lane(i, parts[part].lane(at - start));
        i += 1;
    }
    out
}

/// The most rows of a square in registers.
const ROWS: usize = 16;

/// So many lines CPUs gather at a time from parts that are written past the cache.
const GATHERED: usize = 8;

/// Copies a square of as many rows as the vector has lanes, rows to columns; strides are the distances of rows, which
/// may lie one before the other.
///
/// # Safety
/// All rows are readable from `from` on and writable from `to` on, and they do not overlap.
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
pub unsafe fn transpose_tile<V: Simd>(
    from: *const V::Elem,
    from_stride: isize,
    to: *mut V::Elem,
    to_stride: isize,
) {
    framed!([V: Simd] (from: *const V::Elem, from_stride: isize, to: *mut V::Elem, to_stride: isize) -> () {
        // SAFETY: the caller's promise.
        unsafe { V::transpose::<false>(V::LANES, from, from_stride, to, to_stride) }
    });
}

/// The same by a call, which costs some nanoseconds and is compiled once.
///
/// # Safety
/// That of [`transpose_tile`].
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
pub unsafe fn transpose_by_call<V: Simd>(
    from: *const V::Elem,
    from_stride: isize,
    to: *mut V::Elem,
    to_stride: isize,
) {
    called!([inline(never)] [V: Simd] (from: *const V::Elem, from_stride: isize, to: *mut V::Elem, to_stride: isize) -> () {
        // SAFETY: the caller's promise.
        unsafe { V::transpose::<false>(V::LANES, from, from_stride, to, to_stride) }
    });
}

/// The same past the cache, if the CPU is quicker so: others see what is written after a [`fence`](crate::memory::fence).
///
/// # Safety
/// That of [`transpose_tile`].
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
pub unsafe fn transpose_past<V: Simd>(
    from: *const V::Elem,
    from_stride: isize,
    to: *mut V::Elem,
    to_stride: isize,
) {
    framed!([V: Simd] (from: *const V::Elem, from_stride: isize, to: *mut V::Elem, to_stride: isize) -> () {
        // SAFETY: the caller's promise.
        unsafe { V::transpose::<true>(V::LANES, from, from_stride, to, to_stride) }
    });
}

/// Whether vectors of the instruction set are lines of the cache, and the CPU writes them in one step.
#[inline(always)]
pub fn in_lines<S: Isa>() -> bool {
    S::BYTES == crate::memory::ALIGNMENT && crate::memory::writes_lines()
}

/// [`Simd::transpose_slant`] of twice as many rows as the vector has lanes. Strides are the distances of rows, each of
/// which begins one element before the one above.
///
/// # Safety
/// All elements from the first to the last that is read are readable, all rows are writable from `to` on, and they do not
/// overlap.
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
pub unsafe fn transpose_slant<V: Simd>(
    from: *const V::Elem,
    from_stride: isize,
    to: *mut V::Elem,
    to_stride: isize,
) {
    framed!([V: Simd] (from: *const V::Elem, from_stride: isize, to: *mut V::Elem, to_stride: isize) -> () {
        // SAFETY: the caller's promise.
        unsafe { V::transpose_slant::<false>(2 * V::LANES, from, from_stride - 1, to, to_stride - 1) }
    });
}

/// The same past the cache: others see what is written after a [`fence`](crate::memory::fence).
///
/// # Safety
/// That of [`transpose_slant`].
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
pub unsafe fn transpose_slant_past<V: Simd>(
    from: *const V::Elem,
    from_stride: isize,
    to: *mut V::Elem,
    to_stride: isize,
) {
    framed!([V: Simd] (from: *const V::Elem, from_stride: isize, to: *mut V::Elem, to_stride: isize) -> () {
        // SAFETY: the caller's promise.
        unsafe { V::transpose_slant::<true>(2 * V::LANES, from, from_stride - 1, to, to_stride - 1) }
    });
}

/// [`Simd::transpose`] of what a register holds: each row that is written is written to its end before others are,
/// since rows that lie far apart drive each other out of the cache.
///
/// # Safety
/// That of [`Simd::transpose`].
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
pub(super) unsafe fn transpose_in_registers<V: Simd, const PAST: bool>(
    height: usize,
    from: *const V::Elem,
    from_stride: isize,
    to: *mut V::Elem,
    to_stride: isize,
) {
    // Where lanes of 16 bytes keep to themselves, each half of the columns is transposed alone, with the lower rows in
    // the lower lanes and the upper rows in the upper ones.
    let halves = if size_of::<V>() == 32 { 2 } else { 1 };
    let is_line = size_of::<V>() == crate::memory::ALIGNMENT && crate::memory::writes_lines();
    let past = PAST && (height <= GATHERED || is_line);
    let count = V::LANES / halves;
    let mut half = 0;
    while half < halves {
        // SAFETY: the caller's promise.
        let (from, to) = unsafe { (from.add(half * count), to.offset((half * count) as isize * to_stride)) };
        let mut first = 0;
        while first < height {
            let mut rows = [V::splat(<V::Elem as super::Element>::ZERO); ROWS];
            let mut i = 0;
            // SAFETY: the caller's promise.
            unsafe {
                while i < count {
                    let row = from.offset((first + i) as isize * from_stride);
                    rows[i] = match halves {
                        1 => V::load(row),
                        _ => V::join(
                            V::Half::load(row),
                            V::Half::load(row.offset(count as isize * from_stride)),
                        ),
                    };
                    i += 1;
                }
                rows = transposed(rows, count);
                i = 0;
                while i < count {
                    let to = to.offset(i as isize * to_stride).add(first);
                    match past {
                        true => rows[i].stream(to),
                        false => rows[i].store(to),
                    }
                    i += 1;
                }
            }
            first += V::LANES;
        }
        half += 1;
    }
}

/// Rows to columns: of the first `count` rows, lane `j` of row `i` becomes lane `i` of row `j`; of vectors of 32 bytes
/// so in each half.
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
fn transposed<V: Simd>(mut rows: [V; ROWS], count: usize) -> [V; ROWS] {
    let mut round = 1;
    while round < count {
        let old = rows;
        let mut i = 0;
        while i < count / 2 {
            (rows[2 * i], rows[2 * i + 1]) = alternated(old[i], old[i + count / 2]);
            i += 1;
        }
        round *= 2;
    }
    rows
}

/// [`interleave`](Simd::interleave), of vectors of 32 bytes in each half, where there is an instruction for it.
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
fn alternated<V: Simd>(a: V, b: V) -> (V, V) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the size is that of the registers, and vectors of 32 bytes are only transposed whole where the CPU has them.
    unsafe {
        match size_of::<V>() {
            16 => return super::x86::unpack_128(a, b),
            32 => return super::x86::unpack_256(a, b),
            _ => {}
        }
    }
    a.interleave(b)
}
