//! Sums over joined rows.

use super::{SIZES, SIZES2, auto};

#[test]
fn sums_over_joined_rows_that_lie_apart_go_along_the_rows() {
    let channels = |sum: &str| {
        auto(
            &format!(
                "pub fn f<n: Nat, c: Nat, h: Nat>(x: [[[f32; h]; c]; n]) -> [f32; c] {{
                    x |> transpose |> map(|channel| channel |> join |> {sum})
                }}"
            ),
            SIZES,
        )
    };
    for sum in ["sum", "map(|v| v * v) |> sum", "reduce(max, -9.0)"] {
        let text = channels(sum);
        assert!(text.contains("h / 16") && !text.contains("n * h"), "{text}");
    }
    let text = auto("pub fn f<n: Nat, h: Nat>(x: [[f32; h]; n]) -> f32 { x |> join |> sum }", SIZES2);
    assert!(text.contains("n * h"), "{text}");
}

/// The body for rows `x`, a number `t` of each and numbers `w` of all.
fn over_rows(body: &str) -> String {
    auto(
        &format!("pub fn f<n: Nat, h: Nat>(x: [[f32; h]; n], t: [f32; n], w: [f32; h]) -> f32 {{ {body} }}"),
        SIZES2,
    )
}

#[test]
fn sums_over_rows_that_are_computed_go_along_the_rows() {
    for body in [
        "x |> map(|r| zip(r, w) |> map(|(a, b)| (a - b) * (a - b))) |> join |> sum",
        "zip(x, t) |> map(|(r, t)| r |> map(|v| abs(v - t))) |> join |> reduce(max, 0.5)",
        "t |> map(|t| w |> map(|v| v * t)) |> join |> map(|v| v + 1.0) |> reduce(add, 2.0)",
        "zip(zip(x, t) |> map(|(r, t)| r |> map(|v| v * t)) |> join, x |> join) |> map(mult) |> sum",
    ] {
        let text = over_rows(body);
        assert!(text.contains("mapVec") && text.contains("h / 16"), "{text}");
        assert!(!text.contains("join |> split"), "{text}");
        assert_eq!(text.matches("toMem;").count(), 1, "only sums of rows are stored:\n{text}");
    }
}

/// The numbers of elements in a row, which rows that are joined would repeat.
#[test]
fn numbers_of_elements_are_those_of_rows() {
    for numbered in ["j as f32", "(j / 2) as f32"] {
        let text =
            over_rows(&format!("x |> map(|r| zip(r, generate(|j| {numbered})) |> map(mult)) |> join |> sum"));
        assert!(text.contains("h / 16") && !text.contains("n * h"), "{text}");
    }
}

#[test]
fn short_rows_and_what_is_folded_itself_are_joined() {
    let short = auto(
        "pub fn f<n: Nat>(t: [f32; n], w: [f32; 3]) -> f32 { t |> map(|t| w |> map(|v| v * t)) |> join |> sum }",
        &[&[0], &[1], &[130]],
    );
    assert!(short.contains("join |>\n    reduceSeq"), "{short}");
    let products = over_rows("x |> map(|r| x |> map(|s| dot(r, s))) |> join |> reduce(max, 0.0)");
    assert!(products.contains("8 * n <= h"), "still a product, in tiles:\n{products}");
}

/// What all elements of a sum share lies beside that of the next sum, which is no reason to go across the ends of rows.
#[test]
fn what_elements_share_does_not_join_their_rows() {
    let text = auto(
        "pub fn f<n: Nat, m: Nat, k: Nat>(x: [[[f32; k]; m]; n], y: [f32; m]) -> [f32; m] {
            zip(transpose(x), y) |> map(|(p, y)| join(p) |> map(|v| (v - y) * (v - y)) |> sum) }",
        &[&[0, 2, 3], &[3, 1, 20], &[13, 3, 5]],
    );
    assert!(!text.contains("join |>\n            reduce") && text.contains("k / 16"), "{text}");
}
