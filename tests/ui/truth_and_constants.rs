use rise::rise;

rise! {
    pub fn a<n: Nat>(x: [f32; n]) -> [f32; n] { x |> map(|v| (v > 0.0) as f32) }
    pub fn b<n: Nat>(x: [f32; n]) -> f32 { x |> map(|v| v > 0.0) |> reduce(add, 0.0) }
    pub fn c<n: Nat>(x: [f32; n]) -> [f32; n] { x |> map(|v| v * PI) }
    pub fn d<n: Nat, m: Nat>(x: [[i32; m]; n]) -> [[bool; m]; n] { x as [[bool; m]; n] }
    pub fn e<n: Nat>(x: [i32; n]) -> [f32; n] { x as [f32; n] }
}

fn main() {}
