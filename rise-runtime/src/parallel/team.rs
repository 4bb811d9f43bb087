//! Threads that share the iterations of a loop.
//!
//! The caller does not wait for others to wake: it begins, and calls them meanwhile. Each thread has a part of the grains
//! to begin with, so that neighbouring ones stay together, and then takes what is left of the other parts. Once nothing
//! is left the caller waits for those that are still at work, and for nobody who has not begun.
//!
//! ```text
//! caller   part 0 ───────────────┤ rest of part 1 ──┤ closes, waits ┤ goes on
//! helper       (wakes)    part 1 ───────────────────────────────────┤
//! ```

use std::any::Any;
use std::hint::spin_loop;
use std::mem::transmute;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Thread};

/// A loop in grains of so many iterations.
struct Team {
    count: usize,
    grain: usize,
    body: &'static (dyn Fn(Range<usize>) + Sync),
    parts: Box<[Part]>,
    /// How many helpers are at work, and whether others may still begin.
    at_work: AtomicUsize,
    caller: Thread,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

/// Grains that follow each other: the next one that nobody has taken.
struct Part {
    next: AtomicUsize,
    end: usize,
}

/// No helper may begin any more.
const CLOSED: usize = 1 << (usize::BITS - 1);

/// How often the caller looks whether the last helper is done before it sleeps: some ten microseconds.
const LOOKS: usize = 256;

/// Runs `body` on ranges of `grain` iterations, the last one shorter, that cover `0..count`.
///
/// # Panics
///
/// As `body` does, once all threads have left it.
#[inline(never)]
pub fn run(count: usize, grain: usize, body: &(dyn Fn(Range<usize>) + Sync)) {
    let grains = count.div_ceil(grain);
    let threads = rayon::current_num_threads().min(grains);
    if threads == 1 {
        return body(0..count);
    }
    // SAFETY: helpers call it between `begin` and `end` alone, and this function does not leave before they are out of
    // there and no other may begin: nothing between here and `finish` unwinds.
    let body =
        unsafe { transmute::<&(dyn Fn(Range<usize>) + Sync), &'static (dyn Fn(Range<usize>) + Sync)>(body) };
    let part = |index: usize| Part {
        next: AtomicUsize::new(grains * index / threads),
        end: grains * (index + 1) / threads,
    };
    let team = Arc::new(Team {
        count,
        grain,
        body,
        parts: (0..threads).map(part).collect(),
        at_work: AtomicUsize::new(0),
        caller: thread::current(),
        panic: Mutex::new(None),
    });
    call(&team, 0..threads);
    team.work(0);
    team.finish();
    let panic = team.panic.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(panic) = panic {
        resume_unwind(panic);
    }
}

/// Calls helpers for all of these parts but the first: one for each half, which calls others.
fn call(team: &Arc<Team>, mut parts: Range<usize>) {
    while parts.len() > 1 {
        let middle = parts.start + parts.len() / 2;
        let (helped, theirs) = (Arc::clone(team), middle..parts.end);
        rayon::spawn(move || {
            if helped.begin() {
                let first = theirs.start;
                call(&helped, theirs);
                helped.work(first);
                helped.end();
            }
        });
        parts.end = middle;
    }
}

impl Team {
    /// Whether a helper may begin.
    fn begin(&self) -> bool {
        let open = |at_work: usize| (at_work & CLOSED == 0).then_some(at_work + 1);
        self.at_work.fetch_update(Ordering::Acquire, Ordering::Relaxed, open).is_ok()
    }

    /// A helper goes, and wakes the caller if it was the last one that it waits for.
    fn end(&self) {
        if self.at_work.fetch_sub(1, Ordering::Release) == CLOSED + 1 {
            self.caller.unpark();
        }
    }

    /// Takes grains until none is left, from this part on. Nothing unwinds from here.
    fn work(&self, first: usize) {
        let (before, from) = self.parts.split_at(first);
        let all = || from.iter().chain(before).for_each(|part| self.work_on(part));
        if let Err(payload) = catch_unwind(AssertUnwindSafe(all)) {
            self.parts.iter().for_each(|part| part.next.store(part.end, Ordering::Relaxed));
            self.panic.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(payload);
        }
    }

    fn work_on(&self, part: &Part) {
        loop {
            let grain = part.next.fetch_add(1, Ordering::Relaxed);
            if grain >= part.end {
                return;
            }
            let start = grain * self.grain;
            (self.body)(start..self.count.min(start + self.grain));
        }
    }

    /// Waits for the helpers that have begun.
    fn finish(&self) {
        self.at_work.fetch_or(CLOSED, Ordering::Relaxed);
        let is_done = || self.at_work.load(Ordering::Acquire) == CLOSED;
        for _ in 0..LOOKS {
            if is_done() {
                return;
            }
            spin_loop();
        }
        while !is_done() {
            thread::park();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    fn pool(threads: usize) -> rayon::ThreadPool {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
    }

    fn busy() {
        thread::sleep(Duration::from_millis(1));
    }

    #[test]
    fn each_grain_runs_once_and_before_the_end() {
        for (threads, count, grain) in [(2, 2, 1), (2, 100, 7), (3, 5, 2), (5, 1000, 3), (8, 9, 1)] {
            let seen = Mutex::new(Vec::new());
            pool(threads).install(|| {
                run(count, grain, &|range| {
                    let mut iterations: Vec<usize> = range.collect();
                    assert!(iterations.len() <= grain);
                    seen.lock().unwrap().append(&mut iterations);
                });
            });
            let mut seen = seen.into_inner().unwrap();
            seen.sort_unstable();
            assert_eq!(seen, (0..count).collect::<Vec<_>>(), "{threads} threads");
        }
    }

    #[test]
    fn the_caller_does_not_wait_for_who_has_not_begun() {
        let (free, done) = (AtomicBool::new(false), AtomicUsize::new(0));
        let held = AtomicBool::new(false);
        pool(2).scope(|scope| {
            // The only other thread is held until the loop is over.
            scope.spawn(|_| {
                held.store(true, Ordering::Release);
                while !free.load(Ordering::Acquire) {
                    thread::yield_now();
                }
            });
            while !held.load(Ordering::Acquire) {
                thread::yield_now();
            }
            run(10, 1, &|range| {
                done.fetch_add(range.len(), Ordering::Relaxed);
            });
            free.store(true, Ordering::Release);
        });
        assert_eq!(done.into_inner(), 10);
    }

    #[test]
    fn helpers_take_part_and_may_call_others() {
        let threads = Mutex::new(Vec::new());
        pool(3).install(|| {
            run(40, 1, &|_| {
                run(4, 1, &|_| busy());
                threads.lock().unwrap().push(thread::current().id());
            });
        });
        let mut threads = threads.into_inner().unwrap();
        assert_eq!(threads.len(), 40);
        threads.dedup();
        assert!(threads.len() > 1, "helpers begin within milliseconds");
    }

    #[test]
    fn a_panic_anywhere_is_the_callers() {
        for guilty in [0, 7] {
            let (at_work, rest) = (AtomicUsize::new(0), AtomicUsize::new(0));
            let payload = catch_unwind(AssertUnwindSafe(|| {
                pool(2).install(|| {
                    run(1000, 1, &|range| {
                        at_work.fetch_add(1, Ordering::SeqCst);
                        busy();
                        at_work.fetch_sub(1, Ordering::SeqCst);
                        if range.start == guilty {
                            resume_unwind(Box::new("refused"));
                        }
                        rest.fetch_add(1, Ordering::SeqCst);
                    });
                });
            }));
            assert_eq!(payload.unwrap_err().downcast_ref(), Some(&"refused"));
            assert_eq!(at_work.into_inner(), 0, "someone was left behind");
            assert!(rest.into_inner() < 500, "nobody stopped");
        }
    }
}
