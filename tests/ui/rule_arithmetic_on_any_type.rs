use rise::rise;

rise! {
    rule r<n: Nat, t: Data>(xs: [t; n]): xs |> map(|x| x + x) => xs;
}

fn main() {}
