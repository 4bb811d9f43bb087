//! The normal form: a sum of monomials, and its ring operations.
//!
//! Two naturals are `==` when their normal forms are. Invariants: a constant is `Const`, a polynomial has
//! at least one factor somewhere, its monomials are strictly ordered by [`Factors::order`] and none has
//! coefficient 0. A coefficient that leaves `i64` makes the whole value [`Nat::overflow`], which absorbs
//! every operation, evaluates to an error, and about which nothing is ever proved.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::ops::{Add, Mul, Neg, Sub};
use std::sync::Arc;

use super::atom::Atom;
use super::mono::{Factor, Factors, Mono};
use super::var::NatVar;

/// More monomials than this are treated as an overflow, so that no program makes the compiler explode.
const MOST_MONOMIALS: usize = 2048;

/// A symbolic natural in normal form. Intermediate results such as `i - 1` may be negative.
#[derive(Clone)]
pub struct Nat(pub(super) Repr);

#[derive(Clone)]
pub(super) enum Repr {
    Const(i64),
    Poly(Arc<Vec<Mono>>),
    Overflow,
}

/// One monomial as emitters see it: coefficient and factors.
pub type Term<'a> = (i64, &'a [Factor]);

impl Nat {
    /// A literal.
    pub fn lit(value: i64) -> Nat {
        Nat(Repr::Const(value))
    }

    /// A variable.
    pub fn var(var: &NatVar) -> Nat {
        Nat::atom(Atom::Var(var.clone()))
    }

    /// The value of an expression whose coefficients do not fit.
    pub fn overflow() -> Nat {
        Nat(Repr::Overflow)
    }

    /// An atom that no rule rewrites.
    pub fn atom(atom: Atom) -> Nat {
        Nat::mono(Mono { coeff: 1, factors: Factors::One((atom, 1)) })
    }

    pub(super) fn mono(mono: Mono) -> Nat {
        match mono {
            Mono { coeff: 0, .. } => Nat::lit(0),
            Mono { coeff, factors: Factors::None } => Nat::lit(coeff),
            mono => Nat(Repr::Poly(Arc::new(vec![mono]))),
        }
    }

    /// From monomials in order, without zeros.
    fn from_ordered(monos: Vec<Mono>) -> Nat {
        match monos.as_slice() {
            [] => Nat::lit(0),
            [Mono { coeff, factors: Factors::None }] => Nat::lit(*coeff),
            _ if monos.len() > MOST_MONOMIALS => Nat::overflow(),
            _ => Nat(Repr::Poly(Arc::new(monos))),
        }
    }

    /// From monomials in any order, repeated ones added up.
    pub(super) fn from_monos(mut monos: Vec<Mono>) -> Nat {
        monos.sort_by(|a, b| a.factors.order(&b.factors));
        let mut out: Vec<Mono> = Vec::with_capacity(monos.len());
        let mut merged = false;
        for mono in monos {
            match out.last_mut() {
                Some(last) if last.factors == mono.factors => {
                    let Some(sum) = last.coeff.checked_add(mono.coeff) else { return Nat::overflow() };
                    last.coeff = sum;
                    merged = true;
                }
                _ => out.push(mono),
            }
        }
        out.retain(|m| m.coeff != 0);
        if merged { Nat::settled(out) } else { Nat::from_ordered(out) }
    }

    /// From ordered monomials whose coefficients are new: `2 * 2 ^ k` becomes `2 ^ (k + 1)`.
    fn settled(monos: Vec<Mono>) -> Nat {
        if !monos.iter().any(Mono::holds_power) {
            return Nat::from_ordered(monos);
        }
        let mut rest = Vec::with_capacity(monos.len());
        let mut fused = Vec::new();
        for mono in monos {
            match mono.fuse_powers() {
                Some(value) => fused.push(value),
                None => rest.push(mono),
            }
        }
        fused.into_iter().fold(Nat::from_ordered(rest), |sum, value| sum + value)
    }

    /// The monomials, constants included; `spare` holds the only one of a constant.
    pub(super) fn monos<'a>(&'a self, spare: &'a mut [Mono; 1]) -> &'a [Mono] {
        match &self.0 {
            Repr::Poly(monos) => monos,
            Repr::Const(0) | Repr::Overflow => &[],
            Repr::Const(value) => {
                spare[0].coeff = *value;
                spare
            }
        }
    }

    /// The monomials of a sum; none for constants.
    pub(super) fn poly(&self) -> &[Mono] {
        match &self.0 {
            Repr::Poly(monos) => monos,
            Repr::Const(_) | Repr::Overflow => &[],
        }
    }

