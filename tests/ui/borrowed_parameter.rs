use rise::rise;

rise! {
    pub fn f<n: Nat>(xs: &[f32]) -> f32 { xs |> sum }
}

fn main() {}
