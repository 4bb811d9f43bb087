use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] { scanl(add, 0.0, x) }
}

fn main() {}
