use rise::rise;

rise! {
    pub fn f(x: bool) -> bool { -x }
}

fn main() {}
