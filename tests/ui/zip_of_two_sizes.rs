use rise::rise;

rise! {
    pub fn f<n: Nat, m: Nat>(x: [f32; n], y: [f32; n + 1]) -> [f32; n] { zip(x, y) |> map(|(x, y)| x + y) }
}

fn main() {}
