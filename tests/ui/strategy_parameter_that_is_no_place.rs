use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] { x |> 'x: map(|v| v + 1.0) }
    strategy at(place) = mapSeq @ place;
    compile f to rust with at(3) ; lower;
}

fn main() {}
