use rise::rise;

rise! {
    pub fn f<k: Nat>() -> [f32; k] { generate(|i| i as f32) |> take(k) }
}

fn main() {}
