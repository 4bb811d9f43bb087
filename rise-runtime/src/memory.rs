//! Memory for results and temporaries.
//!
//! In: sizes that depend on the caller. Out: memory, or an error; never an abort because a size is absurd.
//! Results are `Vec`s written before their length is set; all temporaries of one call share one allocation
//! ([`Scratch`]), planned with a [`Plan`]. This module does not decide which temporaries overlap.

mod kept;

use crate::error::Error;
use kept::Block;
use std::alloc::{Layout, alloc};
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Where each temporary starts: a cache line, and a full vector of the widest instruction set.
pub const ALIGNMENT: usize = 64;

/// The alignment that allocators give anyway. To ask for more takes glibc ten times as long, which is longer than small
/// kernels run.
const GIVEN: usize = 16;

/// The product of `shape`, or an error where it overflows.
#[inline]
pub fn checked_len(shape: &[usize]) -> Result<usize, Error> {
    match product(shape) {
        Some(len) => Ok(len),
        None => Err(Error::overflow("the number of elements of an array")),
    }
}

/// The number of elements of a shape. A dimension 0 makes it 0, however large the others.
#[inline]
pub(crate) fn product(shape: &[usize]) -> Option<usize> {
    if shape.contains(&0) {
        return Some(0);
    }
    shape.iter().try_fold(1usize, |len, &size| len.checked_mul(size))
}

/// A vector of length 0 with room for exactly `len` elements, to be filled through its pointer and then given
/// to [`assume_len`].
#[inline]
pub fn uninit_vec<T>(len: usize) -> Result<Vec<T>, Error> {
    let mut vec = Vec::new();
    match vec.try_reserve_exact(len) {
        Ok(()) => Ok(vec),
        Err(_) => Err(Error::out_of_memory(len.saturating_mul(size_of::<T>()))),
    }
}

/// Declares the first `len` elements of `vec` written.
///
/// # Safety
/// They are, and the capacity is at least `len`.
#[inline(always)]
pub unsafe fn assume_len<T>(mut vec: Vec<T>, len: usize) -> Vec<T> {
    // SAFETY: the caller's promise.
    unsafe { vec.set_len(len) };
    vec
}

/// The places of temporaries in one allocation.
#[derive(Debug, Clone, Copy, Default)]
pub struct Plan {
    bytes: usize,
}

impl Plan {
    /// An empty plan.
    pub const fn new() -> Self {
        Self { bytes: 0 }
    }

    /// A place for `len` values of type `T`, as an offset in bytes.
    #[inline]
    pub fn place<T>(&mut self, len: usize) -> Result<usize, Error> {
        let offset = self.bytes;
        let end = len.checked_mul(size_of::<T>()).and_then(|size| size.checked_add(offset));
        match end.and_then(|end| end.checked_next_multiple_of(ALIGNMENT)) {
            Some(end) => {
                self.bytes = end;
                Ok(offset)
            }
            None => Err(Error::overflow("the memory for temporaries")),
        }
    }

    /// The same inside a running kernel, which cannot return an error any more.
    ///
    /// # Panics
    /// Where the sizes overflow, with a payload that [`or_error`] catches.
    #[inline]
    pub fn part<T>(&mut self, len: usize) -> usize {
        or_unwind(self.place::<T>(len))
    }

    /// The bytes planned so far.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The memory for everything planned.
    pub fn allocate(self) -> Result<Scratch, Error> {
        Scratch::new(self.bytes)
    }
}

/// Whether threads keep what temporaries lay in. What is used again hides from tools that it was not written since, or is
/// used no more.
const KEEPS: bool = !cfg!(debug_assertions);

/// One allocation, aligned to [`ALIGNMENT`]; when it is dropped, the thread keeps it for its next ones or frees it. Its
/// contents are not initialised.
#[derive(Debug)]
pub struct Scratch {
    /// The first place that is aligned.
    start: NonNull<u8>,
    /// What was allocated, if anything.
    allocated: Option<Block>,
    owns: PhantomData<u8>,
}

// SAFETY: the memory is owned; who writes where is decided by the code that takes pointers.
unsafe impl Send for Scratch {}
// SAFETY: as above; `&Scratch` gives out pointers only.
unsafe impl Sync for Scratch {}

