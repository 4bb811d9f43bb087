//! What is computed for each column alone.

use super::{SIZES2, auto};

/// The nest of rows `x` and columns `y`.
fn nest(body: &str) -> String {
    auto(
        &format!(
            "pub fn f<n: Nat, c: Nat>(x: [[f32; c]; n], a: [f32; n], y: [f32; c]) -> [[f32; c]; n] {{ {body} }}"
        ),
        SIZES2,
    )
}

#[test]
fn functions_of_columns_are_tables() {
    for body in [
        "a |> map(|u| y |> map(|v| exp(u) * exp(v)))",
        "x |> map(|r| zip(r, y) |> map(|(u, v)| u / sqrt(v * v + 1.0)))",
        "zip(x, a) |> map(|(r, u)| zip(zip(r, y), generate(|j| j)) |> map(|((p, v), j)| p * u + exp(v) * (j as f32)))",
        "generate(|i| generate(|j| (i as f32) * exp(0.1 * (j as f32)) + x[i][j]))",
        "x |> map(|r| { let s = r |> sum; zip(r, y) |> map(|(u, v)| { let t = cos(v); t * u - s * t }) })",
    ] {
        let text = nest(body);
        assert_eq!(text.matches("let table = ").count(), 1, "{body}: {text}");
    }
}

#[test]
fn what_rows_are_part_of_is_no_table() {
    for body in [
        "a |> map(|u| y |> map(|v| exp(u * v)))",
        "a |> map(|u| y |> map(|v| u * (v + 1.0)))",
        "x |> map(|r| r |> map(|v| exp(v)))",
        "a |> map(|u| y |> map(|v| v * exp(u)))",
    ] {
        let text = nest(body);
        assert!(!text.contains("let table = "), "{body}: {text}");
    }
    let one = auto(
        "pub fn f<c: Nat>(a: [f32; 1], y: [f32; c]) -> [[f32; c]; 1] { a |> map(|u| y |> map(|v| u * exp(v))) }",
        &[&[0], &[5]],
    );
    assert!(!one.contains("let table = "), "{one}");
}

/// Where there are no rows nothing need be there that columns index.
#[test]
fn tables_are_only_of_what_is_there() {
    let text = auto(
        "pub fn f<n: Nat, c: Nat>(x: [[f32; c]; n], y: [f32; n]) -> [[f32; c]; n] {
            x |> map(|r| zip(r, generate(|j| j)) |> map(|(v, j)| v * exp(y[(j as Idx[n])]))) }",
        SIZES2,
    );
    assert!(!text.contains("let table = "), "{text}");
}
