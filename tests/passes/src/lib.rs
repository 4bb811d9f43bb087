//! What the tests of this package share; they hold the kernels.

/// All instruction sets that the CPU has.
#[path = "../../kernels/tests/levels/mod.rs"]
pub mod levels;
