use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> f32 { x[18446744073709551616] }
}

fn main() {}
