use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] { x |> 'i: map(|v| v + 1.0) |> map(|v| v * v) }

    compile f to rust with storeIn(Stack) @ 'i ; lower;
}

fn main() {}
