use rise::rise;

rise! {
    fn twice(f, x) { x |> map(f) |> map(f) }
    pub fn f<n: Nat>(x: [f32; n]) -> f32 { twice(sum, x) }
}

fn main() {}
