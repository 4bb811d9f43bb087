use rise::rise;

rise! {
    #[commutative]
    fn count(a: i32, b: f32) -> i32 { if b > 0.0 { a + 1 } else { a } }
    pub fn f<n: Nat>(xs: [f32; n]) -> i32 { xs |> reduceSeq(count, 0) }
}

fn main() {}
