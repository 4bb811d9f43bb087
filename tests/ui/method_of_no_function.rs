use rise::rise;

rise! {
    pub fn f(x: u32) -> u32 { x.leading_zeros() }
}

fn main() {}
