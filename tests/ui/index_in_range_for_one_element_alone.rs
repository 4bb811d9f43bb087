use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] { generate(|i| x[2 * i]) }
}

fn main() {}
