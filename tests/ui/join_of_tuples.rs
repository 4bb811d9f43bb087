use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> [f32; 2 * n] { x |> map(|v| (v, v)) |> join }
}

fn main() {}
