use rise::rise;

rise! {
    pub fn f(x: f32) -> f32 { if x < 1.0 { 1.0 } else { true } }
}

fn main() {}
