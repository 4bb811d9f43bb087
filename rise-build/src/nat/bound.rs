//! Bounds of expressions over the ranges of their variables.

use super::atom::Atom;
use super::facts::{Facts, Range};
use super::mono::{Factors, Mono};
use super::poly::Nat;
use super::var::NatVar;

impl Facts {
    /// Symbolic bounds, both inclusive, that mention no ranged variable.
    pub fn bounds(&self, e: &Nat) -> (Option<Nat>, Option<Nat>) {
        (self.least_of_all(e, 0), self.greatest(e, 0))
    }

    /// The upper one of [`Facts::bounds`], by proofs `depth` deep in another.
    pub(super) fn greatest(&self, e: &Nat, depth: u32) -> Option<Nat> {
        self.least_of_all(&-e, depth).map(|e| -e)
    }

    fn least_of_all(&self, e: &Nat, depth: u32) -> Option<Nat> {
        let vars: Vec<NatVar> = self.0.ranges.iter().map(|r| r.var.clone()).collect();
        self.eliminate_in(e, &vars, depth)
    }

    /// An expression without `vars` that is at most `e` whatever values `vars` take in their ranges: where it
    /// is at least 0, so is `e`. It is the greatest such one where `e` is affine in each variable.
    pub fn eliminate(&self, e: &Nat, vars: &[NatVar]) -> Option<Nat> {
        self.eliminate_in(e, vars, 0)
    }

    fn eliminate_in(&self, e: &Nat, vars: &[NatVar], depth: u32) -> Option<Nat> {
        let mut e = e.clone();
        for range in self.0.ranges.iter().rev().filter(|r| vars.contains(&r.var)) {
            if e.mentions(&range.var) {
                e = self.least(&e, range, depth)?;
            }
        }
        vars.iter().all(|v| !e.mentions(v)).then_some(e)
    }

    /// A lower bound of `e` over one range.
    fn least(&self, e: &Nat, range: &Range, depth: u32) -> Option<Nat> {
        let last = &range.hi - 1;
        if let Some((coefficient, _)) = e.affine_in(&range.var) {
            let at = |value: &Nat| e.subst(&range.var, value);
            return Some(if self.prove(&coefficient, depth) {
                at(&range.lo)
            } else if self.prove(&-coefficient, depth) {
                at(&last)
            } else {
                Nat::min(&at(&range.lo), &at(&last))
            });
        }
        let mut spare = [Mono::constant(0)];
        let mut sum = Nat::lit(0);
        for mono in e.monos(&mut spare) {
            sum = sum + self.least_mono(mono, range, depth)?;
        }
        Some(sum)
    }

    /// A lower bound of a monomial: each factor at its extreme, where nothing is negative.
    fn least_mono(&self, mono: &Mono, range: &Range, depth: u32) -> Option<Nat> {
        let (varying, fixed): (Vec<_>, Vec<_>) =
            mono.factors.as_slice().iter().cloned().partition(|(atom, _)| atom.mentions(&range.var));
        let fixed = Nat::mono(Mono { coeff: mono.coeff, factors: Factors::from_sorted(fixed) });
        if varying.is_empty() {
            return Some(fixed);
        }
        let lower = self.prove(&fixed, depth);
        if !lower && !self.prove(&-&fixed, depth) {
            return None;
        }
        let alone = varying.len() == 1 && varying[0].1 == 1;
        let mut product = fixed;
        for (atom, power) in varying {
            if !alone && !self.prove(&Nat::atom(atom.clone()), depth) {
                return None;
            }
            let bound = self.extreme(&atom, range, lower, depth)?;
            if !alone && !self.prove(&bound, depth) {
                return None;
            }
            product = product * bound.pow(&Nat::from(power));
        }
        Some(product)
    }

    /// A lower or upper bound of an atom over one range.
    fn extreme(&self, atom: &Atom, range: &Range, lower: bool, depth: u32) -> Option<Nat> {
        let of = |e: &Nat| {
            if lower { self.least(e, range, depth) } else { self.least(&-e, range, depth).map(|e| -e) }
        };
        match atom {
            Atom::Var(_) => Some(if lower { range.lo.clone() } else { &range.hi - 1 }),
            Atom::Div(x, by) if !by.mentions(&range.var) && self.prove(&(by - 1), depth) => {
                Some(of(x)?.div(by))
            }
            Atom::Mod(_, by) if !by.mentions(&range.var) && self.prove(&(by - 1), depth) => {
                Some(if lower { Nat::lit(0) } else { by - 1 })
            }
            Atom::Min(a, b) => Some(Nat::min(&of(a)?, &of(b)?)),
            Atom::Max(a, b) => Some(Nat::max(&of(a)?, &of(b)?)),
            Atom::Div(..) | Atom::Mod(..) | Atom::Pow(..) | Atom::Sum(_) => None,
        }
    }
}
