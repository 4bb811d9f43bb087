//! Naturals in the syntax of RISE: `2 * n + 1`, `(n + 1) / 32`, `min(a, b)`.
//!
//! What is printed parses back to the same natural, sums aside. Positive terms come first.

use std::fmt::{self, Display, Formatter};

use super::atom::Atom;
use super::mono::Factor;
use super::poly::Nat;

impl Display for Nat {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.is_overflow() {
            return f.write_str("(too large)");
        }
        let positive = self.terms().filter(|(coeff, _)| *coeff > 0);
        let negative = self.terms().filter(|(coeff, _)| *coeff < 0);
        for (at, (coeff, factors)) in positive.chain(negative).enumerate() {
            let sign = match (at, coeff < 0) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            };
            f.write_str(sign)?;
            // `-n / 2` would be read as `(-n) / 2`.
            let alone = factors.len() == 1 && coeff.unsigned_abs() == 1 && (at > 0 || coeff > 0);
            term(f, coeff.unsigned_abs(), factors, alone)?;
        }
        if self.is_zero() { f.write_str("0") } else { Ok(()) }
    }
}

impl fmt::Debug for Nat {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

impl Display for Atom {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Atom::Var(var) => Display::fmt(var, f),
            Atom::Div(a, b) => infix(f, a, "/", b),
            Atom::Mod(a, b) => infix(f, a, "%", b),
            Atom::Pow(a, b) => {
                operand(f, a, is_plain(a))?;
                f.write_str(" ^ ")?;
                operand(f, b, is_plain(b))
            }
            Atom::Min(a, b) => write!(f, "min({a}, {b})"),
            Atom::Max(a, b) => write!(f, "max({a}, {b})"),
            Atom::Sum(s) => write!(f, "sum({}, {}, {}, {})", s.var, s.from, s.upto, s.body),
        }
    }
}

fn term(f: &mut Formatter<'_>, coeff: u64, factors: &[Factor], alone: bool) -> fmt::Result {
    if coeff != 1 || factors.is_empty() {
        write!(f, "{coeff}")?;
    }
    for (at, (atom, power)) in factors.iter().enumerate() {
        if at > 0 || coeff != 1 {
            f.write_str(" * ")?;
        }
        let tight = match atom {
            Atom::Div(..) | Atom::Mod(..) => alone && *power == 1,
            Atom::Pow(..) => *power == 1,
            _ => true,
        };
        if tight {
            Display::fmt(atom, f)?;
        } else {
            write!(f, "({atom})")?;
        }
        if *power > 1 {
            write!(f, " ^ {power}")?;
        }
    }
    Ok(())
}

fn infix(f: &mut Formatter<'_>, a: &Nat, op: &str, b: &Nat) -> fmt::Result {
    operand(f, a, is_plain(a) || is_product(a))?;
    write!(f, " {op} ")?;
    operand(f, b, is_plain(b))
}

fn operand(f: &mut Formatter<'_>, nat: &Nat, bare: bool) -> fmt::Result {
    if bare { Display::fmt(nat, f) } else { write!(f, "({nat})") }
}

/// A natural that no operator outside can tear apart.
fn is_plain(nat: &Nat) -> bool {
    nat.as_const().is_some_and(|value| value >= 0)
        || matches!(nat.as_atom(), Some(Atom::Var(_) | Atom::Min(..) | Atom::Max(..) | Atom::Sum(_)))
}

/// A product that may stand to the left of `/`.
fn is_product(nat: &Nat) -> bool {
    let mut terms = nat.terms();
    matches!((terms.next(), terms.next()), (Some((coeff, _)), None) if coeff > 0)
        && !matches!(nat.as_atom(), Some(Atom::Div(..) | Atom::Mod(..)))
}
