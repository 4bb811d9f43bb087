use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [i32; n]) -> i32 { x |> map(|v| v * v) |> 'sum: reduce(add, 0) }

    compile f to rust with fuse @ 'sum ; mulAdd @ 'sum ; lower;
}

fn main() {}
