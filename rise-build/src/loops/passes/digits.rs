//! A loop whose variable is taken apart by division becomes a nest, in which nothing is divided.
//!
//! ```text
//! for k in 0..3 * n                      for i in 0..3
//!   acc += x[m * (k / n) + k % n]    →     for j in 0..n
//!                                            acc += x[m * i + j]
//! ```
//!
//! The order of iterations stays. Where a loop is divided by several numbers, the greatest of them, which the others
//! divide, comes first.

use crate::nat::{Atom, Facts, Nat, NatVar};

use super::super::ir::*;
use super::super::walk::{self, VisitLoops};
use super::{Options, TooLarge};

#[allow(clippy::unnecessary_wraps)]
pub(super) fn run(kernel: &mut Kernel, _: &Options) -> Result<(), TooLarge> {
    let facts = kernel.facts.clone();
    Digits.block(&mut kernel.body, facts);
    Ok(())
}

struct Digits;

impl VisitLoops for Digits {
    fn looped(&mut self, mut looped: Loop, facts: &mut Facts, out: &mut Block) {
        if let (LoopKind::Seq, Some(by)) = (looped.kind, divisor(&mut looped, facts)) {
            nest(&mut looped, &by, facts);
        }
        self.body(&mut looped, facts);
        out.push(Stmt::For(looped));
    }
}

/// What the variable is divided by, if that divides the number of iterations and is divided by all other such
/// numbers.
fn divisor(looped: &mut Loop, facts: &Facts) -> Option<Nat> {
    // Nothing but itself divides an atom.
    if looped.count.as_atom().is_some() {
        return None;
    }
    let mut divisors: Vec<Nat> = Vec::new();
    walk::nats(&mut looped.body, &mut |nat| collect(nat, &looped.var, &mut divisors));
    divisors.retain(|by| {
        let count = looped.count.exact_quotient(by);
        facts.proves_ge0(by) && count.is_some_and(|count| !count.is_one() && !count.is_zero())
    });
    divisors.iter().find(|by| divisors.iter().all(|other| by.exact_quotient(other).is_some())).cloned()
}

fn collect(nat: &Nat, var: &NatVar, divisors: &mut Vec<Nat>) {
    nat.each_atom(&mut |atom| {
        if let Atom::Div(x, by) | Atom::Mod(x, by) = atom
            && x.mentions(var)
            && !divisors.contains(by)
            && is_digit(x, var, by)
        {
            divisors.push(by.clone());
        }
    });
}

/// Whether the dividend passes whole multiples of the divisor just where the variable does.
fn is_digit(x: &Nat, var: &NatVar, by: &Nat) -> bool {
    x.affine_in(var)
        .is_some_and(|(step, rest)| step.is_one() && !by.mentions(var) && rest.exact_quotient(by).is_some())
}

/// `var = by * outer + inner`
fn nest(looped: &mut Loop, by: &Nat, facts: &Facts) {
    let (outer, inner) = (NatVar::new(looped.var.text()), NatVar::new(looped.var.text()));
    let count = looped.count.exact_div(by);
    let mut facts = facts.clone();
    facts.range(&outer, &Nat::lit(0), &count);
    facts.range(&inner, &Nat::lit(0), by);
    let value = by * Nat::var(&outer) + Nat::var(&inner);
    let mut body = std::mem::take(&mut looped.body);
    walk::nats(&mut body, &mut |nat| {
        if nat.mentions(&looped.var) {
            *nat = facts.simplify(&nat.subst(&looped.var, &value));
        }
    });
    let digits = Loop { var: inner, count: by.clone(), kind: LoopKind::Seq, body };
    *looped = Loop { var: outer, count, kind: LoopKind::Seq, body: vec![Stmt::For(digits)] };
}
