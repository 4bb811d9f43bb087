use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] { x |> gather(|i| n - 1 - i) }
}

fn main() {}
