//! Simplification with what is known: `(i * 32 + j) / 32` is `i` where `0 <= j < 32`.
//!
//! Atoms are simplified inside out. Each rule is an identity under conditions that are proved first; a rule
//! whose conditions are not proved leaves the atom as it is.

use super::atom::Atom;
use super::facts::{Facts, Quotient};
use super::key::Key;
use super::mono::{Factors, Mono};
use super::poly::{Nat, gcd};
use super::var::NatVar;

impl Facts {
    /// An equal expression, as simple as what is known allows.
    pub fn simplify(&self, e: &Nat) -> Nat {
        if !e.poly().iter().any(Mono::is_compound) {
            return e.clone();
        }
        self.remember(e, |facts| facts.denote(&facts.simplified(&facts.normalize(e))))
    }

    fn simplified(&self, e: &Nat) -> Nat {
        let simple = e.map_atoms(&mut |atom| match atom {
            Atom::Sum(sum) => Some(self.summation(sum)),
            Atom::Var(_) => None,
            _ => match atom.renewed(&mut |arg| self.simplified(arg)) {
                Some(value) => Some(self.reduce(value)),
                None => Some(self.reduce(Nat::atom(atom.clone()))).filter(|new| new.as_atom() != Some(atom)),
            },
        });
        rejoin(simple)
    }

    /// What becomes of an expression, found out once.
    fn remember(&self, e: &Nat, find: impl FnOnce(&Self) -> Nat) -> Nat {
        let key = Key::of(e);
        if let Some(simple) = self.0.found.simple.open().get(&key) {
            return simple.clone();
        }
        let simple = find(self);
        self.0.found.simple.open().insert(key, simple.clone());
        simple
    }

    /// Applies the rules to a value that may be an atom with simple arguments.
    fn reduce(&self, value: Nat) -> Nat {
        match value.as_atom() {
            Some(Atom::Div(a, b)) => self.remember(&value, |facts| facts.quotient(a, b)),
            Some(Atom::Mod(a, b)) => self.remember(&value, |facts| facts.remainder(a, b)),
            Some(Atom::Min(..) | Atom::Max(..)) => {
                self.remember(&value, |facts| facts.extreme_of(value.clone()))
            }
            _ => value,
        }
    }

    fn quotient(&self, a: &Nat, b: &Nat) -> Nat {
        if !self.proves_positive(b) {
            return a.div(b);
        }
        if self.lies_below(a, b) {
            return Nat::lit(0);
        }
        if let Some(exact) = linked(a, b).exact_quotient(b) {
            return exact;
        }
        let (whole, rest) = a.divide(b);
        if self.lies_below(&rest, b) {
            return whole;
        }
        if self.lies_below(&(&rest + b), b) {
            return whole - 1;
        }
        if b.poly().len() > 1 {
            return a.div(b);
        }
        let Some((unit, high, _)) = self.at_unit(&rest, b) else { return whole + rest.div(b) };
        whole + self.quotient(&high, &b.exact_div(&unit))
    }

    fn remainder(&self, a: &Nat, b: &Nat) -> Nat {
        if self.lies_below(a, b) {
            return a.clone();
        }
        let (_, rest) = a.divide(b);
        if self.lies_below(&rest, b) {
            return rest;
        }
        if self.lies_below(&(&rest + b), b) {
            return rest + b;
        }
        if b.poly().len() > 1 {
            return a.rem(b);
        }
        let Some((unit, high, low)) = self.at_unit(&rest, b) else { return rest.rem(b) };
        self.remainder(&high, &b.exact_div(&unit)) * unit + low
    }

    /// Whether `0 <= e < bound`; the second part is what mostly fails, and soon does. A quotient by `d` does where
    /// what is divided lies below `d · bound`.
    fn lies_below(&self, e: &Nat, bound: &Nat) -> bool {
        if self.proves_lt(e, bound) && self.proves_ge0(e) {
            return true;
        }
        match e.as_atom() {
            Some(Atom::Div(x, d)) => self.proves_positive(d) && self.lies_below(x, &(d * bound)),
            _ => false,
        }
    }

    /// `(u, h, l)` with `e = u * h + l`, `0 <= l < u`, and `u` a proper divisor of the single monomial `b`:
    /// then `e / b = h / (b / u)`.
    fn at_unit(&self, e: &Nat, b: &Nat) -> Option<(Nat, Nat, Nat)> {
        let divisor = b.single()?;
        let mut spare = [Mono::constant(0)];
        let mut tried: Vec<Nat> = Vec::new();
        for mono in e.monos(&mut spare) {
            let coeff = gcd(mono.coeff, divisor.coeff);
            let unit = Nat::mono(Mono { coeff, factors: mono.factors.common(&divisor.factors) });
            if unit.is_one() || unit == *b || tried.contains(&unit) {
                continue;
            }
            let (high, low) = e.divide(&unit);
            if self.proves_positive(b) && self.lies_below(&low, &unit) {
                return Some((unit, high, low));
            }
            tried.push(unit);
        }
        None
    }

