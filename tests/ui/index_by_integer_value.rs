use rise::rise;

rise! {
    pub fn f(x: [f32; 8], i: i32) -> f32 { x[i] }
}

fn main() {}
