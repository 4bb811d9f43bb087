use rise::rise;

rise! {
    rule cut<m: Nat, n: Nat, f: f32 -> f32>(xs: [f32; n]): xs |> map(f) => xs |> split(m) |> map(map(f)) |> join where m divides n, m > 0;
    pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] { x |> map(|x| x + 1.0) }
    compile f to rust with cut @ isMap ; lower;
}

fn main() {}