    /// A minimum or maximum without the arguments that never decide it.
    fn extreme_of(&self, value: Nat) -> Nat {
        let least = matches!(value.as_atom(), Some(Atom::Min(..)));
        let mut args = Vec::new();
        collect_args(&value, least, &mut args);
        let mut kept: Vec<Nat> = Vec::new();
        for arg in args {
            let beats = |a: &Nat, b: &Nat| if least { self.proves_le(a, b) } else { self.proves_le(b, a) };
            if !kept.iter().any(|k| beats(k, &arg)) {
                kept.retain(|k| !beats(&arg, k));
                kept.push(arg);
            }
        }
        let join = |a: Nat, b: Nat| if least { Nat::min(&a, &b) } else { Nat::max(&a, &b) };
        kept.into_iter().reduce(join).unwrap_or(value)
    }

    fn summation(&self, sum: &super::atom::Summation) -> Nat {
        let (from, upto) = (self.simplified(&sum.from), self.simplified(&sum.upto));
        let fresh = NatVar::new("s");
        let body = sum.body.subst(&sum.var, &Nat::var(&fresh));
        if !self.proves_le(&from, &upto) {
            return Nat::sum(&fresh, &from, &upto, &body);
        }
        let mut inside = self.clone();
        inside.range(&fresh, &from, &upto);
        Nat::sum(&fresh, &from, &upto, &inside.simplified(&body))
    }

    /// In the user's variables: without those that stand for quotients.
    pub(super) fn denote(&self, e: &Nat) -> Nat {
        self.0.quotients.iter().rev().fold(e.clone(), |e, quotient| quotient.denote(&e))
    }
}

impl Quotient {
    /// With `whole` for `divisor * var`, and `whole / divisor` for `var` where it stands alone.
    fn denote(&self, e: &Nat) -> Nat {
        if !e.mentions(&self.var) {
            return e.clone();
        }
        let e = &e.map_atoms(&mut |atom| atom.renewed(&mut |arg| self.denote(arg)));
        let (multiple, rest) = e.divide(&(&self.divisor * Nat::var(&self.var)));
        let value = self.whole.div(&self.divisor);
        let rest = match (rest.affine_in(&self.var), self.divisor.as_const()) {
            // `16 * (n / 32)` is better written `n / 2`.
            (Some((by, rest)), Some(divisor)) => {
                let unit = gcd(gcd(by.content(), by.constant_part()), divisor).max(1);
                let coefficient = by.map_coeffs(|c, _| Some(c / unit));
                coefficient * self.whole.div(&Nat::lit(divisor / unit)) + rest
            }
            _ => rest.subst(&self.var, &value),
        };
        if multiple.is_zero() { rest } else { self.denote(&multiple) * &self.whole + rest }
    }
}

impl Mono {
    fn is_compound(&self) -> bool {
        self.factors.as_slice().iter().any(|(atom, _)| !matches!(atom, Atom::Var(_)))
    }

    fn divides_somewhere(&self) -> bool {
        self.factors.as_slice().iter().any(|(atom, _)| matches!(atom, Atom::Div(..) | Atom::Mod(..)))
    }
}

/// With `y - b * (y / b)` for each addend `y % b`.
pub(super) fn linked(a: &Nat, b: &Nat) -> Nat {
    a.map_atoms(&mut |atom| match atom {
        Atom::Mod(y, by) if by == b => Some(y - by * y.div(by)),
        _ => None,
    })
}

fn collect_args(e: &Nat, least: bool, args: &mut Vec<Nat>) {
    match e.as_atom() {
        Some(Atom::Min(a, b)) if least => [a, b].into_iter().for_each(|arg| collect_args(arg, least, args)),
        Some(Atom::Max(a, b)) if !least => [a, b].into_iter().for_each(|arg| collect_args(arg, least, args)),
        _ => args.push(e.clone()),
    }
}

/// With `x` for `m * (x / m) + x % m`.
pub(super) fn rejoin(e: Nat) -> Nat {
    let divisions = |e: &Nat| e.poly().iter().filter(|m| m.divides_somewhere()).count();
    let before = divisions(&e);
    if before < 2 {
        return e;
    }
    let rejoined = e.poly().iter().find_map(|mono| {
        let factors = mono.factors.as_slice();
        let (at, x, by) = factors.iter().enumerate().find_map(|(at, factor)| match factor {
            (Atom::Mod(x, by), 1) => Some((at, x, by)),
            _ => None,
        })?;
        let rest = factors.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, f)| f.clone());
        let outer = Nat::mono(Mono { coeff: mono.coeff, factors: Factors::from_sorted(rest.collect()) });
        let link = Nat::atom(factors[at].0.clone()) + by * x.div(by) - x;
        let next = &e - outer * link;
        (divisions(&next) < before && !next.is_overflow()).then_some(next)
    });
    rejoined.map_or(e, rejoin)
}
