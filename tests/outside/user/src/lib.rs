//! A crate that allows nothing.
//!
//! ```
//! use rise::rise;
//!
//! rise! {
//!     pub fn doubled<n: Nat>(x: [f32; n]) -> [f32; n] { x |> map(|x| x + x) }
//! }
//!
//! assert_eq!(doubled(&[1.0, 2.0])?, [2.0, 4.0]);
//! # Ok::<(), rise::Error>(())
//! ```

#![cfg_attr(not(test), no_std)]
#![forbid(unsafe_code)]
#![deny(missing_docs, warnings, unreachable_pub, rust_2018_idioms)]

extern crate alloc;

use rise::rise;

pub mod nested;

rise! {
    /// Adds.
    pub fn sum_of<n: Nat>(x: [f32; n]) -> f32 { x |> reduce(add, 0.0) }

    /// Two results.
    pub fn sums_and_products<n: Nat>(x: [f32; n], y: [f32; n]) -> ([f32; n], [f32; n]) {
        zip(x, y) |> map(|(x, y)| (x + y, x * y)) |> unzip
    }
}

/// Uses a kernel that is declared inside.
///
/// # Errors
/// Where memory ends.
pub fn squares(x: &[f32]) -> Result<alloc::vec::Vec<f32>, rise::Error> {
    rise! {
        pub fn squared<n: Nat>(x: [f32; n]) -> [f32; n] { x |> map(|x| x * x) }
    }
    squared(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_work_everywhere() -> Result<(), rise::Error> {
        assert_eq!(sum_of(&[1.0, 2.0, 3.0])?, 6.0);
        assert_eq!(sums_and_products(&[1.0, 2.0], &[3.0, 4.0])?, (vec![4.0, 6.0], vec![3.0, 8.0]));
        assert_eq!(squares(&[3.0])?, [9.0]);
        assert_eq!(nested::deeper::negated(&[3])?, [-3]);
        Ok(())
    }
}
