use rise::rise;

rise! {
    pub fn f<n: Nat, m: Nat>(x: [f32; n, m]) -> [[f32; m]; n] { x }
}

fn main() {}
