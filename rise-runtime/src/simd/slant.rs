//! Rows to columns in a slant, without a lane that leaves its place.
//!
//! ```text
//! read       row −1: x y z    row 0: a b c    row 1: d e f    row 2: g h i
//! written    row  0: a e i    row 1: x b f    …
//! ```
//!
//! Where each row of a matrix begins one element further than a line of the cache, the lines of its rows lie in a slant:
//! each begins one element before the one above. So do those of its transpose, and an element has the same place in both.
//! What is written takes each lane from another line, which is a selection for each bit of the number of the lane: first
//! the odd lanes come from the next line, then of each four the last two from the next but one, and so on. Each line is
//! loaded once and takes part in as many rows as there are lanes.

use super::{Mask, Simd};

/// Steps that are written out, so that what waits for later ones stays in registers.
const STEPS: usize = 8;

/// The lanes in whose number the bit is set.
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
fn with_bit<V: Simd>(bit: usize) -> V::Mask {
    let mut bits = 0u64;
    let mut lane = 0;
    while lane < V::LANES {
        bits |= u64::from(lane & bit != 0) << lane;
        lane += 1;
    }
    V::Mask::from_bits(bits)
}

/// What earlier steps leave to later ones: the vector selected one, two, four and eight steps ago.
#[derive(Clone, Copy)]
struct Waiting<V> {
    one: V,
    two: [V; 2],
    four: [V; 4],
    eight: [V; 8],
}

impl<V: Simd> Waiting<V> {
    /// The row that ends with a line, at a step modulo [`STEPS`].
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn step(&mut self, at: usize, line: V) -> V {
        let mut row = line;
        if V::LANES > 1 {
            let next = row;
            row = V::select(with_bit::<V>(1), next, self.one);
            self.one = next;
        }
        if V::LANES > 2 {
            let next = row;
            row = V::select(with_bit::<V>(2), next, self.two[at % 2]);
            self.two[at % 2] = next;
        }
        if V::LANES > 4 {
            let next = row;
            row = V::select(with_bit::<V>(4), next, self.four[at % 4]);
            self.four[at % 4] = next;
        }
        if V::LANES > 8 {
            let next = row;
            row = V::select(with_bit::<V>(8), next, self.eight[at]);
            self.eight[at] = next;
        }
        row
    }
}

/// [`Simd::transpose_slant`] of vectors of up to 16 lanes that a register holds: from the last row up, since what is read
/// goes down.
///
/// # Safety
/// That of [`Simd::transpose_slant`].
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
pub(super) unsafe fn in_registers<V: Simd, const PAST: bool>(
    rows: usize,
    from: *const V::Elem,
    from_stride: isize,
    to: *mut V::Elem,
    to_stride: isize,
) {
    debug_assert!(V::LANES <= 16 && rows.is_multiple_of(STEPS));
    let past = PAST && size_of::<V>() == crate::memory::ALIGNMENT;
    let zero = V::splat(<V::Elem as super::Element>::ZERO);
    let mut waiting = Waiting { one: zero, two: [zero; 2], four: [zero; 4], eight: [zero; 8] };
    let last = rows as isize - 1;
    // SAFETY: the caller's promise.
    unsafe {
        let (mut line, mut row) = (from.offset(-last * from_stride), to.offset(last * to_stride));
        // One line less than the lanes before the first row is whole.
        let mut step = V::LANES.max(STEPS) - (V::LANES - 1);
        while step < V::LANES.max(STEPS) {
            waiting.step(step % STEPS, V::load(line));
            line = line.wrapping_offset(from_stride);
            step += 1;
        }
        let mut done = 0;
        while done < rows {
            let mut step = 0;
            while step < STEPS {
                let whole = waiting.step(step, V::load(line));
                match past {
                    true => whole.stream(row),
                    false => whole.store(row),
                }
                line = line.wrapping_offset(from_stride);
                row = row.wrapping_offset(-to_stride);
                step += 1;
            }
            done += STEPS;
        }
    }
}
