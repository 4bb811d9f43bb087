use rise::rise;

rise! {
    pub fn f<n: Nat, m: Nat>(a: [[f32; m]; n], b: [[f32; n]; m]) -> [[f32; n]; n] { matmul(a, b) }
}

fn main() {}
