use rise::rise;

rise! {
    pub fn f(x: [f32; 4]) -> [f32; 5] { x |> take(5) |> map(|x| x + 1.0) }
}

fn main() {}
