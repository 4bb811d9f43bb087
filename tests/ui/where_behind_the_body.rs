use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> f32 { x |> reduce(add, 0.0) } where n >= 1
}

fn main() {}
