use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] { xs |> map(|x| x + 1.0) }
}

fn main() {}