impl Scratch {
    /// `bytes` bytes. Nothing is allocated for 0.
    #[inline]
    pub fn new(bytes: usize) -> Result<Self, Error> {
        match bytes {
            0 => Ok(Self { start: dangling(), allocated: None, owns: PhantomData }),
            _ => Self::allocated(bytes),
        }
    }

    /// `bytes` bytes, of which there is one.
    fn allocated(bytes: usize) -> Result<Self, Error> {
        let size = bytes.saturating_add(ALIGNMENT - GIVEN);
        let Ok(layout) = Layout::from_size_align(size, GIVEN) else {
            return Err(Error::out_of_memory(bytes));
        };
        let kept = if KEEPS { kept::take(size) } else { None };
        // SAFETY: the size is not 0.
        let fresh = || NonNull::new(unsafe { alloc(layout) }).map(|memory| Block { memory, layout });
        let Some(block) = kept.or_else(fresh) else {
            return Err(Error::out_of_memory(bytes));
        };
        let beyond = block.memory.as_ptr() as usize % ALIGNMENT;
        let ahead = if beyond == 0 { 0 } else { ALIGNMENT - beyond };
        // SAFETY: an address that is a multiple of `GIVEN` is so far from the next line at most.
        let start = unsafe { block.memory.add(ahead) };
        Ok(Self { start, allocated: Some(block), owns: PhantomData })
    }

    /// The temporary at `offset` bytes, which comes from the [`Plan`] that this memory was allocated for. It may be read
    /// and written as what it was placed as, if that was counted in.
    #[inline(always)]
    pub fn at<T>(&self, offset: usize) -> *mut T {
        self.start.as_ptr().wrapping_add(offset).cast()
    }
}

impl Drop for Scratch {
    #[inline]
    fn drop(&mut self) {
        match self.allocated {
            Some(block) if KEEPS => kept::give_back(block),
            Some(block) => block.free(),
            None => {}
        }
    }
}

/// Memory for `len` values of type `T` inside a running kernel, which cannot return an error any more.
///
/// # Panics
/// Where there is no memory, with a payload that [`or_error`] catches.
#[inline]
pub fn temporary<T>(len: usize) -> Scratch {
    let mut plan = Plan::new();
    or_unwind(plan.place::<T>(len).and_then(|_| plan.allocate()))
}

fn or_unwind<T>(result: Result<T, Error>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => resume_unwind(Box::new(NoMemory(error))),
    }
}

/// Unwinds a kernel that asks for [`temporary`] memory in vain, also out of parallel loops.
struct NoMemory(Error);

/// How many elements there are up to the first whose address is a multiple of `lanes` elements: fewer than
/// `lanes`. It is 0 where all `count` of them fill fewer than 16 vectors, which would not be worth the way.
#[inline(always)]
pub fn to_line<T>(at: *const T, lanes: usize, count: usize) -> usize {
    if count < 16 * lanes {
        return 0;
    }
    let beyond = at as usize % (lanes * size_of::<T>());
    (lanes - beyond / size_of::<T>()) % lanes
}

/// Whether so many bytes are more than caches close to a core keep: then what is written and not read again had
/// better go past them.
#[inline]
pub fn is_large(bytes: usize) -> bool {
    match LARGE.load(Ordering::Relaxed) {
        0 => bytes > find_large(),
        large => bytes > large,
    }
}

/// Whether what was allocated for a result may be memory that the process has used before, going by its size alone. More
/// than allocators keep is fresh from the system, which clears every page at the first touch: it is in the caches then,
/// and past them it would be written twice.
#[inline]
pub fn is_settled<T>(result: &Vec<T>) -> bool {
    result.capacity() * size_of::<T>() <= KEPT
}

/// Allocators keep blocks up to this size for later: glibc, which learns from what is freed, does so up to 32 MiB.
const KEPT: usize = 32 << 20;

/// Asks for the line of an element to be brought close: to the first cache where that [has room](is_roomy), otherwise to
/// the second one. Any address and any index will do.
#[inline(always)]
pub fn ask_by_room<T>(base: *const T, index: usize, is_roomy: bool) {
    if is_roomy { ask(base, index) } else { ask_far(base, index) }
}

