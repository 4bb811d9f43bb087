//! Windows: their borders, strips, and passes.

use super::{SIZES1, SIZES2, auto};

#[test]
fn windows_whose_length_is_a_size_slide_over_stored_borders() {
    let stored = |signature: &str, body: &str| {
        let sizes: &[&[i128]] = &[&[1, 1, 1], &[5, 7, 2], &[2, 40, 3], &[33, 3, 5]];
        auto(
            &format!(
                "pub fn f<n: Nat, m: Nat, k: Nat>({signature}) -> [[f32; m]; n] where 1 <= k {{ {body} }}"
            ),
            sizes,
        )
        .contains("let padded")
    };
    let joined = "map(take(m)) |> map2D(|v| dot(join(v), join(w)))";
    for pad in ["padClamp2D(k / 2, k - 1 - k / 2)", "padCst2D(k / 2, k - 1 - k / 2, 2.0)"] {
        let body = format!("x |> {pad} |> slide2D(k, 1) |> take(n) |> {joined}");
        assert!(stored("x: [[f32; m]; n], w: [[f32; k]; k]", &body), "{pad}");
    }
    let rows = "x |> map(|row| row |> padCst(k - 1, 0, 0.0) |> slide(k, 1) |> take(m) |> map(|v| dot(v, w)))";
    assert!(stored("x: [[f32; m]; n], w: [f32; k]", rows));
    let known = format!("x |> padClamp2D(1, 1) |> slide2D(3, 1) |> take(n) |> {joined}");
    assert!(!stored("x: [[f32; m]; n], w: [[f32; 3]; 3]", &known));
}

#[test]
fn windows_of_joined_rows_never_go_in_lanes_across_rows() {
    let text = auto(
        "pub fn f<n: Nat, m: Nat, k: Nat>(x: [[f32; m + k]; n + k], y: [[f32; k]; k]) -> [[f32; m + 1]; n + 1] {
            x |> slide2D(k, 1) |> map2D(|joined_windows| dot(join(joined_windows), join(y)))
        }",
        &[&[1, 1, 1], &[3, 5, 2], &[2, 35, 3]],
    );
    assert!(text.contains("mapVec(|joined_windows|") && !text.contains("let lanes"), "{text}");
}

#[test]
fn indices_that_add_up_choose_in_windows() {
    let of = |signature: &str, index: &str, sizes: &[&[i128]]| {
        auto(
            &format!(
                "pub fn f<n: Nat, m: Nat>({signature}, k: [f32; m + 3]) -> [f32; n] {{
                    generate(|i: Idx[n]| sum(generate(|a: Idx[m + 3]| k[a] * {index})))
                }}"
            ),
            sizes,
        )
    };
    let sizes: &[&[i128]] = &[&[0, 1], &[0, 0], &[5, 3], &[40, 2], &[3, 40]];
    for (signature, index, windows) in [
        ("x: [f32; n + m + 2]", "x[i + a]", "slide(m + 3, 1)"),
        ("x: [f32; n + m + 5]", "x[a + i + 2]", "slide(m + 3, 1)"),
        ("x: [f32; 3 * n + m]", "x[3 * i + a]", "slide(m + 3, 3)"),
    ] {
        let text = of(signature, index, sizes);
        assert!(text.contains(windows), "{text}");
    }
    // Every second element of a window, and indices of which one is subtracted.
    for (signature, index) in
        [("x: [f32; n + 2 * m + 4]", "x[i + 2 * a]"), ("x: [f32; n + m + 2]", "x[i + m + 2 - a]")]
    {
        let text = of(signature, index, sizes);
        assert!(!text.contains("slide"), "{text}");
    }
}

const ROWS_THEN_COLUMNS: &str = "fn taps(w: [f32; 3]) -> f32 { w[0] + 2.0 * w[1] + w[2] }
    pub fn blur<h: Nat, w: Nat>(image: [[f32; w]; h]) -> [[f32; w]; h] where h >= 1, w >= 1 {
        image |> map(|row| row |> padClamp(1, 1) |> slide(3, 1) |> map(taps))
          |> padClamp(1, 1) |> slide(3, 1) |> map(|rows| transpose(rows) |> map(taps))
    }";

