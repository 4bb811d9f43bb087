//! A loop that prepares something in each iteration for a loop inside is left out where that one does nothing, and so are
//! loops before one that does nothing, if nobody else reads what they prepare.
//!
//! ```text
//! for i in 0..m                    if 0 < n
//!   panel = copy of b[i]    →        for i in 0..m
//!   for j in 0..n                      panel = copy of b[i]
//!     c[i, j] = …                      for j in 0..n  …
//!
//! for i in 0..m                    if 0 < n
//!   sums[i] = …                  →   for i in 0..m  …
//! for j in 0..n                      for j in 0..n  …
//!   c[j] = sums[j] …
//! ```
//!
//! What is prepared for a loop over what is left over, which is often nothing, is left out where it is.

use std::collections::BTreeSet;

use crate::nat::{Facts, Nat, NatVar};

use super::super::ir::*;
use super::super::walk;
use super::{Options, TooLarge};

/// Loops that run less often than this may be over what is left over.
const FEW: i64 = 64;

/// Runs the pass for what is left over, while what prepares for it is one loop.
#[allow(clippy::unnecessary_wraps)]
pub(super) fn early(kernel: &mut Kernel, options: &Options) -> Result<(), TooLarge> {
    if !options.device {
        left_over(&mut kernel.body, &kernel.facts);
    }
    Ok(())
}

fn left_over(stmts: &mut Block, facts: &Facts) {
    for at in 0..stmts.len() {
        if let Some(count) = of_left_over(stmts, at, facts) {
            let prepares = std::mem::replace(&mut stmts[at], Stmt::Block(Block::new()));
            stmts[at] = Stmt::If(Value::any(count), vec![prepares], Block::new());
            continue;
        }
        match &mut stmts[at] {
            Stmt::For(looped) => left_over(&mut looped.body, facts),
            Stmt::If(_, then, otherwise) => {
                left_over(then, facts);
                left_over(otherwise, facts);
            }
            Stmt::Block(inner) => left_over(inner, facts),
            _ => {}
        }
    }
}

/// How often the loop runs, if not often, that alone reads what the loop at a place prepares.
fn of_left_over(stmts: &[Stmt], at: usize, facts: &Facts) -> Option<Nat> {
    let Stmt::For(prepares) = &stmts[at] else { return None };
    let mut own = BTreeSet::new();
    walk::stmts(&stmts[..=at], &mut |stmt| own.extend(allocated(stmt)));
    if changes_others(&stmts[at..=at], &own) {
        return None;
    }
    let prepared = written(&stmts[at]);
    let mut users = stmts[at + 1..].iter().filter(|stmt| uses(std::slice::from_ref(stmt), &prepared));
    let (Some(Stmt::For(user)), None) = (users.next(), users.next()) else { return None };
    let is_few = user.count.as_const().is_none() && facts.proves_lt(&user.count, &Nat::lit(FEW));
    let works = matches!(user.kind, LoopKind::Seq | LoopKind::Par) && !stops_with(prepares, &user.count);
    (is_few && works).then(|| user.count.clone())
}

#[allow(clippy::unnecessary_wraps)]
pub(super) fn run(kernel: &mut Kernel, _: &Options) -> Result<(), TooLarge> {
    block(&mut kernel.body);
    Ok(())
}

fn block(stmts: &mut Block) {
    for stmt in &mut *stmts {
        match stmt {
            Stmt::For(looped) => {
                if let Some(count) = only_effect(looped) {
                    let any = Value::any(count);
                    let looped = std::mem::replace(stmt, Stmt::Block(Block::new()));
                    *stmt = Stmt::If(any, vec![looped], Block::new());
                } else {
                    block(&mut looped.body);
                }
            }
            Stmt::If(_, then, otherwise) => {
                block(then);
                block(otherwise);
            }
            Stmt::Block(inner) => block(inner),
            _ => {}
        }
    }
    prepared(stmts);
}

/// Leaves out what only prepares for loops that do nothing.
fn prepared(stmts: &mut Block) {
    for last in (0..stmts.len()).rev() {
        let Some((count, first)) = stmts.get(last).and_then(|stmt| preparing(stmts, stmt, last)) else {
            continue;
        };
        let any = Value::any(count);
        let inside = stmts.drain(first..=last).collect();
        stmts.insert(first, Stmt::If(any, inside, Block::new()));
    }
}

