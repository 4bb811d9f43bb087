use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [i32; n]) -> i32 { x |> map(|v| v > 0) |> sum }
}

fn main() {}
