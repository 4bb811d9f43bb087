use rise::rise;

rise! {
    pub fn f<n: Nat>(map: [f32; n]) -> [f32; n] { map |> map(|v| v + 1.0) }
}

fn main() {}
