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

use crate::backend::cost::{parallel_loops, without, without_parallel};
use crate::loops::{Loop, Stmt, walk};

/// Whether an iteration has memory of its own and parallel loops, nothing reads what these write, and nothing else writes
/// but to that memory. Loops that write one result do not depend on their order: no element is written twice with
/// different values, since what a kernel leaves alone is cleared before it runs. Who asks for a line reads nothing.
pub fn may_be_shared(parallel: &Loop) -> bool {
    let body = without(&parallel.body, &|stmt| matches!(stmt, Stmt::Ask(..)));
    let (outside, inside) = (without_parallel(&body), parallel_loops(&body));
    let (own, of_shares) = (walk::allocated(&outside), walk::allocated(&inside));
    let (mut is_apart, mut results) = (true, Vec::new());
    walk::touches(&outside, &mut |id, write| is_apart &= !write || own.contains(&id));
    walk::touches(&inside, &mut |id, write| {
        if write && !of_shares.contains(&id) {
            is_apart &= !own.contains(&id);
            results.push(id);
        }
    });
    walk::touches(&body, &mut |id, write| is_apart &= write || !results.contains(&id));
    is_apart && !own.is_empty() && !results.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::rust;
    use crate::loops::LoopKind;
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

    /// What a tile writes is asked for before it is computed, which is not to read it.
    #[test]
    fn panels_of_a_product_are_shared() {
        let source =
            "pub fn product<n: Nat, m: Nat, k: Nat>(a: [[f32; k]; n], b: [[f32; m]; k]) -> [[f32; m]; n] {
                a |> map(|row| b |> transpose |> map(|column| dot(row, column)))
            }
            compile product to openmp with auto;";
        let kernel = units(source.parse().unwrap(), &|_| Err("no files here".into())).compiled.remove(0);
        let asks = |block: &[Stmt]| {
            let mut found = false;
            walk::stmts(block, &mut |stmt| found |= matches!(stmt, Stmt::Ask(..)));
            found
        };
        let mut are_shared = false;
        walk::stmts(&kernel.loops.best().body, &mut |stmt| match stmt {
            Stmt::For(looped) if looped.kind == LoopKind::Par && asks(&looped.body) => {
                are_shared |= may_be_shared(looped);
            }
            _ => {}
        });
        assert!(are_shared);
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
        for (call, times) in [("private::for_each_shared(", 1), ("share.for_each(", 1), (" for_each(", 1)] {
            assert_eq!(text.matches(call).count(), times, "{call}\n{text}");
        }
    }
}
