//! Loops written out: those that the strategy marked, those of one or no iteration, and small ones that index an
//! array which can then lie in registers.
//!
//! ```text
//! for unrolled i in 0..2        a[0] = x[0]
//!   a[i] = x[i]            →    a[1] = x[1]
//! ```

use std::collections::{BTreeMap, BTreeSet};

use crate::nat::{Atom, Nat, NatVar};

use super::super::ir::*;
use super::super::walk;
use super::copy::Copier;
use super::jam::jammed;
use super::measure::size;
use super::{Options, TooLarge};

/// Writes out loops that are marked, and removes loops of one or no iteration.
pub(super) fn run(kernel: &mut Kernel, options: &Options) -> Result<(), TooLarge> {
    with_body(kernel, options, &BTreeSet::new())
}

/// Greatest size of all copies of the loops that index one array.
const PRIVATE_SIZE: u64 = 4096;

/// Writes out sequential loops that keep small arrays from lying in registers.
pub(super) fn private(kernel: &mut Kernel, options: &Options) -> Result<(), TooLarge> {
    let chosen = private_loops(kernel, options);
    if chosen.is_empty() { Ok(()) } else { with_body(kernel, options, &chosen) }
}

fn with_body(kernel: &mut Kernel, options: &Options, chosen: &BTreeSet<NatVar>) -> Result<(), TooLarge> {
    let body = std::mem::take(&mut kernel.body);
    let mut unroller = Unroller { buffers: &mut kernel.buffers, limit: options.size, chosen };
    kernel.body = unroller.block(body)?;
    Ok(())
}

struct Unroller<'a> {
    buffers: &'a mut Vec<Buffer>,
    limit: usize,
    /// Variables of further loops to write out.
    chosen: &'a BTreeSet<NatVar>,
}

impl Unroller<'_> {
    fn block(&mut self, block: Block) -> Result<Block, TooLarge> {
        let mut out = Block::with_capacity(block.len());
        for stmt in block {
            match stmt {
                Stmt::For(looped) => self.looped(looped, &mut out)?,
                Stmt::If(condition, then, otherwise) => {
                    out.push(Stmt::If(condition, self.block(then)?, self.block(otherwise)?));
                }
                Stmt::Block(block) => {
                    let block = self.block(block)?;
                    out.push(Stmt::Block(block));
                }
                other => out.push(other),
            }
        }
        Ok(out)
    }

    fn looped(&mut self, looped: Loop, out: &mut Block) -> Result<(), TooLarge> {
        let body = self.block(looped.body)?;
        let marked = looped.kind == LoopKind::Unroll;
        let short = looped.kind == LoopKind::Seq
            && (self.chosen.contains(&looped.var) || divides(&looped.var, &looped.count, &body));
        let on_host =
            !matches!(looped.kind, LoopKind::Global(_) | LoopKind::WorkGroup(_) | LoopKind::Local(_));
        match looped.count.as_const() {
            Some(count) if count <= 0 => {}
            Some(count) if marked || short || (count == 1 && on_host) => {
                match short.then(|| jammed(self.buffers, &looped.var, &body, count)).flatten() {
                    Some(mut block) => out.append(&mut block),
                    None => self.copies(&looped.var, &body, count, name_of(out, &looped.var), out)?,
                }
            }
            _ => {
                let kind = if marked { LoopKind::Seq } else { looped.kind };
                out.push(Stmt::For(Loop { kind, body, ..looped }));
            }
        }
        Ok(())
    }

    fn copies(
        &mut self,
        var: &NatVar,
        body: &Block,
        count: i64,
        name: String,
        out: &mut Block,
    ) -> Result<(), TooLarge> {
        let total = size(body) as u64 * count as u64;
        if total > self.limit as u64 {
            return Err(TooLarge { name, copies: count as u64, size: total });
        }
        let scoped = body.iter().any(|stmt| matches!(stmt, Stmt::Alloc(_))) && count > 1;
        let loops = body.iter().any(|stmt| matches!(stmt, Stmt::For(_) | Stmt::If(..) | Stmt::Block(_)));
        for i in 0..count {
            let mut copy = Copier::new(self.buffers).with(var, Nat::lit(i)).copy(body);
            if i > 0 {
                copy.retain(|stmt| !matches!(stmt, Stmt::Comment(_)));
            }
            if loops {
                // Counts of inner loops may have become constants.
                copy = self.block(copy)?;
            }
            match scoped {
                true => out.push(Stmt::Block(copy)),
                false => out.append(&mut copy),
            }
        }
        Ok(())
    }
}

