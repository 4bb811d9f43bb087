use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] { x |> map(sqrt) }

    strategy wide('l, w: Nat) = vectorize(w) @ 'l ; try(fuze @ 'l) ; lower;
}

fn main() {}
