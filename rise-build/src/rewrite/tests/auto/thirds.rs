//! Arrays that are generated at indices which are divided by three and the like.

use super::*;

/// Nothing is divided but the length, whatever is left over.
#[test]
fn nothing_is_divided_by_three() {
    for (f, length) in [
        ("x[i / 3]", "3 * n"),
        ("x[i / 3] + x[i / 6]", "n"),
        ("x[(2 * i + 1) / 5] * ((i % 5) as f32)", "n"),
        ("((3 * i + 2) / 5) as f32 - x[i % 3]", "17"),
        ("x[n - 1 - i / 3]", "n"),
    ] {
        let program = format!(
            "pub fn f<n: Nat>(x: [f32; n]) -> [f32; {length}] {{ generate(|i| {f}) |> map(|v| v + 1.0) }}"
        );
        let body = auto(&program, &[&[0], &[1], &[7], &[30]]);
        // What is left over is too little for more than one loop.
        let divides = ["i / 3", "i / 6", "i % 3", "i % 5", "* i + 1) / 5", "* i + 2) / 5", "split"];
        assert!(!divides.iter().any(|text| body.contains(text)), "{body}");
    }
}

/// Rows are generated so, in parts of results too.
#[test]
fn rows_are_generated_in_pieces() {
    let body = auto(
        "pub fn f<n: Nat, m: Nat>(x: [[f32; m]; n]) -> ([[f32; m]; n], f32) {
            (generate(|i| generate(|j| x[i / 3][j / 3])), 1.0)
        }",
        SIZES2,
    );
    assert!(body.contains("i / 3") && !body.contains("j / 3"), "{body}");
}

/// Vectors and parallel loops are split by powers of two already, many numbers take more code than time, and elementary
/// functions belong in vectors.
#[test]
fn what_is_divided_otherwise_stays() {
    for f in [
        "x[i / 4]",
        "x[i / 3] + x[i / 16]",
        "x[i / 17]",
        "x[i / m]",
        "exp(x[i / 5])",
        "x[i] * ((i / 3) as f32)",
    ] {
        let program =
            format!("pub fn f<n: Nat, m: Nat>(x: [f32; n]) -> [f32; n] where m >= 1 {{ generate(|i| {f}) }}");
        let body = auto(&program, &[&[0, 1], &[1, 3], &[30, 4]]);
        assert!(body.contains("i / "), "{body}");
    }
}
