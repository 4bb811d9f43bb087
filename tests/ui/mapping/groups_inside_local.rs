use rise::rise;

rise! {
    pub fn f<n: Nat, m: Nat, k: Nat>(x: [[[f32; k]; m]; n]) -> [[[f32; k]; m]; n] {
        x |> mapWorkGroup(0, |rows| rows |> mapLocal(0, |row| row |> mapWorkGroup(1, |x| x + 1.0)))
    }
    compile f to opencl with id;
}

fn main() {}
