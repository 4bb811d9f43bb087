//! What is known about variables: ranges, inequalities, equations, divisibility.
//!
//! Cloning is cheap and opens a scope: facts added to a clone leave the original alone. Equations and
//! divisibility are kept as substitutions (`32 divides n` as `n = 32 * q`), so that the inequalities only
//! speak of independent variables. Facts that contradict each other may prove anything.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::atom::Atom;
use super::key::Key;
use super::mono::{Factors, Mono};
use super::obligation::Obligation;
use super::poly::{Nat, gcd};
use super::var::NatVar;
use super::witness::Witnesses;

/// What is known about variables.
#[derive(Clone, Default)]
pub struct Facts(pub(super) Arc<Known>);

#[derive(Clone, Default)]
pub(super) struct Known {
    /// Expressions that are at least 0, in terms of independent variables.
    pub hypotheses: Vec<Nat>,
    /// Loop variables in the order of their declaration.
    pub ranges: Vec<Range>,
    /// Variables that others replace; no value mentions a replaced variable.
    pub replaced: Vec<(NatVar, Nat)>,
    /// Quotients made up for divisibility.
    pub quotients: Vec<Quotient>,
    /// Variables known to be at least 0, sorted.
    pub nonneg: Vec<NatVar>,
    /// Divisibility that could not be made a substitution: divisor and multiple.
    pub divides: Vec<(Nat, Nat)>,
    /// Numbers for which all of this holds.
    pub witnesses: Witnesses,
    /// What was found out already.
    pub found: Found,
    /// What the proof at hand may still cost, shared by all its scopes.
    pub budget: Arc<AtomicU64>,
}

/// What follows from facts and was found out already. Who adds a fact starts without.
///
/// Facts may be handed to another thread. Two threads must not ask the same facts at the same time: what one of them
/// spends on a proof the other one would lack.
#[derive(Default)]
pub(super) struct Found {
    /// Answers given before.
    pub answers: Memory<BTreeMap<Key, Answer>>,
    /// Expressions simplified before.
    pub simple: Memory<BTreeMap<Key, Nat>>,
    /// The scopes that were entered before, so that who walks the same loops and conditions again finds what the
    /// one before found out in them.
    scopes: Memory<Vec<(Scope, Facts)>>,
}

/// What is remembered behind a shared reference.
#[derive(Default)]
pub(super) struct Memory<T>(Mutex<T>);

impl<T> Memory<T> {
    /// To look something up or to add it; nobody else may meanwhile.
    pub fn open(&self) -> MutexGuard<'_, T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clone for Found {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// What one more fact opens.
#[derive(PartialEq)]
enum Scope {
    Range(NatVar, Nat, Nat),
    AtLeast0(Nat),
    Equal(Nat, Nat),
}

/// What a proof came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Answer {
    /// The condition holds.
    Proved,
    /// No proof was found so deep in another, and none is found deeper.
    Unproved(u32),
}

/// `lo <= var < hi`, as declared.
#[derive(Clone)]
pub(super) struct Range {
    pub var: NatVar,
    pub lo: Nat,
    pub hi: Nat,
}

/// `var = whole / divisor`, exactly; both may mention quotients that are older.
#[derive(Clone)]
pub(super) struct Quotient {
    pub var: NatVar,
    pub divisor: Nat,
    pub whole: Nat,
}

impl fmt::Debug for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let equal = self.0.replaced.iter().map(|(var, value)| format!("{var} = {value}"));
        let known = self.0.hypotheses.iter().map(|e| Obligation::ge0(e).to_string());
        f.debug_set().entries(equal).entries(known).finish()
    }
}

impl Facts {
    /// Nothing known.
    pub fn new() -> Self {
        Self::default()
    }

    /// `0 <= v`.
    pub fn size(&mut self, v: &NatVar) {
        self.assume_ge0(&Nat::var(v));
    }

