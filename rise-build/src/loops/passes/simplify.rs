//! Indices, conditions and constants as simple as what is known allows; statements without effect removed.
//!
//! Operations are folded only where every target would compute the same bits: not the functions that a target's
//! library computes, and not `mul_add`.

use std::collections::{BTreeMap, BTreeSet};

use crate::expr::{Binary, Literal, Unary, scalar};
use crate::names::Name;
use crate::nat::{Facts, Nat, NatVar};
use crate::table::Table;

use super::super::facts::{assume, decide, define, of_naturals};
use super::super::ir::*;
use super::super::walk::{self, Visit, VisitMut};
use super::{Options, TooLarge};

#[allow(clippy::unnecessary_wraps)]
pub(super) fn run(kernel: &mut Kernel, _: &Options) -> Result<(), TooLarge> {
    let facts = kernel.facts.clone();
    let mut body = std::mem::take(&mut kernel.body);
    let mut simplifier =
        Simplifier { buffers: &kernel.buffers, facts, constants: BTreeMap::new(), naturals: Vec::new() };
    simplifier.block(&mut body);
    kernel.body = body;
    remove_dead(kernel);
    Ok(())
}

struct Simplifier<'a> {
    buffers: &'a [Buffer],
    facts: Facts,
    /// Registers that are constants or other immutable registers.
    constants: BTreeMap<Name, Value>,
    /// Names of naturals that are computed of others alone.
    naturals: Vec<(NatVar, Nat)>,
}

impl Simplifier<'_> {
    fn scoped(&mut self, block: &mut Block, know: impl FnOnce(&mut Facts)) {
        let (facts, naturals) = (self.facts.clone(), self.naturals.len());
        know(&mut self.facts);
        self.block(block);
        self.facts = facts;
        self.naturals.truncate(naturals);
    }
}

impl VisitMut for Simplifier<'_> {
    fn block(&mut self, block: &mut Block) {
        let mut out = Block::with_capacity(block.len());
        for mut stmt in std::mem::take(block) {
            self.stmt(&mut stmt);
            match stmt {
                Stmt::If(Value::Literal(Literal::Bool(holds)), then, otherwise) => {
                    push_block(if holds { then } else { otherwise }, &mut out);
                }
                Stmt::If(_, then, otherwise) if is_empty(&then) && is_empty(&otherwise) => {}
                Stmt::Block(block) => push_block(block, &mut out),
                Stmt::For(looped) if looped.count.is_zero() || is_empty(&looped.body) => {}
                Stmt::Let(name, _, value @ Value::Literal(_)) => {
                    self.constants.insert(name, value);
                }
                Stmt::Set(name, value) => match take_unset(&mut out, &name) {
                    Some(ty) => out.push(Stmt::Var(name, ty, Some(value))),
                    None => out.push(Stmt::Set(name, value)),
                },
                other => out.push(other),
            }
        }
        *block = out;
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        match stmt {
            Stmt::For(looped) => {
                self.nat(&mut looped.count);
                let (var, count) = (looped.var.clone(), looped.count.clone());
                self.scoped(&mut looped.body, |facts| facts.range(&var, &Nat::lit(0), &count));
            }
            Stmt::If(condition, then, otherwise) => {
                self.value(condition);
                let condition = condition.clone();
                self.scoped(then, |facts| assume(facts, &condition, true));
                self.scoped(otherwise, |facts| assume(facts, &condition, false));
            }
            Stmt::LetNat(var, value) => {
                self.value(value);
                define(&mut self.facts, var, value);
                if let Some(nat) = of_naturals(value).filter(|nat| self.facts.proves_ge0(nat)) {
                    self.naturals.push((var.clone(), nat));
                }
            }
            Stmt::Block(block) => self.scoped(block, |_| {}),
            _ => walk::walk_stmt_mut(self, stmt),
        }
    }

    fn value(&mut self, value: &mut Value) {
        if let Value::Var(name) = value {
            if let Some(constant) = self.constants.get(name) {
                *value = constant.clone();
            }
            return;
        }
        walk::walk_value_mut(self, value);
        if let Some(simpler) = self.folded(value) {
            *value = simpler;
        }
    }

    fn nat(&mut self, nat: &mut Nat) {
        if nat.as_const().is_none() {
            *nat = self.facts.simplify(&nat.subst_all(&self.naturals));
        }
    }
}

