use rise::rise;

rise! {
    rule r<n: Nat, f: f32 -> f32>(xs: [f32; n]): xs |> map(f) => xs |> map(f) where pure(f);
}

fn main() {}
