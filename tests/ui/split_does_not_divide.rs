use rise::rise;

rise! {
    pub fn f(x: [f32; 10]) -> [f32; 10] { x |> split(4) |> map(map(|x| x + 1.0)) |> join }
}

fn main() {}
