use rise::rise;

rise! {
    pub fn f(x: u32) -> u32 { x.count_ones() }
}

fn main() {}
