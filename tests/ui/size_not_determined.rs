use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> f32 { generate(|i| 1.0) |> reduce(add, 0.0) }
}

fn main() {}
