//! Threads that share the iterations of a loop.
//!
//! In: a number of iterations, how many make a grain, and a body over ranges. Out: the body has run over ranges of whole
//! grains that cover all of them; which thread takes which, and how many at once, depends on who is awake.
//!
//! The caller does not wait for others to wake: it begins, and calls them meanwhile. Each thread has a part of the grains
//! to begin with, so that neighbouring ones stay together, and then takes of what is left of the other parts. Once nothing
//! is left the caller waits for those that are still at work, and for nobody who has not begun. A loop inside calls
//! others once the loop around it, if it had something for everybody, has nothing left.
//!
//! ```text
//! caller   part 0 ───────────────┤ rest of part 1 ──┤ closes, waits ┤ goes on
//! helper       (wakes)    part 1 ───────────────────────────────────┤ lingers for the next loop
//! ```

use std::any::Any;
use std::cell::Cell;
use std::hint::spin_loop;
use std::mem::transmute;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Thread};
use std::time::Duration;

/// A loop in grains of so many iterations.
struct Team {
    count: usize,
    grain: usize,
    body: &'static (dyn Fn(Range<usize>) + Sync),
    parts: Box<[Part]>,
    /// Whether there is more than enough for all threads of the pool.
    is_enough: bool,
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

impl Part {
    /// Whether there are grains that nobody has taken.
    fn is_left(&self) -> bool {
        self.next.load(Ordering::Relaxed) < self.end
    }

    /// Half of the grains that are left, if there are any: few large pieces first, for what one thread has written is
    /// slow to read, and to write again, for others.
    fn take(&self) -> Option<Range<usize>> {
        let behind = |start: usize| start + (self.end - start).div_ceil(2);
        let left = |start: usize| (start < self.end).then(|| behind(start));
        let start = self.next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, left).ok()?;
        Some(start..behind(start))
    }
}

/// No helper may begin any more.
const CLOSED: usize = 1 << (usize::BITS - 1);

/// How often the caller looks whether the last helper is done before it sleeps: some fifty microseconds. To wake takes
/// nearly as long, which is longer than many a kernel runs.
const LOOKS: usize = 1000;

/// How long it sleeps before it asks for other work again: the pool cannot wake it.
const NAP: Duration = Duration::from_millis(1);

/// How often a helper asks for other work before it goes: for about as long.
const ASKS: usize = 64;

/// How much other work it does before it goes: below it on the stack somebody may wait, whom the pool does not tell of.
const JOBS: usize = 64;

/// How many times over a thread does other work while it waits: each takes its part of the stack.
const DEPTH: usize = 8;

/// How many calls of one thread may be left without an answer: where all others are at work, they would pile up.
const CALLS: usize = 256;

thread_local! {
    /// How many times over this thread asks for other work.
    static ASKING: Cell<usize> = const { Cell::new(0) };
    /// The loop of which this thread does iterations, or null.
    static AROUND: Cell<*const Team> = const { Cell::new(ptr::null()) };
    /// Held once by each call of this thread that has no answer.
    static CALLED: Arc<()> = Arc::new(());
}

