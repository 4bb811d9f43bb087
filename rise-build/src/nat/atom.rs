//! What the normal form does not look into: division, remainder, power, minimum, maximum, sums.
//!
//! The constructors here bring such operations into normal form with what holds for *all* values; what
//! needs knowledge about variables is [`Facts::simplify`](super::Facts::simplify).
//!
//! Meaning: division rounds down, `x / 0 = 0`, `x % 0 = x`, so `x = m * (x / m) + x % m` always; a remainder
//! has the sign of its divisor. `x ^ 0 = 1`, and a negative exponent has no value.

use std::sync::Arc;

use super::mono::{Factors, Mono};
use super::poly::{Nat, gcd};
use super::var::NatVar;

/// A factor of a monomial.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Atom {
    /// A variable.
    Var(NatVar),
    /// The quotient, rounded down.
    Div(Nat, Nat),
    /// The remainder of that division.
    Mod(Nat, Nat),
    /// Base and exponent.
    Pow(Nat, Nat),
    /// The smaller one; arguments are ordered.
    Min(Nat, Nat),
    /// The greater one; arguments are ordered.
    Max(Nat, Nat),
    /// A sum over a range.
    Sum(Arc<Summation>),
}

/// `body` added up for `var` in `from..upto`; a range that runs backwards counts negatively.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Summation {
    /// The variable, bound in `body` alone.
    pub var: NatVar,
    /// Its first value.
    pub from: Nat,
    /// The first value that it does not take.
    pub upto: Nat,
    /// What is added up.
    pub body: Nat,
}

/// A power with a literal exponent up to this is multiplied out even where the base is a sum.
const EXPANDED_POWER: i64 = 6;

impl Nat {
    /// The quotient, rounded down; `x / 0 = 0`.
    pub fn div(&self, by: &Nat) -> Nat {
        if self.is_overflow() || by.is_overflow() {
            return Nat::overflow();
        }
        match by.as_const() {
            Some(0) => Nat::lit(0),
            Some(1) => self.clone(),
            Some(d) if d < 0 => match d.checked_neg() {
                Some(d) => (-self).div_literal(d),
                None => Nat::overflow(),
            },
            Some(d) => self.div_literal(d),
            None => self.div_symbolic(by),
        }
    }

    fn div_literal(&self, d: i64) -> Nat {
        if let Some(value) = self.as_const() {
            return Nat::lit(value.div_euclid(d));
        }
        if let Some(value) = self.div_without_rem(d) {
            return value;
        }
        let whole = self.map_coeffs(|c, constant| Some(if constant { c.div_euclid(d) } else { c / d }));
        let rest = self.map_coeffs(|c, constant| Some(if constant { c.rem_euclid(d) } else { c % d }));
        let g = gcd(rest.content(), d);
        if rest.as_const().is_some() {
            return whole;
        }
        let rest = rest.map_coeffs(|c, _| Some(c.div_euclid(g)));
        whole + rest.div_reduced(d / g)
    }

    /// `(n - n % 32) / 32 = n / 32`: the quotient where only remainders keep `d` from dividing `self`.
    fn div_without_rem(&self, d: i64) -> Option<Nat> {
        let holds_rem = |m: &Mono| matches!(m.factors, Factors::One((Atom::Mod(..), 1)));
        if !self.poly().iter().any(holds_rem) {
            return None;
        }
        let flat = self.without_inner_rem(d);
        let exact = flat.map_coeffs(|c, _| Some(c % d)).is_zero();
        let quotient = |mono: &Mono| match &mono.factors {
            Factors::One((Atom::Mod(y, a), 1)) => {
                let multiple = mono.coeff.checked_mul(a.as_const()?)?;
                (multiple % d == 0).then(|| y.div(a) * (multiple / d))
            }
            _ => None,
        };
        let quotients = self.poly().iter().filter_map(quotient);
        exact.then(|| quotients.fold(flat.map_coeffs(|c, _| Some(c / d)), |sum, q| sum - q))
    }

