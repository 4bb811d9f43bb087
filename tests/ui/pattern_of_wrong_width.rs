use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [(f32, f32); n]) -> [f32; n] { x |> map(|(a, b, c)| a + b) }
}

fn main() {}
