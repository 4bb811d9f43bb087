#![allow(unused_labels)]

use rise::rise;

rise! {
    pub fn f<n: Nat, m: Nat>(mat: [[f32; m]; n]) -> [f32; n] { mat |> map(|row| row |> 'dot: reduce(|a, b| b, 0.0)) }
    compile f to rust with lanes(4) @ 'dot ; lower;
}

fn main() {}
