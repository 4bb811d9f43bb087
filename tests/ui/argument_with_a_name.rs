use rise::rise;

rise! {
    pub fn f<n: Nat, m: Nat>(x: [[f32; m]; n]) -> [f32; n] { sum(x, axis = 1) }
}

fn main() {}
