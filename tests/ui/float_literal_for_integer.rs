use rise::rise;

rise! {
    pub fn f(x: i32) -> i32 { x + 1.5 }
}

fn main() {}
