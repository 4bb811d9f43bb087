use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> f32 {
        x |> reducePar(add, 0.0)
    }
    compile f to opencl with id;
}

fn main() {}
