use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f64; n]) -> [f32; n] { x |> map(|v| v * 2.0) }
}

fn main() {}
