//! An example with a kernel in C of its own.

use rise::rise;

rise! {
    pub fn negated<n: Nat>(x: [f64; n]) -> [f64; n] { x |> map(|x| -x) }
    compile negated to openmp with mapPar @ outermost(isMap) ; lower;
}

fn main() -> Result<(), rise::Error> {
    assert_eq!(negated(&[1.0, -2.0])?, [-1.0, 2.0]);
    assert_eq!(rise_kernels::axpy(2.0, &[1.0], &[1.0])?, [3.0]);
    Ok(())
}
