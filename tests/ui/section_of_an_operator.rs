use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> f32 { reduce (+) 0.0 x }
}

fn main() {}
