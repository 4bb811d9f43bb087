use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] where n % 4 = 0 { x |> map(|x| x + 1.0) }
}

fn main() {}
