//! Lanes that change places.
//!
//! All of it is written as moves of lanes with constant numbers, which the compiler joins to the shuffles that the
//! instruction set has.

use super::Simd;

/// The last lane first.
#[inline(always)]
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
#[inline(always)]
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

/// Rows to columns: lane `j` of row `i` becomes lane `i` of row `j`. `N` is the number of lanes.
#[inline(always)]
pub fn transposed<V: Simd, const N: usize>(mut rows: [V; N]) -> [V; N] {
    debug_assert!(N == V::LANES);
    let mut round = 1;
    while round < N {
        let old = rows;
        let mut i = 0;
        while i < N / 2 {
            (rows[2 * i], rows[2 * i + 1]) = old[i].interleave(old[i + N / 2]);
            i += 1;
        }
        round *= 2;
    }
    rows
}

/// Copies a square of `N` by `N` elements, rows to columns, `N` being the number of lanes; strides are the
/// distances of rows.
///
/// # Safety
/// All rows are readable from `from` on and writable from `to` on, and they do not overlap.
#[inline(always)]
pub unsafe fn transpose_tile<V: Simd, const N: usize>(
    from: *const V::Elem,
    from_stride: usize,
    to: *mut V::Elem,
    to_stride: usize,
) {
    let mut rows = [V::splat(<V::Elem as super::Element>::ZERO); N];
    let mut i = 0;
    // SAFETY: the caller's promise.
    unsafe {
        while i < N {
            rows[i] = V::load(from.add(i * from_stride));
            i += 1;
        }
        let rows = transposed(rows);
        i = 0;
        while i < N {
            rows[i].store(to.add(i * to_stride));
            i += 1;
        }
    }
}
