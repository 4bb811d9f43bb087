use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; m]) -> [f32; n] { x |> map(|x| x + 1.0) }
}

fn main() {}
