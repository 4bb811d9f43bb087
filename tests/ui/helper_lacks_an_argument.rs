use rise::rise;

rise! {
    pub fn f<n: Nat, m: Nat>(x: [[f32; m]; n]) -> [[f32; m - 2]; n - 2] { x |> slide2D(3) |> map2D(|w| sum(join(w))) }
}

fn main() {}
