use rise::rise;

rise! {
    pub fn f<n: Nat, m: Nat>(a: [[f32; m]; n]) -> [f32; m] { sum(a, 0) }
}

fn main() {}
