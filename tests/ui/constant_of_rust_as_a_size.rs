use rise::rise;

rise! {
    const K: usize = 3;

    pub fn f(x: [f32; K]) -> [f32; K] { x }
}

fn main() {}
