use rise::rise;

rise! {
    pub fn f(x: [f32; 4]) -> f32 { x[4] }
}

fn main() {}
