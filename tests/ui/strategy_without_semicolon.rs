use rise::rise;

rise! {
    strategy s = lower pub fn f(x: f32) -> f32 { x }
}

fn main() {}
