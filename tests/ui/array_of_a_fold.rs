use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] { x |> reduce(add, 0.0) }
}

fn main() {}
