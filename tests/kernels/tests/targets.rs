//! An integration test with kernels in C of its own, and those of a file.

use rise::rise;

rise! {
    pub fn differences<n: Nat>(x: [f32; n + 1]) -> [f32; n] { x |> slide(2, 1) |> map(|w| w[1] - w[0]) }
    compile differences to c with lower;
}

#[test]
fn integration_tests_call_kernels_of_the_library_and_their_own() {
    assert_eq!(rise_kernels::axpy(2.0, &[1.0, 2.0], &[0.5, 0.5]).unwrap(), [2.5, 4.5]);
    assert_eq!(differences(&[1.0, 4.0, 9.0]).unwrap(), [3.0, 5.0]);
    assert_eq!(differences(&[0.0; 0]).unwrap_err().to_string(), "`x`: dimension 0 is 0, expected n + 1");
}