    /// `self / d` where no coefficient can be taken out.
    fn div_reduced(&self, d: i64) -> Nat {
        if d == 1 {
            return self.clone();
        }
        let k = self.constant_part();
        if let Some(Atom::Div(inner, by)) = (self - k).as_atom() {
            let inner = inner + by * k;
            return inner.div(&(by * d));
        }
        Nat::atom(Atom::Div(self.clone(), Nat::lit(d)))
    }

    fn div_symbolic(&self, by: &Nat) -> Nat {
        if self.is_zero() {
            return Nat::lit(0);
        }
        let g = gcd(gcd(self.content(), self.constant_part()), gcd(by.content(), by.constant_part()));
        if g > 1 {
            let over = |x: &Nat| x.map_coeffs(|c, _| Some(c / g));
            return over(self).div(&over(by));
        }
        Nat::atom(Atom::Div(self.clone(), by.clone()))
    }

    /// What the division leaves; `x % 0 = x`.
    pub fn rem(&self, by: &Nat) -> Nat {
        if self.is_overflow() || by.is_overflow() {
            return Nat::overflow();
        }
        match by.as_const() {
            Some(0) => self.clone(),
            Some(d) if d < 0 => match d.checked_neg() {
                Some(d) => -(-self).rem_literal(d),
                None => Nat::overflow(),
            },
            Some(d) => self.rem_literal(d),
            None => {
                let (_, rest) = self.without_rem_by(by).divide(by);
                if rest.is_zero() { rest } else { Nat::atom(Atom::Mod(rest, by.clone())) }
            }
        }
    }

    fn rem_literal(&self, d: i64) -> Nat {
        if let Some(value) = self.as_const() {
            return Nat::lit(value.rem_euclid(d));
        }
        let flat = self.without_inner_rem(d);
        let rest = flat.map_coeffs(|c, constant| Some(if constant { c.rem_euclid(d) } else { c % d }));
        if let Some(value) = rest.as_const() {
            return Nat::lit(value);
        }
        let g = gcd(rest.content(), d);
        let k = rest.constant_part().rem_euclid(g);
        let part = rest.map_coeffs(|c, _| Some(c.div_euclid(g)));
        match d / g {
            1 => Nat::lit(k),
            by => Nat::atom(Atom::Mod(part, Nat::lit(by))) * g + k,
        }
    }

    /// With `c * (y % a)` replaced by `c * y` where `d` divides `c * a`: equal but for multiples of `d`.
    fn without_inner_rem(&self, d: i64) -> Nat {
        self.without_rem(&|coeff, a| {
            a.as_const().and_then(|a| coeff.checked_mul(a)).is_some_and(|wraps| wraps % d == 0)
        })
    }

    /// With `y` in place of `y % by`: equal but for multiples of `by`.
    fn without_rem_by(&self, by: &Nat) -> Nat {
        self.without_rem(&|_, a| a == by)
    }

    /// With `c * y` in place of `c * (y % a)` where `wraps(c, a)`.
    fn without_rem(&self, wraps: &dyn Fn(i64, &Nat) -> bool) -> Nat {
        let inner = |mono: &Mono| match &mono.factors {
            Factors::One((Atom::Mod(y, a), 1)) if wraps(mono.coeff, a) => Some(y * mono.coeff),
            _ => None,
        };
        if !self.poly().iter().any(|m| inner(m).is_some()) {
            return self.clone();
        }
        let parts = self.poly().iter().map(|m| inner(m).unwrap_or_else(|| Nat::mono(m.clone())));
        parts.fold(Nat::lit(0), |sum, part| sum + part)
    }

    /// The quotient, rounded up.
    pub fn ceil_div(&self, by: &Nat) -> Nat {
        (self + by - 1).div(by)
    }