    /// What is added or multiplied, monomial by monomial, highest degree first; `0` has no term.
    pub fn terms(&self) -> impl Iterator<Item = Term<'_>> {
        let constant = match self.0 {
            Repr::Const(value) if value != 0 => Some((value, &[] as &[Factor])),
            Repr::Overflow => Some((i64::MAX, &[] as &[Factor])),
            _ => None,
        };
        self.poly().iter().map(|m| (m.coeff, m.factors.as_slice())).chain(constant)
    }

    /// The addends that both have.
    pub fn common(&self, other: &Nat) -> Nat {
        let (mut here, mut there) = ([Mono::constant(0)], [Mono::constant(0)]);
        let other = other.monos(&mut there);
        let monos = self.monos(&mut here);
        let both = || monos.iter().filter(|mono| other.contains(mono));
        if both().count() == monos.len() {
            self.clone()
        } else {
            Nat::from_ordered(both().cloned().collect())
        }
    }

    /// Whether a coefficient did not fit.
    pub fn is_overflow(&self) -> bool {
        matches!(self.0, Repr::Overflow)
    }

    /// Equal at a glance: the same literal, or the same place in memory.
    pub(super) fn is_same(&self, other: &Nat) -> bool {
        match (&self.0, &other.0) {
            (Repr::Const(a), Repr::Const(b)) => a == b,
            (Repr::Poly(a), Repr::Poly(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }

    /// The value, if it is a literal.
    pub fn as_const(&self) -> Option<i64> {
        match self.0 {
            Repr::Const(value) => Some(value),
            _ => None,
        }
    }

    /// Whether this is the literal 0.
    pub fn is_zero(&self) -> bool {
        self.as_const() == Some(0)
    }

    /// Whether this is the literal 1.
    pub fn is_one(&self) -> bool {
        self.as_const() == Some(1)
    }

    /// The variable, if it is nothing else.
    pub fn as_var(&self) -> Option<&NatVar> {
        match self.as_atom() {
            Some(Atom::Var(var)) => Some(var),
            _ => None,
        }
    }

    /// The atom, if it is nothing else.
    pub fn as_atom(&self) -> Option<&Atom> {
        match self.poly() {
            [Mono { coeff: 1, factors: Factors::One((atom, 1)) }] => Some(atom),
            _ => None,
        }
    }

    /// The only monomial; constants count, 0 does not.
    pub(super) fn single(&self) -> Option<Mono> {
        match &self.0 {
            Repr::Const(value) if *value != 0 => Some(Mono::constant(*value)),
            Repr::Poly(monos) if monos.len() == 1 => Some(monos[0].clone()),
            _ => None,
        }
    }

    /// The greatest number of atoms that are multiplied.
    pub(super) fn degree(&self) -> u64 {
        self.poly().first().map_or(0, |m| m.factors.degree())
    }

    /// The addend without variables.
    pub fn constant_part(&self) -> i64 {
        match &self.0 {
            Repr::Const(value) => *value,
            Repr::Poly(monos) => monos.last().filter(|m| m.factors.is_empty()).map_or(0, |m| m.coeff),
            Repr::Overflow => 0,
        }
    }

    /// The greatest literal that divides every coefficient but that of the constant; 0 for constants.
    pub(super) fn content(&self) -> i64 {
        let coeffs = self.poly().iter().filter(|m| !m.factors.is_empty()).map(|m| m.coeff);
        coeffs.fold(0, gcd)
    }

    /// What is added and what is subtracted.
    pub fn sides(&self) -> (Nat, Nat) {
        let part = |sign: i64| self.map_coeffs(|coeff, _| coeff.checked_mul(sign).map(|coeff| coeff.max(0)));
        (part(1), part(-1))
    }

    /// This sum with each coefficient mapped; `None` from `f` is an overflow.
    pub(super) fn map_coeffs(&self, f: impl Fn(i64, bool) -> Option<i64>) -> Nat {
        let mut spare = [Mono::constant(0)];
        let mut out = Vec::new();
        for mono in self.monos(&mut spare) {
            match f(mono.coeff, mono.factors.is_empty()) {
                Some(0) => {}
                Some(coeff) => out.push(Mono { coeff, factors: mono.factors.clone() }),
                None => return Nat::overflow(),
            }
        }
        if self.is_overflow() { Nat::overflow() } else { Nat::settled(out) }
    }

    pub(super) fn scale(&self, by: i64) -> Nat {
        match (&self.0, by) {
            (Repr::Overflow, _) => Nat::overflow(),
            (_, 0) => Nat::lit(0),
            (_, 1) => self.clone(),
            (Repr::Const(value), _) => value.checked_mul(by).map_or_else(Nat::overflow, Nat::lit),
            (Repr::Poly(monos), _) => {
                let mut monos = monos.to_vec();
                for mono in &mut monos {
                    let Some(coeff) = mono.coeff.checked_mul(by) else { return Nat::overflow() };
                    mono.coeff = coeff;
                }
                Nat::settled(monos)
            }
        }
    }

    fn plus(&self, other: &Nat, sign: i64) -> Nat {
        match (&self.0, &other.0) {
            (Repr::Overflow, _) | (_, Repr::Overflow) => return Nat::overflow(),
            (_, Repr::Const(0)) => return self.clone(),
            (Repr::Const(0), _) => return other.scale(sign),
            (Repr::Const(a), Repr::Const(b)) => {
                let sum = b.checked_mul(sign).and_then(|b| a.checked_add(b));
                return sum.map_or_else(Nat::overflow, Nat::lit);
            }
            (Repr::Poly(monos), Repr::Const(by)) => {
                return by.checked_mul(sign).map_or_else(Nat::overflow, |by| shifted(monos, by));
            }
            _ => {}
        }
        let (mut left, mut right) = ([Mono::constant(0)], [Mono::constant(0)]);
        merge(self.monos(&mut left), other.monos(&mut right), sign).map_or_else(
            Nat::overflow,
            |(monos, merged)| {
                if merged { Nat::settled(monos) } else { Nat::from_ordered(monos) }
            },
        )
    }

    fn times(&self, other: &Nat) -> Nat {
        match (&self.0, &other.0) {
            (Repr::Overflow, _) | (_, Repr::Overflow) => return Nat::overflow(),
            (Repr::Const(a), _) => return other.scale(*a),
            (_, Repr::Const(b)) => return self.scale(*b),
            _ => {}
        }
        let (left, right) = (self.poly(), other.poly());
        let ordered = left.len() == 1 || right.len() == 1;
        if left.len().saturating_mul(right.len()) > MOST_MONOMIALS {
            return Nat::overflow();
        }
        let mut monos = Vec::with_capacity(left.len() * right.len());
        let mut fused = Nat::lit(0);
        for a in left {
            for b in right {
                let Some(product) = a.times(b) else { return Nat::overflow() };
                match product.holds_power().then(|| product.fuse_powers()).flatten() {
                    Some(value) => fused = fused + value,
                    None => monos.push(product),
                }
            }
        }
        // The order of monomials stays where all are multiplied by the same one.
        if ordered { Nat::from_ordered(monos) + fused } else { Nat::from_monos(monos) + fused }
    }
}

/// The sum of a polynomial and a literal that is not 0.
fn shifted(monos: &[Mono], by: i64) -> Nat {
    let mut monos = monos.to_vec();
    match monos.last_mut() {
        Some(Mono { coeff, factors: Factors::None }) => match coeff.checked_add(by) {
            Some(0) => drop(monos.pop()),
            Some(sum) => *coeff = sum,
            None => return Nat::overflow(),
        },
        _ => monos.push(Mono::constant(by)),
    }
    Nat::from_ordered(monos)
}

/// The sum of two ordered lists, and whether any two monomials were added; `None` is an overflow.
fn merge(mut a: &[Mono], mut b: &[Mono], sign: i64) -> Option<(Vec<Mono>, bool)> {
    let mut out = Vec::with_capacity(a.len() + b.len());
    let mut merged = false;
    loop {
        let order = match (a.first(), b.first()) {
            (Some(x), Some(y)) => x.factors.order(&y.factors),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return Some((out, merged)),
        };
        if order.is_lt() {
            out.push(a[0].clone());
        } else {
            let mut coeff = b[0].coeff.checked_mul(sign)?;
            if order.is_eq() {
                coeff = a[0].coeff.checked_add(coeff)?;
                merged = true;
            }
            if coeff != 0 {
                out.push(Mono { coeff, factors: b[0].factors.clone() });
            }
        }
        a = &a[usize::from(order.is_le())..];
        b = &b[usize::from(order.is_ge())..];
    }
}

/// The greatest common divisor, never negative except for `i64::MIN` with itself or 0.
pub(crate) fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a.checked_rem(b).unwrap_or(0));
    }
    a.checked_abs().unwrap_or(1)
}

