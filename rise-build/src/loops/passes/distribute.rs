//! Private memory that the work-items of a group share out.
//!
//! An array in private memory outside of `mapLocal` is one array for the program, but each work-item of a group of
//! known size touches its own part only: index `4 · item + i` is element `i` of the share of `item`. Where all
//! accesses are of this form, in loops over the same dimensions, each work-item keeps its share alone, and what is
//! left are constant indices that become registers. Arrays of another form stay as they are, for
//! [`backend::opencl`](crate::backend::opencl) to refuse.

use crate::nat::{Facts, Nat, NatVar};

use super::super::ir::*;
use super::super::walk::{self, VisitMut};
use super::{Options, TooLarge};

/// Groups of more work-items than any device has to offer are not demanded.
pub const LARGEST_GROUP: i64 = 256;

#[allow(clippy::unnecessary_wraps)]
pub(super) fn run(kernel: &mut Kernel, options: &Options) -> Result<(), TooLarge> {
    if !options.device {
        return Ok(());
    }
    let facts = kernel.facts.clone();
    let mut body = std::mem::take(&mut kernel.body);
    groups(&mut body, &mut |nest| {
        if has_known_size(nest, kernel.work.local.as_ref()) {
            distribute(nest, kernel, &facts);
        }
    });
    kernel.body = body;
    Ok(())
}

/// The outermost loops over work-groups.
fn groups(block: &mut Block, visit: &mut dyn FnMut(&mut Loop)) {
    for stmt in block {
        match stmt {
            Stmt::For(looped) if matches!(looped.kind, LoopKind::WorkGroup(_)) => visit(looped),
            Stmt::For(looped) => groups(&mut looped.body, visit),
            Stmt::If(_, then, otherwise) => {
                groups(then, visit);
                groups(otherwise, visit);
            }
            Stmt::Block(inner) => groups(inner, visit),
            _ => {}
        }
    }
}

/// Whether a work-item comes by at most once in each loop over the work-items of the group, whose sizes may be chosen.
fn has_known_size(nest: &Loop, chosen: Option<&[Nat; 3]>) -> bool {
    let mut sizes = [Some(1_i64); 3];
    walk::stmts(&nest.body, &mut |stmt| {
        if let Stmt::For(Loop { kind: LoopKind::Local(d), count, .. }) = stmt {
            let size = &mut sizes[usize::from(*d)];
            *size = size.zip(count.as_const()).map(|(old, new)| old.max(new));
        }
    });
    if let Some(chosen) = chosen {
        let fits =
            |(size, chosen): (&Option<i64>, &Nat)| size.is_some_and(|size| chosen.as_const() >= Some(size));
        return sizes.iter().zip(chosen).all(fits);
    }
    let product = sizes.iter().try_fold(1_i64, |all, size| all.checked_mul((*size)?));
    matches!(product, Some(1..=LARGEST_GROUP))
}

/// An access and the loops around it.
struct Use {
    access: Access,
    write: bool,
    items: Vec<(u8, NatVar, Nat)>,
    inner: Vec<(NatVar, Nat)>,
}

fn distribute(nest: &mut Loop, kernel: &mut Kernel, facts: &Facts) {
    let mut declared = Vec::new();
    outside_of_items(&nest.body, &mut |stmt| {
        if let Stmt::Alloc(id) = stmt
            && kernel.buffer(*id).role == Role::Stack
        {
            declared.push(*id);
        }
    });
    for arrays in exchanged(declared, &nest.body) {
        let mut uses = Vec::new();
        collect(&nest.body, &arrays, &mut Vec::new(), &mut Vec::new(), &mut uses);
        if !uses.iter().any(|used| used.write && !used.items.is_empty()) {
            continue;
        }
        if let Some(share) = share(&uses, facts) {
            arrays.iter().for_each(|id| kernel.buffers[id.0 as usize].len = Nat::lit(share));
            let items = uses.iter().flat_map(|used| &used.items);
            let zeros = items.map(|(_, var, _)| (var.clone(), Nat::lit(0))).collect();
            Shares { arrays, zeros }.block(&mut nest.body);
        }
    }
}

/// The arrays, those together that change places: either of them is shared out as the other is.
fn exchanged(arrays: Vec<BufferId>, block: &[Stmt]) -> Vec<Vec<BufferId>> {
    let mut found: Vec<Vec<BufferId>> = arrays.into_iter().map(|id| vec![id]).collect();
    walk::stmts(block, &mut |stmt| {
        if let Stmt::Swap(a, b) = stmt {
            let (together, mut apart): (Vec<_>, Vec<_>) =
                found.drain(..).partition(|arrays| arrays.contains(a) || arrays.contains(b));
            apart.extend((!together.is_empty()).then(|| together.concat()));
            found = apart;
        }
    });
    found
}

