//! Rows of different lengths have to say how long they are.

rise::rise! {
    pub fn counts<n: Nat>(x: [f32; n * (n + 1) / 2]) -> [f32; n * (n + 1) / 2] {
        x |> partition(n, |i| i + 1) |> depMap(|i, row| generate(|k| k as f32)) |> depJoin
    }
}

fn main() {}
