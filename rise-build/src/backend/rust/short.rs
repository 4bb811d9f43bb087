//! Parallel loops that are known to be soon done run one iteration after the other: the runtime makes no task for them.

use crate::backend::cost::{SOON, cost_of_iteration};
use crate::loops::walk::{VisitMut, walk_stmt_mut};
use crate::loops::{Kernel, LoopKind, Stmt};

/// The kernel with such loops as plain ones.
pub fn in_order(kernel: &Kernel) -> Kernel {
    let mut body = kernel.body.clone();
    Short { kernel }.block(&mut body);
    Kernel { body, ..kernel.clone() }
}

struct Short<'k> {
    kernel: &'k Kernel,
}

impl VisitMut for Short<'_> {
    fn stmt(&mut self, stmt: &mut Stmt) {
        walk_stmt_mut(self, stmt);
        if let Stmt::For(looped) = stmt
            && looped.kind == LoopKind::Par
            && looped.count.as_const().is_some()
        {
            let work = &looped.count * cost_of_iteration(self.kernel, looped);
            if work.as_const().is_some_and(|work| work <= SOON) {
                looped.kind = LoopKind::Seq;
            }
        }
    }
}
