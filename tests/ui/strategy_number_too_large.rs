use rise::rise;

rise! {
    pub fn f<n: Nat>(xs: [f32; n]) -> [f32; n] {
        xs |> 'rows: map(|x| x + 1.0)
    }
    compile f to rust with splitJoin(2 ^ 40 * 2 ^ 40) @ 'rows ; lower;
}

fn main() {}
