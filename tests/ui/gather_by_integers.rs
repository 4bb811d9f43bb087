use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n], at: [i32; n]) -> [f32; n] { gather(at, x) }
}

fn main() {}
