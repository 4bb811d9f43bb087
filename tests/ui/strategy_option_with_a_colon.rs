use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] { x |> 'a: map(sqrt) }

    compile f to rust with split(8, tail: peel) @ 'a ; lower;
}

fn main() {}
