use rise::rise;

rise! {
    pub fn f(x: f32) -> f32 { if x { 1.0 } else { 2.0 } }
}

fn main() {}
