use rise::rise;

rise! {
    pub fn f<n: Nat>(a: [f32; n], b: [f32; n], c: [f32; n]) -> [f32; 3 * n] { concat(a, b, c) }
}

fn main() {}
