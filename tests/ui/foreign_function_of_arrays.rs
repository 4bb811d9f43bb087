use rise::rise;

rise! {
    extern fn g(x: [f32; 3]) -> f32 = crate::g;
    pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] { x |> map(|a| a + 1.0) }
}

fn main() {}