/// Greatest size of the copies of a loop that are made to get rid of divisions.
const DIVIDING_SIZE: usize = 512;

/// Whether a short loop divides by constants to find its indices, so that writing it out makes these constants.
fn divides(var: &NatVar, count: &Nat, body: &[Stmt]) -> bool {
    let Some(count) = count.as_const().and_then(|count| usize::try_from(count).ok()) else { return false };
    let mut found = false;
    walk::accesses(body, &mut |access, _| {
        let divided =
            access.index.terms().flat_map(|(_, factors)| factors).any(|(atom, _)| divided(atom, var));
        found |= divided;
    });
    found && count * size(body) <= DIVIDING_SIZE
}

/// Whether some part of an atom is the variable divided by a constant.
fn divided(atom: &Atom, var: &NatVar) -> bool {
    let within = |nat: &Nat| nat.terms().flat_map(|(_, factors)| factors).any(|(atom, _)| divided(atom, var));
    match atom {
        Atom::Div(a, b) | Atom::Mod(a, b) => b.as_const().is_some() && a.mentions(var),
        Atom::Min(a, b) | Atom::Max(a, b) => within(a) || within(b),
        Atom::Var(_) | Atom::Pow(..) | Atom::Sum(_) => false,
    }
}

fn name_of(before: &[Stmt], var: &NatVar) -> String {
    match before.last() {
        Some(Stmt::Comment(text)) => format!("{text} (loop over {var})"),
        _ => format!("the loop over {var}"),
    }
}

/// Loops with constant counts whose variables are all that keeps small arrays on the stack from having constant
/// indices, if writing them out stays small.
fn private_loops(kernel: &Kernel, options: &Options) -> BTreeSet<NatVar> {
    let mut counts = BTreeMap::new();
    walk::stmts(&kernel.body, &mut |stmt| {
        if let Stmt::For(looped) = stmt
            && let (Some(count), LoopKind::Seq) = (looped.count.as_const(), looped.kind)
        {
            counts.insert(looped.var.clone(), (count, size(&looped.body)));
        }
    });
    // What lives across barriers is saved there for each work-item: one array is faster than many registers.
    let shares = shares(&kernel.body);
    let mut wanted: BTreeMap<BufferId, Option<BTreeSet<NatVar>>> = BTreeMap::new();
    walk::accesses(&kernel.body, &mut |access, _| {
        let buffer = kernel.buffer(access.buffer);
        let small = buffer.len.as_const().is_some_and(|len| len <= i64::from(options.registers));
        if buffer.role != Role::Stack || !small || shares.contains(&access.buffer) {
            return;
        }
        let vars = access.index.vars();
        let known = vars.iter().all(|var| counts.contains_key(var));
        let entry = wanted.entry(access.buffer).or_insert_with(|| Some(BTreeSet::new()));
        match entry {
            Some(set) if known => set.extend(vars),
            entry => *entry = None,
        }
    });
    let mut chosen = BTreeSet::new();
    for vars in wanted.into_values().flatten() {
        let cost: u64 = vars.iter().map(|var| counts[var].0 as u64 * counts[var].1 as u64).sum();
        if cost <= PRIVATE_SIZE {
            chosen.extend(vars);
        }
    }
    chosen
}

/// What is declared for a work-group and used by its work-items.
fn shares(block: &[Stmt]) -> BTreeSet<BufferId> {
    let (mut declared, mut inside) = (BTreeSet::new(), BTreeSet::new());
    walk::stmts(block, &mut |stmt| {
        if let Stmt::For(Loop { kind, body, .. }) = stmt {
            let found = if matches!(kind, LoopKind::WorkGroup(_)) { &mut declared } else { &mut inside };
            if matches!(kind, LoopKind::WorkGroup(_) | LoopKind::Local(_)) {
                walk::stmts(body, &mut |stmt| {
                    if let Stmt::Alloc(id) = stmt {
                        found.insert(*id);
                    }
                });
            }
        }
    });
    declared.difference(&inside).copied().collect()
}
