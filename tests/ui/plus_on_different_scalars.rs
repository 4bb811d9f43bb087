use rise::rise;

rise! {
    pub fn f(x: f32, y: i32) -> f32 { x + y }
}

fn main() {}
