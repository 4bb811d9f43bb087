use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] { generate(|i| if i >= 1 { x[i - 1] } else { 0 }) }
}

fn main() {}
