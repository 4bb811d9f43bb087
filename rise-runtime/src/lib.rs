//! What generated code calls.
//!
//! In: a caller's slices and shapes. Out: the same as raw memory that a loop nest may use, vectors of every
//! logical width on every instruction set, and errors in words. Nothing here knows of a kernel: there are no
//! loop nests, only views ([`View`]), results ([`Array`]), memory ([`memory`]), the arithmetic of
//! sizes ([`size`]), the choice of an instruction set ([`dispatch`]), vectors ([`simd`]), floats as integers ([`integer`]),
//! parallel loops ([`parallel`]) and errors ([`Error`]).

#![warn(clippy::print_stdout)]

pub mod array;
pub mod dispatch;
pub mod error;
pub mod integer;
pub mod memory;
#[cfg(feature = "opencl")]
pub mod opencl;
pub mod parallel;
pub mod separable;
pub mod simd;
pub mod size;
pub mod view;

pub use array::Array;
pub use dispatch::Level;
pub use error::Error;
pub use view::{View, ViewMut};
