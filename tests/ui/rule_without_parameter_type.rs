use rise::rise;

rise! {
    rule r<n: Nat>(xs): xs |> map(|x| x + 0.0) => xs;
}

fn main() {}