impl Mono {
    fn times(&self, other: &Mono) -> Option<Mono> {
        Some(Mono {
            coeff: self.coeff.checked_mul(other.coeff)?,
            factors: self.factors.times(&other.factors)?,
        })
    }

    fn holds_power(&self) -> bool {
        self.factors.as_slice().iter().any(|(atom, _)| matches!(atom, Atom::Pow(..)))
    }
}

impl PartialEq for Nat {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Repr::Const(a), Repr::Const(b)) => a == b,
            (Repr::Poly(a), Repr::Poly(b)) => Arc::ptr_eq(a, b) || a == b,
            (Repr::Overflow, Repr::Overflow) => true,
            _ => false,
        }
    }
}

impl Eq for Nat {}

impl Hash for Nat {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match &self.0 {
            Repr::Const(value) => value.hash(state),
            Repr::Poly(monos) => monos.hash(state),
            Repr::Overflow => u8::MAX.hash(state),
        }
    }
}

impl PartialOrd for Nat {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Nat {
    /// The smaller *value*, as [`Nat::min`]: the order below is arbitrary, and taking its minimum by
    /// accident must not be possible.
    fn min(self, other: Self) -> Self {
        Nat::min(&self, &other)
    }

    fn max(self, other: Self) -> Self {
        Nat::max(&self, &other)
    }

