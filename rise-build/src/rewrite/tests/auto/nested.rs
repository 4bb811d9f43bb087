//! Parallel loops in parallel loops.

use super::*;

/// How many maps of the body run in parallel.
fn parallel(params: &str, result: &str, body: &str, sizes: &[&[i128]]) -> usize {
    let program = format!("pub fn f<b: Nat, n: Nat, m: Nat>({params}) -> {result} {{ {body} }}");
    auto(&program, sizes).matches("mapPar(").count()
}

/// Of planes and batches there may be fewer than threads: their rows run in parallel as well.
#[test]
fn rows_of_few_planes_run_in_parallel() {
    let images = "x: [[[f32; m]; n]; b]";
    let planes = |body: &str| parallel(images, "[[[f32; m]; n]; b]", body, SIZES);
    assert_eq!(planes("x |> map(map(map(|v| v * 2.0)))"), 2);
    let params = "x: [[[f32; m]; n]; b], w: [[f32; m]; b]";
    let dots = "zip(x, w) |> map(|(x, w)| x |> map(|row| dot(row, w)))";
    let sums = parallel(params, "[[f32; n]; b]", dots, SIZES);
    assert_eq!(sums, 4, "for short rows and for long ones");
    let fixed =
        parallel("x: [[[f32; 50]; 40]; 3]", "[[[f32; 50]; 40]; 3]", "x |> map(map(map(exp)))", &[&[]]);
    assert_eq!(fixed, 2);
}

/// What is folded row by row goes through the rows of all matrices.
#[test]
fn rows_of_matrices_are_rows() {
    let text = |result: &str, body: &str| {
        let program =
            format!("pub fn f<b: Nat, n: Nat, m: Nat>(x: [[[f32; m]; n]; b]) -> {result} {{ {body} }}");
        auto(&program, SIZES)
    };
    let sums = text("[[f32; n]; b]", "x |> map(map(sum))");
    assert!(sums.contains("x |>\n    join |>") && sums.contains("split(n)"), "{sums}");
    let pieces = "x |> map(|p| join(p) |> split(m) |> map(|r| scan(add, 0.0, r)))";
    assert!(text("[[[f32; m]; n]; b]", pieces).contains("split(n)"));
    // A number of the matrix, and rows that are not there yet.
    for body in
        ["x |> map(|p| p |> map(|r| sum(r) + p[0][0]))", "x |> map(map(map(|v| 2.0 * v))) |> map(map(sum))"]
    {
        let apart = text("[[f32; n]; b]", body);
        assert!(!apart.contains("split(n)"), "{apart}");
    }
}

/// So do the panels of a product, and their rows.
#[test]
fn products_of_few_matrices_run_in_parallel() {
    let body = "zip(x, y) |> map(|(x, y)| x |> map(|row| transpose(y) |> map(|column| dot(row, column))))";
    let params = "x: [[[f32; 9]; n]; b], y: [[[f32; m]; 9]; b]";
    let products = parallel(params, "[[[f32; m]; n]; b]", body, &[&[0, 1, 1], &[2, 7, 70], &[1, 13, 140]]);
    assert!(products > 4, "{products}");
}

/// There are threads for no more than a few; short rows and what only moves stay what they are.
#[test]
fn rows_of_many_planes_run_one_after_the_other() {
    let many =
        parallel("x: [[[f32; 50]; 40]; 64]", "[[[f32; 50]; 40]; 64]", "x |> map(map(map(exp)))", &[&[]]);
    assert_eq!(many, 1);
    let pixels = parallel("x: [[[f32; 3]; m]; n]", "[[[f32; 3]; m]; n]", "x |> map(map(map(exp)))", SIZES);
    assert_eq!(pixels, 1);
    let moved = parallel("x: [[[f32; m]; n]; b]", "[[[f32; n]; m]; b]", "x |> map(transpose)", SIZES);
    assert_eq!(moved, 1);
}
