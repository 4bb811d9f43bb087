use rise::rise;

rise! {
    pub fn f<n: Nat, m: Nat>(x: [[f32; m]; n]) -> [f32; m] {
        x |> reduce(|a, b| zip(a, b) |> map(|(a, b)| a + b), 0.0)
    }
}

fn main() {}
