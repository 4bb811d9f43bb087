#![allow(unused_labels)]

use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> f32 { x |> 'dot: reduceSeq(|a, b| a - b, 0.0) }
    compile f to rust with parallel @ 'dot ; lower;
}

fn main() {}
