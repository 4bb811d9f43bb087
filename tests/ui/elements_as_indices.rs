use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] { x |> map(|i| x[i]) }
}

fn main() {}
