use rise::rise;

rise! {
    pub fn f(x: f32) -> f32 { shl(x, x) }
}

fn main() {}
