//! Values that are used once stand where they are used.
//!
//! ```text
//! let a = x[i]
//! let b = y[i]              →    r = r + x[i] * y[i]
//! r = r + a * b
//! ```
//!
//! A value moves down within its block only, not past a write to what it reads, and not if it is large.

use crate::names::Name;
use crate::table::Table;

use super::super::ir::*;
use super::super::walk::{self, Visit, VisitMut};
use super::measure;
use super::{Options, TooLarge};

/// Larger values keep their name.
const GREATEST: usize = 8;

#[allow(clippy::unnecessary_wraps)]
pub(super) fn run(kernel: &mut Kernel, _: &Options) -> Result<(), TooLarge> {
    Inliner { uses: walk::reads(&kernel.body), waiting: Vec::new() }.block(&mut kernel.body);
    Ok(())
}

struct Inliner {
    uses: Table<usize>,
    /// Values that wait for their use, in order.
    waiting: Vec<(Name, ValueType, Value)>,
}

impl Inliner {
    /// Writes down the values that must be computed before what comes next.
    fn settle(&mut self, out: &mut Block, must: &dyn Fn(&Value) -> bool) {
        let waiting = std::mem::take(&mut self.waiting);
        for (name, ty, value) in waiting {
            match must(&value) {
                true => out.push(Stmt::Let(name, ty, value)),
                false => self.waiting.push((name, ty, value)),
            }
        }
    }
}

impl VisitMut for Inliner {
    fn block(&mut self, block: &mut Block) {
        let mut out = Block::with_capacity(block.len());
        for mut stmt in std::mem::take(block) {
            match &mut stmt {
                Stmt::Comment(_) | Stmt::Ask(..) => {}
                Stmt::Let(name, ty, value) => {
                    self.value(value);
                    if self.uses.get(name.id()) == Some(&1) && measure::value(value) <= GREATEST {
                        self.waiting.push((name.clone(), *ty, value.clone()));
                        continue;
                    }
                }
                Stmt::LetNat(_, value) | Stmt::Var(_, _, Some(value)) => self.value(value),
                Stmt::Var(_, _, None) => {}
                Stmt::Set(name, value) => {
                    self.value(value);
                    let name = name.clone();
                    self.settle(&mut out, &|value| reads(value, &name));
                }
                Stmt::Store(access, value) => {
                    self.value(value);
                    let id = access.buffer;
                    self.settle(&mut out, &|value| loads(value, id));
                }
                Stmt::StorePart(store) => {
                    self.value(&mut store.value);
                    let id = store.to.buffer;
                    self.settle(&mut out, &|value| loads(value, id));
                }
                Stmt::If(condition, ..) => {
                    self.value(condition);
                    self.settle(&mut out, &|_| true);
                }
                Stmt::For(_)
                | Stmt::Block(_)
                | Stmt::Alloc(_)
                | Stmt::Barrier { .. }
                | Stmt::Swap(..)
                | Stmt::Lend(_)
                | Stmt::Product(_)
                | Stmt::Transpose(_) => {
                    self.settle(&mut out, &|_| true);
                }
            }
            match &mut stmt {
                Stmt::For(looped) => self.block(&mut looped.body),
                Stmt::Block(inner) => self.block(inner),
                Stmt::If(_, then, otherwise) => {
                    self.block(then);
                    self.block(otherwise);
                }
                _ => {}
            }
            out.push(stmt);
        }
        self.settle(&mut out, &|_| true);
        *block = out;
    }

    fn value(&mut self, value: &mut Value) {
        if let Value::Var(name) = value {
            if let Some(at) = self.waiting.iter().position(|(waiting, ..)| waiting == name) {
                *value = self.waiting.remove(at).2;
            }
            return;
        }
        walk::walk_value_mut(self, value);
    }
}

fn reads(value: &Value, name: &Name) -> bool {
    struct Reads<'a>(&'a Name, bool);
    impl Visit for Reads<'_> {
        fn value(&mut self, value: &Value) {
            self.1 |= matches!(value, Value::Var(name) if name == self.0);
            walk::walk_value(self, value);
        }
    }
    let mut visitor = Reads(name, false);
    visitor.value(value);
    visitor.1
}

fn loads(value: &Value, id: BufferId) -> bool {
    struct Loads(BufferId, bool);
    impl Visit for Loads {
        fn access(&mut self, access: &Access, _write: bool) {
            self.1 |= access.buffer == self.0;
        }
    }
    let mut visitor = Loads(id, false);
    visitor.value(value);
    visitor.1
}
