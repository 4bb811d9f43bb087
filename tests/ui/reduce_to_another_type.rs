use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> (f32, f32) { x |> reduce(|(a, b), v| (a + v, b), (0.0, 0.0)) }
}

fn main() {}
