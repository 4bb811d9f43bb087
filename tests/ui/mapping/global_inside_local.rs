use rise::rise;

rise! {
    pub fn f<n: Nat, m: Nat, k: Nat>(x: [[[f32; k]; m]; n]) -> [[[f32; k]; m]; n] {
        x |> mapWorkGroup(|rows| rows |> mapLocal(|row| row |> mapGlobal(1, |x| x + 1.0)))
    }
    compile f to opencl with id;
}

fn main() {}
