//! Scalars that compilers would put in vectors at a loss go one by one.
//!
//! ```text
//! for j in 0..n                  for j in 0..n
//!                                  let at = apart(j)
//!   y[j] = x[s·j]          →       y[j] = x[s·at]
//! ```
//!
//! In: loops over scalars. Out: the same, where `apart` hides from the compiler what it would see through.

use std::collections::BTreeSet;

use crate::expr::Compare;
use crate::nat::{Facts, Nat, NatVar};

use super::super::ir::*;
use super::super::lookups::looked_up;
use super::super::walk;
use super::copy::Copier;

/// Elements further apart than these are not loaded in vectors of which lanes are taken.
const CLOSE: i64 = 4;

/// So few iterations have no vectors of their own.
const FEW: i64 = 4;

/// Fewer scalars than these are done one by one before compilers have found out whether they may be put in vectors.
const SHORTEST: i64 = 8;

/// What a loop over vectors leaves over, at a place that data say: few scalars go one by one. Compilers that see through
/// them would ask at each place again whether what is read and written lies apart.
pub(super) fn left_over(
    looped: &Loop,
    from_data: &BTreeSet<NatVar>,
    facts: &Facts,
    buffers: &mut Vec<Buffer>,
) -> Option<Stmt> {
    let (mut is_there, mut vectors) = (false, false);
    walk::accesses(&looped.body, &mut |access, write| {
        vectors |= access.lanes > 1;
        is_there |= write && from_data.iter().any(|var| access.index.mentions(var));
    });
    let is_plain = |stmt: &Stmt| matches!(stmt, Stmt::Let(..) | Stmt::Store(..) | Stmt::Comment(_));
    let applies = is_there && !vectors && looped.kind == LoopKind::Seq && looped.body.iter().all(is_plain);
    if !applies
        || looped.count.as_const().is_some()
        || !facts.proves_lt(&looped.count, &Nat::lit(2 * SHORTEST))
    {
        return None;
    }
    let few = Value::CompareNat(Compare::Lt, looped.count.clone(), Nat::lit(SHORTEST));
    let mut one_by_one = Copier::new(buffers).copy(&[Stmt::For(looped.clone())]);
    if let [Stmt::For(looped)] = &mut one_by_one[..] {
        hidden(looped);
    }
    if facts.proves_lt(&looped.count, &Nat::lit(SHORTEST)) {
        return one_by_one.pop();
    }
    Some(Stmt::If(few, one_by_one, vec![Stmt::For(looped.clone())]))
}

/// Hides from the compiler how the places of a loop depend on its variable.
fn hidden(looped: &mut Loop) {
    let at = NatVar::new("at");
    walk::nats(&mut looped.body, &mut |nat| *nat = nat.subst(&looped.var, &Nat::var(&at)));
    looped.body.insert(0, Stmt::LetNat(at, Value::Apart(Nat::var(&looped.var))));
}

/// Lets a straight loop over scalars load elements one by one that lie far apart, or small ones where data say: compilers
/// that see through it gather them in vectors, which takes most processors longer than the loads. (Steps that wait for
/// each other they leave, and loops of few iterations they write out.)
pub(super) fn far_apart(looped: &mut Loop, buffers: &[Buffer]) {
    let (mut far, mut vectors) = (false, false);
    walk::accesses(&looped.body, &mut |access, write| {
        vectors |= access.lanes > 1;
        far |= !vectors && !write && is_far(access, looped);
    });
    let waits = looped.body.iter().any(|stmt| matches!(stmt, Stmt::Set(..)));
    let is_short = looped.count.as_const().is_some_and(|count| count <= FEW);
    if vectors || waits || is_short || looped.kind != LoopKind::Seq {
        return;
    }
    if far {
        hidden(looped);
    } else if let Some((position, found)) = looked_up(looped, buffers) {
        let (found, at) = (found.clone(), NatVar::new("at"));
        let mut behind = looped.body.split_off(position + 1);
        walk::nats(&mut behind, &mut |nat| *nat = nat.subst(&found, &Nat::var(&at)));
        looped.body.push(Stmt::LetNat(at, Value::Apart(Nat::var(&found))));
        looped.body.append(&mut behind);
    }
}

/// Whether elements that follow each other in the loop lie far apart, and not all between them are read as well.
fn is_far(access: &Access, looped: &Loop) -> bool {
    let Some((step, _)) = access.index.affine_in(&looped.var) else { return false };
    let Some(step) = step.as_const().map(i64::abs) else { return true };
    if step <= CLOSE {
        return false;
    }
    let mut between = BTreeSet::new();
    walk::accesses(&looped.body, &mut |other, write| {
        let apart =
            (&other.index - &access.index).as_const().filter(|_| !write && other.buffer == access.buffer);
        between.extend(apart.map(|apart| apart.rem_euclid(step)));
    });
    (between.len() as i64) < step
}
