use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [i32; n]) -> i32 { x |> reduce(add, 0.0) }
}

fn main() {}
