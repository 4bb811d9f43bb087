rise::rise! {
    pub fn f<n: Nat>(x: [f32; n])
        -> [(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32); n]
    {
        x |> map(|x| (x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x))
    }
    compile f to opencl with auto;
}

fn main() {}
