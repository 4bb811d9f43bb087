use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] { x |> 'x: map(|v| v + 1.0) }
    compile f to rust with mapSeq @ topDown(mapSeq) ; lower;
}

fn main() {}
