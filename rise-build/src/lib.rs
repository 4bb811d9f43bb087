//! The RISE compiler, and the build-script front end that drives it.

#![warn(clippy::print_stdout)]

pub mod backend;
#[cfg(feature = "cargo")]
pub mod cargo;
pub mod diagnostics;
pub mod dpia;
pub mod expr;
pub mod library;
pub mod loops;
pub mod machine;
pub mod mappings;
pub mod names;
pub mod nat;
pub mod pipeline;
pub mod rewrite;
pub mod scalar;
pub mod syntax;
mod table;
mod threads;
pub mod types;

#[cfg(feature = "cargo")]
pub use cargo::{Builder, compile};
