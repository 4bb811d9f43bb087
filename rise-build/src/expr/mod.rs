//! The typed functional language, in data-flow normal form.
//!
//! Every primitive is fully applied, functions occur only as arguments of primitives and are always
//! written out as [`Lambda`]s, and every node has a `DataType`. There is no application, no partial
//! application and no function variable: helpers have been inlined and compositions applied. Rewriting
//! takes this language to itself; stage 4 turns it into functional DPIA.

mod build;
mod capture;
mod check;
mod equality;
mod interpret;
mod primitive;
mod print;
pub mod scalar;
pub mod separable;
mod substitute;
mod synthesize;
mod term;
mod traverse;

pub use build::*;
pub use check::check;
pub use equality::alpha_equal;
pub use interpret::{Failure, Value, interpret};
pub use primitive::*;
pub use substitute::{refresh, refresh_lambda, substitute, substitute_nat};
pub use synthesize::{TypeError, synthesize};
pub use term::*;
pub use traverse::{free_names, map_children, occurrences};
