//! Parallel loops.
//!
//! In: a number of iterations and a body over ranges. Out: the body has run over disjoint ranges that cover all
//! of them, in the caller and in the threads of its rayon pool ([`team`]). Where there is one thread, or no feature
//! `parallel`, one range is all.
//! This module reduces nothing: a parallel fold is a loop over [`chunks`] of fixed size, folded afterwards in
//! order, so that no result depends on ranges or threads.

#[cfg(feature = "parallel")]
mod team;

use std::ops::Range;

/// Runs `body` on disjoint ranges that cover `0..count`, for iterations of about `cost` 32nds of an operation each, on a
/// scalar or on a vector.
/// What is soon done runs here, without a task, and so does all where there is one thread.
#[inline]
#[cfg_attr(not(feature = "parallel"), allow(unused_variables))]
pub fn for_each<F: Fn(Range<usize>) + Sync>(count: usize, cost: usize, body: &F) {
    if count == 0 {
        return;
    }
    #[cfg(feature = "parallel")]
    if !is_soon(count, cost) && rayon::current_num_threads() > 1 {
        return team::run(count, grain(cost), body);
    }
    body(0..count);
}

/// Whether so many iterations of about this `cost` are done before another thread would wake.
#[inline(always)]
pub const fn is_soon(count: usize, cost: usize) -> bool {
    cfg!(not(feature = "parallel")) || count <= 1 || count.saturating_mul(cost) <= SOON
}

/// Runs `body` like [`for_each`] where there are iterations enough for all threads. Where there are few, and they are no
/// long ones, several threads do each iteration: all of them what lies outside of the loops that it passes to its share,
/// which costs `own` of the `cost`, and each its part of these loops. Each has memory of its own then, for what one
/// thread has written is slow to read for others, and slow to write again.
#[inline]
#[cfg_attr(not(feature = "parallel"), allow(unused_variables))]
pub fn for_each_shared<F: Fn(Range<usize>, Share) + Sync>(count: usize, cost: usize, own: usize, body: &F) {
    #[cfg(feature = "parallel")]
    {
        let of = sharers(count, cost, own);
        if of > 1 {
            // Shares of the same part follow each other, so that a thread stays with its rows.
            let iteration =
                |unit: usize| body(unit % count..unit % count + 1, Share { index: unit / count, of });
            return team::run(count * of, 1, &|units: Range<usize>| units.for_each(iteration));
        }
    }
    for_each(count, cost, &|range| body(range, Share::ALL));
}

/// How many threads share each iteration. Where each thread has one of its own, they do again what others have done
/// already if they share, which must be very little: what is copied comes from afar and takes some twenty times as long
/// as other operations. It pays since some threads would have more iterations than others, and write to lines beside theirs.
#[cfg(feature = "parallel")]
fn sharers(count: usize, cost: usize, own: usize) -> usize {
    if !(SOON..=LONG).contains(&cost) {
        return 1;
    }
    // To ask starts the threads.
    let threads = rayon::current_num_threads();
    let (of, share_of_own) = match count {
        1.. if count < threads => (threads.div_ceil(count), 4),
        1.. if count < 2 * threads => (threads, 16 * threads),
        _ => return 1,
    };
    if own > cost / share_of_own { 1 } else { of.min(cost / (SOON / 4)) }
}

/// What part of the loops inside of an iteration a thread does that shares it with others.
#[derive(Clone, Copy, Debug)]
pub struct Share {
    index: usize,
    of: usize,
}

impl Share {
    /// Nobody else does anything of the iteration.
    pub const ALL: Share = Share { index: 0, of: 1 };

    /// Whether nobody shares the iteration and [`is_soon`] holds.
    #[inline(always)]
    pub const fn is_soon(self, count: usize, cost: usize) -> bool {
        self.of == 1 && is_soon(count, cost)
    }

    /// Runs `body` on the iterations of this share of `0..count`, as [`for_each`] does where that is all of them.
    #[inline]
    pub fn for_each<F: Fn(Range<usize>) + Sync>(self, count: usize, cost: usize, body: &F) {
        if self.of == 1 {
            return for_each(count, cost, body);
        }
        let range = count * self.index / self.of..count * (self.index + 1) / self.of;
        if !range.is_empty() {
            body(range);
        }
    }
}

/// From here on, a third of a millisecond, the loops inside are worth sharing out by themselves, so that who is done first
/// takes more.
#[cfg(feature = "parallel")]
const LONG: usize = 32 * SOON;

/// What costs less, some ten microseconds, is done before another thread wakes.
const SOON: usize = OPERATION << 16;

/// What an operation costs.
const OPERATION: usize = 32;

/// How many iterations of about this cost make a task that is worth its overhead.
#[cfg(feature = "parallel")]
const fn grain(cost: usize) -> usize {
    /// About ten microseconds of scalar work; a task costs a tenth of one.
    const TASK: usize = OPERATION << 14;
    TASK.div_ceil(if cost == 0 { 1 } else { cost })
}

/// How many chunks of `chunk` iterations (the last may be shorter) make up `count`.
#[inline(always)]
pub const fn chunks(count: usize, chunk: usize) -> usize {
    count.div_ceil(if chunk == 0 { 1 } else { chunk })
}

/// The iterations of chunk `index` of those.
#[inline(always)]
pub const fn chunk(count: usize, chunk: usize, index: usize) -> Range<usize> {
    let chunk = if chunk == 0 { 1 } else { chunk };
    let start = index * chunk;
    let end = if count - start < chunk { count } else { start + chunk };
    start..end
}

