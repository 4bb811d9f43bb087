use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> [i32; n] { x |> map(|v| i32(v)) }
}

fn main() {}
