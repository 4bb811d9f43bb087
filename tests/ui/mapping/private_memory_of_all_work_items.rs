use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] {
        x |> mapGlobal(|x| x + 1.0) |> toMem(Private) |> mapGlobal(|x| x * 2.0)
    }
    compile f to opencl with id;
}

fn main() {}
