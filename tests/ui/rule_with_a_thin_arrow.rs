use rise::rise;

rise! {
    rule plusZero(x: f32): x + 0.0 -> x;

    pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] { x |> map(|v| v + 0.0) }
}

fn main() {}
