use rise::rise;

rise! {
    pub fn f(x: f32) -> f32 { let y; y }
}

fn main() {}
