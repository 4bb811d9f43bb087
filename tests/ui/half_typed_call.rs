use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] { zip(x, +) |> map(|p| p.0) }
}

fn main() {
    let _: Result<Vec<f32>, rise::Error> = f(&[1.0]);
}
