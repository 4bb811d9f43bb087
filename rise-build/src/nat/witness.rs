//! Numbers for which the facts hold: what is false for one of them cannot be proved, and need not be tried.
//!
//! A failing proof costs as much as the longest successful one, and most proofs that passes ask for fail, so this
//! saves most of the time that proofs take. It decides nothing else: without a witness all proofs are tried.

use std::rc::Rc;

use super::atom::Atom;
use super::facts::Facts;
use super::poly::Nat;
use super::var::NatVar;

/// Sizes of each witness, taken in turn: awkward ones, multiples of all that is common, few beside many, 1, and those that
/// leave one vector, or less than one, over.
const SIZES: [[i64; 2]; 7] =
    [[1009, 1013], [430_080, 860_160], [3, 1010], [1011, 2], [1, 1], [1040, 1031], [1029, 1040]];

/// One number for each variable.
#[derive(Clone)]
struct Witness {
    kind: usize,
    /// How many variables there are.
    depth: usize,
    values: Option<Rc<Binding>>,
}

/// The newest variable and the ones before.
struct Binding {
    id: u32,
    value: i64,
    older: Option<Rc<Binding>>,
}

/// One witness of each kind that satisfies what is known.
#[derive(Clone)]
pub(super) struct Witnesses(Vec<Witness>);

impl Default for Witnesses {
    fn default() -> Self {
        Self((0..SIZES.len()).map(|kind| Witness { kind, depth: 0, values: None }).collect())
    }
}

impl Witness {
    /// The value of an expression without sums.
    fn value(&self, e: &Nat) -> Option<i64> {
        if let Some(value) = e.as_const() {
            return Some(value);
        }
        if e.is_overflow() {
            return None;
        }
        let mut sum = 0_i64;
        for mono in e.poly() {
            let mut product = mono.coeff;
            for (atom, power) in mono.factors.as_slice() {
                let mut value = self.atom(atom)?;
                if *power > 1 {
                    value = value.checked_pow(*power)?;
                }
                product = product.checked_mul(value)?;
            }
            sum = sum.checked_add(product)?;
        }
        Some(sum)
    }

    fn atom(&self, atom: &Atom) -> Option<i64> {
        Some(match atom {
            Atom::Var(var) => self.of(var)?,
            Atom::Div(a, b) => self.quotient(a, b)?.0,
            Atom::Mod(a, b) => self.quotient(a, b)?.1,
            Atom::Min(a, b) => self.value(a)?.min(self.value(b)?),
            Atom::Max(a, b) => self.value(a)?.max(self.value(b)?),
            Atom::Pow(a, b) => self.value(a)?.checked_pow(u32::try_from(self.value(b)?).ok()?)?,
            Atom::Sum(_) => return None,
        })
    }

    /// Quotient and remainder by a positive number.
    fn quotient(&self, a: &Nat, b: &Nat) -> Option<(i64, i64)> {
        let (a, b) = (self.value(a)?, self.value(b)?);
        (b > 0).then(|| (a.div_euclid(b), a.rem_euclid(b)))
    }

    fn of(&self, var: &NatVar) -> Option<i64> {
        let mut binding = &self.values;
        while let Some(newest) = binding {
            if newest.id == var.id() {
                return Some(newest.value);
            }
            binding = &newest.older;
        }
        None
    }

    /// The same with one more variable, unless it has another value already.
    fn bind(&mut self, var: &NatVar, value: i64) -> bool {
        let old = self.of(var);
        if old.is_none() {
            self.values = Some(Rc::new(Binding { id: var.id(), value, older: self.values.take() }));
            self.depth += 1;
        }
        old.is_none_or(|old| old == value)
    }

    /// The same with one of the values that a variable of this range may have, the least or the greatest, and with
    /// the other one.
    fn enter(&self, var: &NatVar, lo: &Nat, hi: &Nat, least: bool) -> Option<(Witness, Option<Witness>)> {
        let (lo, hi) = (self.value(lo)?, self.value(hi)?);
        if let Some(old) = self.of(var) {
            return (lo <= old && old < hi).then(|| (self.clone(), None));
        }
        let with = |value| {
            let mut witness = self.clone();
            witness.bind(var, value);
            witness
        };
        let (first, second) = if least { (lo, hi - 1) } else { (hi - 1, lo) };
        (lo < hi).then(|| (with(first), (first != second).then(|| with(second))))
    }

    fn satisfies(&mut self, fact: &Nat) -> bool {
        if let Some(var) = fact.as_var()
            && self.of(var).is_none()
        {
            let sizes = SIZES[self.kind];
            return self.bind(var, sizes[self.depth % sizes.len()]);
        }
        self.value(fact).is_some_and(|value| value >= 0)
    }
}

impl Witnesses {
    /// None: whatever is learnt then is not held against them.
    pub fn none() -> Self {
        Self(Vec::new())
    }

    /// Those that have a value for a variable with that range, each with one value or another while there are few.
    pub fn enter(&mut self, var: &NatVar, lo: &Nat, hi: &Nat) {
        let mut others = Vec::new();
        let mut entered = Vec::with_capacity(SIZES.len());
        for (at, witness) in self.0.iter().enumerate() {
            if let Some((one, other)) = witness.enter(var, lo, hi, at % 2 == 0) {
                entered.push(one);
                others.extend(other);
            }
        }
        others.truncate(SIZES.len() - entered.len());
        entered.append(&mut others);
        self.0 = entered;
    }

    /// Those for which `0 <= fact`.
    pub fn keep(&mut self, fact: &Nat) {
        self.0.retain_mut(|witness| witness.satisfies(fact));
    }

    /// Those for which `zero` is 0.
    pub fn keep_zero(&mut self, zero: &Nat) {
        self.0.retain(|witness| witness.value(zero) == Some(0));
    }

    /// Those for which `divisor * quotient` is `whole`.
    pub fn divide(&mut self, quotient: &NatVar, divisor: &Nat, whole: &Nat) {
        self.0.retain_mut(|witness| match (witness.value(divisor), witness.value(whole)) {
            (Some(divisor), Some(whole)) if divisor != 0 && whole % divisor == 0 => {
                witness.bind(quotient, whole / divisor)
            }
            _ => false,
        });
    }
}

impl Facts {
    /// Whether `0 <= e` is false for numbers that satisfy all facts.
    pub(super) fn refutes(&self, e: &Nat) -> bool {
        self.0.witnesses.0.iter().any(|witness| witness.value(e).is_some_and(|value| value < 0))
    }
}
