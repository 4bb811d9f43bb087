//! Conditions on naturals that are proved at compile time or checked at a kernel's entry.

use std::fmt;

use super::atom::Atom;
use super::eval::EvalError;
use super::facts::Facts;
use super::poly::Nat;
use super::var::NatVar;

/// A condition on naturals.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Obligation {
    /// The first is at most the second.
    Le(Nat, Nat),
    /// The first is less than the second.
    Lt(Nat, Nat),
    /// Both are equal.
    Eq(Nat, Nat),
    /// The first divides the second; 0 divides 0 alone.
    Divides(Nat, Nat),
}

impl Obligation {
    /// Whether the condition follows from `facts`.
    pub fn prove(&self, facts: &Facts) -> bool {
        match self {
            Obligation::Le(a, b) => facts.proves_le(a, b),
            Obligation::Lt(a, b) => facts.proves_lt(a, b),
            Obligation::Eq(a, b) => facts.proves_eq(a, b),
            Obligation::Divides(d, n) => facts.proves_divides(d, n),
        }
    }

    /// Adds the condition to `facts`.
    pub fn assume(&self, facts: &mut Facts) {
        match self {
            Obligation::Le(a, b) => facts.assume_le(a, b),
            Obligation::Lt(a, b) => facts.assume_lt(a, b),
            Obligation::Eq(a, b) => facts.assume_eq(a, b),
            Obligation::Divides(d, n) => facts.assume_divides(d, n),
        }
    }

    /// Whether the condition holds for the values of `env`.
    pub fn eval(&self, env: &dyn Fn(&NatVar) -> Option<i128>) -> Result<bool, EvalError> {
        let (a, b) = self.sides();
        let (a, b) = (a.eval(env)?, b.eval(env)?);
        Ok(match self {
            Obligation::Le(..) => a <= b,
            Obligation::Lt(..) => a < b,
            Obligation::Eq(..) => a == b,
            Obligation::Divides(..) => {
                if a == 0 {
                    b == 0
                } else {
                    b.checked_rem(a).unwrap_or(0) == 0
                }
            }
        })
    }

    /// Both naturals, as written.
    pub fn sides(&self) -> (&Nat, &Nat) {
        match self {
            Obligation::Le(a, b)
            | Obligation::Lt(a, b)
            | Obligation::Eq(a, b)
            | Obligation::Divides(a, b) => (a, b),
        }
    }

    /// This condition with both naturals mapped.
    pub fn map(&self, mut f: impl FnMut(&Nat) -> Nat) -> Obligation {
        match self {
            Obligation::Le(a, b) => Obligation::Le(f(a), f(b)),
            Obligation::Lt(a, b) => Obligation::Lt(f(a), f(b)),
            Obligation::Eq(a, b) => Obligation::Eq(f(a), f(b)),
            Obligation::Divides(a, b) => Obligation::Divides(f(a), f(b)),
        }
    }

    /// With `value` for `var`.
    pub fn subst(&self, var: &NatVar, value: &Nat) -> Obligation {
        self.map(|nat| nat.subst(var, value))
    }

    /// With a value for each variable of the list, all at once.
    pub fn subst_all(&self, values: &[(NatVar, Nat)]) -> Obligation {
        self.map(|nat| nat.subst_all(values))
    }

    /// The free variables, sorted, each once.
    pub fn vars(&self) -> Vec<NatVar> {
        let (a, b) = self.sides();
        let mut vars = a.vars();
        vars.extend(b.vars());
        vars.sort();
        vars.dedup();
        vars
    }

    /// The conditions that hold together where this one does, without the least and greatest of naturals where
    /// those can be had apart: `0 <= min(a, b)` is `0 <= a` and `0 <= b`.
    pub fn parts(&self) -> Vec<Obligation> {
        let difference = match self {
            Obligation::Le(a, b) => b - a,
            Obligation::Lt(a, b) => b - a - 1,
            Obligation::Eq(..) | Obligation::Divides(..) => return vec![self.clone()],
        };
        let apart = difference.terms().find_map(|(coeff, factors)| match factors {
            [(atom @ (Atom::Min(a, b) | Atom::Max(a, b)), 1)]
                if (coeff > 0) == matches!(atom, Atom::Min(..)) =>
            {
                let with = |part: &Nat| &difference + (part - Nat::atom(atom.clone())) * coeff;
                Some([with(a), with(b)])
            }
            _ => None,
        });
        match apart {
            Some(parts) => parts.iter().flat_map(|part| Obligation::ge0(part).parts()).collect(),
            None => vec![self.clone()],
        }
    }

    /// `nat >= 0`, written without subtraction: `n - 3` gives `3 <= n`.
    pub fn ge0(nat: &Nat) -> Obligation {
        let negative = nat.map_coeffs(|c, _| if c < 0 { c.checked_neg() } else { Some(0) });
        let positive = nat.map_coeffs(|c, _| Some(c.max(0)));
        Obligation::Le(negative, positive)
    }
}

impl fmt::Display for Obligation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Obligation::Le(a, b) => write!(f, "{a} <= {b}"),
            Obligation::Lt(a, b) => write!(f, "{a} < {b}"),
            Obligation::Eq(a, b) => write!(f, "{a} = {b}"),
            Obligation::Divides(d, n) => write!(f, "{d} divides {n}"),
        }
    }
}
