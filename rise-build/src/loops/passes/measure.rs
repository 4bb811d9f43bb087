//! The size of code.

use super::super::ir::*;
use super::super::walk::{self, Visit};

struct Size(usize);

impl Visit for Size {
    fn stmt(&mut self, stmt: &Stmt) {
        self.0 += 1;
        walk::walk_stmt(self, stmt);
    }
    fn value(&mut self, value: &Value) {
        self.0 += 1;
        walk::walk_value(self, value);
    }
}

/// Number of operations.
pub(super) fn value(value: &Value) -> usize {
    let mut visitor = Size(0);
    visitor.value(value);
    visitor.0
}

/// Number of statements and operations.
pub(super) fn size(block: &[Stmt]) -> usize {
    let mut visitor = Size(0);
    visitor.block(block);
    visitor.0
}
