rise::rise! {
    pub fn f<n: Nat>(x: [f32; n * n]) -> [f32; n] {
        x |> partition(n, |i| 2 * i + 1) |> depMap(|i, xs| sum(xs))
    }
    pub fn g<n: Nat>(x: [f32; n * n]) -> [f32; n * n] {
        x |> partition(n, |i| 2 * i + 1) |> depMap(|i, xs| xs |> map(|x| x + 1.0))
    }
}

fn main() {}
