use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n], out: &mut [f32; n]) { x }
}

fn main() {}
