use rise::rise;

rise! {
    pub fn f(x: i32) -> i32 { sqrt(x) }
}

fn main() {}
