//! Columns that are changed by what is computed of each.

use super::*;

const PROGRAM: &str = "pub fn f<n: Nat, m: Nat>(x: [[f32; m]; n]) -> [[f32; m]; n]";

/// Long columns are changed row by row, in one loop along rows in parallel; short ones as they stand.
#[test]
fn elements_of_long_columns_are_changed_row_by_row() {
    for column in [
        "{ let mu = sum(c) / (n as f32); c |> map(|v| v - mu) }",
        "c |> map(|v| v - reduce(max, 0.0, c))",
        "{ let lo = c |> reduce(min, 9.0); let hi = c |> reduce(max, lo); c |> map(|v| (v - lo) * hi) }",
        "{ let mu = sum(c); let d = c |> map(|v| v - mu); let s = sum(d |> map(|v| v * v)); d |> map(|v| v * s) }",
    ] {
        let program = format!("{PROGRAM} {{ x |> transpose |> map(|c| {column}) |> transpose }}");
        let sizes: &[&[i128]] = &[&[0, 3], &[1, 1], &[13, 37], &[257, 3], &[300, 35]];
        let body = auto(&program, sizes);
        assert!(body.contains("if n <= 256") && body.contains("let ts"), "{body}");
        let fixed = program.replace("<n: Nat, ", "<").replace("; n]", "; 12]").replace("n as f32", "12.0");
        assert!(!auto(&fixed, &[&[0], &[1], &[37]]).contains("let ts"), "{fixed}");
    }
}

/// What looks at another element than its own, or is stored for a column, stays.
#[test]
fn columns_that_are_more_than_their_elements_stay() {
    for column in [
        "{ let s = sum(c); generate(|i| c[n - 1 - i] - s) }",
        "{ let s = sum(c); zip(c, c |> scan(add, 0.0)) |> map(|(v, t)| v * s - t) }",
        "{ let e = c |> map(|v| exp(v)); let s = sum(e); e |> map(|v| v / s) }",
    ] {
        let program = format!("{PROGRAM} {{ x |> transpose |> map(|c| {column}) |> transpose }}");
        let body = auto(&program, &[&[0, 3], &[1, 1], &[13, 17]]);
        assert!(!body.contains("n <= 256"), "{body}");
    }
}
