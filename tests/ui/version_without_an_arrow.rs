use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] { x |> 'a: map(|x| 2.0 * x) }
    compile f to rust with versions { when n < 32 lower ; lower };
}

fn main() {}
