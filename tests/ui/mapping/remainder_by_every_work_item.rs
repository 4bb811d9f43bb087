use rise::rise;

rise! {
    pub fn f<n: Nat, m: Nat>(x: [[f32; m]; n]) -> [[f32; m]; n] { x |> 'i: map('j: map(|a| a + 1.0)) }

    compile f to opencl with
        tile(4, 8) @ ('i, 'j) ;
        mapWorkGroup(1) @ 'i.outer ; mapWorkGroup(0) @ 'j.outer ;
        mapLocal(1) @ 'i.inner ; mapLocal(0) @ 'j.inner ; lower as g;
}

fn main() {}
