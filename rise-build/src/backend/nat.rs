//! Naturals as expressions of the target's unsigned integer of pointer size.
//!
//! A natural is not negative where it is used, but its parts may be. Positive terms are written first, so
//! that no intermediate result is below 0; an operand whose sign is not known is computed with a sign. How a
//! target spells this is its [`Dialect`].

use crate::loops::{Value, assume, define};
use crate::nat::{Atom, Facts, Nat, NatVar, Obligation, Summation};

use super::names::Names;
use super::text::Text;

/// What is known about variables at a place.
pub struct Known {
    /// At entry, and since each natural that came into scope and each condition.
    scopes: Vec<Facts>,
}

impl Known {
    /// What holds at entry.
    pub fn new(facts: &Facts) -> Self {
        Self { scopes: vec![facts.clone()] }
    }

    /// A natural comes into scope; below the bound, if there is one.
    pub fn push(&mut self, var: &NatVar, bound: Option<&Nat>) {
        self.learn(|facts| match bound {
            Some(bound) => facts.range(var, &Nat::lit(0), bound),
            None => facts.size(var),
        });
    }

    /// A natural comes into scope that names a value.
    pub fn define(&mut self, var: &NatVar, value: &Value) {
        self.learn(|facts| define(facts, var, value));
    }

    /// A natural comes into scope that has this value.
    pub fn equate(&mut self, var: &NatVar, value: &Nat) {
        self.learn(|facts| {
            facts.size(var);
            facts.assume_eq(&Nat::var(var), value);
        });
    }

    /// A condition holds, or does not.
    pub fn assume(&mut self, condition: &Value, holds: bool) {
        self.learn(|facts| assume(facts, condition, holds));
    }

    fn learn(&mut self, know: impl FnOnce(&mut Facts)) {
        let mut inside = self.facts().clone();
        know(&mut inside);
        self.scopes.push(inside);
    }

    /// How many are in scope.
    pub fn depth(&self) -> usize {
        self.scopes.len() - 1
    }

    /// Forgets those that came later.
    pub fn pop_to(&mut self, depth: usize) {
        self.scopes.truncate(depth + 1);
    }

    /// Whether it is surely not negative.
    pub fn nonneg(&self, nat: &Nat) -> bool {
        plainly_nonneg(nat) || self.facts().proves_ge0(nat)
    }

    fn facts(&self) -> &Facts {
        &self.scopes[self.scopes.len() - 1]
    }
}

/// Not negative because nothing in it is.
fn plainly_nonneg(nat: &Nat) -> bool {
    nat.terms().all(|(coeff, factors)| coeff > 0 && factors.iter().all(|(atom, _)| plain_atom(atom)))
}

fn plain_atom(atom: &Atom) -> bool {
    match atom {
        Atom::Var(_) => true,
        Atom::Div(a, b) | Atom::Mod(a, b) | Atom::Min(a, b) => plainly_nonneg(a) && plainly_nonneg(b),
        Atom::Pow(a, _) => plainly_nonneg(a),
        Atom::Max(a, b) => plainly_nonneg(a) || plainly_nonneg(b),
        Atom::Sum(sum) => plainly_nonneg(&sum.body),
    }
}

/// How tightly the context binds.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub enum Tight {
    /// Between parentheses, commas or brackets.
    Not,
    /// Beside `+`.
    Sum,
    /// Beside `*`.
    Product,
    /// Before a dot.
    Postfix,
}

