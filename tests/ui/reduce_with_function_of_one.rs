use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> f32 { x |> reduce(|a| a, 0.0) }
}

fn main() {}