/// Statements that are in no loop over work-items.
fn outside_of_items(block: &Block, visit: &mut dyn FnMut(&Stmt)) {
    for stmt in block {
        visit(stmt);
        match stmt {
            Stmt::For(looped) if !matches!(looped.kind, LoopKind::Local(_)) => {
                outside_of_items(&looped.body, visit);
            }
            Stmt::If(_, then, otherwise) => {
                outside_of_items(then, visit);
                outside_of_items(otherwise, visit);
            }
            Stmt::Block(inner) => outside_of_items(inner, visit),
            _ => {}
        }
    }
}

fn collect(
    block: &Block,
    arrays: &[BufferId],
    items: &mut Vec<(u8, NatVar, Nat)>,
    inner: &mut Vec<(NatVar, Nat)>,
    uses: &mut Vec<Use>,
) {
    for stmt in block {
        let mut note = |stmt: &Stmt| {
            walk::accesses(std::slice::from_ref(stmt), &mut |access, write| {
                if arrays.contains(&access.buffer) {
                    let (access, items, inner) = (access.clone(), items.clone(), inner.clone());
                    uses.push(Use { access, write, items, inner });
                }
            });
        };
        match stmt {
            Stmt::For(looped) => {
                let (var, count) = (looped.var.clone(), looped.count.clone());
                if let LoopKind::Local(d) = looped.kind {
                    items.push((d, var, count));
                    collect(&looped.body, arrays, items, inner, uses);
                    items.pop();
                } else {
                    inner.push((var, count));
                    collect(&looped.body, arrays, items, inner, uses);
                    inner.pop();
                }
            }
            Stmt::If(condition, then, otherwise) => {
                note(&Stmt::LetNat(NatVar::new("_"), condition.clone()));
                collect(then, arrays, items, inner, uses);
                collect(otherwise, arrays, items, inner, uses);
            }
            Stmt::Block(block) => collect(block, arrays, items, inner, uses),
            other => note(other),
        }
    }
}

/// The length of a share, if every access is to the share of the work-item that makes it.
fn share(uses: &[Use], facts: &Facts) -> Option<i64> {
    let first = factors(uses.first()?)?;
    let share = first.iter().map(|(_, factor, _)| *factor).min()?;
    let digits_fit = {
        let mut sorted: Vec<(i64, i64)> = first.iter().map(|(_, factor, count)| (*factor, *count)).collect();
        sorted.sort_unstable();
        sorted.windows(2).all(|pair| pair[0].0.checked_mul(pair[0].1).is_some_and(|end| end <= pair[1].0))
    };
    let same = |used: &Use| {
        factors(used).is_some_and(|own| {
            own.len() == first.len()
                && own.iter().all(|(d, factor, count)| {
                    first.iter().any(|(other, same, most)| d == other && factor == same && count <= most)
                })
        })
    };
    let inside = |used: &Use| {
        let mut facts = facts.clone();
        used.inner.iter().for_each(|(var, count)| facts.range(var, &Nat::lit(0), count));
        let zeros: Vec<(NatVar, Nat)> =
            used.items.iter().map(|(_, var, _)| (var.clone(), Nat::lit(0))).collect();
        let rest = used.access.index.subst_all(&zeros);
        let last = &rest + i64::from(used.access.lanes) - 1;
        facts.proves_ge0(&rest) && facts.proves_lt(&last, &Nat::lit(share))
    };
    (digits_fit && uses.iter().all(|used| same(used) && inside(used))).then_some(share)
}

/// For each dimension around: what the index gains from one work-item to the next, and how many there are.
fn factors(used: &Use) -> Option<Vec<(u8, i64, i64)>> {
    let factor = |(d, var, count): &(u8, NatVar, Nat)| {
        let factor = used.access.index.affine_in(var)?.0.as_const().filter(|factor| *factor > 0)?;
        Some((*d, factor, count.as_const()?))
    };
    used.items.iter().map(factor).collect::<Option<Vec<_>>>().filter(|all| !all.is_empty())
}

/// Indices into shares.
struct Shares {
    arrays: Vec<BufferId>,
    zeros: Vec<(NatVar, Nat)>,
}

impl VisitMut for Shares {
    fn access(&mut self, access: &mut Access, _write: bool) {
        if self.arrays.contains(&access.buffer) {
            access.index = access.index.subst_all(&self.zeros);
        }
    }
}
