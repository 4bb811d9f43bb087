use rise::rise;

rise! {
    pub fn f<n: Nat, m: Nat, k: Nat>(x: [[[f32; k]; m]; n]) -> [[[f32; k]; m]; n] {
        x |> mapGlobal(1, |rows| rows |> mapGlobal(0, |row| row |> mapSeq(|x| x + 1.0)) |> toMem(Global) |> transpose |> mapGlobal(0, |column| column |> mapSeq(|x| x * 2.0)) |> transpose)
    }
    compile f to opencl with id;
}

fn main() {}
