//! Folds of floats that lie apart.

use super::{SIZES1, SIZES2, auto};

/// What `auto` makes of a number that is made of such arrays.
fn of(number: &str) -> String {
    let program = format!(
        "pub fn f<n: Nat>(x: [f32; n], y: [f32; n], i: [u8; n], t: [f32; 256], p: [[f32; 5]; n]) -> f32 {{ {number} }}"
    );
    auto(&program, &[&[0], &[7], &[8], &[100]])
}

#[test]
fn folds_of_floats_that_lie_apart_have_several_accumulators() {
    for number in [
        "dot(x, reverse(y))",
        "sum(generate(|k: Idx[n]| x[k] * y[n - 1 - k]))",
        "i |> map(|v| t[v as Idx[256]]) |> sum",
        "transpose(p)[3] |> reduce(max, -5.0)",
    ] {
        let text = of(number);
        assert!(text.contains("split(8)") && text.contains("mapSeqUnroll"), "{text}");
    }
}

#[test]
fn folds_in_order_of_few_of_integers_and_in_lanes_stay() {
    let in_order = of("x |> reverse |> reduceSeq(add, 0.0)");
    assert!(!in_order.contains("split"), "{in_order}");
    let few = of("take(5, reverse(t)) |> reduce(add, 0.0)");
    assert!(!few.contains("split"), "{few}");
    let integers = auto(
        "pub fn f<n: Nat>(i: [u8; n], t: [i32; 256]) -> i32 { i |> map(|v| t[v as Idx[256]]) |> sum }",
        SIZES1,
    );
    assert!(!integers.contains("split"), "{integers}");
    // Each column has a lane.
    let columns = auto(
        "pub fn f<n: Nat, m: Nat>(x: [[f32; n]; m]) -> [[f32; n]; m] {
            x |> transpose |> map(|c| c |> map(|u| c |> map(|v| abs(u - v)) |> reduce(max, 0.0))) |> transpose }",
        SIZES2,
    );
    let nearest = auto(
        "pub fn f<n: Nat, m: Nat>(x: [[f32; n]; m], y: [[f32; m]; 3]) -> [f32; n] {
            transpose(x) |> map(|c| y |> reduceSeq(|t, y| {
                let d = zip(c, y) |> map(|(u, v)| abs(u - v)) |> reduce(add, 0.0);
                if d < t { d } else { t } }, 99.0)) }",
        SIZES2,
    );
    assert!(!columns.contains("split") && !nearest.contains("split(8)"), "{columns}\n{nearest}");
}
