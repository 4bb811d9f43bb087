#![allow(unused_labels)]

use rise::rise;

rise! {
    pub fn f(x: [f32; 8]) -> [f32; 8] { x |> 'x: map(|x| x + 1.0) }
    compile f to rust with split(3, tail = exact) @ 'x ; lower;
}

fn main() {}
