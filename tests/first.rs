//! The first kernels, end to end.

#![forbid(unsafe_code)]
#![deny(missing_docs, warnings)]

use rise::rise;

rise! {
    /// `a · x + y`
    pub fn axpy<n: Nat>(a: f32, x: [f32; n], y: [f32; n]) -> [f32; n] {
        zip(x, y) |> map(|(x, y)| a * x + y)
    }

    /// The scalar product.
    pub fn dot_product<n: Nat>(x: [f32; n], y: [f32; n]) -> f32 {
        zip(x, y) |> map(|(x, y)| x * y) |> reduce(add, 0.0)
    }

    /// `M · x`
    pub fn gemv<n: Nat, m: Nat>(mat: [[f32; m]; n], x: [f32; m]) -> [f32; n] {
        mat |> map(|row| zip(row, x) |> map(|(a, b)| a * b) |> reduce(add, 0.0))
    }
}

#[test]
fn axpy_adds() -> Result<(), rise::Error> {
    assert_eq!(axpy(2.0, &[1.0, 2.0], &[10.0, 20.0])?, [12.0, 24.0]);
    let mut out = [0.0; 2];
    axpy_into(&mut out, 2.0, &[1.0, 2.0], &[10.0, 20.0])?;
    assert_eq!(out, [12.0, 24.0]);
    let error = axpy(2.0, &[1.0, 2.0], &[10.0]).map_err(|error| error.to_string());
    assert_eq!(error, Err("`y`: dimension 0 is 1, expected n = 2".into()));
    Ok(())
}

#[test]
fn products_are_sums() -> Result<(), rise::Error> {
    assert_eq!(dot_product(&[1.0, 2.0, 3.0], &[1.0, 10.0, 100.0])?, 321.0);
    assert_eq!(gemv(&[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], &[1.0, 10.0])?, [21.0, 43.0, 65.0]);
    Ok(())
}
