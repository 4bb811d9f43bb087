use rise::rise;

rise! {
    pub fn f(x: u8) -> u8 { x + 256 }
}

fn main() {}
