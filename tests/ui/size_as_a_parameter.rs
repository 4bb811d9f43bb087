use rise::rise;

rise! {
    pub fn f(x: [f32; N], N: usize) -> [f32; N] { x }
}

fn main() {}
