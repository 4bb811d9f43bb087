use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [[[f32; 4]; 8]; n]) -> [[[f32; 8]; 4]; n] {
        x |> mapGlobal(|rows| rows |> mapSeq(|row| row |> mapVec(|x| x + 1.0)) |> transpose)
    }
    compile f to opencl with id;
}

fn main() {}
