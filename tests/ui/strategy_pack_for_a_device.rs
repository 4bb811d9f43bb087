rise::rise! {
    pub fn f<n: Nat, m: Nat>(x: [[f32; m]; n]) -> [[f32; n]; m] {
        x |> transpose |> 'i: map(|column| column |> 'j: map(|x| x + 1.0))
    }
    compile f to opencl with split(8) @ 'i ; pack @ 'i.outer ; mapGlobal @ 'i.outer ; lower;
}

fn main() {}
