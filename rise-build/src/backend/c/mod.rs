//! The C target: C99 with the vector extensions of GCC and Clang, and plain C99 where they are missing.
//!
//! In: a [`Kernel`](crate::loops::Kernel) of loops and an [`Isa`]. Out: a file with one function, whose symbol
//! names the instruction set; and once for all of them, the function that chooses. Helpers are written only
//! where they are used: whatever identifier of the form `i32_div` or `f32x16_add` a text has is looked up and
//! defined in front. Vectors wider than the hardware's are pairs of halves, so bits are the same everywhere.
//!
//! Arithmetic that C leaves undefined is computed in unsigned types. The function returns 0, or the number of
//! bytes that could not be had. Nothing is checked here: the wrapper has done that.
//!
//! With [`Settings::openmp`] parallel loops are loops of OpenMP, and the same text without `-fopenmp` is serial.

mod dispatch;
mod emit;
mod foreign;
mod formula;
mod helper;
mod isa;
mod memory;
mod names;
mod product;
mod runner;
mod square;
mod stmt;
mod symbol;
mod truth;
mod types;
mod value;
mod vector;

#[cfg(test)]
mod tests;

pub use dispatch::dispatcher;
pub use emit::{Settings, emit};
pub use isa::Isa;
pub(in crate::backend) use runner::layout_check;
pub use runner::{handshake, runner};
pub use symbol::Symbol;
