use rise::rise;

rise! {
    pub fn f<n: Nat>(at: [Idx[n]; n], x: [f32; n]) -> [f32; n] {
        x |> mapGlobal(|x| x + 1.0) |> scatter(at)
    }
    compile f to opencl with id;
}

fn main() {}
