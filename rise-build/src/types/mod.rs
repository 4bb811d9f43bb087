//! Stage 2: the syntax tree gets types and becomes the typed functional language of `expr`.
//!
//! In: an [`ast::Module`](crate::syntax::ast::Module). Out: one [`Kernel`](crate::expr::Kernel) for each
//! `pub` item, in data-flow normal form, with the obligations that its entry must check; or messages.
//!
//! Elaboration runs the program's functions where they are applied ([`value`]), which inlines helpers and
//! gives parameters of lambdas their types before the bodies are looked at. What is open (sizes of results,
//! types of literals) is an unknown of the [`solver`]; [`finish`] replaces unknowns by what they turned out to
//! be, and [`obligation`] proves what the sizes must satisfy. No two sizes are ever assumed equal.

mod access;
mod advice;
mod annotate;
mod apply;
mod coerce;
mod data_type;
mod dependent;
mod elaborate;
mod finish;
mod foreign;
mod foreign_names;
mod helper;
mod kernel;
mod library;
mod member;
mod natural;
mod obligation;
mod operator;
mod permutation;
mod prelude;
mod primitive;
mod rule;
mod scheme;
mod solver;
mod term;
mod trial;
mod ty;
mod usage;
mod value;
mod vectors;

pub use data_type::{DataType, Scalar};
pub use foreign::check_foreign;
pub use kernel::{infer, infer_kernel};
pub use library::library;
pub(crate) use natural::{DIVIDED_BY_ZERO, LARGEST, TOO_LARGE, called, combined};
pub use rule::{Condition, Rule, Sides, Unknown, infer_rule};
pub(crate) use rule::{apart, path, primitive_nats, variable};

#[cfg(test)]
mod tests;
