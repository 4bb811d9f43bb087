use rise::rise;

rise! {
    pub fn f<n: Nat, m: Nat>(x: [[f32; m]; n]) -> ([[f32; m]; n], [[f32; m]; n]) {
        x |> mapGlobal(0, |row| (row |> mapGlobal(1, |x| x + 1.0), row |> mapSeq(|x| x * 2.0)))
          |> unzip
    }
    compile f to opencl with id;
}

fn main() {}
