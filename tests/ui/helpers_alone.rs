use rise::rise;

rise! {
    fn f<n: Nat>(x: [f32; n]) -> f32 { sum(x) }
}

fn main() {}