/// How often the loops run that a statement consists of, and from which statement on all before it prepares for it.
fn preparing(stmts: &[Stmt], last: &Stmt, at: usize) -> Option<(Nat, usize)> {
    let Stmt::For(looped) = last else { return None };
    // A size is hardly ever 0.
    let count = fixed_count(looped).filter(|count| count.vars().iter().all(|var| *count != Nat::var(var)))?;
    let own: BTreeSet<BufferId> = stmts[..at].iter().filter_map(allocated).collect();
    let only_prepares = |stmt: &Stmt| match stmt {
        Stmt::Comment(_) => true,
        Stmt::For(_) => !changes_others(std::slice::from_ref(stmt), &own),
        _ => false,
    };
    let mut first = at - stmts[..at].iter().rev().take_while(|stmt| only_prepares(stmt)).count();
    let known_before = |first: usize| {
        let inside: BTreeSet<BufferId> = stmts[first..at].iter().flat_map(written).collect();
        uses(&stmts[..first], &inside) || uses(&stmts[at + 1..], &inside)
    };
    while first < at && known_before(first) {
        first += 1;
    }
    let as_much = |stmt: &Stmt| matches!(stmt, Stmt::For(other) if !stops_with(other, &count));
    stmts[first..at].iter().any(as_much).then_some((count, first))
}

/// The count of the innermost of loops around each other alone that does not depend on those around it.
fn fixed_count(looped: &Loop) -> Option<Nat> {
    let (mut around, mut looped, mut found) = (Vec::new(), looped, None);
    loop {
        if !matches!(looped.kind, LoopKind::Seq | LoopKind::Par) {
            return found;
        }
        if looped.count.as_const().is_none() && !looped.count.vars().iter().any(|var| around.contains(var)) {
            found = Some(looped.count.clone());
        }
        around.push(looped.var.clone());
        let mut inside = looped.body.iter().filter(|stmt| !matches!(stmt, Stmt::Comment(_)));
        match (inside.next(), inside.next()) {
            (Some(Stmt::For(inner)), None) => looped = inner,
            _ => return found,
        }
    }
}

/// Whether a loop, or one inside, runs as often as something that may be 0.
fn stops_with(looped: &Loop, count: &Nat) -> bool {
    let mut stops = looped.count == *count;
    walk::stmts(&looped.body, &mut |stmt| stops |= matches!(stmt, Stmt::For(inner) if inner.count == *count));
    stops
}

/// The memory that a statement writes.
fn written(stmt: &Stmt) -> BTreeSet<BufferId> {
    let mut written = BTreeSet::new();
    walk::touches(std::slice::from_ref(stmt), &mut |id, write| written.extend(write.then_some(id)));
    written
}

/// Whether some of the memory is read or written.
fn uses(stmts: &[Stmt], memory: &BTreeSet<BufferId>) -> bool {
    let mut used = false;
    walk::touches(stmts, &mut |id, _| used |= memory.contains(&id));
    used
}

/// How often the loops inside run that alone change memory of outside, where there is work beside them.
fn only_effect(looped: &Loop) -> Option<Nat> {
    if !matches!(looped.kind, LoopKind::Seq | LoopKind::Par) {
        return None;
    }
    let own: BTreeSet<BufferId> = looped.body.iter().filter_map(allocated).collect();
    if own.is_empty() {
        return None;
    }
    let effect = |stmt: &Stmt| changes_others(std::slice::from_ref(stmt), &own);
    let at = looped.body.iter().rposition(effect)?;
    let (before, after) = (&looped.body[..at], &looped.body[at + 1..]);
    let Stmt::For(inner) = &looped.body[at] else { return None };
    if changes_others(before, &own) || changes_others(after, &own) {
        return None;
    }
    let local = |var: &NatVar| *var == looped.var || looped.body.iter().any(|stmt| declares(stmt, var));
    fixed_count(inner).filter(|count| !count.vars().iter().any(local))
}

fn allocated(stmt: &Stmt) -> Option<BufferId> {
    match stmt {
        Stmt::Alloc(id) => Some(*id),
        _ => None,
    }
}

fn declares(stmt: &Stmt, var: &NatVar) -> bool {
    matches!(stmt, Stmt::LetNat(other, _) if other == var)
}

/// Whether the statements change a register or memory that outlives them, but for memory of their own.
fn changes_others(stmts: &[Stmt], own: &BTreeSet<BufferId>) -> bool {
    let mut changes = false;
    walk::touches(stmts, &mut |id, write| changes |= write && !own.contains(&id));
    let (mut registers, mut set) = (BTreeSet::new(), BTreeSet::new());
    walk::stmts(stmts, &mut |stmt| match stmt {
        Stmt::Var(name, ..) => drop(registers.insert(name.clone())),
        Stmt::Set(name, _) => drop(set.insert(name.clone())),
        _ => changes |= matches!(stmt, Stmt::Barrier { .. }),
    });
    changes |= !set.is_subset(&registers);
    walk::values(stmts, &mut |value| changes |= matches!(value, Value::Foreign(..)));
    changes
}
