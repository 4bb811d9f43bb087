//! Accumulators of several widths.

use super::{SIZES2, auto};

/// The fold of two arrays of these types to the sum of one and the greatest of the other.
fn sum_and_greatest(a: &str, b: &str) -> String {
    let zero = |ty: &str| if ty.starts_with('f') { "0.0" } else { "0" };
    let program = format!(
        "pub fn f<n: Nat>(x: [{a}; n], y: [{b}; n]) -> ({a}, {b}) {{
            zip(x, y) |> reduce(|(a, b), (c, d)| (a + c, max(b, d)), ({}, {})) }}",
        zero(a),
        zero(b)
    );
    auto(&program, &[&[0], &[5], &[300]])
}

#[test]
fn accumulators_beside_floats_have_as_many_lanes_as_the_widest() {
    for (a, b, width) in
        [("f32", "u8", 16), ("i16", "f32", 16), ("f32", "f64", 8), ("f64", "u8", 8), ("u64", "f32", 8)]
    {
        let text = sum_and_greatest(a, b);
        assert!(text.contains("mapVec") && text.contains(&format!("n / {width}")), "{a}, {b}: {text}");
    }
    for (a, b) in [("u64", "u8"), ("i32", "i16"), ("u8", "i16")] {
        let text = sum_and_greatest(a, b);
        assert!(!text.contains("mapVec"), "compilers find lanes for {a}, {b}: {text}");
    }
}

#[test]
fn rows_are_folded_to_accumulators_of_several_widths() {
    let text = auto(
        "pub fn f<n: Nat, m: Nat>(x: [[f32; n]; m], y: [[u8; n]; m]) -> [(f32, u8, bool); m] {
            zip(x, y) |> map(|(r, s)| zip(r, s) |> map(|(v, w)| (v, w, v > 3.0))
                |> reduce(|(a, b, e), (c, d, f)| (a + c, max(b, d), e || f), (0.0, 0, false))) }",
        SIZES2,
    );
    assert!(text.contains("mapVec") && text.contains("n / 16"), "{text}");
}
