//! The kernels.

use rise::rise;

rise! {
    /// `y = α x`
    pub fn scal<n: Nat>(alpha: f32, x: [f32; n]) -> [f32; n] {
        x |> 'x: map(|x| alpha * x)
    }

    compile scal to opencl with mapGlobal @ 'x ; lower;

    // Work-items whose numbers are chosen: of a group, of all, made of sizes, too many of them.
    compile scal to opencl(local = 32) with mapGlobal @ 'x ; lower as scal_in_groups;
    compile scal to opencl(global = n / 3) with mapGlobal @ 'x ; lower as scal_by_few;
    compile scal to opencl(local = [16, 4, 1], global = [2 * n + 5, 3]) with mapGlobal @ 'x ; lower as scal_by_many;
    compile scal to opencl(local = n) with mapGlobal @ 'x ; lower as scal_in_one_group;
    compile scal to opencl(local = 1000000000) with mapGlobal @ 'x ; lower as scal_in_vain;

    /// The rows upside down within themselves, through local memory.
    pub fn turned<n: Nat>(a: [[f32; 128]; n]) -> [[f32; 128]; n] {
        a |> mapWorkGroup(|row| row |> mapLocal(|x| x + 1.0) |> toMem(Local)
            |> reorder(|i| 127 - i, |i| 127 - i) |> mapLocal(|x| x * 2.0))
    }

    compile turned to opencl with id;
    // Each work-item takes several rounds; some of them are idle; so are most of the groups.
    compile turned to opencl(local = 48) with id as turned_by_few;
    compile turned to opencl(local = 200, global = 400) with id as turned_by_many;

    /// A row of a group's memory that no device has.
    pub fn too_near<n: Nat>(a: [[f32; 100000000]; n]) -> [[f32; 100000000]; n] {
        a |> mapWorkGroup(|row| row |> mapLocal(|x| x + 1.0) |> toMem(Local)
            |> reorder(|i| 99999999 - i, |i| 99999999 - i) |> mapLocal(|x| x * 2.0))
    }

    compile too_near to opencl with id;

    /// The same of any length.
    pub fn near<n: Nat, m: Nat>(a: [[f32; m]; n]) -> [[f32; m]; n] {
        a |> mapWorkGroup(|row| row |> mapLocal(|x| x + 1.0) |> toMem(Local)
            |> reorder(|i| m - 1 - i, |i| m - 1 - i) |> mapLocal(|x| x * 2.0))
    }

    compile near to opencl with id;

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

    /// Differences from one element, whose index is a parameter.
    pub fn from_one<n: Nat>(x: [f32; n], k: Idx[n]) -> [f32; n] { x |> 'x: map(|v| v - x[k]) }

    compile from_one to opencl with mapGlobal @ 'x ; lower;

    /// How often each row holds each of some numbers.
    pub fn row_counts<n: Nat, m: Nat>(x: [[Idx[32]; m]; n]) -> [[u32; 32]; n] {
        x |> 'x: map(|row| row |> reduceSeq(|h, k| h |> update(|c| c + 1, k), generate(|j: Idx[32]| 0)))
    }

    compile row_counts to opencl with mapGlobal @ 'x ; lower;

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
