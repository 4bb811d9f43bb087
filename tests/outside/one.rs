//! A program with one kernel.

#![forbid(unsafe_code)]

use rise::rise;

rise! {
    /// The scalar product.
    pub fn dot_product<n: Nat>(x: [f32; n], y: [f32; n]) -> f32 {
        zip(x, y) |> map(|(x, y)| x * y) |> 'dot: reduce(add, 0.0)
    }

    compile dot_product to rust with auto ; mulAdd @ everywhere ; lower;
}

fn main() -> Result<(), rise::Error> {
    let x: Vec<f32> = (0..1000).map(|i| (i % 7) as f32).collect();
    println!("{}", dot_product(&x, &x)?);
    Ok(())
}
