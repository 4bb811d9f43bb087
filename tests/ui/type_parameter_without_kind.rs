use rise::rise;

rise! {
    pub fn f<T, n: Nat>(x: [T; n]) -> [T; n] { x }
}

fn main() {}
