use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] { x |> map(|v| -> f32 { v }) }
}

fn main() {}
