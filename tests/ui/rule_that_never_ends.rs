use rise::rise;

rise! {
    rule r(x: f32): x + 1.0 => x + 0.5 + 1.0;
    pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] { x |> map(|x| x + 1.0) }
    compile f to rust with repeat(r @ topDown) ; lower;
}

fn main() {}
