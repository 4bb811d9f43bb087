//! Sums over a range: closed forms for polynomials, an opaque atom for what is left.
//!
//! A sum is oriented: over a range that runs backwards it counts negatively, as an integral does, so that
//! closed forms hold for all bounds. Bound variables are canonical, so equal sums are `==`.

use std::sync::Arc;

use super::atom::{Atom, Summation};
use super::mono::{Factors, Mono};
use super::poly::Nat;
use super::var::NatVar;

/// Sums over at most this many literal values are written out.
const UNROLLED: i64 = 16;

impl Nat {
    /// The sum of `body` for `var` in `from..upto_exclusive`.
    pub fn sum(var: &NatVar, from: &Nat, upto_exclusive: &Nat, body: &Nat) -> Nat {
        if from.is_overflow() || upto_exclusive.is_overflow() || body.is_overflow() {
            return Nat::overflow();
        }
        if !body.mentions(var) {
            return (upto_exclusive - from) * body;
        }
        if let Some(count @ 0..=UNROLLED) = (upto_exclusive - from).as_const() {
            let values = (0..count).map(|i| body.subst(var, &(from + i)));
            return values.fold(Nat::lit(0), |sum, value| sum + value);
        }
        let mut spare = [Mono::constant(0)];
        let parts = body.monos(&mut spare).iter().map(|m| sum_mono(var, from, upto_exclusive, m));
        parts.fold(Nat::lit(0), |sum, part| sum + part)
    }
}

fn sum_mono(var: &NatVar, from: &Nat, upto: &Nat, mono: &Mono) -> Nat {
    let (bound, free): (Vec<_>, Vec<_>) =
        mono.factors.as_slice().iter().cloned().partition(|(atom, _)| atom.mentions(var));
    let outer = Nat::mono(Mono { coeff: mono.coeff, factors: Factors::from_sorted(free) });
    let closed = |power: u32| {
        let (upper, divisor) = powers_below(upto, power)?;
        let (lower, _) = powers_below(from, power)?;
        Some((&outer * (upper - lower)).div(&Nat::lit(divisor)))
    };
    let inner = match bound.as_slice() {
        [] => return outer * (upto - from),
        [(Atom::Var(_), power)] => closed(*power),
        _ => None,
    };
    inner.unwrap_or_else(|| {
        let body = Nat::mono(Mono { coeff: 1, factors: Factors::from_sorted(bound) });
        outer * opaque(var, from, upto, &body)
    })
}

/// `(p, d)` with `0 ^ power + 1 ^ power + … + (n - 1) ^ power = p / d`.
fn powers_below(n: &Nat, power: u32) -> Option<(Nat, i64)> {
    let below = n - 1;
    let squared = n * &below;
    match power {
        1 => Some((squared, 2)),
        2 => Some((squared * (n * 2 - 1), 6)),
        3 => Some((&squared * &squared, 4)),
        4 => Some((&squared * (n * 2 - 1) * (&squared * 3 - 1), 30)),
        _ => None,
    }
}

fn opaque(var: &NatVar, from: &Nat, upto: &Nat, body: &Nat) -> Nat {
    let bound = NatVar::bound(body.sum_height());
    let body = if *var == bound { body.clone() } else { body.subst(var, &Nat::var(&bound)) };
    let (from, upto) = (from.clone(), upto.clone());
    Nat::atom(Atom::Sum(Arc::new(Summation { var: bound, from, upto, body })))
}

impl Nat {
    /// One more than the greatest number of a bound variable below.
    fn sum_height(&self) -> u32 {
        let factors = self.poly().iter().flat_map(|m| m.factors.as_slice());
        factors.map(|(atom, _)| atom.sum_height()).max().unwrap_or(0)
    }
}

impl Atom {
    fn sum_height(&self) -> u32 {
        match self {
            Atom::Var(_) => 0,
            Atom::Div(a, b) | Atom::Mod(a, b) | Atom::Pow(a, b) | Atom::Min(a, b) | Atom::Max(a, b) => {
                a.sum_height().max(b.sum_height())
            }
            Atom::Sum(sum) => sum.var.bound_level().map_or(0, |level| level + 1),
        }
    }
}
