//! The basic programs (O1 to O15) as kernels, and the small integers they are run on.

pub mod kernels;

/// The `i`-th test input: a small integer, so that sums are exact in `f32`.
pub fn input(i: usize) -> i32 {
    ((7 * i + 3) % 17) as i32 - 8
}

/// A vector of test inputs that starts at the `from`-th one.
pub fn inputs(len: usize, from: usize) -> Vec<f32> {
    (from..from + len).map(|i| input(i) as f32).collect()
}

/// The same as `i32`.
pub fn integers(len: usize, from: usize) -> Vec<i32> {
    (from..from + len).map(input).collect()
}