    /// `lo <= v < hi_exclusive`.
    pub fn range(&mut self, v: &NatVar, lo: &Nat, hi_exclusive: &Nat) {
        let scope = Scope::Range(v.clone(), lo.clone(), hi_exclusive.clone());
        self.enter(scope, |inside| inside.learn_range(v, lo, hi_exclusive));
    }

    /// Becomes the facts in a scope, which are learnt on the first visit. Facts that nobody else holds are not
    /// visited again.
    fn enter(&mut self, scope: Scope, learn: impl FnOnce(&mut Facts)) {
        if Arc::strong_count(&self.0) == 1 {
            return learn(self);
        }
        let visited =
            self.0.found.scopes.open().iter().find(|(old, _)| *old == scope).map(|(_, f)| f.clone());
        *self = visited.unwrap_or_else(|| {
            let mut inside = self.clone();
            learn(&mut inside);
            self.0.found.scopes.open().push((scope, inside.clone()));
            inside
        });
    }

    fn learn_range(&mut self, v: &NatVar, lo: &Nat, hi_exclusive: &Nat) {
        let range = Range { var: v.clone(), lo: lo.clone(), hi: hi_exclusive.clone() };
        let (least, end) = (self.normalize(lo), self.normalize(hi_exclusive));
        let known = self.known();
        known.ranges.push(range);
        // All that follows is true in the range.
        let mut witnesses = std::mem::replace(&mut known.witnesses, Witnesses::none());
        witnesses.enter(v, &least, &end, &known.hypotheses);
        self.assume_quotients(hi_exclusive);
        self.assume_le(lo, &Nat::var(v));
        self.assume_lt(&Nat::var(v), hi_exclusive);
        self.inhabited(&(hi_exclusive - lo));
        self.known().witnesses = witnesses;
    }

    /// The range of a variable has an element: where its length is a product of factors that are not
    /// negative, none of them is 0; nor is what the length is a literal part of, or what is left of it.
    fn inhabited(&mut self, length: &Nat) {
        let length = self.normalize(length);
        let (more, less): (Vec<_>, Vec<_>) = length.terms().partition(|(coeff, _)| *coeff > 0);
        let [(_, factors)] = more[..] else { return };
        if !less.iter().all(|(_, factors)| self.factors_ge0(factors)) {
            return;
        }
        if let [(Atom::Div(whole, by) | Atom::Mod(whole, by), 1)] = factors {
            if by.as_const().is_some_and(|by| by > 0) && self.obviously_ge0(whole) {
                self.inhabited(whole);
            }
            return;
        }
        let degree: u32 = factors.iter().map(|(_, power)| power).sum();
        if degree < 2 || !self.factors_ge0(factors) {
            return;
        }
        for (atom, _) in factors {
            self.at_least_1(&Nat::atom(atom.clone()));
        }
    }

    /// `1 <= e`, and so of what it is the smaller one of; a divisor is no greater than what it divides.
    fn at_least_1(&mut self, e: &Nat) {
        self.assume_ge0(&(e - 1));
        match e.as_atom() {
            Some(Atom::Min(a, b)) => [a, b].into_iter().for_each(|e| self.at_least_1(e)),
            Some(Atom::Div(whole, by)) if self.obviously_ge0(by) => self.assume_le(by, whole),
            _ => {}
        }
    }

    /// `d * (x / d) <= x` for the quotients by literals in `bound`: where a tile exists, its size fits.
    fn assume_quotients(&mut self, bound: &Nat) {
        for (atom, _) in bound.terms().flat_map(|(_, factors)| factors) {
            if let Atom::Div(whole, by) = atom
                && by.as_const().is_some_and(|by| by > 0)
            {
                self.assume_le(&(by * Nat::atom(atom.clone())), whole);
            }
        }
    }

    /// `a <= b`.
    pub fn assume_le(&mut self, a: &Nat, b: &Nat) {
        self.assume_ge0(&(b - a));
    }

    /// `a < b`.
    pub fn assume_lt(&mut self, a: &Nat, b: &Nat) {
        self.assume_ge0(&(b - 1 - a));
    }

