use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] { map2(|a, b| a + b, x, x) }
}

fn main() {}
