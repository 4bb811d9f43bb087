//! A register that only passes its value on to another is that other register.
//!
//! ```text
//! next = acc + x            acc = acc + x
//! …                    →    …
//! acc = next
//! ```
//!
//! Where nothing between the two statements reads or sets the second register, and the first is read nowhere else. So
//! the second buffer of an accumulator costs no registers.

use crate::names::Name;
use crate::table::Table;

use super::super::ir::*;
use super::super::walk::{self, Visit};
use super::{Options, TooLarge};

#[allow(clippy::unnecessary_wraps)]
pub(super) fn run(kernel: &mut Kernel, _: &Options) -> Result<(), TooLarge> {
    let reads = walk::reads(&kernel.body);
    block(&mut kernel.body, &reads);
    Ok(())
}

fn block(stmts: &mut Block, reads: &Table<usize>) {
    let mut position = 0;
    while position < stmts.len() {
        match &mut stmts[position] {
            Stmt::For(looped) => block(&mut looped.body, reads),
            Stmt::If(_, then, otherwise) => {
                block(then, reads);
                block(otherwise, reads);
            }
            Stmt::Block(inner) => block(inner, reads),
            _ => {}
        }
        if let Stmt::Set(to, Value::Var(from)) = &stmts[position]
            && from != to
            && reads.get(from.id()) == Some(&1)
            && let Some(origin) = origin(&stmts[..position], from, to)
        {
            let to = to.clone();
            if let Stmt::Set(name, _) = &mut stmts[origin] {
                *name = to;
            }
            stmts.remove(position);
            continue;
        }
        position += 1;
    }
}

/// The statement that sets `from`, if nothing after it touches `to`.
fn origin(before: &[Stmt], from: &Name, to: &Name) -> Option<usize> {
    for (position, stmt) in before.iter().enumerate().rev() {
        match stmt {
            Stmt::Set(name, _) if name == from => return Some(position),
            stmt if touches(stmt, from) || touches(stmt, to) => return None,
            _ => {}
        }
    }
    None
}

/// Whether a statement declares, reads or sets a register.
fn touches(stmt: &Stmt, name: &Name) -> bool {
    struct Touches<'a>(&'a Name, bool);
    impl Visit for Touches<'_> {
        fn stmt(&mut self, stmt: &Stmt) {
            self.1 |= match stmt {
                Stmt::Set(name, _) | Stmt::Var(name, ..) | Stmt::Let(name, ..) => name == self.0,
                _ => false,
            };
            walk::walk_stmt(self, stmt);
        }
        fn value(&mut self, value: &Value) {
            self.1 |= matches!(value, Value::Var(name) if name == self.0);
            walk::walk_value(self, value);
        }
    }
    let mut visitor = Touches(name, false);
    visitor.stmt(stmt);
    visitor.1
}
