//! Random well-typed programs and their arguments, made from a list of choices.
//!
//! A program is a function of the choices, so whatever shrinks the list shrinks the program. Every
//! primitive can occur; sizes are symbolic and take the values 0, 1, odd and prime when it runs.

mod arrays;
pub mod choices;
pub mod compiled;
pub mod forms;
pub mod imperative;
pub mod program;
pub mod stages;
pub mod values;

use proptest::prelude::ProptestConfig;
use proptest::test_runner::RngSeed;

pub use choices::Choices;
pub use program::{Program, program};

/// How many programs to try: `base`, scaled by the factor in `RISE_CASES`.
pub fn cases(base: u32) -> u32 {
    let factor = std::env::var("RISE_CASES").ok().and_then(|text| text.parse::<f64>().ok()).unwrap_or(1.0);
    (f64::from(base) * factor).ceil() as u32
}

/// What `RISE_SEED` says: other programs for each number. Without it the programs are always the same, so that a
/// test which failed fails again.
pub fn seed() -> u64 {
    std::env::var("RISE_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}

/// How to look for programs that a property does not hold for: as many as [`cases`] says, from [`seed`].
pub fn config(base: u32) -> ProptestConfig {
    let rng_seed = RngSeed::Fixed(seed());
    ProptestConfig { cases: cases(base), max_shrink_iters: 4000, rng_seed, ..ProptestConfig::default() }
}
