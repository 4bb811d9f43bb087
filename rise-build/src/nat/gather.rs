//! Which inequalities may help to prove a goal: hypotheses, definitions of atoms, and products of both with
//! factors that are not negative.
//!
//! Every row holds wherever the facts hold. Rows are chosen backwards from the goal: a row that can cancel
//! a monomial brings monomials which others may cancel.

use super::atom::Atom;
use super::facts::{Facts, tighten};
use super::mono::{Factors, Mono};
use super::poly::Nat;
use super::simplify::rejoin;

/// More rows than this are not used.
const MOST_ROWS: usize = 28;

/// More products of two inequalities than this are not used.
const MOST_PAIRS: usize = 12;

/// Collects rows for one goal.
pub(super) struct Gather<'a> {
    facts: &'a Facts,
    depth: u32,
    /// What is known: hypotheses first, then definitions of the atoms met.
    pool: Vec<Nat>,
    /// Atoms whose definitions are in the pool.
    met: Vec<Atom>,
    /// Monomials to cancel, each with the sign that a row must have there.
    wanted: Vec<(Factors, bool)>,
    /// No row has a higher degree.
    degree: u64,
    /// How many of `wanted` have been looked at.
    seen: usize,
    pub rows: Vec<Nat>,
}

impl<'a> Gather<'a> {
    pub fn new(facts: &'a Facts, goal: &Nat, depth: u32) -> Self {
        let pool = facts.0.hypotheses.clone();
        let degree = pool.iter().map(Nat::degree).fold(goal.degree().max(2), u64::max);
        let (met, wanted, rows) = (Vec::new(), Vec::new(), Vec::new());
        let mut gather = Gather { facts, depth, pool, met, wanted, degree, seen: 0, rows };
        gather.want(goal, true);
        gather
    }

    /// Rows that cancel what the rows so far left open. Returns whether there are new ones.
    pub fn round(&mut self) -> bool {
        let before = self.rows.len();
        let pool = self.pool.len();
        let fresh: Vec<_> = self.wanted[self.seen..].to_vec();
        let addends: usize = self.pool.iter().map(|known| known.poly().len()).sum();
        if !self.facts.spend((fresh.len() * addends) as u64) {
            return false;
        }
        self.seen = self.wanted.len();
        for (monomial, positive) in &fresh {
            self.define(monomial);
            for at in 0..self.pool.len() {
                self.use_for(at, monomial, *positive);
            }
        }
        // Definitions that came late may help with monomials seen before.
        for at in pool..self.pool.len() {
            for wanted in 0..self.seen {
                let (monomial, positive) = self.wanted[wanted].clone();
                self.use_for(at, &monomial, positive);
            }
        }
        self.rows.len() > before
    }

    /// Products of two inequalities that cancel monomials of the goal: `(n - 1 - i) * (m - 2)` for
    /// `i * (m - 2) <= (n - 1) * (m - 2)`. Returns whether there are any.
    pub fn pairs(&mut self, goal: &Nat) -> bool {
        // A variable exists, hence its range is not empty.
        let inhabited = self.facts.0.ranges.iter().map(|r| self.facts.normalize(&(&r.hi - &r.lo - 1)));
        let factors: Vec<Nat> = inhabited.chain(self.pool.iter().cloned()).collect();
        let before = self.rows.len();
        for mono in goal.poly().iter().filter(|m| m.coeff < 0 && m.factors.degree() > 1) {
            for (at, a) in factors.iter().enumerate() {
                for b in &factors[..=at] {
                    if self.rows.len() < before + MOST_PAIRS && cancels(a, b, &mono.factors) {
                        self.use_product(&(a * b));
                    }
                }
            }
        }
        self.rows.len() > before
    }

    fn use_product(&mut self, row: &Nat) {
        if row.as_const().is_none() && !row.is_overflow() && !self.rows.contains(row) {
            self.rows.push(row.clone());
        }
    }

    /// Notes the monomials of `row` as open: those of the goal, or those that a used row brings.
    fn want(&mut self, row: &Nat, goal: bool) {
        for mono in row.poly().iter().filter(|m| !m.factors.is_empty()) {
            // A negative monomial of the goal is cancelled by a row that is negative there too.
            let entry = (mono.factors.clone(), (mono.coeff > 0) == goal);
            if !self.wanted.contains(&entry) {
                self.wanted.push(entry);
            }
        }
    }

