use rise::rise;

rise! {
    #[commutative]
    fn blend(t: f32, a: f32, b: f32) -> f32 { t * a + t * b }
    pub fn f<n: Nat>(xs: [f32; n]) -> f32 { xs |> reduce(blend(0.5), 0.0) }
}

fn main() {}
