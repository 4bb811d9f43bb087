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

    /// The reversal, by a scatter: for the compiler some elements might never be written.
    pub fn mirrored<n: Nat>(x: [f32; n]) -> [f32; n] {
        x |> 'x: map(|x| x + 1.0) |> scatter(generate(|i| n - 1 - i))
    }

    compile mirrored to opencl with mapGlobal @ 'x ; lower;

    /// Elements at the end that nobody writes.
    pub fn with_room<n: Nat>(x: [f32; n]) -> [f32; n + 3] {
        x |> map(|x| x + 1.0) |> padEmpty(3)
    }

    compile with_room to opencl with lower;

    /// Two kernels, with what one computes in global memory for the other.
    pub fn normalised<n: Nat>(x: [f32; n]) -> [f32; n] {
        let squares = x |> 'squares: map(|x| x * x) |> toMem(Global);
        let sum = squares |> reduce(add, 0.0);
        x |> 'x: map(|x| x / sum)
    }

    compile normalised to opencl with mapGlobal @ 'squares ; mapGlobal @ 'x ; lower;
}

rise! {
    /// A layer of VGG-16: 3×3 windows over all channels, for every filter; the border is part of the input.
    pub fn layer<h: Nat, w: Nat, c: Nat, f: Nat>(
        input: [[[f32; c]; w + 2]; h + 2],
        weights: [[[[f32; f]; c]; 3]; 3]
    ) -> [[[f32; f]; w]; h] {
        let filters = weights |> map(|row| row |> map(|taps| transpose(taps)) |> transpose) |> transpose;
        input |> slide2D(3, 1) |> 'rows: map(|row| row |> 'columns: map(|window|
            filters |> 'filters: map(|filter| zip(window, filter) |> reduceSeq(|acc, (pixels, taps)|
                zip(pixels, taps) |> reduceSeq(|acc, (pixel, tap)|
                    zip(pixel, tap) |> reduceSeq(|acc, (x, y)| acc + x * y, acc), acc), 0.0))))
    }

    compile layer to opencl with
        mapGlobal(2) @ 'rows ; mapGlobal(1) @ 'columns ; mapGlobal(0) @ 'filters ; lower;
}
