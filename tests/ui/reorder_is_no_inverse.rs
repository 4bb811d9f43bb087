use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] { x |> map(|x| x) |> reorder(|i| n - 1 - i, |i| i) }
}

fn main() {}
