use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] { x |> 'x: map(|v| v * v) }

    compile f to rust with elementwise('x);
}

fn main() {}
