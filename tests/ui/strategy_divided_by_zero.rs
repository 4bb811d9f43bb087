use rise::rise;

rise! {
    pub fn f<n: Nat>(xs: [f32; n]) -> [f32; n] {
        xs |> 'rows: map(|x| x + 1.0)
    }
    compile f to rust with splitJoin(8 / 0) @ 'rows ; lower;
}

fn main() {}