#[test]
fn windows_over_computed_rows_go_in_strips() {
    let text = auto(ROWS_THEN_COLUMNS, &[&[1, 1], &[5, 3], &[16, 2], &[33, 5], &[50, 1]]);
    assert!(text.contains("mapPar(|strip| ") && text.contains("take(18)"), "{text}");
}

/// A program that makes `blurred` of rows and windows of it down the columns.
fn down_columns(blurred: &str, windows: &str) -> String {
    format!(
        "fn taps(w: [f32; 3]) -> f32 {{ w[0] + 2.0 * w[1] + w[2] }}
        pub fn blur<h: Nat, w: Nat>(image: [[f32; w]; h]) -> [[f32; w]; h] where h >= 1, w >= 1 {{
            let blurred = {blurred};
            {windows}
        }}"
    )
}

#[test]
fn windows_down_columns_of_computed_rows_go_in_strips() {
    let rows = "image |> map(|row| row |> padClamp(1, 1) |> slide(3, 1) |> map(taps))";
    let turned = "transpose(map(|c| c |> padClamp(1, 1) |> slide(3, 1) |> map(taps), transpose(blurred)))";
    let apart = "blurred |> transpose |> map(|c| c |> padClamp(1, 1) |> slide(3, 1)) |> transpose
        |> map(|row| row |> map(|w| w |> map(|x| x / 2.0) |> taps))";
    let sizes: &[&[i128]] = &[&[1, 1], &[5, 3], &[16, 2], &[33, 5], &[50, 1]];
    for windows in [turned, apart] {
        for rows in [rows.to_owned(), format!("toMem({rows})")] {
            let text = auto(&down_columns(&rows, windows), sizes);
            assert!(text.contains("mapPar(|strip| ") && text.contains("take(18)"), "{text}");
        }
    }
    // What takes all rows is made once for all strips.
    let scanned = "image |> scan(|a, b| zip(a, b) |> map(|(a, b)| a + b), image[0]) |> map(|row| row |> map(|x| x / 2.0))";
    let text = auto(&down_columns(scanned, turned), sizes);
    assert!(text.contains("mapPar(|strip| ") && text.matches("scanSeq").count() == 1, "{text}");
    // What each row reads is stored.
    let inside = "image |> map(|row| zip(row, blurred[0]) |> map(|(a, b)| a - b))";
    let text = auto(&down_columns(rows, inside), sizes);
    assert!(!text.contains("|strip|"), "{text}");
}

#[test]
fn windows_over_what_is_stored_or_short_do_not() {
    let once = "pub fn f<h: Nat, w: Nat>(image: [[f32; w]; h]) -> [[f32; w]; h] where h >= 1, w >= 1 {
        image |> padClamp(1, 1) |> slide(3, 1) |> map(|rows| transpose(rows) |> map(|w| w[0] + w[2]))
    }";
    let text = auto(once, &[&[1, 1], &[40, 3]]);
    assert!(!text.contains("join"), "{text}");
    let few = ROWS_THEN_COLUMNS.replace("h: Nat, ", "").replace("h >= 1, ", "").replace("; h]", "; 20]");
    let text = auto(&few, &[&[1], &[37]]);
    assert!(!text.contains("take(18)"), "{text}");
}

/// A convolution of so many rows with such weights.
fn convolution(rows: &str, weights: &str) -> String {
    format!(
        "pub fn f<h: Nat, w: Nat>(image: [[f32; w]; {rows}], offset: [f32; h]) -> [[f32; w]; {rows}] where w >= 1 {{
            image |> padClamp2D(1, 1) |> slide2D(3, 1) |> map2D(|w|
                (zip(join({weights}), join(w)) |> map(|(a, b)| a * b) |> reduce(add, 1.0)) / 4.0)
        }}"
    )
}

