#![allow(unused_labels)]

use rise::rise;

rise! {
    pub fn f<n: Nat, m: Nat>(mat: [[f32; m]; n], x: [f32; m]) -> [f32; n] {
        mat |> 'rows: map(|row| zip(row, x) |> 'mul: map(|(a, b)| a * b) |> 'dot: reduce(add, 0.0))
    }
    compile f to rust with outermost(mapSeq) ; lower;
}

fn main() {}
