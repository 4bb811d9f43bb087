//! The kernels.

use rise::rise;

rise! {
    /// `y = α x`
    pub fn scal<n: Nat>(alpha: f32, x: [f32; n]) -> [f32; n] {
        x |> 'x: map(|x| alpha * x)
    }

    compile scal to opencl with mapGlobal @ 'x ; lower;

    /// Listing 4 of RISE & Shine: rows in work-groups.
    pub fn mvOpt<n: Nat, m: Nat>(M: [[f32; m]; n], x: [f32; m]) -> [f32; n] where n % 32 == 0 {
        M |> split(32) |> mapWorkGroup(mapLocal(|row| zip(row, x) |> reduceSeq(|acc, (a, b)| acc + a * b, 0.0))) |> join
    }

    compile mvOpt to opencl with lower;
}
