//! Fast numeric kernels from small functional array programs, compiled while your crate is built.
//!
//! A [`rise!`] block holds kernels: *what* to compute, in a small data-parallel language, and *how*, as a
//! strategy. Each kernel becomes one safe Rust function; nothing of the compiler is in your binary.
//!
//! ```
//! use rise::rise;
//!
//! rise! {
//!     /// `a · x + y`
//!     pub fn axpy<n: Nat>(a: f32, x: [f32; n], y: [f32; n]) -> [f32; n] {
//!         zip(x, y) |> map(|(x, y)| a * x + y)
//!     }
//! }
//!
//! # fn main() -> Result<(), rise::Error> {
//! assert_eq!(axpy(2.0, &[1.0, 2.0], &[10.0, 20.0])?, [12.0, 24.0]);
//! # Ok(())
//! # }
//! ```
//!
//! # What a kernel becomes
//!
//! Three functions: `name(sizes…, params…)` returns the results, `name_into(outs…, sizes…, params…)` writes
//! them to memory of yours, one `&mut` for each array or scalar of the result, and `name_variant()` says for which
//! instruction set it runs.
//!
//! Sizes are read off the arguments: a dimension `c·v + e`, with a literal `c` and known `e`, determines `v`,
//! from left to right. A size that no dimension determines is a `usize` parameter in front. What the type or
//! the strategy demands of sizes is checked at entry, and what does not hold is an [`Error`].
//!
//! | in the kernel | in Rust |
//! |---|---|
//! | `f32`, `i64`, `bool`, … | the same |
//! | `[t; n]`, `[[t; m]; n]`, … as parameter | anything that is `Into<`[`View`]`<t, rank>>`: slices, vectors, arrays, `(slice, shape)` |
//! | `[t; n]` as result | `Vec<t>` |
//! | `[[t; m]; n]`, … as result | [`Array`]`<t, rank>` |
//! | `Idx[n]` | `u32`, checked to be less than `n` |
//! | `Simd<t, k>` | `[t; k]` |
//! | `(s, t)` | `(s, t)`; of arrays, a tuple of views |
//!
//! # C and OpenMP
//!
//! `compile kernel to c;` and `compile kernel to openmp;` make the same functions around C99, which the C compiler
//! of your machine optimises in every profile, also in `cargo run` without `--release`. The package then needs two
//! more lines, and a message says so where they are missing:
//!
//! ```toml
//! [build-dependencies]
//! rise-build = "0.1"
//! ```
//! ```ignore
//! fn main() { rise_build::compile(); } // build.rs
//! ```
//!
//! It finds the kernels of all targets of the package, tests, examples, benches and documentation included; other
//! files, flags, instruction sets and whether OpenMP is used are chosen with `rise_build::Builder`. Where the
//! compiler has no OpenMP, parallel loops run on one thread, and the build warns.
//!
//! # OpenCL
//!
//! `compile kernel to opencl;` needs the feature `opencl` and no build script. The OpenCL library is looked for when
//! such a kernel is called first; without it, or without a device, that is an [`Error`]. `RISE_OPENCL_DEVICE` names
//! the device to take. Beside `name` and `name_into`, which copy arguments and results, stands
//! `name_on(&device, outs…, sizes…, params…)`, whose arrays are `opencl::Buffer`s that stay on the device.
//!
//! # Seeing what happens
//!
//! With `RISE_DUMP=folder` in the environment of the build, every kernel leaves one file for each stage of its
//! compilation there. At run time `RISE_ISA=avx512|avx2|baseline` chooses the instruction set.

#[doc(hidden)]
pub use rise_macros::__rule_tests;
pub use rise_macros::rise;
pub use rise_runtime::{Array, Error, View, ViewMut};

#[cfg(feature = "opencl")]
pub use rise_runtime::opencl;

/// Says what to do where a kernel for OpenCL is compiled without the feature.
#[cfg(not(feature = "opencl"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __opencl {
    () => {
        ::core::compile_error!("kernels for OpenCL need the feature `opencl` of the crate `rise-lang`");
    };
}

/// There is nothing to say.
#[cfg(feature = "opencl")]
#[doc(hidden)]
#[macro_export]
macro_rules! __opencl {
    () => {};
}

/// What generated code calls; no interface for anybody else.
#[doc(hidden)]
pub mod private {
    // A crate without `std` has no other path to it.
    pub use std::vec::Vec;

    pub use rise_runtime::dispatch::{Level, level, variant};
    pub use rise_runtime::integer::integer;
    pub use rise_runtime::memory::{
        Plan, Scratch, ask, ask_by_room, assume_len, fence, is_large, is_roomy, is_settled, or_error,
        temporary, to_line, uninit_vec,
    };
    #[cfg(feature = "opencl")]
    pub use rise_runtime::opencl;
    pub use rise_runtime::parallel::{SendPtr, Share, for_each, for_each_shared, is_soon};
    pub use rise_runtime::separable::check_separable;
    pub use rise_runtime::simd::shuffle::{
        in_lines, transpose_by_call, transpose_past, transpose_slant, transpose_slant_past, transpose_tile,
    };
    #[cfg(target_arch = "x86_64")]
    pub use rise_runtime::simd::{Avx2, Avx512};
    pub use rise_runtime::simd::{Baseline, Float, Int, Isa, Mask, Simd, V};
    pub use rise_runtime::size::{
        Cost, Size, apart, check_dimension, check_indices, div, elements, floor_div, floor_rem, rem,
    };
}
