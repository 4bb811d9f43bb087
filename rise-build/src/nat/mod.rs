//! Symbolic naturals: sizes and indices in normal form, what is known about them, equations between them.
//!
//! [`Nat`] is a polynomial over [`Atom`]s in a normal form, so equality is structural. [`Facts`] holds what
//! is known (ranges, inequalities, divisibility), proves conditions and simplifies. [`solve()`] solves one
//! equation for an unknown and says which [`Obligation`]s the solution needs.
//!
//! Nothing is ever assumed: what is not proved is an obligation of the caller. This module knows nothing of
//! types, programs or positions.

mod atom;
mod bound;
mod eval;
mod facts;
mod gather;
mod key;
mod linear;
mod mono;
mod obligation;
mod poly;
mod print;
mod prove;
mod simplify;
mod solve;
mod subst;
mod sum;
mod var;
mod witness;

pub use atom::{Atom, Summation};
pub use eval::EvalError;
pub use facts::Facts;
pub use mono::Factor;
pub use obligation::Obligation;
pub(crate) use poly::gcd;
pub use poly::{Nat, Term};
pub use solve::{Solution, solve};
pub use var::NatVar;

#[cfg(test)]
mod tests;
