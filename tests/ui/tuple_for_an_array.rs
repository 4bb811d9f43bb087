use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> [f32; 2] { (sum(x), sum(x)) }
}

fn main() {}
