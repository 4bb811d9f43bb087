//! Indices that a strategy makes too large.

rise::rise! {
    pub fn pairs<n: Nat>(x: [i32; 2 * n]) -> [i32; n] { x |> split(2) |> 'o: map(|p| p[0] + p[1]) }
    compile pairs to rust with tile(9223372036854775807) @ 'o ; lower;
}

fn main() {}
