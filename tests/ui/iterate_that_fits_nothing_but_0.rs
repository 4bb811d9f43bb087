use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] {
        x |> iterate(3, |v| v |> split(2) |> map(|p| p |> reduce(add, 0.0)))
    }
}

fn main() {}
