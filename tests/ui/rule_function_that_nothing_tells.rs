use rise::rise;

rise! {
    rule r<f: f32 -> f32>(x: f32): f(x) => x;
}

fn main() {}
