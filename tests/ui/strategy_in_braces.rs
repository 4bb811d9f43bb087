use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] { x |> 'a: map(sqrt) }

    strategy wide { vectorize(8) @ 'a ; lower }
}

fn main() {}
