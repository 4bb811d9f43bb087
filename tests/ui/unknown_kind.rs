use rise::rise;

rise! {
    pub fn f<n: Number>(x: [f32; n]) -> [f32; n] { x |> map(|x| x + 1.0) }
}

fn main() {}
