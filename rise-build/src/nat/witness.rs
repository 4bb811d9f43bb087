//! Numbers for which the facts hold: what is false for one of them cannot be proved, and need not be tried.
//!
//! A failing proof costs as much as the longest successful one, and most proofs that passes ask for fail, so this
//! saves most of the time that proofs take. It decides nothing else: without a witness all proofs are tried.

use std::sync::Arc;

use super::atom::Atom;
use super::facts::Facts;
use super::poly::Nat;
use super::var::NatVar;

/// Sizes of each witness, taken in turn: awkward ones, multiples of all that is common, few beside many, and those that
/// leave one vector, or less than one, over.
const SIZES: [[i64; 2]; 5] = [[1009, 1013], [430_080, 860_160], [3, 1010], [1011, 2], [1040, 1031]];

/// What a variable may become where its number does not satisfy one more fact, tried in turn from a place that
/// each kind has to itself: what tiles and vectors leave over, whole ones, much more, and none.
const OTHERS: [i64; 16] = [1, 1013, 4, 261, 8_388_609, 2, 16, 1041, 5, 100, 3, 512, 1_048_575, 17, 64, 0];

/// One number for each variable.
#[derive(Clone)]
struct Witness {
    kind: usize,
    /// How many variables there are.
    depth: usize,
    values: Option<Arc<Binding>>,
}

/// The newest value and the ones before, which it may replace.
struct Binding {
    id: u32,
    value: i64,
    older: Option<Arc<Binding>>,
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
            self.values = Some(Arc::new(Binding { id: var.id(), value, older: self.values.take() }));
            self.depth += 1;
        }
        old.is_none_or(|old| old == value)
    }

    /// The same with another value of a variable.
    fn with(&self, var: &NatVar, value: i64) -> Witness {
        let values = Binding { id: var.id(), value, older: self.values.clone() };
        Witness { values: Some(Arc::new(values)), ..*self }
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

    /// Whether `0 <= fact`; a variable that has no value yet gets one.
    fn keeps(&mut self, fact: &Nat) -> bool {
        if let Some(var) = fact.as_var()
            && self.of(var).is_none()
        {
            let sizes = SIZES[self.kind];
            return self.bind(var, sizes[self.depth % sizes.len()]);
        }
        self.satisfies(fact)
    }

    fn satisfies(&self, fact: &Nat) -> bool {
        self.value(fact).is_some_and(|value| value >= 0)
    }

    /// One that differs in one variable, satisfies `fact`, and what is `held` besides.
    fn repaired(&self, fact: &Nat, held: &[Nat]) -> Option<Witness> {
        let from = 3 * self.kind;
        let others = || (0..OTHERS.len()).map(move |at| OTHERS[(from + at) % OTHERS.len()]);
        let changed =
            fact.vars().into_iter().flat_map(|var| others().map(move |value| self.with(&var, value)));
        changed
            .filter(|witness| witness.satisfies(fact))
            .find(|witness| held.iter().rev().all(|held| witness.satisfies(held)))
    }
}

impl Witnesses {
    /// None: whatever is learnt then is not held against them.
    pub fn none() -> Self {
        Self(Vec::new())
    }

    /// Those that have a value for a variable with that range, each with one value or another while there are few.
    pub fn enter(&mut self, var: &NatVar, lo: &Nat, hi: &Nat, held: &[Nat]) {
        self.keep(&(hi - lo - 1), held);
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

    /// Those for which `0 <= fact`, and others changed so that it is, which satisfy what is `held` too.
    pub fn keep(&mut self, fact: &Nat, held: &[Nat]) {
        let (mut kept, mut lost) = (Vec::with_capacity(SIZES.len()), Vec::new());
        for mut witness in self.0.drain(..) {
            let list = if witness.keeps(fact) { &mut kept } else { &mut lost };
            list.push(witness);
        }
        // Where one cannot be made to, the others mostly cannot either.
        kept.extend(lost.iter().map_while(|witness| witness.repaired(fact, held)));
        self.0 = kept;
    }

    /// With a value for the quotient of `whole` and `divisor`. Where that is not exact what follows from it is held
    /// against them, and where nothing does no proof of a sign needs it.
    pub fn divide(&mut self, quotient: &NatVar, divisor: &Nat, whole: &Nat) {
        self.0.retain_mut(|witness| match witness.quotient(whole, divisor) {
            Some((value, _)) => witness.bind(quotient, value),
            None => false,
        });
    }
}

impl Facts {
    /// Whether `0 <= e` is false for numbers that satisfy all facts.
    pub(super) fn refutes(&self, e: &Nat) -> bool {
        self.0.witnesses.0.iter().any(|witness| witness.value(e).is_some_and(|value| value < 0))
    }

    /// Whether there are such numbers at hand.
    #[cfg(test)]
    pub(super) fn has_witnesses(&self) -> bool {
        !self.0.witnesses.0.is_empty()
    }
}
