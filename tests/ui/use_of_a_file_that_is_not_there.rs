use rise::rise;

rise! {
    use "rise/nns.rise";

    pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] { softmax(x) |> map(|v| v * v) }

    compile f to rust with rows('x);
}

fn main() {}
