//! Expressions as keys of tables.

use super::atom::Atom;
use super::poly::Nat;

/// An expression behind a number that mostly tells it from others, since to compare whole expressions takes long.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key(u64, Nat);

impl Key {
    pub fn of(e: &Nat) -> Self {
        Self(digest(e), e.clone())
    }
}

/// From coefficients and variables, which are numbered in order of their creation: the same in every run.
fn digest(e: &Nat) -> u64 {
    let mut sum = e.constant_part().cast_unsigned();
    let mut take = |part: u64| sum = (sum ^ part).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    for mono in e.poly() {
        take(mono.coeff.cast_unsigned());
        for (atom, _) in mono.factors.as_slice() {
            take(match atom {
                Atom::Var(var) => u64::from(var.id()),
                Atom::Div(a, b) | Atom::Mod(a, b) | Atom::Pow(a, b) | Atom::Min(a, b) | Atom::Max(a, b) => {
                    digest(a) ^ digest(b).rotate_left(17)
                }
                Atom::Sum(_) => 0,
            });
        }
    }
    sum
}
