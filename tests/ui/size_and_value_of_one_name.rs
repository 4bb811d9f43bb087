use rise::rise;

rise! {
    pub fn f<n: Nat>(n: f32) -> [f32; n] { generate(|i| n) }
}

fn main() {}
