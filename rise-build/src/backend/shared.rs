//! Parallel loops of which several threads may do each iteration.
//!
//! ```text
//! for parallel i in 0..n
//!   heap panel
//!   panel[…] = b[…]                    every thread
//!   for parallel j in 0..m             each its part
//!     out[…] = … a[…] … panel[…]
//! ```
//!
//! Threads that do the same iteration do not wait for each other in it, so that what one does may need nothing that
//! another has done.

use crate::loops::walk::{Visit, walk_stmt};
use crate::loops::{Access, BufferId, Loop, LoopKind, Stmt};

/// What the statements of an iteration touch, outside of the parallel loops in it and in these.
#[derive(Default)]
struct Touched {
    in_parallel: bool,
    outside: Memory,
    inside: Memory,
    read: Vec<BufferId>,
}

#[derive(Default)]
struct Memory {
    allocated: Vec<BufferId>,
    written: Vec<BufferId>,
}

/// Whether an iteration has memory of its own and parallel loops, nothing reads what these write, and nothing else writes
/// but to that memory. Loops that write one result do not depend on their order: no element is written twice with
/// different values, since what a kernel leaves alone is cleared before it runs.
pub fn may_be_shared(parallel: &Loop) -> bool {
    let mut touched = Touched::default();
    touched.block(&parallel.body);
    let Touched { outside, inside, read, .. } = &touched;
    let mut results = inside.written.iter().filter(|id| !inside.allocated.contains(id)).peekable();
    !outside.allocated.is_empty()
        && results.peek().is_some()
        && results.all(|id| !outside.allocated.contains(id) && !read.contains(id))
        && outside.written.iter().all(|id| outside.allocated.contains(id))
}

impl Touched {
    fn memory(&mut self) -> &mut Memory {
        if self.in_parallel { &mut self.inside } else { &mut self.outside }
    }
}

impl Visit for Touched {
    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::For(inner) if inner.kind == LoopKind::Par => {
                let outside = std::mem::replace(&mut self.in_parallel, true);
                walk_stmt(self, stmt);
                self.in_parallel = outside;
            }
            Stmt::Alloc(id) => self.memory().allocated.push(*id),
            Stmt::Swap(a, b) => {
                self.memory().written.extend([*a, *b]);
                self.read.extend([*a, *b]);
            }
            _ => walk_stmt(self, stmt),
        }
    }

    fn access(&mut self, access: &Access, write: bool) {
        let touched = if write { &mut self.memory().written } else { &mut self.read };
        touched.push(access.buffer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::rust;
    use crate::loops::walk;
    use crate::pipeline::units;

    /// Whether the iterations of the first loop of a program may be shared.
    fn shared(body: &str) -> bool {
        let source = format!(
            "pub fn kernel<n: Nat, m: Nat>(x: [[f32; m]; n]) -> [[f32; m]; n] {{ x |> mapPar(|row| {body}) }}
            compile kernel to c with lower;"
        );
        let mut units = units(source.parse().unwrap(), &|_| Err("no files here".into()));
        let kernel = units.compiled.remove(0).loops.best().clone();
        let mut loops = Vec::new();
        walk::stmts(&kernel.body, &mut |stmt| match stmt {
            Stmt::For(looped) if looped.kind == LoopKind::Par => loops.push(may_be_shared(looped)),
            _ => {}
        });
        loops[0]
    }

    #[test]
    fn what_all_copy_is_read_by_each() {
        assert!(shared("{ let y = row |> mapSeq(|v| v * 2.0) |> toMem; y |> mapPar(exp) }"));
    }

    #[test]
    fn nobody_needs_what_others_do() {
        assert!(!shared("row |> mapSeq(|v| v * 2.0)"));
        assert!(!shared("row |> mapPar(|v| v * 2.0)"));
        assert!(!shared("{ let y = row |> mapPar(|v| v * 2.0) |> toMem; y |> mapPar(exp) }"));
        assert!(!shared("{ let y = row |> mapPar(|v| v * 2.0) |> toMem; y |> mapSeq(exp) }"));
    }

    #[test]
    fn who_has_a_share_shares_nothing_in_it_again() {
        let source = "pub fn kernel<n: Nat, m: Nat>(x: [[[f32; m]; m]; n]) -> [[[f32; m]; m]; n] {
                x |> mapPar(|rows| {
                    let y = rows |> mapSeq(mapSeq(|v| v * 2.0)) |> toMem;
                    y |> mapPar(|row| { let z = row |> mapSeq(sqrt) |> toMem; z |> mapPar(exp) })
                })
            }
            compile kernel to c with lower;";
        let mut units = units(source.parse().unwrap(), &|_| Err("no files here".into()));
        let text = rust::emit(&units.compiled.remove(0).loops, "run", "rise");
        for (call, times) in
            [("private::for_each_shared(", 1), ("share.for_each(", 1), ("private::for_each(", 1)]
        {
            assert_eq!(text.matches(call).count(), times, "{call}\n{text}");
        }
    }
}