#[test]
fn separable_weights_make_two_passes_where_that_is_worth_it() {
    let separable = "[[1.0, 2.0, 1.0], [2.0, 4.0, 2.0], [1.0, 2.0, 1.0]]";
    let text = auto(&convolution("h + 1", separable), &[&[1, 1], &[1, 63], &[2, 64], &[4, 70]]);
    assert!(text.contains("if (64 <= w) & ("), "{text}");
    assert!(text.contains("toMem |>\n        padClamp(1, 1)"), "borders follow the sums: {text}");
    // No column times a row; one that is not so to the last bit.
    for weights in [
        "[[1.0, 2.0, 1.0], [2.0, 5.0, 2.0], [1.0, 2.0, 1.0]]",
        "[[0.1, 0.2, 0.1], [0.2, 0.4000001, 0.2], [0.1, 0.2, 0.1]]",
    ] {
        assert!(!auto(&convolution("h + 1", weights), SOME).contains("toMem"));
    }
}

#[test]
fn known_shapes_need_no_choice() {
    let separable = "[[1.0, 2.0, 1.0], [2.0, 4.0, 2.0], [1.0, 2.0, 1.0]]";
    let of = |columns: &str| {
        let program = convolution("5", separable).replace("; w]; 5", &format!("; {columns}]; 5"));
        auto(&program, &[&[1, 1]])
    };
    assert!(of("70").contains("toMem") && !of("70").contains("if "), "{}", of("70"));
    assert!(!of("20").contains("toMem"), "{}", of("20"));
}

const SOME: &[&[i128]] = &[&[1, 1], &[3, 70]];
#[test]
fn windows_along_columns_are_those_of_rows() {
    let text = auto(
        "pub fn f<h: Nat, w: Nat>(image: [[f32; w]; h]) -> [[f32; w]; h] where h >= 1, w >= 1 {
            image |> transpose
              |> map(|column| padClamp(1, 1, column) |> slide(3, 1) |> map(|w| w[0] * w[1] - w[2]))
              |> transpose
        }",
        SOME,
    );
    assert!(text.contains("mapVec(") && text.contains("slide(3, 1) |>\n    mapPar(|rows|"), "{text}");
}

#[test]
fn what_is_made_of_a_row_of_a_window_is_made_once() {
    let text = auto(
        "pub fn f<h: Nat, w: Nat>(image: [[f32; w]; h]) -> [[f32; w]; h] where h >= 1, w >= 1 {
            image |> padClamp2D(1, 1) |> slide2D(3, 1)
              |> map2D(|w| w |> map(|row| reduce(max, -9.0, row)) |> reduce(add, 0.0))
        }",
        &[&[1, 1], &[3, 70], &[35, 5]],
    );
    assert!(text.contains("take(18)") && text.matches("max(").count() == 2, "{text}");
}

#[test]
fn sums_over_windows_are_contracted() {
    let text = auto(
        "pub fn f<n: Nat, c: Nat>(x: [[f32; c]; n + 2], w: [[f32; c]; 3]) -> [[f32; c]; n + 1] {
            slide(2, 1, x) |> map(|rows| zip(transpose(rows), transpose(take(2, w))) |> map(|(x, w)|
                zip(x, w) |> map(|(x, w)| x * w) |> reduce(add, 0.0)))
        }",
        SIZES2,
    );
    assert!(text.contains("mul_add(") && text.contains("mapVec"), "{text}");
}

#[test]
fn windows_that_go_on_by_few_are_lanes_where_compilers_find_none() {
    let in_lanes = |size: i64, step: i64| {
        let text = auto(
            &format!(
                "pub fn f<n: Nat>(x: [f32; {step} * n + {size}], w: [f32; {size}]) -> [f32; n + 1] {{
                    x |> slide({size}, {step}) |> map(|v| dot(v, w)) }}"
            ),
            SIZES1,
        );
        text.contains("mapVec")
    };
    assert!(in_lanes(3, 2) && in_lanes(7, 2) && in_lanes(5, 3) && in_lanes(2, 3));
    assert!(!in_lanes(4, 2) && !in_lanes(3, 3) && !in_lanes(3, 4), "compilers load what is between at once");
    assert!(!in_lanes(3, 5), "these lie apart");
}

