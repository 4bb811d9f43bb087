//! Kernels on devices: OpenCL, opened when the first kernel is called.
//!
//! In: the text of kernels and what they work on. Out: the same text built for a device, once for each, and
//! launched there; every failure is a value. Nothing is linked: a machine without the library runs the program,
//! and its kernels answer [`Error::Library`](crate::Error::Library). All of this is safe to use from several
//! threads; commands of one device run in the order in which they were given. Nothing here knows what a kernel
//! computes.

mod api;
mod buffer;
mod device;
mod launch;
mod memory;
mod program;

#[cfg(test)]
mod tests;

pub use buffer::{Buffer, Element};
pub use device::{Device, Kind};
pub use launch::{Arg, Run, Work};
pub use memory::{Memory, bytes};
pub use program::Program;
