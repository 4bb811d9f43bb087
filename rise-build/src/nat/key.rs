//! Expressions as keys of tables.

use std::hash::Hasher;

use crate::table::Digest;

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

/// From coefficients and variables, which are numbered in order of their creation.
fn digest(e: &Nat) -> u64 {
    let mut sum = Digest::default();
    let mut take = |part: u64| sum.write_u64(part);
    take(e.constant_part().cast_unsigned());
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
    sum.finish()
}
