//! The build-script front end, the only part of the compiler that touches the machine.
//!
//! In: the files of the package whose build script runs. Out: one archive for each kernel of C or OpenMP, and
//! what cargo has to know: where they lie, which files matter, and a variable for each kernel that makes its
//! wrapper compile. Kernels for OpenCL are only checked. The stages themselves are in [`crate::pipeline`]; what is wrong with a program is left to
//! the macro, which can point at it. Only tools can fail here: no compiler, or one that refuses.

mod archive;
mod builder;
mod clang;
mod compiler;
mod documentation;
mod output;
mod package;
mod scan;

#[cfg(test)]
mod tests;

pub use builder::Builder;

/// The `rise!` blocks of a Rust file.
pub fn blocks(source: &str) -> Vec<proc_macro2::TokenStream> {
    scan::rust(source).blocks
}

/// Compiles all kernels of the package for C and OpenMP: `fn main() { rise_build::compile(); }`.
///
/// Ends the build with a message where that is not possible.
pub fn compile() {
    Builder::new().compile();
}