    /// `a = b`.
    pub fn assume_eq(&mut self, a: &Nat, b: &Nat) {
        self.enter(Scope::Equal(a.clone(), b.clone()), |inside| inside.learn_eq(a, b));
    }

    fn learn_eq(&mut self, a: &Nat, b: &Nat) {
        let difference = self.normalize(&(a - b));
        if difference.is_overflow() || self.replace_one(&difference, &[]) {
            return;
        }
        self.assume_ge0(&difference);
        self.assume_ge0(&-difference);
    }

    /// `d` divides `n`.
    pub fn assume_divides(&mut self, d: &Nat, n: &Nat) {
        let (divisor, whole) = (self.normalize(d), self.normalize(n));
        let (divisor, whole) = reduce(&divisor, &whole);
        if divisor.is_overflow() || whole.is_overflow() || whole.exact_quotient(&divisor).is_some() {
            return;
        }
        if divisor.is_zero() {
            return self.assume_eq(n, &Nat::lit(0));
        }
        let q = NatVar::new("q");
        let nonneg = self.proves_ge0(&whole) && self.proves_ge0(&divisor);
        self.known().witnesses.divide(&q, &divisor, &whole);
        if self.replace_one(&(&whole - &divisor * Nat::var(&q)), std::slice::from_ref(&q)) {
            let quotient = Quotient { var: q.clone(), divisor, whole };
            self.known().quotients.push(quotient);
            if nonneg {
                self.size(&q);
            }
        } else {
            self.known().divides.push((divisor, whole));
        }
    }

    pub(super) fn known(&mut self) -> &mut Known {
        let known = Arc::make_mut(&mut self.0);
        known.found = Found::default();
        known
    }

    /// Turns `difference = 0` into a substitution, if a variable outside `kept` has coefficient 1 or -1.
    fn replace_one(&mut self, difference: &Nat, kept: &[NatVar]) -> bool {
        let candidates = difference.vars().into_iter().rev().filter(|v| !kept.contains(v));
        let solved = candidates.filter_map(|var| {
            let (coefficient, rest) = difference.affine_in(&var)?;
            match coefficient.as_const()? {
                1 => Some((var, -rest)),
                -1 => Some((var, rest)),
                _ => None,
            }
        });
        let Some((var, value)) = solved.into_iter().next() else { return false };
        self.replace(&var, &value);
        true
    }

    fn replace(&mut self, var: &NatVar, value: &Nat) {
        let known = self.known();
        for (_, old) in &mut known.replaced {
            *old = old.subst(var, value);
        }
        known.replaced.push((var.clone(), value.clone()));
        let hypotheses = std::mem::take(&mut known.hypotheses);
        known.nonneg.clear();
        for (divisor, whole) in &mut known.divides {
            *divisor = divisor.subst(var, value);
            *whole = whole.subst(var, value);
        }
        for hypothesis in hypotheses {
            self.assume_ge0(&hypothesis);
        }
    }

    /// `e >= 0`.
    pub fn assume_ge0(&mut self, e: &Nat) {
        self.enter(Scope::AtLeast0(e.clone()), |inside| inside.learn_ge0(e));
    }

    fn learn_ge0(&mut self, e: &Nat) {
        let e = tighten(&self.normalize(e));
        if e.is_overflow() || e.as_const().is_some_and(|c| c >= 0) || self.0.hypotheses.contains(&e) {
            return;
        }
        let known = self.known();
        known.witnesses.keep(&e, &known.hypotheses);
        known.hypotheses.push(e);
        self.mark_nonneg();
    }

    /// Finds the variables that are at least 0 by a single inequality: by the newest, and, where that says so of
    /// one, by all others too.
    fn mark_nonneg(&mut self) {
        let mut from = self.0.hypotheses.len() - 1;
        loop {
            let Some(var) = self.0.hypotheses[from..].iter().find_map(|e| self.bounded_below(e)) else {
                return;
            };
            let nonneg = &mut self.known().nonneg;
            nonneg.push(var);
            nonneg.sort();
            from = 0;
        }
    }

