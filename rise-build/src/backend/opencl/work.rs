//! How many work-items a launch wants.

use crate::loops::passes::LARGEST_GROUP;
use crate::loops::walk;
use crate::loops::{LoopKind, Stmt};
use crate::nat::{Nat, NatVar};

/// The numbers of iterations in each dimension; loops take more than one round where there are fewer items.
#[derive(Clone, Debug)]
pub enum Work {
    /// One work-item.
    One,
    /// Of `mapGlobal`.
    Items([Nat; 3]),
    /// Of `mapWorkGroup` and `mapLocal`.
    Groups([Nat; 3], [Nat; 3]),
    /// The same where the sizes of groups are constants that the kernel relies on.
    Exactly([Nat; 3], [Nat; 3]),
}

/// The size of a dimension that is known only inside.
const SOME: i64 = 64;

/// What the loops of a launch ask for; `known` tells which naturals the host has.
pub fn work(block: &[Stmt], known: &dyn Fn(&NatVar) -> bool) -> Work {
    let none = || [(); 3].map(|()| None);
    let (mut items, mut groups, mut local): ([Option<Nat>; 3], _, _) = (none(), none(), none());
    walk::stmts(block, &mut |stmt| {
        let Stmt::For(looped) = stmt else { return };
        let (place, d) = match looped.kind {
            LoopKind::Global(d) => (&mut items, d),
            LoopKind::WorkGroup(d) => (&mut groups, d),
            LoopKind::Local(d) => (&mut local, d),
            _ => return,
        };
        let count = match looped.count.mentions_any(&|var| !known(var)) {
            true => Nat::lit(SOME),
            false => looped.count.clone(),
        };
        let place = &mut place[usize::from(d)];
        *place = Some(
            place.take().map_or(count.clone(), |old| if old == count { old } else { Nat::max(&old, &count) }),
        );
    });
    let filled = |counts: [Option<Nat>; 3]| counts.map(|count| count.unwrap_or(Nat::lit(1)));
    if groups.iter().any(Option::is_some) {
        let (groups, local) = (filled(groups), filled(local));
        let product = local.iter().try_fold(1_i64, |all, size| all.checked_mul(size.as_const()?.max(1)));
        return match product {
            Some(1..=LARGEST_GROUP) if local.iter().all(|size| !size.is_zero()) => {
                Work::Exactly(groups, local)
            }
            _ => Work::Groups(groups, local),
        };
    }
    if items.iter().any(Option::is_some) { Work::Items(filled(items)) } else { Work::One }
}
