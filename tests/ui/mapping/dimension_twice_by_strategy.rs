use rise::rise;

rise! {
    pub fn f<n: Nat, m: Nat>(x: [[f32; m]; n]) -> [[f32; m]; n] {
        x |> 'rows: map(|row| row |> 'cols: map(|x| x + 1.0))
    }
    compile f to opencl with mapGlobal @ ('rows, 'cols);
}

fn main() {}
