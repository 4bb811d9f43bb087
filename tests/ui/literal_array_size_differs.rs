use rise::rise;

rise! {
    pub fn f() -> [f32; 4] { [1.0, 2.0, 3.0] |> map(|x| x + 1.0) }
}

fn main() {}
