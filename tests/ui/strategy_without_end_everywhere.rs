use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] { x |> map(|a| a + 1.0) }
    
    compile f to rust with vectorize(8) @ everywhere ; lower;
}

fn main() {}
