use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] { x |> 'x: map(|v| v + 1.0) }
    strategy half = vectorize(16) 'x ; lower;
    compile f to rust with half;
    compile f to rust with splitJoin(8), lower as f_split;
    compile f to rust with repeat(+) as f_again;
}

fn main() {}
