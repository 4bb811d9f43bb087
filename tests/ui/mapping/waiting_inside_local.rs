use rise::rise;

rise! {
    pub fn f<n: Nat, m: Nat, k: Nat, l: Nat>(x: [[[[f32; l]; k]; m]; n]) -> [[[[f32; l]; k]; m]; n] {
        x |> mapWorkGroup(1, |cube| cube |> mapWorkGroup(0, |rows| rows |> mapLocal(1, |row| {
            row |> mapLocal(0, |x| x + 1.0)
                |> toMem(Global)
                |> mapLocal(0, |x| x * 2.0)
        })))
    }
    compile f to opencl with id;
}

fn main() {}
