use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] { x |> map(|a| a + 1.0) |> toMem(Shared) |> map(|a| a * a) }
}

fn main() {}
