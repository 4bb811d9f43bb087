//! Arrays that are arrays of vectors.
//!
//! The loops store vectors as their lanes. An array that a kernel reads and writes by whole vectors alone is declared
//! as what it holds: compilers then know its alignment, and keep a private one in registers.

use std::collections::BTreeMap;

use crate::loops::walk::{self, Visit};
use crate::loops::{Access, BufferId, Element, Kernel, Role, Stmt};
use crate::nat::Nat;
use crate::types::Scalar;

/// The lanes of each array of vectors in a kernel.
pub fn of_vectors(kernel: &Kernel, block: &[Stmt]) -> BTreeMap<BufferId, u32> {
    let mut found = Found { kernel, lanes: BTreeMap::new() };
    found.block(block);
    let whole = |(id, lanes): (BufferId, Option<u32>)| Some((id, lanes?));
    found.lanes.into_iter().filter_map(whole).collect()
}

/// The lanes of all accesses to a buffer; nothing where they differ.
struct Found<'k> {
    kernel: &'k Kernel,
    lanes: BTreeMap<BufferId, Option<u32>>,
}

impl Found<'_> {
    fn note(&mut self, id: BufferId, lanes: Option<u32>) {
        let known = self.lanes.entry(id).or_insert(lanes);
        if *known != lanes {
            *known = None;
        }
    }

    /// The lanes of an access to a whole vector.
    fn whole(&self, access: &Access) -> Option<u32> {
        let buffer = self.kernel.buffer(access.buffer);
        let numbers = matches!(buffer.element, Element::Scalar(scalar) if scalar != Scalar::Bool);
        let fits = matches!(access.lanes, 2 | 4 | 8 | 16) && buffer.role != Role::Constant;
        let whole = |nat: &Nat| nat.terms().all(|(factor, _)| factor % i64::from(access.lanes) == 0);
        // Memory of the kernel's own is made of its elements, of which none may be left over.
        let length = !matches!(buffer.role, Role::Stack | Role::Local) || whole(&buffer.len);
        (numbers && fits && length && whole(&access.index)).then_some(access.lanes)
    }
}

impl Visit for Found<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            // Behind exchanged pointers lie the elements as they are.
            Stmt::Swap(a, b) => {
                self.note(*a, None);
                self.note(*b, None);
            }
            // A part of a larger memory begins anywhere.
            Stmt::Alloc(id) if self.kernel.buffer(*id).role == Role::Heap => self.note(*id, None),
            _ => {}
        }
        walk::walk_stmt(self, stmt);
    }

    fn access(&mut self, access: &Access, _write: bool) {
        self.note(access.buffer, self.whole(access));
    }
}
