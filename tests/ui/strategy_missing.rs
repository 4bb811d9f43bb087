use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] { x |> map(|x| x + 1.0) }
    compile f to rust with ;
}

fn main() {}
