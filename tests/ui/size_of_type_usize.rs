use rise::rise;

rise! {
    pub fn f<n: usize>(x: [f32; n]) -> [f32; n] { x }
}

fn main() {}