/// How a target spells naturals.
pub struct Dialect {
    /// The smaller of two without and with a sign.
    pub min: [&'static str; 2],
    /// The greater of two.
    pub max: [&'static str; 2],
    /// The quotient, and 0 by 0: without a sign; with a sign, rounded down.
    pub div: [&'static str; 2],
    /// What that division leaves.
    pub rem: [&'static str; 2],
    /// Conversion to an integer without and with a sign, each before and after the operand.
    pub cast: [(&'static str, &'static str); 2],
    /// Suffixes of a literal before a dot.
    pub literal: [&'static str; 2],
    /// `a - b`, or 0 where that is negative: before, between and after the two.
    pub monus: [&'static str; 3],
    /// A power: before, between and after base and exponent.
    pub pow: [&'static str; 3],
    /// A loop that adds up.
    pub sum: fn(&mut NatWriter, &Summation),
}

/// Writes naturals.
pub struct NatWriter<'a> {
    /// How.
    pub dialect: &'static Dialect,
    /// Functions that expressions call.
    pub functions: &'a mut String,
    /// Where to.
    pub out: &'a mut Text,
    /// What variables are called.
    pub names: &'a mut Names,
    /// What is known about them.
    pub known: &'a mut Known,
}

impl NatWriter<'_> {
    /// A natural that is not negative, as `usize`.
    pub fn unsigned(&mut self, nat: &Nat, tight: Tight) {
        match nat.as_atom() {
            // Where the smaller one is not negative, both are.
            Some(Atom::Min(a, b)) => self.call(self.dialect.min[0], |w, x| w.unsigned(x, Tight::Not), a, b),
            None if self.dips(nat) => {
                self.grouped(tight > Tight::Not, |w| w.cast(0, |w| w.sum(nat, Tight::Postfix, true)));
            }
            _ => self.sum(nat, tight, false),
        }
    }

    /// Whether a part may be negative though the whole is not, so that arithmetic without a sign would overflow.
    fn dips(&mut self, nat: &Nat) -> bool {
        let negative = |atom: &Atom| match atom {
            Atom::Var(_) | Atom::Pow(..) | Atom::Sum(_) => false,
            Atom::Div(a, b) | Atom::Mod(a, b) | Atom::Min(a, b) => {
                !(self.known.nonneg(a) && self.known.nonneg(b))
            }
            Atom::Max(a, b) => !(self.known.nonneg(a) || self.known.nonneg(b)),
        };
        nat.terms().any(|(_, factors)| factors.iter().any(|(atom, _)| negative(atom)))
    }

    /// Any natural, as `isize`.
    pub fn signed(&mut self, nat: &Nat, tight: Tight) {
        if self.known.nonneg(nat) && nat.as_const().is_none() {
            self.grouped(tight > Tight::Not, |w| w.cast(1, |w| w.unsigned(nat, Tight::Postfix)));
        } else {
            self.sum(nat, tight, true);
        }
    }

    /// `P - N` as `P.saturating_sub(N)`: a natural, or 0 where it is negative.
    pub fn saturating(&mut self, nat: &Nat) {
        if self.known.nonneg(nat) {
            return self.unsigned(nat, Tight::Not);
        }
        match nat.as_atom() {
            Some(Atom::Min(a, b)) => return self.call(self.dialect.min[0], Self::saturating, a, b),
            Some(Atom::Max(a, b)) => return self.call(self.dialect.max[0], Self::saturating, a, b),
            _ => {}
        }
        let (positive, negative) = parts(nat);
        if !self.is_of_naturals(&positive) || !self.is_of_naturals(&negative) {
            let zero = Nat::lit(0);
            let max = self.dialect.max[1];
            return self.cast(0, |w| {
                w.grouped(true, |w| w.call(max, |w, x| w.sum(x, Tight::Not, true), nat, &zero));
            });
        }
        if positive.is_zero() {
            return self.out.put("0");
        }
        // A minimum that may be negative has no form without a sign.
        if !self.known.nonneg(&positive) || !(negative.is_zero() || self.known.nonneg(&negative)) {
            return self.grouped(true, |w| {
                w.cast(0, |w| w.call(w.dialect.max[1], |w, x| w.signed(x, Tight::Not), nat, &Nat::lit(0)));
            });
        }
        let [before, between, after] = self.dialect.monus;
        self.out.put(before);
        self.unsigned(&positive, Tight::Postfix);
        self.out.put(between);
        self.unsigned(&negative, Tight::Not);
        self.out.put(after);
    }

    /// Whether no factor is negative.
    fn is_of_naturals(&mut self, nat: &Nat) -> bool {
        let factors: Vec<Atom> =
            nat.terms().flat_map(|(_, factors)| factors.iter().map(|(atom, _)| atom.clone())).collect();
        factors.iter().all(|atom| plain_atom(atom) || self.known.nonneg(&Nat::atom(atom.clone())))
    }

    /// Both sides of a comparison with the negative terms of each moved to the other. What is moved may leave a side
    /// that is negative as a whole: then they are compared with their signs.
    pub fn compare(&mut self, op: &str, a: &Nat, b: &Nat) {
        let ((a, a_less), (b, b_less)) = (parts(a), parts(b));
        let (a, b) = (a + b_less, b + a_less);
        let side = if self.dips(&a) || self.dips(&b) { Self::signed } else { Self::unsigned };
        side(self, &a, Tight::Sum);
        self.out.put(&format!(" {op} "));
        side(self, &b, Tight::Sum);
    }

    fn grouped(&mut self, group: bool, body: impl FnOnce(&mut Self)) {
        if group {
            self.out.put("(");
        }
        body(self);
        if group {
            self.out.put(")");
        }
    }

    fn cast(&mut self, signed: usize, operand: impl FnOnce(&mut Self)) {
        let (before, after) = self.dialect.cast[signed];
        self.out.put(before);
        operand(self);
        self.out.put(after);
    }

    fn sum(&mut self, nat: &Nat, tight: Tight, signed: bool) {
        if let Some(value) = nat.as_const() {
            return self.literal(value, tight, signed);
        }
        let terms: Vec<_> = nat.terms().collect();
        let (positive, negative): (Vec<_>, Vec<_>) = terms.into_iter().partition(|(coeff, _)| *coeff > 0);
        let several = positive.len() + negative.len() > 1 || !negative.is_empty();
        self.grouped(several && tight > Tight::Not, |w| {
            if positive.is_empty() {
                w.out.put("0");
            }
            for (at, (coeff, factors)) in positive.iter().enumerate() {
                w.out.put(if at == 0 { "" } else { " + " });
                let tight = if several { Tight::Sum } else { tight };
                w.product(coeff.unsigned_abs(), factors, tight, signed);
            }
            for (coeff, factors) in &negative {
                w.out.put(" - ");
                w.product(coeff.unsigned_abs(), factors, Tight::Sum, signed);
            }
        });
    }

    fn literal(&mut self, value: i64, tight: Tight, signed: bool) {
        let suffix = if tight == Tight::Postfix { self.dialect.literal[usize::from(signed)] } else { "" };
        let negative = value < 0 && tight > Tight::Not;
        self.grouped(negative, |w| w.out.put(&format!("{value}{suffix}")));
    }

    fn product(&mut self, coeff: u64, factors: &[(Atom, u32)], tight: Tight, signed: bool) {
        let count: u32 = factors.iter().map(|(_, power)| *power).sum::<u32>() + u32::from(coeff != 1);
        self.grouped(count > 1 && tight >= Tight::Product, |w| {
            let inner = if count > 1 { Tight::Product } else { tight };
            let mut first = true;
            for (atom, power) in factors {
                for _ in 0..*power {
                    w.out.put(if first { "" } else { " * " });
                    w.atom(atom, inner, signed);
                    first = false;
                }
            }
            if coeff != 1 || factors.is_empty() {
                w.out.put(if first { "" } else { " * " });
                w.out.put(&coeff.to_string());
            }
        });
    }

    fn atom(&mut self, atom: &Atom, tight: Tight, signed: bool) {
        if !signed {
            return self.unsigned_atom(atom, tight);
        }
        if plain_atom(atom) {
            return self.grouped(true, |w| w.cast(1, |w| w.unsigned_atom(atom, Tight::Postfix)));
        }
        self.signed_atom(atom);
    }

    fn unsigned_atom(&mut self, atom: &Atom, tight: Tight) {
        match atom {
            Atom::Var(var) => {
                let ident = self.names.nat(var);
                self.out.put(&ident);
            }
            Atom::Div(a, b) if self.known.nonneg(a) && self.known.nonneg(b) => {
                self.division(a, b, "/", self.dialect.div[0], tight);
            }
            Atom::Mod(a, b) if self.known.nonneg(a) && self.known.nonneg(b) => {
                self.division(a, b, "%", self.dialect.rem[0], tight);
            }
            Atom::Min(a, b) if self.known.nonneg(a) && self.known.nonneg(b) => {
                self.call(self.dialect.min[0], |w, x| w.unsigned(x, Tight::Not), a, b);
            }
            Atom::Max(a, b) if a.is_zero() => self.saturating(b),
            Atom::Max(a, b) if b.is_zero() => self.saturating(a),
            Atom::Max(a, b) if self.known.nonneg(a) || self.known.nonneg(b) => {
                self.call(self.dialect.max[0], Self::saturating, a, b);
            }
            Atom::Pow(a, b) => {
                let [before, between, after] = self.dialect.pow;
                self.out.put(before);
                self.unsigned(a, Tight::Postfix);
                self.out.put(between);
                self.unsigned(b, Tight::Not);
                self.out.put(after);
            }
            Atom::Sum(sum) => {
                self.known.push(&sum.var, None);
                (self.dialect.sum)(self, sum);
                self.known.pop_to(self.known.depth() - 1);
            }
            _ => self.grouped(true, |w| w.cast(0, |w| w.signed_atom(atom))),
        }
    }

    fn signed_atom(&mut self, atom: &Atom) {
        let (function, a, b) = match atom {
            Atom::Div(a, b) => (self.dialect.div[1], a, b),
            Atom::Mod(a, b) => (self.dialect.rem[1], a, b),
            Atom::Min(a, b) => (self.dialect.min[1], a, b),
            Atom::Max(a, b) => (self.dialect.max[1], a, b),
            Atom::Var(_) | Atom::Pow(..) | Atom::Sum(_) => {
                return self.grouped(true, |w| w.cast(1, |w| w.unsigned_atom(atom, Tight::Postfix)));
            }
        };
        self.call(function, |w, x| w.signed(x, Tight::Not), a, b);
    }

    fn call(&mut self, function: &str, arg: impl Fn(&mut Self, &Nat), a: &Nat, b: &Nat) {
        self.out.put(function);
        self.out.put("(");
        arg(self, a);
        self.out.put(", ");
        arg(self, b);
        self.out.put(")");
    }

    /// Rust's own operator where the divisor is surely not 0.
    fn division(&mut self, a: &Nat, b: &Nat, op: &str, function: &str, tight: Tight) {
        if b.as_const().is_some_and(|divisor| divisor > 0) {
            self.grouped(tight >= Tight::Product, |w| {
                w.unsigned(a, Tight::Product);
                w.out.put(&format!(" {op} "));
                w.unsigned(b, Tight::Product);
            });
        } else {
            self.call(function, |w, x| w.unsigned(x, Tight::Not), a, b);
        }
    }
}

/// `nat = positive - negative`, neither with a negative coefficient.
fn parts(nat: &Nat) -> (Nat, Nat) {
    match Obligation::ge0(nat) {
        Obligation::Le(negative, positive) => (positive, negative),
        _ => (nat.clone(), Nat::lit(0)),
    }
}
