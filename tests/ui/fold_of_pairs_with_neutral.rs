//! A fold whose accumulator is a pair, and whose elements are none, has no neutral element to be padded with.

rise::rise! {
    pub fn twice<n: Nat>(x: [i32; n]) -> (i32, i32) { x |> 'r: reduceSeq(|(a, b), v| (a + v, b + v), (0, 0)) }
    compile twice to rust with split(4, tail = pad) @ 'r ; lower;
}

fn main() {}
