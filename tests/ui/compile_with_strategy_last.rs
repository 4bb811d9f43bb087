use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> f32 { sum(x) }
    compile f to rust as g with auto;
}

fn main() {}
