//! Stage 6: loops over flat memory, made from imperative DPIA.
//!
//! [`lower()`] resolves views into flat indices; [`passes`] unroll, vectorise, keep small arrays in registers, simplify
//! and plan memory; [`check()`] says whether the result is well-formed; [`execute()`] runs it.

mod by_machine;
mod check;
mod execute;
mod facts;
mod independent;
mod ir;
mod lookups;
mod lower;
mod part;
pub mod passes;
mod print;
mod product;
mod skeleton;
mod transpose;
pub mod walk;

pub use by_machine::ByMachine;
pub use check::{Report, check};
pub use execute::{Fault, execute};
pub use facts::{assume, branches, define, iterating};
pub use independent::is_independent;
pub use ir::*;
pub use lookups::looked_up;
pub use lower::lower;
pub use print::{outline, print};
pub use skeleton::{Skeleton, Skeletons, Told};
