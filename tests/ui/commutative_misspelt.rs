use rise::rise;

rise! {
    #[comutative]
    fn far(a: f32, b: f32) -> f32 { if a * a > b * b { a } else { b } }
    pub fn f<n: Nat>(xs: [f32; n]) -> f32 { xs |> reduce(far, 0.0) }
}

fn main() {}
