use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [[f32; n]; 4]) -> [f32; 4] {
        x |> mapVec(|row| row |> reduceSeq(|a, b| a + b, 0.0))
    }
    compile f to opencl with id;
}

fn main() {}
