use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] { x |> 'a: map(sqrt) }

    strategy wide(w: Nat) = vectorize(w) @ 'a ; lower;

    compile f to rust with wide(width = 8);
}

fn main() {}