#[test]
fn few_elements_that_several_folds_need_are_not_stored() {
    let stored = |body: &str| {
        auto(
            &format!(
                "pub fn f<n: Nat, m: Nat>(x: [[f32; m]; n], s: f32) -> [[f32; m]; n] {{
                    x |> padClamp2D(1, 1) |> slide2D(3, 1) |> map2D(|w| {{
                        let e = w |> map2D(|v| exp((v - w[1][1]) * s));
                        {body}
                    }})
                }}"
            ),
            SIZES2,
        )
        .contains("toMem")
    };
    assert!(!stored("dot(join(e), join(w)) / sum(join(e))"));
    // One that is needed in another way has to be there.
    assert!(stored("dot(join(e), join(w)) / sum(join(e)) + e[0][1] * e[2][2]"));
}

#[test]
fn rows_that_are_scaled_and_added_up_are_not_stored() {
    let text = auto(
        "pub fn f<v: Nat, d: Nat, n: Nat, k: Nat>(x: [[f32; d]; v], at: [[Idx[v]; k]; n], w: [[f32; k]; n]) -> [[f32; d]; n] {
            zip(at, w) |> map(|(at, w)|
                zip(x |> gather(at), w) |> map(|(r, w)| r |> map(|v| v * w)) |> transpose |> map(sum))
        }",
        &[&[1, 1, 1, 1], &[3, 5, 2, 4], &[2, 131, 3, 9]],
    );
    assert!(!text.contains("toMem"), "{text}");
}

/// Each part of a pair is a register of its own, of as many windows as it has lanes.
#[test]
fn windows_that_give_pairs_go_side_by_side() {
    let program = |size: &str| {
        format!(
            "pub fn f<n: Nat, k: Nat>(x: [f32; n + k]) -> [(f32, f32); n + 1] where k >= 20 {{
                x |> slide({size}, 1) |> take(n + 1) |> map(|w| (reduce(min, f32::INFINITY, w), {{
                    let m = sum(w) / 20.0;
                    w |> map(|v| (v - m) * (v - m)) |> sum
                }}))
            }}"
        )
    };
    for size in ["k", "20"] {
        let text = auto(&program(size), &[&[0, 20], &[7, 21], &[40, 33]]);
        assert!(text.contains("mapVec(|w| ("), "{text}");
        // Few windows of an unknown size go one by one.
        assert_eq!(text.contains("split(16)"), size == "k", "{text}");
    }
}

#[test]
fn what_few_filters_make_of_windows_goes_side_by_side() {
    let in_lanes = |count: &str, taps: i64, step: i64| {
        let program = format!(
            "pub fn f<n: Nat, k: Nat>(x: [f32; {step} * n + {taps}], h: [[f32; {taps}]; {count}], y: [f32; k])
                -> [[f32; {count}]; n + 1] {{ x |> slide({taps}, {step}) |> map(|w| h |> map(|c| dot(w, c))) }}"
        );
        auto(&program, &[&[0, 1], &[1, 3], &[7, 2], &[40, 5]]).contains("mapVec(|w|")
    };
    for count in ["2", "3", "4"] {
        assert!(in_lanes(count, 8, 1) && in_lanes(count, 20, 1), "{count}");
    }
    assert!(!in_lanes("5", 8, 1) && !in_lanes("k", 8, 1), "these are tiles");
    assert!(!in_lanes("3", 8, 2), "these windows lie apart");
    let text = auto(
        "pub fn f<n: Nat, m: Nat>(x: [[f32; m]; n], h: [[[f32; 3]; 3]; 2]) -> [[[f32; 2]; m]; n] {
            x |> padClamp2D(1, 1) |> slide2D(3, 1) |> map2D(|w| h |> map(|c| dot(w |> join, c |> join))) }",
        &[&[1, 1], &[2, 3], &[5, 40]],
    );
    assert!(text.contains("mapVec(|w|"), "{text}");
    // Rows that do not overlap share nothing.
    let rows = auto(
        "pub fn f<n: Nat, m: Nat>(x: [[f32; m]; n], h: [[f32; m]; 3]) -> [[f32; 3]; n] {
            x |> map(|w| h |> map(|c| dot(w, c))) }",
        SIZES2,
    );
    assert!(!rows.contains("mapVec(|w|"), "{rows}");
}

