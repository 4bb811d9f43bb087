use rise::rise;

rise! {
    pub fn f<n: Nat>(a: [[f32; n]; n], b: [[f32; n]; n]) -> [[f32; n]; n] { a @ b }
}

fn main() {}
