//! A kernel of a test.

#![forbid(unsafe_code)]
#![deny(warnings)]

use rise::rise;

rise! {
    /// The greatest.
    pub fn greatest<n: Nat>(x: [i32; n]) -> i32 { x |> reduce(max, -1000) }
}

#[test]
fn a_kernel_of_a_test() -> Result<(), rise::Error> {
    assert_eq!(greatest(&[3, 9, 2])?, 9);
    Ok(())
}
