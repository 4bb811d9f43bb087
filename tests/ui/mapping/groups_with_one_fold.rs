use rise::rise;

rise! {
    pub fn f<n: Nat, m: Nat>(x: [[f32; m]; n]) -> [f32; n] {
        x |> mapWorkGroup(|row| row |> reduceSeq(|a, b| a + b, 0.0))
    }
    compile f to opencl with id;
}

fn main() {}
