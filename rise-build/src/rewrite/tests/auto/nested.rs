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
    let sums = parallel(images, "[[f32; n]; b]", "x |> map(map(sum))", SIZES);
    assert_eq!(sums, 4, "for short rows and for long ones");
    let fixed =
        parallel("x: [[[f32; 50]; 40]; 3]", "[[[f32; 50]; 40]; 3]", "x |> map(map(map(exp)))", &[&[]]);
    assert_eq!(fixed, 2);
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
