use rise::rise;

rise! {
    pub fn f(x: f32) -> i32 { x }
}

fn main() {}