    /// Polynomial division: `(q, r)` with `self = q * by + r` for all values, where no monomial of `r` is a
    /// multiple of the first of `by`. Says nothing about the size of `r`.
    pub fn divide(&self, by: &Nat) -> (Nat, Nat) {
        let (mut quotient, mut rest) = (Nat::lit(0), self.clone());
        let lead = match (by.as_const(), by.poly().first()) {
            (Some(0), _) => return (quotient, rest),
            (Some(d), _) => Mono::constant(d),
            (None, Some(lead)) => lead.clone(),
            (None, None) => return (quotient, rest),
        };
        loop {
            let mut spare = [Mono::constant(0)];
            let step = rest.monos(&mut spare).iter().find_map(|mono| {
                let coeff = mono.coeff.checked_div(lead.coeff).filter(|c| *c != 0)?;
                let exact = by.poly().len() < 2 || mono.coeff % lead.coeff == 0;
                let factors = mono.factors.over(&lead.factors)?;
                exact.then(|| Nat::mono(Mono { coeff, factors }))
            });
            let Some(step) = step else { return (quotient, rest) };
            let next = &rest - &step * by;
            if next.is_overflow() || next == rest {
                return (quotient, rest);
            }
            quotient = quotient + step;
            rest = next;
        }
    }

    /// The polynomial quotient, where the division leaves nothing.
    pub fn exact_quotient(&self, by: &Nat) -> Option<Nat> {
        let (quotient, rest) = self.divide(by);
        (rest.is_zero() && !by.is_zero()).then_some(quotient)
    }

    /// A natural `q` with `q * by = self`, given that there is one: where `by` divides `self`. The polynomial
    /// quotient if the division leaves nothing, so `m * n` by `n` is `m`; the rounded quotient otherwise.
    pub fn exact_div(&self, by: &Nat) -> Nat {
        self.exact_quotient(by).unwrap_or_else(|| self.div(by))
    }

    /// `self ^ exponent`.
    pub fn pow(&self, exponent: &Nat) -> Nat {
        if self.is_overflow() || exponent.is_overflow() {
            return Nat::overflow();
        }
        let opaque = || Nat::atom(Atom::Pow(self.clone(), exponent.clone()));
        match (self.as_const(), exponent.as_const()) {
            (_, Some(0)) | (Some(1), _) => Nat::lit(1),
            (_, Some(1)) => self.clone(),
            (_, Some(e)) if e < 0 => opaque(),
            // Even 2 is too large then, and code for powers is as long as the exponent.
            (None, Some(e)) if e >= 64 => Nat::overflow(),
            (Some(base), Some(e)) => {
                let value = u32::try_from(e).ok().and_then(|e| base.checked_pow(e));
                // Only 0, 1 and -1 have powers beyond `u32` that fit.
                value.map_or_else(|| if base == 0 { Nat::lit(0) } else { Nat::overflow() }, Nat::lit)
            }
            (Some(_), None) => opaque(),
            (None, Some(e)) if e <= EXPANDED_POWER => (1..e).fold(self.clone(), |power, _| power * self),
            (None, _) => match self.single() {
                Some(mono) if mono.coeff > 0 => mono.pow(exponent),
                _ => opaque(),
            },
        }
    }

    /// The smaller one. On an owned receiver write `Nat::min(&a, &b)`, since `Ord::min` comes first there
    /// (and takes naturals by value, with the same meaning).
    pub fn min(&self, other: &Nat) -> Nat {
        extreme(self, other, &Extreme::MIN)
    }

    /// The greater one; see [`Nat::min`].
    pub fn max(&self, other: &Nat) -> Nat {
        extreme(self, other, &Extreme::MAX)
    }
}

impl Mono {
    /// The power, distributed over the factors.
    fn pow(&self, exponent: &Nat) -> Nat {
        let coeff = Nat::lit(self.coeff).pow(exponent);
        let powers = self.factors.as_slice().iter().map(|(atom, power)| match atom {
            Atom::Pow(base, inner) => base.pow(&(inner * i64::from(*power) * exponent)),
            _ => raised(atom, &(exponent * i64::from(*power))),
        });
        powers.fold(coeff, |product, power| product * power)
    }

