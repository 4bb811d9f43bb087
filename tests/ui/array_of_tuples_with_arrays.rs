use rise::rise;

rise! {
    pub fn f<n: Nat, m: Nat>(x: [([f32; m], f32); n]) -> [f32; n] { x |> map(|p| sum(p.0) + p.1) }
}

fn main() {}
