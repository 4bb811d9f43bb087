use rise::rise;

rise! {
    pub fn f(x: f32) -> f32 { x.0 }
}

fn main() {}
