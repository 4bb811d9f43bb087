use rise::rise;

rise! {
    rule r<n: Nat, f: f32 -> f32 -> f32>(xs: [f32; n]): xs |> reduce(f, 0.0) => xs |> reduceSeq(f, 0.0) where commutative(g);
}

fn main() {}
