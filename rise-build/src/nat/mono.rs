//! Monomials: a coefficient times a sorted product of atom powers.
//!
//! Invariant: factors are strictly ascending by atom, powers are at least 1, and the coefficient is not 0
//! inside a polynomial. The order of monomials is graded lexicographic, highest degree first, so that the
//! first monomial of a polynomial leads it in the sense of polynomial division.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::atom::Atom;

/// An atom and how often it is multiplied.
pub type Factor = (Atom, u32);

/// A coefficient times a product of atom powers.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Mono {
    pub coeff: i64,
    pub factors: Factors,
}

/// A sorted product of atom powers; the shortest ones live inline.
#[derive(Clone, Debug)]
pub(super) enum Factors {
    None,
    One(Factor),
    Many(Arc<[Factor]>),
}

impl Factors {
    pub fn as_slice(&self) -> &[Factor] {
        match self {
            Factors::None => &[],
            Factors::One(factor) => std::slice::from_ref(factor),
            Factors::Many(factors) => factors,
        }
    }

    pub fn from_sorted(mut factors: Vec<Factor>) -> Self {
        match factors.len() {
            0 => Factors::None,
            1 => factors.pop().map_or(Factors::None, Factors::One),
            _ => Factors::Many(factors.into()),
        }
    }

    pub fn is_empty(&self) -> bool {
        matches!(self, Factors::None)
    }

    pub fn degree(&self) -> u64 {
        self.as_slice().iter().map(|(_, power)| u64::from(*power)).sum()
    }

    /// The product, or `None` when a power overflows.
    pub fn times(&self, other: &Factors) -> Option<Factors> {
        match (self, other) {
            (Factors::None, _) => return Some(other.clone()),
            (_, Factors::None) => return Some(self.clone()),
            _ => {}
        }
        let (mut a, mut b) = (self.as_slice(), other.as_slice());
        let mut out = Vec::with_capacity(a.len() + b.len());
        while let (Some((x, xs)), Some((y, ys))) = (a.split_first(), b.split_first()) {
            match x.0.cmp(&y.0) {
                Ordering::Less => {
                    out.push(x.clone());
                    a = xs;
                }
                Ordering::Greater => {
                    out.push(y.clone());
                    b = ys;
                }
                Ordering::Equal => {
                    out.push((x.0.clone(), x.1.checked_add(y.1)?));
                    a = xs;
                    b = ys;
                }
            }
        }
        out.extend_from_slice(a);
        out.extend_from_slice(b);
        Some(Factors::from_sorted(out))
    }

    /// The quotient, when `divisor` divides this product factor by factor.
    pub fn over(&self, divisor: &Factors) -> Option<Factors> {
        // Most are of one variable, or of none.
        match (self, divisor) {
            (_, Factors::None) => return Some(self.clone()),
            (Factors::None, _) => return None,
            (Factors::One(_), Factors::One(_)) if self == divisor => return Some(Factors::None),
            (Factors::One((atom, 1)), Factors::One((other, _))) if atom != other => return None,
            _ => {}
        }
        let mut wanted = divisor.as_slice();
        let mut out = Vec::new();
        for (atom, power) in self.as_slice() {
            match wanted.split_first() {
                Some(((next, by), rest)) if next == atom => {
                    let left = power.checked_sub(*by)?;
                    if left > 0 {
                        out.push((atom.clone(), left));
                    }
                    wanted = rest;
                }
                _ => out.push((atom.clone(), *power)),
            }
        }
        wanted.is_empty().then(|| Factors::from_sorted(out))
    }

    /// The greatest product that divides both.
    pub fn common(&self, other: &Factors) -> Factors {
        let others = other.as_slice();
        let shared = self.as_slice().iter().filter_map(|(atom, power)| {
            let (_, by) = others.iter().find(|(o, _)| o == atom)?;
            Some((atom.clone(), *power.min(by)))
        });
        Factors::from_sorted(shared.collect())
    }

    /// Graded lexicographic order, the greater product first.
    pub fn order(&self, other: &Factors) -> Ordering {
        match (self, other) {
            (Factors::None, Factors::None) => return Ordering::Equal,
            (Factors::None, _) => return Ordering::Greater,
            (_, Factors::None) => return Ordering::Less,
            (Factors::One((x, p)), Factors::One((y, q))) if p == q => return x.cmp(y),
            _ => {}
        }
        let (a, b) = (self.as_slice(), other.as_slice());
        let by_degree = other.degree().cmp(&self.degree());
        by_degree.then_with(|| {
            let pairs = a.iter().zip(b);
            let mut differing = pairs.map(|(x, y)| x.0.cmp(&y.0).then_with(|| y.1.cmp(&x.1)));
            differing.find(|o| o.is_ne()).unwrap_or_else(|| a.len().cmp(&b.len()))
        })
    }
}

impl PartialEq for Factors {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Factors::None, Factors::None) => true,
            (Factors::One((x, p)), Factors::One((y, q))) => p == q && x == y,
            (Factors::Many(a), Factors::Many(b)) => Arc::ptr_eq(a, b) || a == b,
            _ => false,
        }
    }
}

impl Eq for Factors {}

impl Hash for Factors {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_slice().hash(state);
    }
}

impl Mono {
    pub fn constant(coeff: i64) -> Self {
        Self { coeff, factors: Factors::None }
    }
}
