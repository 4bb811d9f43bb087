//! Columns that are cut, put together and scanned.

use super::*;

/// The program, whose function maps what is given over columns, and its size where that is not `h`.
fn columns(body: &str, before: &str, after: &str) -> String {
    let program = format!(
        "pub fn f<h: Nat, w: Nat>(x: [[f64; w]; {before}], s: [f64; h]) -> [[f64; w]; {after}] where h >= 1 {{
            x |> transpose |> map(|c| {body}) |> transpose
        }}"
    );
    auto(&program, &[&[1, 1], &[3, 5], &[2, 37]])
}

#[test]
fn columns_in_pieces_are_rows_in_pieces() {
    for (body, before, after) in [
        ("c |> split(2) |> map(|b| 0.5 * (b[0] + b[1]))", "2 * h", "h"),
        ("c |> split(4) |> map(|b| [b[0] + b[1], b[0] - b[3], sum(b), b[2]]) |> join", "4 * h", "4 * h"),
        ("c |> map(|v| [v, 0.5 * v]) |> join", "h", "2 * h"),
        (
            "{ let p = split(2, c); concat(p |> map(|p| p[0] + p[1]), p |> map(|p| p[0] - p[1])) }",
            "2 * h",
            "2 * h",
        ),
        ("concat(zip(c, s) |> map(mult), [1.0])", "h", "h + 1"),
        ("zip(take(h, c), drop(h, c)) |> map(|(a, b)| a * b)", "2 * h", "h"),
        (
            "c |> padClamp(1, 1) |> slide(3, 1) |> map(|v| [v[0] + 2.0 * v[1], v[1] - v[2]]) |> join",
            "h",
            "2 * h",
        ),
        ("c |> map(|v| v * 2.0) |> padCst(2, 1, 3.0)", "h", "h + 3"),
        ("c |> split(2) |> transpose |> map(|r| r |> reverse) |> join", "2 * h", "2 * h"),
    ] {
        let text = columns(body, before, after);
        // Vectors of the numbers of a row, and nothing that goes down the columns.
        let mapped = text.split("mapPar").nth(1).unwrap_or_else(|| panic!("{body}: {text}"));
        assert!(mapped.contains("mapVec"), "{body}: {text}");
    }
}

#[test]
fn scans_of_columns_on_the_way_go_row_by_row() {
    for (body, after) in [
        ("c |> scanSeq(|y, x| 0.5 * x + 0.25 * y, 0.0)", "h"),
        ("c |> scan(add, 0.0) |> map(|v| v * 2.0)", "h"),
        ("zip(c, c |> scan(max, 0.0)) |> map(|(a, b)| a - b)", "h"),
        ("concat([0.0], scan(add, 0.0, c))", "h + 1"),
        ("c |> reverse |> scanSeq(|y, x| x + 0.5 * y, 0.0) |> reverse", "h"),
    ] {
        let text = columns(body, "h", after);
        let scanned = text.split("scan").nth(1).unwrap_or_else(|| panic!("{body}: {text}"));
        assert!(scanned.contains("mapVec"), "{body}: {text}");
    }
    // Two values, and what each column begins with.
    columns("c |> scanSeq(|(a, b), x| (b, a + x), (0.0, 1.0)) |> map(fst)", "h", "h");
    columns("concat(c, c |> scanSeq(add, c[0]))", "h", "2 * h");
}

#[test]
fn rows_that_are_computed_are_computed_once() {
    let text = auto(
        "pub fn f<h: Nat, w: Nat>(x: [[f64; w]; h]) -> [[f64; w]; 2 * h] {
            x |> map(|r| r |> map(|v| tanh(v * 0.0) + v)) |> transpose |> map(|c| concat(c, reverse(c))) |> transpose
        }",
        &[&[3, 5]],
    );
    assert_eq!(text.matches("tanh").count(), 1, "{text}");
}

#[test]
fn what_is_not_turned_back_stays() {
    let text = auto(
        "pub fn f<h: Nat, w: Nat>(x: [[f64; w]; 2 * h]) -> [[f64; h]; w] {
            x |> transpose |> map(|c| c |> split(2) |> map(|b| b[0] + b[1]))
        }",
        &[&[3, 5]],
    );
    assert!(text.contains("mapPar(|c| c |>"), "{text}");
}
