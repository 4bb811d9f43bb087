use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n], k: i32) -> [f32; n] { x |> split(k) |> map(map(|x| x + 1.0)) |> join }
}

fn main() {}