impl Simplifier<'_> {
    fn folded(&self, value: &Value) -> Option<Value> {
        match value {
            Value::CompareNat(op, a, b) => {
                decide(&self.facts, *op, a, b).map(|holds| Value::Literal(Literal::Bool(holds)))
            }
            Value::FromNat(to, nat) => {
                Some(Value::Literal(scalar::from_int(i128::from(nat.as_const()?), *to)))
            }
            Value::Load(access) => {
                let buffer = &self.buffers[access.buffer.0 as usize];
                let index = usize::try_from(access.index.as_const()?).ok()?;
                match (buffer.role, access.lanes) {
                    (Role::Constant, 1) => buffer.values.get(index).copied().map(Value::Literal),
                    _ => None,
                }
            }
            Value::Unary(op, _, x) => match (**x).clone() {
                Value::Literal(x) if exact(*op) => Some(Value::Literal(scalar::unary(*op, x))),
                _ => None,
            },
            Value::Binary(op, _, a, b) => fold_binary(*op, a, b),
            Value::Compare(op, ty, a, b) if ty.lanes == 1 => match (&**a, &**b) {
                (Value::Literal(a), Value::Literal(b)) => {
                    Some(Value::Literal(Literal::Bool(scalar::compare(*op, *a, *b))))
                }
                _ => None,
            },
            Value::Cast(_, to, x) => match (**x).clone() {
                Value::Literal(x) => Some(Value::Literal(scalar::cast(x, *to))),
                _ => None,
            },
            Value::Select(_, args) => match &**args {
                [_, then, otherwise] if then == otherwise => Some(then.clone()),
                [condition, then, otherwise] => match condition {
                    Value::Broadcast(_, alike) => as_bool(alike),
                    condition => as_bool(condition),
                }
                .map(|holds| if holds { then.clone() } else { otherwise.clone() }),
            },
            Value::Lane(_, lane, vector) => match &**vector {
                Value::Broadcast(_, x) => Some((**x).clone()),
                Value::Lanes(_, values) => values.get(*lane as usize).cloned(),
                _ => None,
            },
            Value::Half(ty, _, vector) => match &**vector {
                Value::Broadcast(_, x) => Some(Value::Broadcast(ty.half(), x.clone())),
                _ => None,
            },
            _ => None,
        }
    }
}

fn as_bool(value: &Value) -> Option<bool> {
    match value {
        Value::Literal(Literal::Bool(holds)) => Some(*holds),
        _ => None,
    }
}

fn fold_binary(op: Binary, a: &Value, b: &Value) -> Option<Value> {
    use Literal::Bool;
    match (op, a, b) {
        (Binary::Pow, ..) => None,
        (_, Value::Literal(a), Value::Literal(b)) => Some(Value::Literal(scalar::binary(op, *a, *b))),
        (Binary::And, Value::Literal(Bool(true)), x) | (Binary::And, x, Value::Literal(Bool(true))) => {
            Some(x.clone())
        }
        (Binary::Or, Value::Literal(Bool(false)), x) | (Binary::Or, x, Value::Literal(Bool(false))) => {
            Some(x.clone())
        }
        (Binary::And, no @ Value::Literal(Bool(false)), _)
        | (Binary::And, _, no @ Value::Literal(Bool(false)))
        | (Binary::Or, no @ Value::Literal(Bool(true)), _)
        | (Binary::Or, _, no @ Value::Literal(Bool(true))) => Some(no.clone()),
        _ => None,
    }
}

/// Whether every target computes the same bits.
fn exact(op: Unary) -> bool {
    use Unary::*;
    matches!(op, Neg | Not | Abs | Sqrt | Floor | Ceil | Round)
}

/// Takes away the declaration of a register that has no value yet, so that it can begin with one: where nothing but
/// other registers came since.
fn take_unset(out: &mut Block, name: &Name) -> Option<ValueType> {
    let registers = out.iter().rev().take_while(|stmt| {
        matches!(stmt, Stmt::Var(..) | Stmt::Let(..) | Stmt::LetNat(..) | Stmt::Set(..) | Stmt::Comment(_))
    });
    let back = registers.take_while(|stmt| !matches!(stmt, Stmt::Set(set, _) if set == name));
    let position = back.enumerate().find_map(|(back, stmt)| match stmt {
        Stmt::Var(new, ty, None) if new == name => Some((back, *ty)),
        _ => None,
    });
    let (back, ty) = position?;
    out.remove(out.len() - 1 - back);
    Some(ty)
}

/// Only comments.
fn is_empty(block: &[Stmt]) -> bool {
    block.iter().all(|stmt| matches!(stmt, Stmt::Comment(_)))
}