/// Runs `body` on ranges of whole grains, which are `grain` iterations or fewer at the end, that cover `0..count`.
///
/// # Panics
///
/// As `body` does, once all threads have left it.
#[inline(never)]
pub fn run(count: usize, grain: usize, body: &(dyn Fn(Range<usize>) + Sync)) {
    let grains = count.div_ceil(grain);
    let threads = rayon::current_num_threads().min(grains);
    if threads == 1 || others_have_more_to_do() {
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
        is_enough: grains / 2 >= rayon::current_num_threads(),
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

/// Whether the loop around this one has iterations that nobody has taken, of those that are enough for everybody: then
/// nobody is idle who might help.
fn others_have_more_to_do() -> bool {
    // SAFETY: it is there until the thread has left its iterations, among them the one that asks.
    unsafe { AROUND.get().as_ref() }
        .is_some_and(|around| around.is_enough && around.parts.iter().any(Part::is_left))
}

/// Calls helpers for all of these parts but the first: one for each half, which calls others.
fn call(team: &Arc<Team>, mut parts: Range<usize>) {
    let called = CALLED.with(Arc::clone);
    while parts.len() > 1 && Arc::strong_count(&called) < CALLS {
        let middle = parts.start + parts.len() / 2;
        let (helped, theirs, called) = (Arc::clone(team), middle..parts.end, Arc::clone(&called));
        rayon::spawn(move || {
            drop(called);
            if helped.begin() {
                let first = theirs.start;
                call(&helped, theirs);
                helped.work(first);
                helped.end();
                drop(helped);
                linger();
            }
        });
        parts.end = middle;
    }
}

/// Does what the pool is asked for, as a thread without work does, but for longer: the next loop often comes soon. A
/// thread that waits for helpers has better to do.
fn linger() {
    if ASKING.get() > 0 {
        return;
    }
    let (mut asks, mut jobs) = (0, 0);
    while asks < ASKS && jobs < JOBS {
        match works() {
            true => (asks, jobs) = (0, jobs + 1),
            false => asks += 1,
        }
        thread::yield_now();
    }
}

/// Asks the pool for other work. Whether there was some, which is done.
fn works() -> bool {
    let asking = ASKING.get();
    if asking == DEPTH {
        return false;
    }
    ASKING.set(asking + 1);
    let is_done = rayon::yield_now() == Some(rayon::Yield::Executed);
    ASKING.set(asking);
    is_done
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
        let outside = AROUND.replace(self);
        let done = catch_unwind(AssertUnwindSafe(all));
        AROUND.set(outside);
        if let Err(payload) = done {
            self.parts.iter().for_each(|part| part.next.store(part.end, Ordering::Relaxed));
            self.panic.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(payload);
        }
    }

    fn work_on(&self, part: &Part) {
        while let Some(grains) = part.take() {
            (self.body)(grains.start * self.grain..self.count.min(grains.end * self.grain));
        }
    }

    /// Waits for the helpers that have begun, and helps with loops inside of theirs.
    fn finish(&self) {
        self.at_work.fetch_or(CLOSED, Ordering::Relaxed);
        let is_done = || self.at_work.load(Ordering::Acquire) == CLOSED;
        for _ in 0..LOOKS {
            if is_done() {
                return;
            }
            if !works() {
                spin_loop();
            }
        }
        while !is_done() {
            if !works() {
                thread::park_timeout(NAP);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

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
                    seen.lock().unwrap().append(&mut iterations);
                });
            });
            let mut seen = seen.into_inner().unwrap();
            seen.sort_unstable();
            assert_eq!(seen, (0..count).collect::<Vec<_>>(), "{threads} threads");
        }
    }

    #[test]
    fn halves_of_what_is_left_are_taken() {
        let part = Part { next: AtomicUsize::new(3), end: 13 };
        let taken: Vec<Range<usize>> = std::iter::from_fn(|| part.take()).collect();
        assert_eq!(taken, [3..8, 8..11, 11..12, 12..13]);
        assert_eq!(Part { next: AtomicUsize::new(4), end: 4 }.take(), None);
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
            run(40, 1, &|range| {
                run(4, 1, &|_| busy());
                range.for_each(|_| threads.lock().unwrap().push(thread::current().id()));
            });
        });
        let mut threads = threads.into_inner().unwrap();
        assert_eq!(threads.len(), 40);
        threads.dedup();
        assert!(threads.len() > 1, "helpers begin within milliseconds");
    }

    #[test]
    fn loops_inside_call_nobody_who_has_more_to_do() {
        let part = Part { next: AtomicUsize::new(2), end: 3 };
        assert!(part.is_left() && part.take().is_some() && !part.is_left());
        let (asked, calls) = (AtomicUsize::new(0), || CALLED.with(Arc::strong_count));
        pool(3).install(|| {
            run(600, 1, &|range| {
                for _ in range {
                    let before = calls();
                    run(6, 1, &|_| thread::sleep(Duration::from_micros(20)));
                    // There were more before if there are now.
                    if others_have_more_to_do() {
                        assert!(calls() <= before, "somebody was called");
                        asked.fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
            assert!(AROUND.get().is_null());
            run(5, 1, &|_| assert!(!others_have_more_to_do(), "there are few"));
        });
        assert!(asked.into_inner() > 100, "iterations are left most of the time");
    }

    #[test]
    fn who_waits_helps_with_loops_inside() {
        let (begun, helped) = (AtomicBool::new(false), AtomicBool::new(false));
        pool(2).install(|| {
            let caller = thread::current().id();
            run(2, 1, &|outer: Range<usize>| {
                if outer.start == 0 {
                    while !begun.load(Ordering::Relaxed) {
                        thread::yield_now();
                    }
                    return;
                }
                run(200, 1, &|_| {
                    begun.store(true, Ordering::Relaxed);
                    busy();
                    helped.fetch_or(thread::current().id() == caller, Ordering::Relaxed);
                });
            });
        });
        assert!(helped.into_inner(), "the caller only waits");
    }

    #[test]
    fn calls_that_nobody_answers_do_not_pile_up() {
        let (free, held) = (AtomicBool::new(false), AtomicUsize::new(0));
        pool(3).scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|_| {
                    held.fetch_add(1, Ordering::Relaxed);
                    while !free.load(Ordering::Relaxed) {
                        thread::yield_now();
                    }
                });
            }
            while held.load(Ordering::Relaxed) < 2 {
                thread::yield_now();
            }
            for _ in 0..1000 {
                run(3, 1, &|_| {});
            }
            let calls = CALLED.with(Arc::strong_count);
            free.store(true, Ordering::Relaxed);
            assert!(calls <= CALLS, "{calls} calls are left");
        });
    }

    #[test]
    fn who_waits_does_not_linger() {
        let pool = pool(1);
        pool.install(|| {
            ASKING.set(1);
            rayon::spawn(|| {});
            linger();
            ASKING.set(0);
            assert_eq!(rayon::yield_now(), Some(rayon::Yield::Executed), "lingers");
            ASKING.set(DEPTH);
            rayon::spawn(|| {});
            assert!(!works(), "too deep");
            ASKING.set(DEPTH - 1);
            assert!(works() && ASKING.get() == DEPTH - 1);
            ASKING.set(0);
        });
    }

    #[test]
    fn loops_of_several_callers_in_each_other_end() {
        let pool = pool(4);
        thread::scope(|scope| {
            for caller in 0..4 {
                let pool = &pool;
                scope.spawn(move || {
                    for round in 0..500 {
                        let (sum, outer) = (AtomicUsize::new(0), 1 + (caller + round) % 9);
                        let inner = |range: Range<usize>| {
                            sum.fetch_add(range.sum(), Ordering::Relaxed);
                        };
                        let both = || run(outer, 1, &|range| range.for_each(|_| run(40, 3, &inner)));
                        let refused = || run(outer, 1, &|_| run(9, 1, &|_| resume_unwind(Box::new(()))));
                        match round % 3 {
                            0 => both(),
                            1 => pool.install(both),
                            _ => assert!(catch_unwind(AssertUnwindSafe(|| pool.install(refused))).is_err()),
                        }
                        let expected = if round % 3 == 2 { 0 } else { outer * 780 };
                        assert_eq!(sum.into_inner(), expected);
                    }
                });
            }
        });
    }

    #[test]
    fn a_panic_anywhere_is_the_callers() {
        for guilty in [0, 7] {
            let (at_work, rest) = (AtomicUsize::new(0), AtomicUsize::new(0));
            let payload = catch_unwind(AssertUnwindSafe(|| {
                pool(2).install(|| {
                    run(1000, 1, &|range| {
                        at_work.fetch_add(1, Ordering::SeqCst);
                        for iteration in range {
                            if iteration == guilty {
                                at_work.fetch_sub(1, Ordering::SeqCst);
                                resume_unwind(Box::new("refused"));
                            }
                            busy();
                            rest.fetch_add(1, Ordering::SeqCst);
                        }
                        at_work.fetch_sub(1, Ordering::SeqCst);
                    });
                });
            }));
            assert_eq!(payload.unwrap_err().downcast_ref(), Some(&"refused"));
            assert_eq!(at_work.into_inner(), 0, "someone was left behind");
            assert!(rest.into_inner() < 500, "nobody stopped");
        }
    }
}