/// A pointer that a parallel body may share. What keeps the accesses apart is the compiler's proof about the
/// loop, not this type.
#[derive(Debug)]
#[repr(transparent)]
pub struct SendPtr<T>(*mut T);

impl<T> Clone for SendPtr<T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for SendPtr<T> {}

// SAFETY: a pointer does nothing by itself; whoever dereferences it answers for that.
unsafe impl<T> Send for SendPtr<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for SendPtr<T> {}

impl<T> SendPtr<T> {
    /// Wraps a pointer to write through.
    #[inline(always)]
    pub const fn new(pointer: *mut T) -> Self {
        Self(pointer)
    }

    /// Wraps a pointer to read through.
    #[inline(always)]
    pub const fn of(pointer: *const T) -> Self {
        Self(pointer.cast_mut())
    }

    /// The pointer. (A method, so that a closure captures the wrapper and not its field.)
    #[inline(always)]
    pub const fn get(self) -> *mut T {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    fn ranges(count: usize, cost: usize) -> Vec<(usize, usize)> {
        let seen = Mutex::new(Vec::new());
        for_each(count, cost, &|range: Range<usize>| seen.lock().unwrap().push((range.start, range.end)));
        let mut seen = seen.into_inner().unwrap();
        seen.sort_unstable();
        seen
    }

    #[test]
    fn one_range_is_enough_for_what_is_soon_done() {
        assert_eq!(ranges(0, usize::MAX), []);
        assert_eq!(ranges(1, usize::MAX), [(0, 1)]);
        assert_eq!(ranges(1000, 100), [(0, 1000)]);
    }

    #[cfg(feature = "parallel")]
    fn threads(count: usize) -> rayon::ThreadPool {
        rayon::ThreadPoolBuilder::new().num_threads(count).build().unwrap()
    }

    #[cfg(feature = "parallel")]
    #[test]
    fn ranges_cover_the_count_once() {
        let ranges = |count, cost| threads(3).install(|| ranges(count, cost));
        assert_eq!(ranges(3, usize::MAX), [(0, 1), (1, 2), (2, 3)]);
        const COST: usize = 4000 * OPERATION;
        assert_eq!(grain(COST), 5);
        for count in [34, 64, 1000, 1001] {
            let seen = ranges(count, COST);
            assert_eq!(seen.iter().map(|(start, end)| end - start).sum::<usize>(), count);
            assert!(seen.windows(2).all(|pair| pair[0].1 == pair[1].0));
            let whole = |end: usize| end.is_multiple_of(5) || end == count;
            assert!(seen.len() >= 3 && seen.iter().all(|(start, end)| start % 5 == 0 && whole(*end)));
        }
    }

    #[cfg(feature = "parallel")]
    #[test]
    fn few_iterations_are_shared() {
        let sharers = |count, cost, own| threads(3).install(|| sharers(count, cost, own));
        let cost = 8 * SOON;
        assert_eq!([0, 1, 2, 3, 5, 6, 9].map(|count| sharers(count, cost, 0)), [1, 3, 2, 3, 3, 1, 1]);
        assert_eq!([SOON - 1, SOON, LONG, LONG + 1].map(|cost| sharers(1, cost, 0)), [1, 3, 3, 1]);
        assert_eq!([cost / 4, cost / 4 + 1].map(|own| sharers(1, cost, own)), [3, 1]);
        let little = cost / (16 * 3);
        assert_eq!([little, little + 1].map(|own| sharers(4, cost, own)), [3, 1], "copied once more by all");
        assert_eq!(threads(1).install(|| super::sharers(1, cost, 0)), 1);
    }

    #[test]
    fn shares_cover_the_loops_inside_once() {
        let seen = |count: usize, inner: usize, cost: usize| {
            let seen = Mutex::new(Vec::new());
            for_each_shared(count, cost, 0, &|range: Range<usize>, share: Share| {
                let mine = |inner: Range<usize>| inner.flat_map(|j| range.clone().map(move |i| (i, j)));
                share.for_each(inner, 1, &|inner| seen.lock().unwrap().extend(mine(inner)));
            });
            let mut seen = seen.into_inner().unwrap();
            seen.sort_unstable();
            seen
        };
        for (count, inner) in [(0, 5), (1, 0), (1, 1), (1, 5), (2, 5), (4, 3), (7, 3)] {
            let all: Vec<_> = (0..count).flat_map(|i| (0..inner).map(move |j| (i, j))).collect();
            assert_eq!(seen(count, inner, 1), all);
            #[cfg(feature = "parallel")]
            assert_eq!(threads(3).install(|| seen(count, inner, 8 * SOON)), all);
        }
    }

    #[cfg(feature = "parallel")]
    #[test]
    fn one_thread_takes_all_at_once() {
        let cost = OPERATION << 14;
        assert_eq!(threads(1).install(|| ranges(1000, cost)), [(0, 1000)]);
    }

    #[cfg(feature = "parallel")]
    #[test]
    fn a_grain_is_an_iteration_at_least() {
        assert_eq!(grain(0), grain(1));
        assert_eq!(grain(usize::MAX), 1);
    }

    #[test]
    fn chunks_are_of_fixed_size() {
        assert_eq!(chunks(0, 4), 0);
        assert_eq!(chunks(9, 4), 3);
        assert_eq!(chunk(9, 4, 1), 4..8);
        assert_eq!(chunk(9, 4, 2), 8..9);
        assert_eq!(chunks(3, 0), 3);
    }
}
