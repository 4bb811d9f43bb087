use rise::rise;

rise! {
    pub fn f(x: [f32; 9]) -> [f32; 1] { x |> iterate(2, |xs| xs |> split(2) |> map(|p| p[0] + p[1])) }
}

fn main() {}
