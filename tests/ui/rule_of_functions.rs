use rise::rise;

rise! {
    rule r<n: Nat, f: f32 -> f32>(xs: [f32; n]): map(f) => map(f);
}

fn main() {}
