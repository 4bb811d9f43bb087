use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] { x >> map(|v| v + 1.0) }
}

fn main() {}
