use rise::rise;

rise! {
    pub fn f(x: [f32; 4]) -> [f32; 1] { x |> slide(5, 1) |> map(|w| w[0]) }
}

fn main() {}
