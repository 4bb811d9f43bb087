use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] { x |> map(sqrt) }

    strategy wide = vectorise(8) @ everywhere ; lower;
}

fn main() {}
