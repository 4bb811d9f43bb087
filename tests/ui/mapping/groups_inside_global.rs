use rise::rise;

rise! {
    pub fn f<n: Nat, m: Nat>(x: [[f32; m]; n]) -> [[f32; m]; n] {
        x |> mapGlobal(0, |row| row |> mapWorkGroup(1, |x| x + 1.0))
    }
    compile f to opencl with id;
}

fn main() {}
