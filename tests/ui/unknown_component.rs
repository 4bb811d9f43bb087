use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [(f32, f32); n]) -> [f32; n] { x |> map(|p| p.2) }
}

fn main() {}
