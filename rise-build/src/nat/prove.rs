//! Proofs of conditions from facts.
//!
//! Sound: what is proved holds for all values that satisfy the facts. Incomplete and bounded: a failure
//! says nothing. A proof is a glance at signs, then a look for numbers that refute it, then linear arithmetic over
//! ever more rows, then the two cases of a minimum or maximum.

use std::sync::atomic::Ordering::Relaxed;

use super::atom::Atom;
use super::facts::{Answer, Facts, tighten};
use super::gather::Gather;
use super::key::Key;
use super::linear;
use super::poly::Nat;
use super::simplify::linked;

/// Rounds of rows that a proof tries.
const ROUNDS: usize = 4;

/// How deep side conditions of atoms and cases of minima may nest.
const DEEPEST: u32 = 3;

/// What one proof may cost with all that it needs, in steps that each take less than 0.1 µs unoptimised.
const BUDGET: u64 = 200_000;

/// What a goal costs by itself.
const GOAL: u64 = 200;

impl Facts {
    /// Whether `0 <= e` follows.
    pub fn proves_ge0(&self, e: &Nat) -> bool {
        self.prove(e, 0)
    }

    /// Whether `a <= b` follows.
    pub fn proves_le(&self, a: &Nat, b: &Nat) -> bool {
        self.prove(&(b - a), 0)
    }

    /// Whether `a < b` follows.
    pub fn proves_lt(&self, a: &Nat, b: &Nat) -> bool {
        self.prove(&(b - 1 - a), 0)
    }

    /// Whether `a = b` follows.
    pub fn proves_eq(&self, a: &Nat, b: &Nat) -> bool {
        let difference = self.normalize(&(a - b));
        difference.is_zero() || (self.prove(&difference, 0) && self.prove(&-difference, 0))
    }

    /// Whether `0 < e` follows.
    pub fn proves_positive(&self, e: &Nat) -> bool {
        self.prove(&(e - 1), 0)
    }

    /// Whether `n` is a multiple of `d`; of 0 only 0 is.
    pub fn proves_divides(&self, d: &Nat, n: &Nat) -> bool {
        let (d, n) = (self.normalize(d), self.normalize(n));
        if d.is_overflow() || n.is_overflow() {
            return false;
        }
        let multiple = |n: &Nat| {
            n.is_zero() || n.rem(&d).is_zero() && !d.is_zero() || linked(n, &d).exact_quotient(&d).is_some()
        };
        // What known multiples leave is as good as the whole.
        let mut known = self.0.divides.iter().filter(|(by, _)| by.exact_quotient(&d).is_some());
        multiple(&n) || known.any(|(_, whole)| multiple(&n.divide(whole).1))
    }

    pub(super) fn prove(&self, e: &Nat, depth: u32) -> bool {
        if self.obviously_ge0(e) {
            return true;
        }
        let e = tighten(&self.normalize(e));
        match e.as_const() {
            Some(value) => return value >= 0,
            None if e.is_overflow() || depth > DEEPEST => return false,
            None if self.obviously_ge0(&e) => return true,
            None => {}
        }
        let key = Key::of(&e);
        match self.0.found.answers.open().get(&key) {
            Some(Answer::Proved) => return true,
            Some(Answer::Unproved(tried)) if *tried <= depth => return false,
            _ => {}
        }
        if depth == 0 {
            self.0.budget.store(BUDGET, Relaxed);
        }
        let proved = !self.refutes(&e)
            && self.spend(GOAL)
            && (self.prove_linear(&e, depth) || self.prove_scaled(&e, depth) || self.prove_cases(&e, depth));
        // A proof that was cut short inside another says nothing about the next.
        if proved || depth == 0 || self.spend(0) {
            let answer = if proved { Answer::Proved } else { Answer::Unproved(depth) };
            self.0.found.answers.open().insert(key, answer);
        }
        proved
    }

    /// Whether the proof at hand may cost that much more.
    pub(super) fn spend(&self, cost: u64) -> bool {
        let left = self.0.budget.load(Relaxed).saturating_sub(cost);
        self.0.budget.store(left, Relaxed);
        left > 0
    }

    fn prove_linear(&self, goal: &Nat, depth: u32) -> bool {
        let nonneg = |m: &super::mono::Factors| self.factors_ge0(m.as_slice());
        let mut gather = Gather::new(self, goal, depth);
        let follows = |rows: &[Nat]| linear::follows(goal, rows, &nonneg, &|cost| self.spend(cost));
        (0..ROUNDS).any(|_| gather.round() && follows(&gather.rows))
            || gather.pairs(goal) && follows(&gather.rows)
    }

    /// By multiplying with a symbolic divisor `m > 0` of the goal: `m * goal > -m` is the same over integers.
    fn prove_scaled(&self, goal: &Nat, depth: u32) -> bool {
        let mut atoms = goal.poly().iter().flat_map(|m| m.factors.as_slice());
        let divisor = atoms.find_map(|(atom, _)| match atom {
            Atom::Div(_, by) if by.as_const().is_none() => Some(by),
            _ => None,
        });
        divisor
            .is_some_and(|by| depth == 0 && self.prove(&(by - 1), 1) && self.prove(&(goal * by + by - 1), 1))
    }

    /// By cases of the first minimum or maximum: each argument in turn is the extreme one.
    fn prove_cases(&self, goal: &Nat, depth: u32) -> bool {
        let extreme = |atom: &&Atom| matches!(atom, Atom::Min(..) | Atom::Max(..));
        let mut atoms = goal.poly().iter().flat_map(|m| m.factors.as_slice()).map(|(atom, _)| atom);
        let Some(atom) = atoms.find(extreme) else { return false };
        match atom {
            Atom::Min(a, b) | Atom::Max(a, b) => {
                let least = matches!(atom, Atom::Min(..));
                let case = |value: &Nat, other: &Nat| {
                    let mut facts = self.clone();
                    facts.assume_ge0(&if least { other - value } else { value - other });
                    facts.prove(&goal.replace_atom(atom, value), depth + 1)
                };
                case(a, b) && case(b, a)
            }
            _ => false,
        }
    }
}
