use rise::rise;

rise! {
    pub fn f<n: Nat, m: Nat>(x: [[f32; m]; n]) -> [[f32; m]; n] {
        x |> mapWorkGroup(|row| row |> mapSeq(|x| x + 1.0))
    }
    compile f to opencl with id;
}

fn main() {}
