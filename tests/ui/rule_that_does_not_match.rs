use rise::rise;

rise! {
    rule r<n: Nat>(xs: [f32; n]): xs |> map(|x| x * 1.0) => xs;
    pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] { x |> map(|x| x + 1.0) }
    compile f to rust with r @ isMap ; lower;
}

fn main() {}
