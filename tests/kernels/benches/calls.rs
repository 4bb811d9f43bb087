//! A bench target with a kernel in C of its own.

use rise::rise;

rise! {
    pub fn sums<n: Nat>(x: [f32; n]) -> f32 { x |> reduce(add, 0.0) }
    compile sums to c with lower;
}

fn main() -> Result<(), rise::Error> {
    assert_eq!(sums(&[1.0, 2.0, 3.0])?, 6.0);
    assert_eq!(rise_kernels::axpy(2.0, &[1.0], &[1.0])?, [3.0]);
    Ok(())
}