    /// An arbitrary total order; it says nothing about values.
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Repr::Const(a), Repr::Const(b)) => a.cmp(b),
            (Repr::Const(_), _) | (Repr::Poly(_), Repr::Overflow) => Ordering::Less,
            (_, Repr::Const(_)) | (Repr::Overflow, Repr::Poly(_)) => Ordering::Greater,
            (Repr::Overflow, Repr::Overflow) => Ordering::Equal,
            (Repr::Poly(a), Repr::Poly(b)) if Arc::ptr_eq(a, b) => Ordering::Equal,
            (Repr::Poly(a), Repr::Poly(b)) => {
                let pairs = a.iter().zip(b.iter());
                let mut orders = pairs.map(|(x, y)| x.factors.order(&y.factors).then(x.coeff.cmp(&y.coeff)));
                orders.find(|o| o.is_ne()).unwrap_or_else(|| a.len().cmp(&b.len()))
            }
        }
    }
}

impl From<i64> for Nat {
    fn from(value: i64) -> Self {
        Nat::lit(value)
    }
}

impl From<i32> for Nat {
    fn from(value: i32) -> Self {
        Nat::lit(i64::from(value))
    }
}

impl From<u32> for Nat {
    fn from(value: u32) -> Self {
        Nat::lit(i64::from(value))
    }
}

impl From<usize> for Nat {
    fn from(value: usize) -> Self {
        i64::try_from(value).map_or_else(|_| Nat::overflow(), Nat::lit)
    }
}

impl From<&NatVar> for Nat {
    fn from(var: &NatVar) -> Self {
        Nat::var(var)
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $with:expr;)*) => {$(
        impl $trait<&Nat> for &Nat {
            type Output = Nat;
            fn $method(self, other: &Nat) -> Nat {
                let with: fn(&Nat, &Nat) -> Nat = $with;
                with(self, other)
            }
        }
        impl $trait<Nat> for &Nat {
            type Output = Nat;
            fn $method(self, other: Nat) -> Nat {
                self.$method(&other)
            }
        }
        impl $trait<&Nat> for Nat {
            type Output = Nat;
            fn $method(self, other: &Nat) -> Nat {
                (&self).$method(other)
            }
        }
        impl $trait<Nat> for Nat {
            type Output = Nat;
            fn $method(self, other: Nat) -> Nat {
                (&self).$method(&other)
            }
        }
        impl $trait<i64> for &Nat {
            type Output = Nat;
            fn $method(self, other: i64) -> Nat {
                self.$method(&Nat::lit(other))
            }
        }
        impl $trait<i64> for Nat {
            type Output = Nat;
            fn $method(self, other: i64) -> Nat {
                (&self).$method(&Nat::lit(other))
            }
        }
    )*};
}

operators! {
    Add add |a, b| a.plus(b, 1);
    Sub sub |a, b| a.plus(b, -1);
    Mul mul Nat::times;
}

impl Neg for &Nat {
    type Output = Nat;
    fn neg(self) -> Nat {
        self.scale(-1)
    }
}

impl Neg for Nat {
    type Output = Nat;
    fn neg(self) -> Nat {
        self.scale(-1)
    }
}
