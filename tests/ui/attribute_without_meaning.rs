use rise::rise;

rise! {
    #[derive(Clone)]
    pub fn f(x: [i32; 4]) -> [i32; 4] { x |> map(|a| a + 1) }
}

fn main() {}