/// Adds a block's statements; those that allocate keep their scope.
fn push_block(block: Block, out: &mut Block) {
    if is_empty(&block) {
        return;
    }
    match block.iter().any(|stmt| matches!(stmt, Stmt::Alloc(_))) {
        true => out.push(Stmt::Block(block)),
        false => out.extend(block),
    }
}

/// Removes what nobody reads.
fn remove_dead(kernel: &mut Kernel) {
    let mut uses = Uses::default();
    uses.block(&kernel.body);
    for (position, buffer) in kernel.buffers.iter().enumerate() {
        if matches!(buffer.role, Role::Output) {
            uses.kept.insert(BufferId(position as u32));
        }
    }
    while uses.sweep(&mut kernel.body) {}
}

/// How often each of what is numbered occurs.
#[derive(Default)]
struct Counts(Table<isize>);

impl Counts {
    /// One more, or one less of what goes.
    fn add(&mut self, id: u32, goes: bool) {
        *self.0.place(id).get_or_insert(0) += if goes { -1 } else { 1 };
    }

    fn any(&self, id: u32) -> bool {
        self.0.get(id).is_some_and(|count| *count > 0)
    }
}

/// How often things are read.
#[derive(Default)]
struct Uses {
    names: Counts,
    nats: Counts,
    loads: Counts,
    /// How often registers are set and buffers are written.
    sets: Counts,
    stores: Counts,
    /// Buffers that are kept anyway.
    kept: BTreeSet<BufferId>,
    /// Whether what is visited goes, and its uses with it.
    goes: bool,
}

impl Visit for Uses {
    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Swap(a, b) => self.kept.extend([*a, *b]),
            Stmt::Product(product) => drop(self.kept.insert(product.result.first.buffer)),
            Stmt::Transpose(transpose) => drop(self.kept.insert(transpose.to.buffer)),
            Stmt::StorePart(store) => drop(self.kept.insert(store.to.buffer)),
            Stmt::Set(name, _) => self.sets.add(name.id(), self.goes),
            _ => {}
        }
        walk::walk_stmt(self, stmt);
    }

    fn value(&mut self, value: &Value) {
        if let Value::Var(name) = value {
            self.names.add(name.id(), self.goes);
        }
        walk::walk_value(self, value);
    }

    fn nat(&mut self, nat: &Nat) {
        nat.each_var(&mut |var| self.nats.add(var.id(), self.goes));
    }

    fn access(&mut self, access: &Access, write: bool) {
        let counts = if write { &mut self.stores } else { &mut self.loads };
        counts.add(access.buffer.0, self.goes);
        self.nat(&access.index);
    }
}

impl Uses {
    fn is_read(&self, id: BufferId) -> bool {
        self.kept.contains(&id) || self.loads.any(id.0)
    }

    /// Removes dead statements from the last to the first; what they read is read less. Says whether there were
    /// any, since an earlier statement may have kept a later one.
    fn sweep(&mut self, block: &mut Block) -> bool {
        let mut changed = false;
        for position in (0..block.len()).rev() {
            match &mut block[position] {
                Stmt::For(looped) => changed |= self.sweep(&mut looped.body),
                Stmt::If(_, then, otherwise) => {
                    changed |= self.sweep(otherwise);
                    changed |= self.sweep(then);
                }
                Stmt::Block(block) => changed |= self.sweep(block),
                _ => {}
            }
            if self.is_dead(&block[position]) {
                changed = true;
                let gone = std::mem::replace(&mut block[position], Stmt::Block(Block::new()));
                self.goes = true;
                self.stmt(&gone);
                self.goes = false;
            }
        }
        block.retain(|stmt| !matches!(stmt, Stmt::Block(block) if block.is_empty()));
        changed
    }

    fn is_dead(&self, stmt: &Stmt) -> bool {
        match stmt {
            Stmt::Let(name, ..) | Stmt::Set(name, _) => !self.names.any(name.id()),
            Stmt::Var(name, ..) => !self.names.any(name.id()) && !self.sets.any(name.id()),
            Stmt::LetNat(var, _) => !self.nats.any(var.id()),
            // What is written back to where it was read.
            Stmt::Store(to, Value::Load(from)) if to == from => true,
            Stmt::Store(access, _) => !self.is_read(access.buffer),
            Stmt::Alloc(id) => !self.is_read(*id) && !self.stores.any(id.0),
            Stmt::For(looped) => is_empty(&looped.body),
            Stmt::If(_, then, otherwise) => is_empty(then) && is_empty(otherwise),
            Stmt::Block(block) => is_empty(block),
            _ => false,
        }
    }
}
