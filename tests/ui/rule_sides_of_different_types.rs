use rise::rise;

rise! {
    rule r<n: Nat, m: Nat>(x: [[f32; m]; n]): x |> transpose |> transpose => x |> transpose;
}

fn main() {}
