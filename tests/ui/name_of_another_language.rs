use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> f32 { sum(x) / len(x) }
}

fn main() {}
