//! The Rust target: one generic body over the instruction set, thin instances, a dispatcher.
//!
//! In: a `Kernel` of loops. Out: the text of one `unsafe fn`, the runner, with everything else inside it.
//! Memory is addressed by raw pointers without bounds checks, since indices were proved; sizes are `usize`.
//! The text is valid for `TokenStream::from_str`, and its comments are for readers of the dump. Nothing is
//! checked at run time but memory: the wrapper has done that.

mod access;
mod captured;
mod elementary;
mod emit;
mod foreign;
mod instances;
mod literal;
mod memory;
mod names;
mod nat;
mod outlined;
mod parallel;
mod product;
mod short;
mod stmt;
mod strided;
mod value;

#[cfg(test)]
mod tests;

pub use emit::emit;
pub use literal::stored;
pub use names::is_keyword;

/// Lints about style and leftovers, of which generated code takes no notice. All functions in it are unsafe: to say so
/// once more inside of each of them would tell nobody anything.
pub(super) const ALLOWED: &str = "unused, unreachable_pub, unsafe_op_in_unsafe_fn, non_snake_case, non_upper_case_globals, non_camel_case_types, clippy::all, \
    clippy::pedantic, clippy::restriction, clippy::nursery";
