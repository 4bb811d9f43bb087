use rise::rise;

rise! {
    pub fn f<n: Nat, m: Nat>() -> [[f32; m]; n] { generate(|i, j| (i + j) as f32) }
}

fn main() {}
