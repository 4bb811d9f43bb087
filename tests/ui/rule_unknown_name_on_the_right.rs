use rise::rise;

rise! {
    rule r<n: Nat>(xs: [f32; n]): xs |> map(|x| x) => ys;
}

fn main() {}