    /// With powers of one base made one: `b ^ k * b = b ^ (k + 1)`. `None` when that is so already.
    pub(super) fn fuse_powers(&self) -> Option<Nat> {
        let factors = self.factors.as_slice();
        for (at, (atom, power)) in factors.iter().enumerate() {
            let Atom::Pow(base, _) = atom else { continue };
            let alike = |(at, (other, power)): (usize, &(Atom, u32))| match other {
                Atom::Pow(b, e) if b == base => Some((at, e * i64::from(*power))),
                _ if base.as_atom() == Some(other) => Some((at, Nat::lit(i64::from(*power)))),
                _ => None,
            };
            let (taken, exponents): (Vec<usize>, Vec<Nat>) =
                factors.iter().enumerate().filter_map(alike).unzip();
            let (coeff, extracted) = extract(self.coeff, base.as_const().unwrap_or(0));
            if taken == [at] && *power == 1 && extracted == 0 {
                continue;
            }
            let total = exponents.into_iter().fold(Nat::lit(extracted), |sum, e| sum + e);
            let rest = factors.iter().enumerate().filter(|(at, _)| !taken.contains(at));
            let rest = Factors::from_sorted(rest.map(|(_, factor)| factor.clone()).collect());
            return Some(Nat::mono(Mono { coeff, factors: rest }) * base.pow(&total));
        }
        None
    }
}

/// `coeff = left * base ^ count` with the greatest `count`.
fn extract(coeff: i64, base: i64) -> (i64, i64) {
    let (mut left, mut count) = (coeff, 0);
    while base >= 2 && left != 0 && left % base == 0 {
        left /= base;
        count += 1;
    }
    (left, count)
}

fn raised(atom: &Atom, exponent: &Nat) -> Nat {
    let literal = exponent.as_const().and_then(|e| u32::try_from(e).ok());
    match literal {
        Some(0) => Nat::lit(1),
        Some(power) => Nat::mono(Mono { coeff: 1, factors: Factors::One((atom.clone(), power)) }),
        None => Nat::atom(Atom::Pow(Nat::atom(atom.clone()), exponent.clone())),
    }
}

/// What distinguishes minimum and maximum.
struct Extreme {
    make: fn(Nat, Nat) -> Atom,
    args: fn(&Atom) -> Option<(&Nat, &Nat)>,
    /// Whether `a` wins over `b` when `a - b` is this.
    wins: fn(i64) -> bool,
}

impl Extreme {
    const MIN: Extreme = Extreme {
        make: Atom::Min,
        args: |atom| match atom {
            Atom::Min(a, b) => Some((a, b)),
            _ => None,
        },
        wins: |difference| difference <= 0,
    };
    const MAX: Extreme = Extreme {
        make: Atom::Max,
        args: |atom| match atom {
            Atom::Max(a, b) => Some((a, b)),
            _ => None,
        },
        wins: |difference| difference >= 0,
    };
}

fn extreme(a: &Nat, b: &Nat, kind: &Extreme) -> Nat {
    if a.is_overflow() || b.is_overflow() {
        return Nat::overflow();
    }
    let mut kept: Vec<Nat> = Vec::new();
    let mut todo = vec![b.clone(), a.clone()];
    while let Some(next) = todo.pop() {
        if let Some((x, y)) = next.as_atom().and_then(kind.args) {
            todo.extend([y.clone(), x.clone()]);
            continue;
        }
        let beats = |x: &Nat, y: &Nat| (x - y).as_const().is_some_and(kind.wins);
        if !kept.iter().any(|k| beats(k, &next)) {
            kept.retain(|k| !beats(&next, k));
            kept.push(next);
        }
    }
    kept.sort();
    let last = kept.pop().unwrap_or_else(|| a.clone());
    kept.into_iter().rev().fold(last, |right, left| Nat::atom((kind.make)(left, right)))
}
