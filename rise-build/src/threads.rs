//! Work that other threads do while the caller goes on, as far as the machine has cores for them.
//!
//! What comes out is the same wherever it is done. Tokens and spans belong to the caller's thread: work that is
//! handed to another one must not make or look at any.

use std::num::NonZeroUsize;
use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, Builder, Scope, ScopedJoinHandle};

use crate::names::Numbers;

/// Bytes of a thread's stack: more than the thread has that macros are expanded on.
const STACK: usize = 16 << 20;

/// How many threads of this process work for others.
static AT_WORK: AtomicUsize = AtomicUsize::new(0);

/// The right to keep one more core busy.
struct Core;

impl Core {
    /// None where this process keeps all of them busy.
    fn take() -> Option<Self> {
        let others = thread::available_parallelism().map_or(0, |all| NonZeroUsize::get(all) - 1);
        let one_more = |busy| (busy < others).then_some(busy + 1);
        AT_WORK.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_more).ok().map(|_| Core)
    }
}

impl Drop for Core {
    fn drop(&mut self) {
        AT_WORK.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Work that was begun.
pub enum Begun<'scope, T> {
    /// It is done already.
    Done(T),
    /// Another thread is at it.
    Elsewhere(ScopedJoinHandle<'scope, T>),
}

/// Begins work on another thread, or does it where there is none for it. The numbers of its names go on after the
/// caller's.
pub fn begin<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl Fn() -> T + Send + Sync + 'scope,
) -> Begun<'scope, T> {
    let Some(core) = Core::take() else { return Begun::Done(work()) };
    let numbers = Numbers::given();
    let work = Arc::new(work);
    let theirs = work.clone();
    let begun = Builder::new().stack_size(STACK).spawn_scoped(scope, move || {
        let _core = core;
        numbers.go_on();
        theirs()
    });
    begun.map_or_else(|_| Begun::Done(work()), Begun::Elsewhere)
}

impl<T> Begun<'_, T> {
    /// The result, as soon as it is there; who waits panics as the work does.
    pub fn finish(self) -> T {
        match self {
            Begun::Done(done) => done,
            Begun::Elsewhere(thread) => thread.join().unwrap_or_else(|reason| panic::resume_unwind(reason)),
        }
    }
}

/// The results of the same work for all of these, in their order.
pub fn each<T: Sync, R: Send>(all: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let work = &work;
    thread::scope(|scope| {
        let begun: Vec<_> = all.iter().map(|one| begin(scope, move || work(one))).collect();
        begun.into_iter().map(Begun::finish).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::Name;

    #[test]
    fn results_come_in_order_wherever_they_are_made() {
        let numbers: Vec<u64> = (0..100).collect();
        let squares = each(&numbers, |n| n * n);
        assert!(squares.iter().zip(0..).all(|(square, n)| *square == n * n));
    }

    #[test]
    fn names_of_others_differ_from_those_before() {
        let before = Name::fresh("x");
        thread::scope(|scope| {
            let theirs = begin(scope, || Name::fresh("x")).finish();
            assert!(before < theirs);
        });
    }

    #[test]
    fn the_caller_keeps_a_core() {
        let all = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        assert!(std::iter::from_fn(Core::take).take(all).collect::<Vec<_>>().len() < all);
    }

    #[test]
    #[should_panic(expected = "as the work does")]
    fn who_waits_panics_as_the_work_does() {
        each(&[()], |()| panic!("as the work does"));
    }
}
