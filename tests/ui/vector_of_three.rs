use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] { x |> asVector(3) |> map(|v| v + v) |> asScalar }
}

fn main() {}
