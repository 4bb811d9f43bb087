use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [[[f32; 4]; 8]; n]) -> [[[f32; 4]; 8]; n] {
        x |> mapGlobal(|rows| rows |> transpose |> mapSeq(|column| column |> mapVec(|x| x + 1.0)) |> toMem(Private) |> transpose |> mapSeq(|row| row |> mapSeq(|x| x)))
    }
    compile f to opencl with id;
}

fn main() {}