    /// The variable of which `e >= 0` says that it is at least something that is not negative.
    fn bounded_below(&self, e: &Nat) -> Option<NatVar> {
        let mut bounded = None;
        for mono in e.poly() {
            if mono.coeff > 0 {
                let Factors::One((Atom::Var(var), 1)) = &mono.factors else { return None };
                if bounded.replace(var).is_some() {
                    return None;
                }
            }
        }
        let var = bounded.filter(|var| !self.is_nonneg_var(var))?;
        let bounds = |mono: &Mono| {
            let factors = mono.factors.as_slice();
            mono.coeff > 0 || self.factors_ge0(factors) && !factors.iter().any(|(atom, _)| atom.mentions(var))
        };
        e.poly().iter().all(bounds).then(|| var.clone())
    }

    pub(super) fn is_nonneg_var(&self, var: &NatVar) -> bool {
        self.0.nonneg.binary_search(var).is_ok()
    }

    /// In terms of independent variables.
    pub(super) fn normalize(&self, e: &Nat) -> Nat {
        let e = e.subst_all(&self.0.replaced);
        if self.0.quotients.is_empty() { e } else { self.cancelled(&e) }
    }

    /// With `s * q / s` as `q`, inside other atoms too, where `s` is positive by a hypothesis.
    fn cancelled(&self, e: &Nat) -> Nat {
        e.map_atoms(&mut |atom| match atom {
            Atom::Div(a, by) => {
                let (a, by) = (self.cancelled(a), self.cancelled(by));
                let known = by.as_const().is_none() && self.0.hypotheses.contains(&(&by - 1));
                let exact = if known { a.exact_quotient(&by) } else { None };
                Some(exact.unwrap_or_else(|| a.div(&by)))
            }
            _ => atom.renewed(&mut |arg| self.cancelled(arg)),
        })
    }

    /// At least 0 at a glance: no negative coefficient, no factor that might be negative.
    pub(super) fn obviously_ge0(&self, e: &Nat) -> bool {
        !e.is_overflow() && e.terms().all(|(coeff, factors)| coeff > 0 && self.factors_ge0(factors))
    }

    pub(super) fn factors_ge0(&self, factors: &[(Atom, u32)]) -> bool {
        factors.iter().all(|(atom, power)| power % 2 == 0 || self.atom_ge0(atom))
    }

    fn atom_ge0(&self, atom: &Atom) -> bool {
        match atom {
            Atom::Var(var) => self.is_nonneg_var(var),
            Atom::Div(a, b) => self.obviously_ge0(a) && self.obviously_ge0(b),
            Atom::Mod(a, b) => self.obviously_ge0(b) && (!might_be_zero(b) || self.obviously_ge0(a)),
            Atom::Pow(a, _) => self.obviously_ge0(a),
            Atom::Min(a, b) => self.obviously_ge0(a) && self.obviously_ge0(b),
            Atom::Max(a, b) => self.obviously_ge0(a) || self.obviously_ge0(b),
            Atom::Sum(_) => false,
        }
    }
}

/// Whether an `e` without negative addends may be 0.
fn might_be_zero(e: &Nat) -> bool {
    e.constant_part() <= 0
}

/// Both without what they share: `6 divides 4 * n` says that `3 divides 2 * n`, hence `n`.
fn reduce(divisor: &Nat, whole: &Nat) -> (Nat, Nat) {
    let (Some(d), Some(mono)) = (divisor.as_const(), whole.single()) else {
        return (divisor.clone(), whole.clone());
    };
    if d == 0 || mono.factors.is_empty() {
        return (divisor.clone(), whole.clone());
    }
    let g = gcd(d, mono.coeff);
    (Nat::lit(d / g), whole.map_coeffs(|_, _| Some(1)))
}

/// The strongest form of `e >= 0` over the integers: `2 * n - 3 >= 0` says `n - 2 >= 0`.
pub(super) fn tighten(e: &Nat) -> Nat {
    match e.content() {
        0 | 1 => e.clone(),
        g => e.map_coeffs(|c, _| Some(c.div_euclid(g))),
    }
}
