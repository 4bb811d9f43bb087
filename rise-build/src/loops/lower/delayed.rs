//! Delayed computations: instantiated where they are read, and shared within a block.
//!
//! What has been computed stays usable until the next command that writes memory which existed before, and to
//! the end of the block in which its statements stand; [`Memo`] is a stack that follows both.

use std::sync::Arc;

use crate::dpia::imperative::{Delayed, Exp};
use crate::nat::Nat;
use crate::types::DataType;

use super::super::ir::*;
use super::env::{Env, Meaning};
use super::{Lowering, Path, Small, Step, bug};
use crate::names::Name;

/// What the current block has computed already.
#[derive(Default)]
pub(super) struct Memo {
    entries: Vec<Entry>,
    /// Entries below belong to the block that reads the delayed computation under way; its own commands
    /// write nothing that those depend on.
    base: usize,
}

/// A computation that is recognised by the nodes it came from; the entry keeps them alive.
#[derive(Clone)]
enum Key {
    Delayed(Arc<Delayed>, Option<Arc<Exp>>),
    Element(Arc<Exp>),
}

enum Entry {
    /// The commands of a delayed computation ran at this index; names mean what the environment says.
    Instance(Key, Env, Nat, Env),
    /// The value at a path.
    Leaf(Key, Env, Path, Small),
    /// A natural that was loaded.
    Natural(Value, Nat),
}

impl Key {
    fn same(&self, other: &Key) -> bool {
        match (self, other) {
            (Key::Delayed(f, xs), Key::Delayed(g, ys)) => {
                let arrays = match (xs, ys) {
                    (Some(xs), Some(ys)) => Arc::ptr_eq(xs, ys),
                    (None, None) => true,
                    _ => false,
                };
                Arc::ptr_eq(f, g) && arrays
            }
            (Key::Element(a), Key::Element(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

impl Memo {
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Forgets what was computed since, at the end of a block.
    pub fn truncate(&mut self, len: usize) {
        self.entries.truncate(len);
    }

    /// Forgets what a write may have changed.
    pub fn forget(&mut self) {
        self.entries.truncate(self.base);
    }

    fn instance(&self, key: &Key, env: &Env, index: &Nat) -> Option<Env> {
        self.entries.iter().rev().find_map(|entry| match entry {
            Entry::Instance(k, e, i, after) if k.same(key) && e.same(env) && i == index => {
                Some(after.clone())
            }
            _ => None,
        })
    }

    fn leaf(&self, key: &Key, env: &Env, path: &Path) -> Option<Small> {
        self.entries.iter().rev().find_map(|entry| match entry {
            Entry::Leaf(k, e, p, small) if k.same(key) && e.same(env) && p == path => Some(small.clone()),
            _ => None,
        })
    }
}

impl Lowering {
    /// Element of a delayed `map`, or of a delayed `generate`, and the rest of the path.
    pub(super) fn delayed(
        &mut self,
        delayed: &Arc<Delayed>,
        array: Option<&Arc<Exp>>,
        env: &Env,
        mut path: Path,
        out: &mut Block,
    ) -> Small {
        let Some(Step::Index(index)) = path.pop() else { bug(format_args!("a whole delayed array is read")) };
        let index = self.facts.simplify(&index);
        path.push(Step::Index(index.clone()));
        let key = Key::Delayed(delayed.clone(), array.cloned());
        if let Some(small) = self.memo.leaf(&key, env, &path) {
            return small;
        }
        let after = match self.memo.instance(&key, env, &index) {
            Some(after) => after,
            None => self.instantiate(&key, delayed, array, env, &index, out),
        };
        let rest = path[..path.len() - 1].to_vec();
        let small = self.read(&delayed.result, &after, rest, out);
        self.share(key, env, path, small, out)
    }

    fn instantiate(
        &mut self,
        key: &Key,
        delayed: &Delayed,
        array: Option<&Arc<Exp>>,
        env: &Env,
        index: &Nat,
        out: &mut Block,
    ) -> Env {
        let param = &delayed.param;
        let inner = match (array, &param.nat) {
            (None, None) => env.with(&param.name, Meaning::Nat(index.clone())),
            (None, Some(var)) => {
                env.with_nat(var, index.clone()).with(&param.name, Meaning::Nat(index.clone()))
            }
            (Some(array), None) => {
                env.with(&param.name, Meaning::Element(array.clone(), index.clone(), env.clone()))
            }
            (Some(array), Some(var)) => {
                let small = self.read(array, env, vec![Step::Index(index.clone())], out);
                let nat = self.as_natural(small, out);
                env.with_nat(var, nat.clone()).with(&param.name, Meaning::Nat(nat))
            }
        };
        let len = self.memo.len();
        let outer = std::mem::replace(&mut self.memo.base, len);
        let after = self.commands(&delayed.prelude, inner, out);
        self.memo.base = outer;
        self.memo.entries.push(Entry::Instance(key.clone(), env.clone(), index.clone(), after.clone()));
        after
    }

    /// What stands at a path of an array that a name stands for, computed once in a block.
    pub(super) fn shared(&mut self, exp: &Arc<Exp>, env: &Env, path: Path, out: &mut Block) -> Small {
        if matches!(**exp, Exp::Var(_) | Exp::Map(..) | Exp::Generate(_)) {
            return self.read(exp, env, path, out);
        }
        let key = Key::Element(exp.clone());
        if let Some(small) = self.memo.leaf(&key, env, &path) {
            return small;
        }
        let small = self.read(exp, env, path.clone(), out);
        self.share(key, env, path, small, out)
    }

    /// Names a computed value, so that it is computed once.
    fn share(&mut self, key: Key, env: &Env, path: Path, small: Small, out: &mut Block) -> Small {
        let small = match small {
            Small::Value(value, ty) if is_computed(&value) => {
                let name = Name::fresh("shared");
                out.push(Stmt::Let(name.clone(), ty, value));
                Small::Value(Value::Var(name), ty)
            }
            other => other,
        };
        self.memo.entries.push(Entry::Leaf(key, env.clone(), path, small.clone()));
        small
    }

    /// A variable for a natural in memory, loaded once in a block.
    pub(super) fn shared_natural(&mut self, value: Value, ty: &DataType, out: &mut Block) -> Nat {
        let known = self.memo.entries.iter().rev().find_map(|entry| match entry {
            Entry::Natural(v, nat) if *v == value => Some(nat.clone()),
            _ => None,
        });
        known.unwrap_or_else(|| {
            let nat = self.name_natural(value.clone(), ty, out);
            self.memo.entries.push(Entry::Natural(value, nat.clone()));
            nat
        })
    }
}

fn is_computed(value: &Value) -> bool {
    !matches!(value, Value::Literal(_) | Value::Var(_) | Value::Load(_) | Value::FromNat(..))
}
