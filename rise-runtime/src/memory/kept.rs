//! Memory that a thread keeps for the next temporaries that it asks for.
//!
//! Allocators return what lies at the end of their memory to the system as soon as a little of it is free (glibc: 128 KiB),
//! and ask for it again, page by page, at the next call: a kernel with two temporaries of 86 KB then took two and a half
//! times as long. At most [`PLACES`] times [`MOST`] bytes stay with each thread that has run kernels, until it ends.

use std::alloc::{Layout, dealloc};
use std::cell::Cell;
use std::ptr::NonNull;

/// So much memory of the allocator, with the layout that it was asked for by.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    pub memory: NonNull<u8>,
    pub layout: Layout,
}

impl Block {
    pub fn free(self) {
        // SAFETY: allocated with this layout, and nobody else has it.
        unsafe { dealloc(self.memory.as_ptr(), self.layout) }
    }
}

/// Blocks of this size are kept at most: a bound on what threads hold, of which no other was tried.
const MOST: usize = 1 << 20;

/// How many are kept.
const PLACES: usize = 4;

/// Those of one thread.
struct Kept([Cell<Option<Block>>; PLACES]);

thread_local! {
    static KEPT: Kept = const { Kept([const { Cell::new(None) }; PLACES]) };
}

/// A block of that size or more that was given back before.
pub(super) fn take(size: usize) -> Option<Block> {
    KEPT.try_with(|kept| kept.take(size)).ok().flatten()
}

/// Keeps a block, or frees it.
pub(super) fn give_back(block: Block) {
    let rest = KEPT.try_with(|kept| kept.keep(block)).unwrap_or(Some(block));
    if let Some(rest) = rest {
        rest.free();
    }
}

impl Kept {
    /// The smallest that is large enough.
    fn take(&self, size: usize) -> Option<Block> {
        let fits =
            |place: &&Cell<Option<Block>>| place.get().is_some_and(|block| block.layout.size() >= size);
        self.0.iter().filter(fits).min_by_key(|place| bytes(place))?.take()
    }

    /// Keeps the block in place of nothing or of a smaller one; what is not kept is to be freed.
    fn keep(&self, block: Block) -> Option<Block> {
        let place = self.0.iter().min_by_key(|place| bytes(place))?;
        let is_wanted = block.layout.size() <= MOST && block.layout.size() > bytes(place);
        if is_wanted { place.replace(Some(block)) } else { Some(block) }
    }
}

fn bytes(place: &Cell<Option<Block>>) -> usize {
    place.get().map_or(0, |block| block.layout.size())
}

impl Drop for Kept {
    fn drop(&mut self) {
        self.0.iter().filter_map(Cell::take).for_each(Block::free);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(size: usize) -> Block {
        let layout = Layout::from_size_align(size, 16).unwrap();
        // SAFETY: the size is not 0.
        Block { memory: NonNull::new(unsafe { std::alloc::alloc(layout) }).unwrap(), layout }
    }

    fn sizes(kept: &Kept) -> [usize; PLACES] {
        let mut sizes = kept.0.each_ref().map(bytes);
        sizes.sort_unstable();
        sizes
    }

    #[test]
    fn the_smallest_that_is_large_enough_is_taken() {
        let kept = Kept(Default::default());
        for size in [100, 3000, 200] {
            assert!(kept.keep(block(size)).is_none());
        }
        let taken = kept.take(150).unwrap();
        assert_eq!(taken.layout.size(), 200);
        assert!(kept.take(3001).is_none());
        assert_eq!(sizes(&kept), [0, 0, 100, 3000]);
        taken.free();
    }

    #[test]
    fn the_largest_stay_and_what_is_very_large_never_does() {
        let kept = Kept(Default::default());
        for (size, not_kept) in [
            (400, 0),
            (100, 0),
            (300, 0),
            (200, 0),
            (500, 100),
            (150, 150),
            (MOST, 200),
            (MOST + 1, MOST + 1),
        ] {
            let rest = kept.keep(block(size));
            assert_eq!(rest.map_or(0, |rest| rest.layout.size()), not_kept);
            rest.into_iter().for_each(Block::free);
        }
        assert_eq!(sizes(&kept), [300, 400, 500, MOST]);
    }

    #[test]
    fn a_thread_takes_what_it_gave_back() {
        std::thread::spawn(|| {
            assert!(take(1).is_none());
            let given = block(5000);
            give_back(given);
            let taken = take(4000).unwrap();
            assert_eq!((taken.memory, taken.layout.size()), (given.memory, 5000));
            assert!(take(1).is_none());
            give_back(taken);
        })
        .join()
        .unwrap();
    }
}
