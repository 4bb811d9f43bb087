use rise::rise;

rise! {
    pub fn f<n: Nat>(a: [f32; n], b: [f32; n], c: [f32; n]) -> [f32; n] {
        zip(a, b, c) |> map(|(a, b, c)| a + b + c)
    }
}

fn main() {}