/// The same, to the first cache in any case.
#[inline(always)]
pub fn ask<T>(base: *const T, index: usize) {
    let at = base.wrapping_add(index);
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the instruction is in every x86-64, and it never faults.
    unsafe {
        core::arch::x86_64::_mm_prefetch::<{ core::arch::x86_64::_MM_HINT_T0 }>(at.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = at;
}

/// The same, to the second one.
#[inline(always)]
pub(crate) fn ask_far<T>(base: *const T, index: usize) {
    let at = base.wrapping_add(index);
    #[cfg(target_arch = "x86_64")]
    // SAFETY: as above.
    unsafe {
        core::arch::x86_64::_mm_prefetch::<{ core::arch::x86_64::_MM_HINT_T1 }>(at.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = at;
}

/// See [`is_roomy`].
static ROOMY: AtomicBool = AtomicBool::new(false);

/// Whether the first cache is known to hold, beside what is read now, what is asked for early: a smaller one loses the
/// one for the other where rows crowd. Loops are told it, which would read it in each iteration.
#[inline]
pub fn is_roomy() -> bool {
    if LARGE.load(Ordering::Relaxed) == 0 {
        find_large();
    }
    ROOMY.load(Ordering::Relaxed)
}

/// Whether the CPU writes vectors of 64 bytes in one step: a line past the cache is one of them then, and not gathered
/// from parts. CPUs do not say so, but those of such a first cache do it: Intel's from Ice Lake on, AMD's from Zen 5 on.
#[inline]
pub(crate) fn writes_lines() -> bool {
    is_roomy()
}

/// Bytes of such a first cache.
#[cfg(target_arch = "x86_64")]
const ROOM: usize = 48 << 10;

/// More bytes than these are large; 0 before it is known.
static LARGE: AtomicUsize = AtomicUsize::new(0);

#[cold]
#[inline(never)]
fn find_large() -> usize {
    #[cfg(target_arch = "x86_64")]
    ROOMY.store(data_cache(1).is_some_and(|first| first >= ROOM), Ordering::Relaxed);
    let large = large_by_caches().unwrap_or(1 << 20);
    LARGE.store(large, Ordering::Relaxed);
    large
}

/// By what the CPU says of its caches. What is a little larger than Intel's second cache is still there for the most
/// part, and the third one is far, on the way to the memory. AMD's third cache belongs to a few cores and takes what
/// is written nearly as fast as the second; beyond a third of it, others need too much.
#[cold]
#[cfg(target_arch = "x86_64")]
fn large_by_caches() -> Option<usize> {
    let second = data_cache(2);
    let third = cache(0x8000_0000, 0x8000_001D, 3);
    second.map(|second| third.map_or(0, |third| third / 3).max(second + second / 4))
}

/// It is not known how to ask this CPU.
#[cold]
#[cfg(not(target_arch = "x86_64"))]
fn large_by_caches() -> Option<usize> {
    None
}

/// The size of the cache for data of a level, whoever made the CPU.
#[cold]
#[cfg(target_arch = "x86_64")]
fn data_cache(level: u32) -> Option<usize> {
    cache(0, 4, level).or_else(|| cache(0x8000_0000, 0x8000_001D, level))
}

/// The size of the cache for data of a level, as the CPU says in a leaf: Intel's, or AMD's, which has the same form.
/// `least` is the leaf that says whether there is that one.
#[cold]
#[cfg(target_arch = "x86_64")]
#[allow(unused_unsafe)]
fn cache(least: u32, leaf: u32, level: u32) -> Option<usize> {
    use core::arch::x86_64::{__cpuid, __cpuid_count};
    // SAFETY: the instruction is in every x86-64.
    let (id, count): (fn(u32) -> _, fn(u32, u32) -> _) =
        (|leaf| unsafe { __cpuid(leaf) }, |leaf, part| unsafe { __cpuid_count(leaf, part) });
    if id(least).eax < leaf {
        return None;
    }
    let mut caches = (0..8).map(|part| count(leaf, part));
    let found = caches.find(|cache| (cache.eax >> 5) & 7 == level && matches!(cache.eax & 31, 1 | 3))?;
    let field = |shift: u32, bits: u32| ((found.ebx >> shift) & ((1 << bits) - 1)) as usize + 1;
    Some(field(22, 10) * field(12, 10) * field(0, 12) * (found.ecx as usize + 1))
}

/// Orders writes past the cache before all that follows.
#[inline(always)]
pub fn fence() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the instruction is in every x86-64.
    unsafe {
        core::arch::x86_64::_mm_sfence();
    }
}

/// Runs a kernel that may ask for [`temporary`] memory.
///
/// # Errors
/// Where there is none.
pub fn or_error(run: impl FnOnce()) -> Result<(), Error> {
    // What the kernel leaves half-written is the result alone, of which the caller is told that it is void.
    catch_unwind(AssertUnwindSafe(run)).or_else(|payload| match payload.downcast::<NoMemory>() {
        Ok(none) => Err(none.0),
        Err(other) => resume_unwind(other),
    })
}

#[inline]
fn dangling() -> NonNull<u8> {
    #[repr(align(64))]
    struct Line;
    NonNull::<Line>::dangling().cast()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_checked() {
        assert_eq!(checked_len(&[]), Ok(1));
        assert_eq!(checked_len(&[3, 4]), Ok(12));
        assert_eq!(checked_len(&[usize::MAX, 0, usize::MAX]), Ok(0));
        assert!(checked_len(&[usize::MAX, 2]).is_err());
    }

    #[test]
    fn absurd_sizes_are_errors() {
        assert!(matches!(uninit_vec::<f64>(usize::MAX), Err(Error::OutOfMemory { .. })));
        assert!(matches!(uninit_vec::<f64>(usize::MAX / 32), Err(Error::OutOfMemory { .. })));
        assert!(matches!(Scratch::new(usize::MAX), Err(Error::OutOfMemory { .. })));
        let kernel = || drop(temporary::<f64>(usize::MAX / 16));
        assert!(matches!(or_error(kernel), Err(Error::OutOfMemory { .. })));
        assert!(matches!(Scratch::new(usize::MAX / 4), Err(Error::OutOfMemory { .. })));
        let mut plan = Plan::new();
        assert!(plan.place::<f64>(usize::MAX / 8).is_err());
        assert!(plan.place::<u8>(usize::MAX).is_err());
    }

    #[test]
    fn temporaries_are_aligned_and_apart() {
        let mut plan = Plan::new();
        let a = plan.place::<f32>(3).unwrap();
        let b = plan.place::<f64>(1).unwrap();
        let c = plan.place::<u8>(0).unwrap();
        assert_eq!((a, b, c, plan.bytes()), (0, 64, 128, 128));
        let scratch = plan.allocate().unwrap();
        // SAFETY: offsets of the plan.
        unsafe {
            let (a, b) = (scratch.at::<f32>(a), scratch.at::<f64>(b));
            assert_eq!(a as usize % ALIGNMENT, 0);
            assert_eq!(b as usize % ALIGNMENT, 0);
            b.write(2.0);
            a.add(2).write(1.0);
            assert_eq!((a.add(2).read(), b.read()), (1.0, 2.0));
        }
        assert!(Scratch::new(0).is_ok());
    }

    #[test]
    fn ways_to_lines_are_short() {
        let scratch = Scratch::new(4096).unwrap();
        for (start, way) in [(0, 0), (1, 15), (4, 12), (15, 1), (16, 0), (17, 15)] {
            let at = scratch.at::<f32>(4 * start);
            assert_eq!(to_line(at, 16, 256), way);
            assert_eq!(to_line(at, 16, 255), 0);
        }
        assert_eq!(to_line(scratch.at::<f64>(8), 8, 1000), 7);
    }

    #[test]
    fn only_what_no_cache_holds_is_large() {
        assert!(!is_large(0) && !is_large(64 << 10));
        assert!(is_large(usize::MAX));
    }

    #[test]
    fn no_allocator_keeps_what_is_very_large() {
        let result = |bytes: usize| uninit_vec::<u16>(bytes / 2).unwrap();
        assert!(is_settled(&result(0)) && is_settled(&result(32 << 20)));
        assert!(!is_settled(&result(33 << 20)));
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn caches_are_smallest_where_they_are_closest() {
        if let (Some(first), Some(second)) = (data_cache(1), data_cache(2)) {
            assert!((4 << 10..1 << 20).contains(&first) && first < second, "{first} and {second} bytes");
            is_large(0);
            assert_eq!(ROOMY.load(Ordering::Relaxed), first >= ROOM);
        }
        assert_eq!(data_cache(9), None);
    }

    #[test]
    fn results_are_filled_through_the_pointer() {
        let mut vec = uninit_vec::<u32>(3).unwrap();
        let out = vec.as_mut_ptr();
        // SAFETY: room for three, and three are written.
        let vec = unsafe {
            for i in 0..3 {
                out.add(i).write(i as u32);
            }
            assume_len(vec, 3)
        };
        assert_eq!(vec, [0, 1, 2]);
    }
}
