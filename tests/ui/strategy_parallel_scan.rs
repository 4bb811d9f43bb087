use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] { x |> 's: scan(add, 0.0) }

    compile f to rust with parallel @ 's ; lower;
}

fn main() {}