/// Sums of products of two gradients, as corners are found.
#[test]
fn products_are_made_inside_of_windows() {
    let of = |products: &str, window: &str, windows: &str| {
        auto(
            &format!(
                "pub fn f<h: Nat, w: Nat>(a: [[f32; w + 2]; h + 2], b: [[f32; w + 2]; h + 2]) -> [[f32; w]; h] {{
                    let products = zip2D(a, b) |> map2D(|(v, w)| {products});
                    let {window} = products |> slide2D(3, 1);
                    {windows}
                }}"
            ),
            &[&[0, 0], &[1, 1], &[3, 17], &[40, 5]],
        )
    };
    let sums = "windows |> map2D(|n| sum(join(n)))";
    assert!(!of("v * w", "windows", sums).contains("toMem"));
    assert!(!of("v * v", "windows", sums).contains("toMem"));
    let border =
        "products |> padClamp2D(1, 1) |> slide2D(3, 1) |> map2D(|n| sum(join(n))) |> map(drop(2)) |> drop(2)";
    assert!(!of("v * w", "_", border).contains("toMem"));
    // What takes longer is stored.
    assert!(of("v * w + 1.0", "windows", sums).contains("toMem"));
    assert!(of("v / w", "windows", sums).contains("toMem"));
    // So is what is looked at by others as well.
    let both = "zip2D(windows, products |> map(drop(2)) |> drop(2)) |> map2D(|(n, p)| sum(join(n)) * p)";
    assert!(of("v * w", "windows", both).contains("toMem"));
}

/// Those of a window are more than those of its rows and of what is made of them.
#[test]
fn folds_of_all_elements_of_a_window_are_folds_of_its_rows() {
    let by_rows = |size: i64, element: &str| {
        let text = auto(
            &format!(
                "pub fn f<h: Nat, w: Nat>(image: [[f32; w]; h]) -> [[f32; w]; h] where h >= 1, w >= 1 {{
                    image |> padClamp2D({size} / 2, {size} - 1 - {size} / 2) |> slide2D({size}, 1) |> map2D(|w| {element})
                }}"
            ),
            &[&[1, 1], &[3, 70], &[35, 5]],
        );
        text.contains("|column|") || text.contains("|strip|")
    };
    assert!(by_rows(5, "sum(join(w)) / 25.0"));
    assert!(by_rows(4, "1.0 + (join(w) |> map(|v| v * v + 1.0) |> reduce(add, 2.0))"));
    assert!(by_rows(5, "reduce(max, w[0][0], join(w))") && by_rows(5, "reduce(min, w[4][2], join(w))"));
    assert!(by_rows(4, "reduce(max, 0.5, join(w))"));
    assert!(!by_rows(3, "sum(join(w))"), "rows are too short");
    assert!(!by_rows(5, "reduce(add, w[0][0], join(w))"), "it is added twice");
    assert!(!by_rows(5, "join(w) |> map(|v| v * w[2][2]) |> sum"), "the middle is no part of a row");
    assert!(!by_rows(5, "reduceSeq(|s, v| s + v, 0.0, join(w))"), "the order is chosen");
    assert!(by_rows(4, "w |> map(map(|v| v * v)) |> join |> sum"));
    assert!(!by_rows(4, "w |> map(map(|v| v * w[2][2])) |> join |> sum"), "the middle is no part of a row");
}

/// Windows of products are made of products in windows.
#[test]
fn folds_of_windows_of_computed_elements_are_folds_of_rows_as_well() {
    let text = auto(
        "pub fn f<h: Nat, w: Nat>(a: [[f32; w + 4]; h + 4], b: [[f32; w + 4]; h + 4]) -> [[f32; w]; h] {
            zip2D(a, b) |> map2D(|(x, y)| x * y) |> slide2D(5, 1) |> map2D(|w| sum(join(w)) / 25.0)
        }",
        &[&[1, 1], &[3, 70], &[35, 5]],
    );
    assert!(text.contains("|column|") && !text.contains("|w|"), "{text}");
}
