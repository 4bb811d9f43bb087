use rise::rise;

rise! {
    struct Point {
        x: f32,
    }

    pub fn f<n: Nat>(points: [Point; n]) -> [f32; n] { points |> map(|p| p.x) }
}

fn main() {}
