//! Sums of integers that are wider than what they are computed of.

use super::auto;

/// Such a sum of two arrays of the type, each pair as `of` makes it.
fn sum(ty: &str, to: &str, of: &str) -> String {
    let program = format!(
        "pub fn f<n: Nat>(x: [{ty}; n], y: [{ty}; n]) -> {to} {{ zip(x, y) |> map(|(a, b)| {of}) |> reduce(add, 0) }}"
    );
    auto(&program, &[&[0], &[1], &[77]])
}

#[test]
fn sums_of_what_is_narrower_are_left_to_compilers() {
    for ty in ["i8", "u8", "i16", "u16"] {
        let text = sum(ty, "i32", "(a as i32) * (b as i32)");
        assert!(
            !text.contains("mapVec") && text.contains("mapPar") && text.contains("reduceSeq"),
            "{ty}: {text}"
        );
        assert!(!sum(ty, "u64", "(a + b) as u64").contains("mapVec"), "{ty}");
    }
    for (ty, to, of) in [
        ("i32", "i32", "a * b"),
        ("i32", "i64", "(a as i64) * (b as i64)"),
        ("u8", "u32", "(a > b) as u32"),
        ("f32", "f32", "a * b"),
    ] {
        assert!(sum(ty, to, of).contains("mapVec"), "{of}");
    }
    // Where rows are folded side by side they share what they read.
    let rows = auto(
        "pub fn f<n: Nat, m: Nat>(x: [[u8; n]; m], y: [u8; n]) -> [i32; m] {
            x |> map(|r| zip(r, y) |> map(|(a, b)| (a as i32) * (b as i32)) |> reduce(add, 0)) }",
        super::SIZES2,
    );
    assert!(rows.contains("mapVec"), "{rows}");
}

#[test]
fn truth_of_what_is_narrow_is_left_to_compilers() {
    let all = |ty: &str, fold: &str| {
        let program = format!("pub fn f<n: Nat>(x: [{ty}; n]) -> bool {{ x |> map(|v| v < 100) |> {fold} }}");
        auto(&program, &[&[0], &[1], &[77]])
    };
    for ty in ["u8", "i16"] {
        let text = all(ty, "reduce(and, true)");
        assert!(!text.contains("mapVec") && text.contains("mapPar"), "{ty}: {text}");
        assert!(!all(ty, "reduce(|a, b| a || b, false)").contains("mapVec"), "{ty}");
    }
    assert!(all("i32", "reduce(and, true)").contains("mapVec"));
}

#[test]
fn distances_of_bytes_are_magnitudes() {
    for of in [
        "max(a, b) - min(a, b)",
        "max(a, b) - min(b, a)",
        "if a > b { a - b } else { b - a }",
        "if a < b { b - a } else { a - b }",
        "if a >= b { a - b } else { b - a }",
    ] {
        assert!(sum("u8", "u32", &format!("({of}) as u32")).contains("abs("), "{of}");
        assert!(!sum("i8", "u32", &format!("({of}) as u32")).contains("abs("), "{of}");
    }
    for of in ["if a > b { b - a } else { a - b }", "max(a, b) - a", "if a == b { a - b } else { b - a }"] {
        assert!(!sum("u8", "i32", &format!("({of}) as i32")).contains("abs("), "{of}");
    }
}

#[test]
fn folds_leave_branches_that_are_taken_in_some_iterations() {
    let diagonal = |row: &str| {
        auto(
            &format!(
                "pub fn f<n: Nat>(a: [[i32; n]; n], b: [[i32; 2 * n]; n]) -> [[i32; n]; n] {{
                    generate(|i: Idx[n]| generate(|j: Idx[n]| (if i == j {{ sum({row}) }} else {{ 0 }}) - a[i][j]))
                }}"
            ),
            &[&[0], &[1], &[5], &[40]],
        )
    };
    let text = diagonal("a[i]");
    assert!(text.contains("if i == j { t } else { 0 }"), "{text}");
    // Twice as many elements as there are iterations are folded only where they are wanted.
    let text = diagonal("b[i]");
    assert!(!text.contains("if i == j { t } else { 0 }"), "{text}");
}
