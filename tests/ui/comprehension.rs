use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] { [x[i] for i in 0..n] }
}

fn main() {}
