//! How many work-items a launch wants: what the user has chosen, or what its loops ask for.

use crate::loops::passes::LARGEST_GROUP;
use crate::loops::{LoopKind, Stmt, WorkSizes, walk};
use crate::nat::{Nat, NatVar};

/// The numbers of iterations in each dimension; loops take more than one round where there are fewer items.
#[derive(Clone, Debug)]
pub enum Work {
    /// One work-item.
    One,
    /// Of `mapGlobal`.
    Items([Nat; 3]),
    /// Of `mapWorkGroup` and `mapLocal`, or groups of a chosen size.
    Groups([Nat; 3], [Nat; 3]),
    /// The same where the sizes of groups are constants that the kernel relies on.
    Exactly([Nat; 3], [Nat; 3]),
}

/// The size of a dimension that is known only inside.
const SOME: i64 = 64;

/// The most iterations of the loops of a launch, by kind and dimension; nothing where there are none.
#[derive(Default)]
struct Counts {
    items: [Option<Nat>; 3],
    groups: [Option<Nat>; 3],
    local: [Option<Nat>; 3],
}

impl Counts {
    fn of(block: &[Stmt], known: &dyn Fn(&NatVar) -> bool) -> Self {
        let mut counts = Self::default();
        walk::stmts(block, &mut |stmt| {
            let Stmt::For(looped) = stmt else { return };
            let (place, d) = match looped.kind {
                LoopKind::Global(d) => (&mut counts.items, d),
                LoopKind::WorkGroup(d) => (&mut counts.groups, d),
                LoopKind::Local(d) => (&mut counts.local, d),
                _ => return,
            };
            let count = match looped.count.mentions_any(&|var| !known(var)) {
                true => Nat::lit(SOME),
                false => looped.count.clone(),
            };
            let place = &mut place[usize::from(d)];
            let old = place.take().unwrap_or(count.clone());
            let is_fixed = |count: &Nat| looped.kind == LoopKind::Local(d) && count.as_const().is_some();
            *place = Some(match (is_fixed(&old), is_fixed(&count)) {
                _ if old == count => old,
                // Work-items that constants ask for have time for as many rounds of the others as it takes.
                (true, false) => old,
                (false, true) => count,
                _ => Nat::max(&old, &count),
            });
        });
        counts
    }
}

/// What the loops of a launch ask for, unless it is chosen; `known` tells which naturals the host has.
pub fn work(block: &[Stmt], chosen: &WorkSizes, known: &dyn Fn(&NatVar) -> bool) -> Work {
    let counts = Counts::of(block, known);
    let in_groups = counts.groups.iter().any(Option::is_some);
    if !in_groups && counts.items.iter().all(Option::is_none) {
        return Work::One;
    }
    let outer = if in_groups { &counts.groups } else { &counts.items };
    // Where no loop shares them out, several work-items would do the same.
    let of = |chosen: &[Nat; 3], loops: &[Option<Nat>; 3]| {
        [0, 1, 2].map(|d| if loops[d].is_some() { chosen[d].clone() } else { Nat::lit(1) })
    };
    let filled = |counts: &[Option<Nat>; 3]| counts.clone().map(|count| count.unwrap_or(Nat::lit(1)));
    let local = match &chosen.local {
        Some(local) => of(local, if in_groups { &counts.local } else { &counts.items }),
        None if in_groups => filled(&counts.local),
        None => return Work::Items(chosen.global.as_ref().map_or(filled(outer), |global| of(global, outer))),
    };
    let groups = match &chosen.global {
        Some(global) => {
            let global = of(global, outer);
            [0, 1, 2].map(|d| global[d].ceil_div(&Nat::max(&local[d], &Nat::lit(1))))
        }
        None if in_groups => filled(outer),
        None => {
            let items = filled(outer);
            [0, 1, 2].map(|d| items[d].ceil_div(&Nat::max(&local[d], &Nat::lit(1))))
        }
    };
    let product = local.iter().try_fold(1_i64, |all, size| all.checked_mul(size.as_const()?.max(1)));
    let most = if chosen.local.is_some() { i64::MAX } else { LARGEST_GROUP };
    match product {
        Some(product) if product <= most && local.iter().all(|size| !size.is_zero()) => {
            Work::Exactly(groups, local)
        }
        _ => Work::Groups(groups, local),
    }
}
