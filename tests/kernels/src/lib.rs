//! Kernels in C and OpenMP, called from unit tests, integration tests, doctests, examples, benches and binaries.
//!
//! ```
//! use rise::rise;
//!
//! rise! {
//!     pub fn halves<n: Nat>(x: [f32; n]) -> [f32; n] { x |> map(|x| x * 0.5) }
//!     compile halves to c with lower;
//! }
//!
//! # fn main() -> Result<(), rise::Error> {
//! assert_eq!(halves(&[2.0, 3.0])?, [1.0, 1.5]);
//! # Ok(())
//! # }
//! ```

pub mod basics;
pub mod functions;
pub mod vectors;

use rise::rise;

rise! {
    /// `a · x + y`, in C.
    pub fn axpy<n: Nat>(a: f32, x: [f32; n], y: [f32; n]) -> [f32; n] {
        zip(x, y) |> map(|(x, y)| a * x + y)
    }

    compile axpy to c with lower;
    compile axpy to rust with lower as axpy_in_rust;
}

#[cfg(test)]
mod tests {
    use super::*;
    use rise::rise as kernels;

    kernels! {
        pub fn squares<n: Nat>(x: [i32; n]) -> [i32; n] { x |> map(|x| x * x) }
        compile squares to c with lower;
    }

    #[test]
    fn unit_tests_call_kernels_of_the_library_and_their_own() {
        assert_eq!(axpy(2.0, &[1.0, 2.0], &[0.5, 0.5]).unwrap(), [2.5, 4.5]);
        assert_eq!(squares(&[3, -4]).unwrap(), [9, 16]);
    }
}
