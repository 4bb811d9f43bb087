use rise::rise;

rise! {
    pub fn f<n: Nat, m: Nat, k: Nat>(x: [[[f32; k]; m]; n]) -> [[f32; k]; n] {
        x |> mapGlobal(|rows| rows |> reduceSeq(Local, |acc, row| zip(acc, row) |> mapSeq(|(a, b)| a + b), generate(|_: Idx[k]| 0.0) |> mapSeq(|x| x)) |> mapSeq(|x| x))
    }
    compile f to opencl with id;
}

fn main() {}