    fn use_for(&mut self, at: usize, monomial: &Factors, positive: bool) {
        let known = self.pool[at].clone();
        for mono in known.poly().iter().filter(|m| !m.factors.is_empty()) {
            if self.rows.len() >= MOST_ROWS {
                return;
            }
            let Some(cofactor) = cofactor(mono, monomial, positive) else { continue };
            if known.degree() + cofactor.degree() > self.degree
                || !self.facts.factors_ge0(cofactor.as_slice())
            {
                continue;
            }
            let row = &known * Nat::mono(Mono { coeff: 1, factors: cofactor });
            if !row.is_overflow() && !self.rows.contains(&row) {
                self.want(&row, false);
                self.rows.push(row);
            }
        }
    }

    /// Adds what defines the atoms of a monomial to the pool.
    fn define(&mut self, monomial: &Factors) {
        for (atom, _) in monomial.as_slice() {
            if matches!(atom, Atom::Var(_)) || self.met.contains(atom) {
                continue;
            }
            self.met.push(atom.clone());
            for row in self.definition(atom) {
                let row = tighten(&row);
                if !row.is_overflow() && row.as_const().is_none() && !self.pool.contains(&row) {
                    self.pool.push(row);
                }
            }
        }
    }

    fn definition(&self, atom: &Atom) -> Vec<Nat> {
        let itself = Nat::atom(atom.clone());
        match atom {
            Atom::Div(x, by) => self.division(x, by, &itself),
            Atom::Mod(x, by) => self.remainder(x, by, &itself),
            Atom::Min(a, b) => vec![a - &itself, b - &itself],
            Atom::Max(a, b) => vec![&itself - a, &itself - b],
            Atom::Pow(base, _) if self.proves(&(base - 1)) => vec![itself - 1],
            Atom::Pow(base, _) if self.proves(base) => vec![itself],
            Atom::Var(_) | Atom::Pow(..) | Atom::Sum(_) => Vec::new(),
        }
    }

    /// `by * q <= x < by * q + by` for a positive divisor.
    fn division(&self, x: &Nat, by: &Nat, q: &Nat) -> Vec<Nat> {
        if !self.proves(&(by - 1)) {
            return if self.proves(x) && self.proves(by) { vec![q.clone()] } else { Vec::new() };
        }
        let below = x - by * q;
        let mut rows = vec![by - 1 - &below, below];
        if let Some(exact) = x.exact_quotient(by) {
            rows.extend([&exact - q, q - exact]);
        }
        if self.proves(x) {
            rows.push(q.clone());
        }
        // `x < by * c` makes `q < c`, which multiplication hides from linear arithmetic.
        let greatest = self.facts.greatest(x, self.depth + 1);
        if let Some(greatest) = greatest {
            let above = rejoin(self.facts.normalize(&(greatest + 1)));
            let whole = above.exact_quotient(by).or_else(|| without_quotients(&above).exact_quotient(by));
            rows.extend(whole.map(|whole| whole - 1 - q));
        }
        rows
    }

    /// `0 <= r < by`, and what links a remainder with its quotient.
    fn remainder(&self, x: &Nat, by: &Nat, r: &Nat) -> Vec<Nat> {
        let link = x - by * x.div(by) - r;
        let mut rows = vec![-&link, link];
        if self.proves(&(by - 1)) {
            rows.extend([r.clone(), by - 1 - r]);
            if self.proves(x) {
                rows.push(x - r);
            }
        } else if self.proves(x) && self.proves(by) {
            rows.extend([r.clone(), x - r]);
        }
        rows
    }

    fn proves(&self, e: &Nat) -> bool {
        self.facts.obviously_ge0(e) || self.facts.prove(e, self.depth + 1)
    }
}

/// An upper bound without the quotients of tiles: `16 * (x / 16) <= x`.
fn without_quotients(e: &Nat) -> Nat {
    e.map_monos(&mut |mono| match (mono.coeff, mono.factors.as_slice()) {
        (coeff, [(Atom::Div(x, by), 1)]) if coeff > 0 => {
            let by = by.as_const().filter(|by| *by > 0 && coeff % by == 0)?;
            Some(x * (coeff / by))
        }
        _ => None,
    })
}

/// Whether the product of two sums of several addends is negative at `monomial`.
fn cancels(a: &Nat, b: &Nat, monomial: &Factors) -> bool {
    let several = |e: &Nat| e.poly().len() > 1;
    several(a)
        && several(b)
        && a.poly().iter().filter(|x| !x.factors.is_empty()).any(|x| {
            let Some(rest) = monomial.over(&x.factors).filter(|rest| !rest.is_empty()) else { return false };
            b.poly().iter().any(|y| y.factors == rest && (x.coeff > 0) != (y.coeff > 0))
        })
}

/// What `mono` must be multiplied with to become `monomial`, if it has the sign that is wanted there.
fn cofactor(mono: &Mono, monomial: &Factors, positive: bool) -> Option<Factors> {
    if (mono.coeff > 0) != positive {
        return None;
    }
    monomial.over(&mono.factors)
}
