use rise::rise;

rise! {
    fn g(x: f32) -> f32 { g(x) }
    pub fn f(x: f32) -> f32 { g(x) }
}

fn main() {}
