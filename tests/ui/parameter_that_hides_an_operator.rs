use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n], max: f32) -> f32 { x |> reduce(max, 0.0) }
}

fn main() {}
