use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [u8; n]) -> u32 { sum(x) }
    pub fn g<n: Nat, m: Nat>(x: [[u8; n]; m]) -> [u32; m] { x |> map(sum) }
    pub fn h<n: Nat>(x: [u8; n]) -> f32 { sum(x) / 2.0 }
    pub fn i<n: Nat>(x: [i16; n], y: f32) -> f32 { y * sum(x) }
    pub fn j<n: Nat>(x: [u8; n]) -> u32 { x |> reduce(max, 0) }
}

fn main() {}
