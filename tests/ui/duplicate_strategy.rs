use rise::rise;

rise! {
    strategy s = lower;
    strategy s = lower;
    pub fn f(x: f32) -> f32 { x }
    compile f to rust with s;
}

fn main() {}
