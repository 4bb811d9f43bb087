use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> [f32; n - 2] { x |> slide(3) |> map(sum) }
}

fn main() {}
