use rise::rise;

rise! {
    pub fn f<n: Nat>(g: f32 -> f32, x: [f32; n]) -> [f32; n] { x |> map(g) }
}

fn main() {}
