//! Small loops start no threads. Alone in its process, which counts its threads.
#![cfg(all(feature = "parallel", target_os = "linux"))]

use rise_runtime::parallel::{for_each, for_each_shared};
use std::sync::atomic::{AtomicUsize, Ordering};

fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").unwrap().count()
}

#[test]
fn what_is_soon_done_starts_no_pool() {
    let before = threads();
    let done = AtomicUsize::new(0);
    for_each_shared(3, 100, 10, &|range, _| {
        done.fetch_add(range.len(), Ordering::Relaxed);
    });
    for_each(5, 100, &|range| {
        done.fetch_add(range.len(), Ordering::Relaxed);
    });
    assert_eq!((done.load(Ordering::Relaxed), threads()), (8, before));
}
