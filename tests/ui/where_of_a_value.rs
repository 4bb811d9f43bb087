use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n], a: f32) -> [f32; n] where a > 0 { x |> map(|v| v / a) }
}

fn main() {}
