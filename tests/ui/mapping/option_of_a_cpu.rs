use rise::rise;

rise! {
    pub fn twice<n: Nat>(x: [f32; n]) -> [f32; n] { x |> 'x: map(|x| 2.0 * x) }

    compile twice to rust(local = 64) with mapSeq @ 'x ; lower;
}

fn main() {}
