use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> f32 { x |> reduce(mult, 1.0) }
    pub fn g<n: Nat>(x: [f32; n]) -> [f32; n] { x |> scan(mult, 1.0) }
    pub fn h<n: Nat>(x: [f32; n]) -> [f32; n] { x |> map(fst) }
}

fn main() {}
