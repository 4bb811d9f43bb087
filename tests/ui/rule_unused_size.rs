use rise::rise;

rise! {
    rule r<n: Nat, m: Nat>(xs: [f32; n]): xs |> map(|x| x + 0.0) => xs;
}

fn main() {}
