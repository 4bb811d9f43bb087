use rise::rise;

rise! {
    pub fn f<n: Nat, m: Nat>(x: [n][m]f32) -> [[f32; m]; n] { x }
}

fn main() {}
