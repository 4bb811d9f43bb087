//! What the default strategy makes of common programs, held against the interpreter.

use super::rewritten;

const SIZES: &[&[i128]] =
    &[&[0, 0, 0], &[1, 1, 1], &[3, 5, 2], &[8, 3, 32], &[17, 7, 35], &[9, 2, 64], &[7, 3, 150]];
const SIZES1: &[&[i128]] = &[&[0], &[1], &[7], &[30]];
const SIZES2: &[&[i128]] = &[&[0, 0], &[1, 1], &[13, 37], &[3, 130]];

fn auto(program: &str, sizes: &[&[i128]]) -> String {
    rewritten(program, sizes).body.to_string()
}

fn product(operands: &str, step: &str) -> String {
    format!(
        "pub fn mm<n: Nat, k: Nat, m: Nat>({operands}) -> [[f32; m]; n] {{
            rows(a) |> map(|row| columns(b) |> map(|column| {step}))
        }}"
    )
}

const NN: &str = "a: [[f32; k]; n], b: [[f32; m]; k]";
const DOT: &str = "zip(row, column) |> map(|(x, y)| x * y) |> reduce(add, 0.0)";

fn assert_tiled(text: &str) {
    assert!(text.contains("panel") && text.contains("mapVec") && text.contains("mapPar"), "{text}");
}

#[test]
fn products_are_tiled_in_all_transpositions() {
    for (operands, rows, columns) in [
        (NN, "a", "transpose(b)"),
        ("a: [[f32; k]; n], b: [[f32; k]; m]", "a", "b"),
        ("a: [[f32; n]; k], b: [[f32; m]; k]", "transpose(a)", "transpose(b)"),
        ("a: [[f32; n]; k], b: [[f32; k]; m]", "transpose(a)", "b"),
    ] {
        let program = product(operands, DOT).replace("rows(a)", rows).replace("columns(b)", columns);
        let text = auto(&program, SIZES);
        assert_tiled(&text);
        assert!(text.contains("mul_add"), "{text}");
    }
}

#[test]
fn rows_that_lie_side_by_side_are_copied_into_blocks() {
    let blocks = |operands: &str, rows: &str| {
        let program = product(operands, DOT).replace("rows(a)", rows).replace("columns(b)", "transpose(b)");
        auto(&program, &[&[5, 2, 3], &[12, 3, 2], &[77, 2, 17]]).matches("let blocks").count()
    };
    assert_eq!(blocks("a: [[f32; n]; k], b: [[f32; m]; k]", "transpose(a)"), 1);
    assert_eq!(blocks(NN, "a"), 0);
}

#[test]
fn products_of_few_rows_copy_nothing() {
    let program = |rows: &str| {
        format!(
            "pub fn mm<k: Nat, m: Nat>(a: [[f32; k]; {rows}], b: [[f32; m]; k]) -> [[f32; m]; {rows}] {{
                a |> map(|row| transpose(b) |> map(|column| {DOT}))
            }}"
        )
    };
    let sizes: &[&[i128]] = &[&[0, 0], &[1, 1], &[3, 130]];
    let few = auto(&program("1"), sizes);
    assert!(!few.contains("panel") && few.contains("mapVec"), "{few}");
    let many = auto(&program("20"), sizes);
    assert!(many.contains("panel") && !many.starts_with("if "), "{many}");
}

#[test]
fn few_columns_that_are_left_over_are_folded_in_lanes() {
    let program = |columns: &str| {
        format!(
            "pub fn mm<n: Nat, k: Nat>(a: [[f32; k]; n], b: [[f32; {columns}]; k]) -> [[f32; {columns}]; n] {{
                a |> map(|row| transpose(b) |> map(|column| {DOT}))
            }}"
        )
    };
    let kinds = |columns: &str| {
        let text = auto(&program(columns), &[&[7, 3], &[13, 35]]);
        (text.contains("let copy"), text.contains("take(5)"))
    };
    assert_eq!(kinds("32"), (false, false));
    assert_eq!(kinds("34"), (true, false));
    assert_eq!(kinds("37"), (false, true));
    let rows = "a: [[f32; n]; k], b: [[f32; m]; k]";
    let across = product(rows, DOT).replace("rows(a)", "transpose(a)").replace("columns(b)", "transpose(b)");
    assert!(!auto(&across, SIZES).contains("let copy"));
}

#[test]
fn tiles_of_a_panel_run_in_parallel_beside_panels() {
    let text = auto(
        &product(NN, DOT).replace("rows(a)", "a").replace("columns(b)", "transpose(b)"),
        &[&[7, 3, 130]],
    );
    let (_, panel) = text.split_once("let panel").expect("a panel");
    assert!(text.starts_with("if n < 6 {") && panel.contains("mapPar"), "{text}");
}

#[test]
fn other_contractions_are_tiled() {
    for step in [
        "zip(row, column) |> map(|(x, y)| x + y) |> reduce(min, 1000.0)",
        "2.0 * (zip(row, column) |> map(|(x, y)| x * y) |> reduce(add, 0.0)) + 1.0",
    ] {
        let program = product(NN, step).replace("rows(a)", "a").replace("columns(b)", "transpose(b)");
        assert_tiled(&auto(&program, SIZES));
    }
}

/// All windows of an image are the rows of one product.
#[test]
fn convolutions_are_tiled() {
    let layer = |windows: &str| {
        format!(
            "pub fn layer<h: Nat, w: Nat, o: Nat>(filter: [[[f32; o]; 2]; 6], x: [[[f32; 2]; w + 4]; h + 4])
            -> [[[f32; o]; w + 2]; h + 3] {{
            {windows} |> map(|row| row |> map(|window| transpose(join(filter)) |> map(|taps|
                zip(join(join(window)), taps) |> map(|(x, y)| x * y) |> reduce(add, 0.0))))
        }}"
        )
    };
    let text =
        auto(&layer("slide(2, 1, x) |> map(|rows| transpose(map(|row| slide(3, 1, row), rows)))"), SIZES);
    assert_tiled(&text);
    assert!(text.contains("split(w + 2)"), "{text}");
    // Lines of a window lie apart, so that no fold goes along them in lanes.
    assert!(!text.contains("let copy"), "{text}");
}

#[test]
fn points_by_a_small_matrix_fill_no_vectors() {
    let text = auto(
        "pub fn turned<n: Nat>(points: [[f32; 3]; n], m: [[f32; 3]; 3]) -> [[f32; 3]; n] {
            points |> map(|p| m |> map(|row| zip(row, p) |> map(|(a, b)| a * b) |> reduce(add, 0.0)))
        }",
        &[&[0], &[1], &[20]],
    );
    assert!(!text.contains("padCst") && !text.contains("toMem"), "{text}");
}

#[test]
fn a_bias_and_what_follows_the_product_is_fused() {
    let text = auto(
        "pub fn layer<n: Nat, k: Nat, m: Nat>(a: [[f32; k]; n], b: [[f32; m]; k], c: [f32; m]) -> [[f32; m]; n] {
            a |> map(|row| zip(transpose(b), c) |> map(|(column, c)|
                max((zip(row, column) |> map(|(x, y)| x * y) |> reduce(add, 0.0)) + c, 0.0)))
        }",
        SIZES,
    );
    assert_tiled(&text);
}

#[test]
fn indices_that_choose_elements_make_the_same_products() {
    for access in ["a[i][l] * b[l][j]", "b[l][j] * a[i][l]", "transpose(a)[l][i] * transpose(b)[j][l]"] {
        let text = auto(
            &format!(
                "pub fn mm<n: Nat, k: Nat, m: Nat>({NN}) -> [[f32; m]; n] {{
                    generate(|i| generate(|j| generate(|l| {access}) |> reduce(add, 0.0)))
                }}"
            ),
            SIZES,
        );
        assert_tiled(&text);
        assert!(text.contains("mul_add") && !text.contains("[i]"), "{text}");
    }
}

#[test]
fn what_is_there_because_something_is_generated_stays_inside() {
    for (rows, is_there) in [("n", false), ("n + 1", true)] {
        let program =
            format!("pub fn f<n: Nat>(a: [[f32; n]; {rows}]) -> [f32; n] {{ generate(|i| 2.0 * a[0][i]) }}");
        let text = auto(&program, &[&[0], &[3], &[40]]);
        assert_eq!(text.contains("a[0] |>"), is_there, "{text}");
    }
}

#[test]
fn other_indices_run_in_parallel_and_in_vectors_where_elements_lie_side_by_side() {
    for (element, size, lanes) in [
        ("s * (i as f32)", "n", true),
        ("s * (i as f32) + x[i]", "n", true),
        ("x[n - 1 - i]", "n", false),
        ("x[i / 2]", "n", false),
        ("x[2 * i] + x[2 * i + 1]", "n / 2", false),
    ] {
        let program =
            format!("pub fn f<n: Nat>(s: f32, x: [f32; n]) -> [f32; {size}] {{ generate(|i| {element}) }}");
        let text = auto(&program, &[&[0], &[1], &[77]]);
        assert!(text.contains("mapPar") && text.contains("mapVec") == lanes, "{text}");
    }
}

#[test]
fn folds_of_tuples_have_several_accumulators() {
    let program = |xs: &str| {
        format!(
            "pub fn f<n: Nat>(x: [f32; n]) -> (f32, f32) {{
                x |> map(|v| (v, v * v)) {xs} |> reduce(|(a, b), (c, d)| (a + c, max(b, d)), (0.0, 1.0))
            }}"
        )
    };
    assert!(auto(&program(""), &[&[0], &[5], &[1000]]).contains("mapVec"));
    let pairs = program("").replace("(a + c, max(b, d))", "(a + d, max(b, c))");
    assert!(!auto(&pairs, &[&[0], &[5], &[100]]).contains("mapVec"));
}

#[test]
fn scans_of_columns_go_row_by_row() {
    let text = auto(
        "pub fn f<h: Nat, w: Nat>(x: [[f32; w]; h]) -> [[f32; w]; h] {
            transpose(x) |> map(|column| column |> map(|v| 2.0 * v) |> scan(add, 1.0)) |> transpose
        }",
        SIZES2,
    );
    assert!(text.contains("scanSeq(|accs") && text.contains("mapVec"), "{text}");
}

#[test]
fn what_a_loop_does_not_bind_is_folded_before_it() {
    let text = auto(
        "pub fn f<h: Nat, w: Nat>(x: [[f32; w]; h]) -> [[f32; w]; h] {
            x |> map(|row| row |> map(|v| v / sqrt(sum(row))))
        }",
        SIZES2,
    );
    assert!(text.contains("mapVec(|v| v / t"), "{text}");
}

#[test]
fn what_has_a_value_only_because_a_loop_runs_is_folded_before_it_if_it_does() {
    for (result, body) in [
        ("[f32; n]", "x |> map(|v| v + sum(y[0]))"),
        ("[f32; n]", "generate(|i| x[i] - sum(y[0]))"),
        ("[[f32; m]; n]", "y |> map(|row| row |> map(|v| v * sum(y[n - 1])))"),
    ] {
        let program =
            format!("pub fn f<n: Nat, m: Nat>(x: [f32; n], y: [[f32; m]; n]) -> {result} {{ {body} }}");
        let text = auto(&program, &[&[0, 0], &[0, 3], &[1, 1], &[13, 37], &[3, 130]]);
        assert!(text.contains("= if 1 <= n { "), "{text}");
    }
}

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
        assert!(text.contains("split(h)") && !text.contains("n * h"), "{text}");
    }
    let text = auto("pub fn f<n: Nat, h: Nat>(x: [[f32; h]; n]) -> f32 { x |> join |> sum }", SIZES2);
    assert!(!text.contains("split(h)"), "{text}");
}

#[test]
fn scans_of_rows_go_several_at_once_into_one_memory() {
    let text = auto(
        "pub fn f<h: Nat, w: Nat>(x: [[f32; w]; h]) -> [[f32; w]; h] {
            x |> map(|row| row |> scan(add, 0.0)) |> transpose |> map(|c| c |> scan(add, 0.0)) |> transpose
        }",
        SIZES2,
    );
    assert!(text.contains("split(4)") && text.contains("mapSeqUnroll"), "{text}");
    assert!(text.contains("mapVec"), "the scans of columns read rows:\n{text}");
    assert_eq!(text.matches("toMem").count(), 1, "{text}");
}

#[test]
fn operands_that_take_loops_are_stored_once_and_tiled_themselves() {
    let chain = |between: &str| {
        auto(
            &format!(
                "pub fn mm<n: Nat, k: Nat, m: Nat>(a: [[f32; k]; n], b: [[f32; m]; k]) -> [[f32; m]; n] {{
                    a |> map(|row| a |> map(|column| {DOT})) {between}
                        |> map(|row| transpose(a) |> map(|column| {DOT}))
                        |> map(|row| transpose(b) |> map(|column| {DOT}))
                }}"
            ),
            &[&[1, 1, 1], &[7, 3, 130]],
        )
    };
    for between in ["", "|> map(|row| row |> map(|x| exp(x - reduce(max, row[0], row)))) |> toMem"] {
        let text = chain(between);
        assert_eq!(text.matches("let before").count(), 2, "{text}");
    }
}

#[test]
fn columns_that_each_row_computes_for_itself_make_no_tiles() {
    let text = auto(
        "pub fn f<n: Nat, k: Nat, m: Nat>(a: [[f32; k]; n], b: [[f32; k]; m]) -> [[f32; m]; n] {
            a |> map(|row| b |> map(|c| c |> map(|y| y + sum(row))) |> map(|c| dot(row, c)))
        }",
        &[&[1, 1, 1], &[7, 3, 20]],
    );
    assert!(!text.contains("panel"), "{text}");
}

#[test]
fn sums_of_sums_are_one_sum_in_a_tile() {
    let text = auto(
        "pub fn f<n: Nat, k: Nat, m: Nat>(a: [[[f32; k]; 70]; n], b: [[[f32; k]; 70]; m]) -> [[f32; m]; n] {
            a |> map(|row| b |> map(|c| zip(row, c) |> map(|(x, y)| dot(x, y)) |> reduce(add, 0.0)))
        }",
        &[&[1, 1, 1], &[7, 3, 20]],
    );
    assert_tiled(&text);
    assert!(text.contains("join"), "{text}");
}

#[test]
fn reductions_have_several_accumulators() {
    let text = auto(
        "pub fn gemv<n: Nat, m: Nat>(a: [[f32; m]; n], x: [f32; m]) -> [f32; n] {
            a |> map(|row| zip(row, x) |> map(|(a, b)| a * b) |> reduce(add, 0.0))
        }",
        SIZES2,
    );
    assert!(text.contains("split(128)") && text.contains("mapVec") && text.contains("mapPar"), "{text}");
}

#[test]
fn rows_are_reduced_side_by_side() {
    let several = |rows: &str| {
        let program = format!(
            "pub fn f<n: Nat, m: Nat>(a: [[f32; m]; n], x: [f32; n], w: [f32; m + n]) -> [f32; n] {{
                zip({rows}, x) |> map(|(row, x)| 2.0 * (row |> reduce(max, -1.0)) + x)
            }}"
        );
        auto(&program, &[&[0, 3], &[6, 16], &[13, 37], &[3, 130]]).contains("split(6)")
    };
    assert!(several("a"));
    // Neighbouring windows are not apart.
    assert!(!several("take(n, slide(m + 1, 1, w))"));
}

#[test]
fn results_go_in_lanes_where_they_lie_as_close_as_what_is_folded() {
    let kinds = |signature: &str, body: &str| {
        let text = auto(
            &format!("pub fn f<n: Nat, k: Nat>({signature}, f: [f32; k]) -> [f32; n] {{ {body} }}"),
            &[&[1, 1], &[5, 70], &[70, 3], &[77, 80]],
        );
        (text.starts_with("if (n <= 63) & (64 <= k)"), text.starts_with("if 16 <= k"))
    };
    let windows = "take(n, slide(k, 1, x)) |> map(|w| dot(w, f))";
    assert_eq!(kinds("x: [f32; n + k]", windows), (true, false));
    assert_eq!(kinds("x: [f32; n + k]", "generate(|i| sum(generate(|d| x[i + d] * f[d])))"), (true, false));
    assert_eq!(
        kinds("x: [f32; n]", "x |> map(|x| f |> map(|y| abs(x - y)) |> reduce(min, 9.0))"),
        (true, false)
    );
    // Of sums of sums the inner ones count.
    let plane = "generate(|i| sum(generate(|d| sum(generate(|e| x[d][i + e] * f[e])))))";
    assert_eq!(kinds("x: [[f32; n + k]; 3]", plane), (true, false));
    // Rows that lie apart.
    assert_eq!(kinds("x: [[f32; k]; n]", "x |> map(|row| dot(row, f))"), (false, true));
}

#[test]
fn folds_run_over_what_is_chosen_by_its_index_alone() {
    let several = |signature: &str, body: &str| {
        let text = auto(
            &format!("pub fn f<n: Nat, l: Nat>({signature}) -> [f32; l] {{ {body} }}"),
            &[&[0, 1], &[1, 0], &[3, 70], &[70, 70], &[300, 7]],
        );
        assert!(!text.contains("else { 0.0 }"), "{text}");
        text.contains("let lanes")
    };
    let matrix = "x: [[f32; n]; l], y: [f32; n]";
    assert!(several(
        matrix,
        "generate(|i| sum(generate(|j: Idx[n]| if j <= i { x[i][j] * y[j] } else { 0.0 })))"
    ));
    assert!(several(matrix, "generate(|i| sum(generate(|j: Idx[n]| if j > i { 0.0 } else { x[i][j] })))"));
    let band = "generate(|i| sum(generate(|j: Idx[n]| if i <= j + 3 && j <= i + 3 { x[i][j] * y[j] } else { 0.0 })))";
    assert!(several(matrix, band));
    // Neighbours in the result read neighbours, but take different numbers of steps.
    let lagged =
        "generate(|k| sum(generate(|i: Idx[n]| if i + k < n { x[i] * x[(i + k) as Idx[n]] } else { 0.0 })))";
    assert!(several("x: [f32; n]", lagged));
    // What else is asked stays.
    let some = "generate(|i| sum(generate(|j: Idx[n]| if j <= i && y[j] > 0.0 { x[i][j] } else { 0.0 })))";
    let text =
        auto(&format!("pub fn f<n: Nat, l: Nat>({matrix}) -> [f32; l] {{ {some} }}"), &[&[9, 20], &[20, 9]]);
    assert!(text.contains("take(") && text.contains("else { 0.0 }"), "{text}");
}

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
fn known_lengths_say_what_goes_in_lanes() {
    let folds = |results: &str, length: &str| {
        let program = format!(
            "pub fn f<n: Nat, k: Nat>(x: [f32; {results} + {length}], f: [f32; {length}]) -> [f32; {results}] {{
                take({results}, slide({length}, 1, x)) |> map(|w| dot(w, f))
            }}"
        );
        let text = auto(&program, &[&[1, 1], &[70, 80]]);
        (text.contains("if "), text.contains("let lanes"))
    };
    assert_eq!(folds("64", "k"), (false, false));
    assert_eq!(folds("n", "63"), (false, false));
    assert_eq!(folds("10", "100"), (false, true));
    assert_eq!(folds("10", "k"), (true, true));
    assert_eq!(folds("n", "100"), (true, true));
}

#[test]
fn rows_of_few_are_lanes_unless_each_is_computed_by_itself() {
    let pixels = |each: &str| {
        auto(
            &format!(
                "pub fn f<n: Nat>(a: [f32; 3], x: [[f32; 3]; n]) -> [[f32; 3]; n] {{ x |> map(|p| {each}) }}"
            ),
            SIZES1,
        )
    };
    let text = pixels("zip(p, a) |> map(|(x, a)| x * a)");
    assert!(text.contains("mapVec"), "{text}");
    let text = pixels("{ let s = p |> map(|x| x * x) |> reduce(add, 0.0); p |> map(|x| x - s) }");
    assert!(!text.contains("mapVec"), "{text}");
}

#[test]
fn far_elements_are_left_alone() {
    let text = auto(
        "pub fn t<n: Nat, m: Nat>(a: [[f32; m]; n]) -> [[f32; n]; m] { transpose(a) |> map(|r| r |> map(|x| x + 1.0)) }",
        SIZES2,
    );
    assert!(!text.contains("mapVec"), "{text}");
}

#[test]
fn columns_are_folded_side_by_side() {
    let text = auto(
        "pub fn sums<n: Nat, m: Nat>(a: [[f32; m]; n]) -> [f32; m] { transpose(a) |> map(|c| c |> reduce(add, 0.0)) }",
        SIZES2,
    );
    assert!(text.contains("mapVec") && !text.contains("lanes"), "{text}");
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
fn short_rows_of_slow_functions_go_abreast() {
    const SIZES: &[&[i128]] = &[&[0, 0], &[1, 3], &[16, 1], &[17, 3], &[37, 10], &[16, 25], &[18, 50]];
    let each = |of: &str, length: &str| {
        let text = auto(
            &format!(
                "pub fn f<n: Nat, m: Nat>(x: [[f32; {length}]; n], y: [[f32; n]; {length}]) -> [[f32; {length}]; n] {{ {of} }}"
            ),
            SIZES,
        );
        (text.contains("mapVec(|row|"), text.starts_with("if"))
    };
    let shares = "x |> map(|row| { let total = sum(row); row |> map(|x| exp(x - total)) })";
    let parts = "x |> map(|row| { let total = sum(row); row |> map(|x| x / (total + 500.0)) })";
    let less = "x |> map(|row| { let total = sum(row); row |> map(|x| x - total) })";
    assert_eq!(each(shares, "m"), (true, true));
    assert_eq!(each(parts, "m"), (true, true));
    assert_eq!(each(less, "m"), (false, false));
    // Where the length is known there is one condition less, or no other form.
    assert_eq!(each(shares, "48"), (true, true));
    assert_eq!([each(shares, "49"), each(parts, "25")], [(false, false); 2]);
    // Columns lie side by side already.
    assert!(!each(&shares.replace("x |> map(|row|", "transpose(y) |> map(|row|"), "m").0);
}

#[test]
fn lanes_are_gathered_beside_long_loops_alone() {
    let far = |body: &str| {
        let program = format!(
            "pub fn f<n: Nat, m: Nat>(x: [(f32, f32); n], a: [[f32; m]; n], at: [[i32; n]; m]) -> [f32; n]
            where n >= 1 {{ {body} }}"
        );
        auto(&program, &[&[1, 1], &[17, 3]]).contains("mapVec")
    };
    let folded = |element: &str| {
        far(&format!(
            "zip(x, transpose(at)) |> map(|(p, own)| reduceSeq(|acc, j| acc * p.0 + {element}, p.1, own))"
        ))
    };
    assert!(folded("1.0") && folded("x[j as Idx[n]].0"));
    assert!(!far("x |> map(|p| p.0 * p.1)"));
    assert!(!far("zip(x, a) |> map(|(p, row)| reduceSeq(|acc, y| acc * p.0 + y, p.1, row))"));
}

const DOT_PRODUCT: &str = "pub fn dot<n: Nat>(x: [f32; n], y: [f32; n]) -> f32 {
    zip(x, y) |> map(|(x, y)| x * y) |> reduce(add, 0.0)
}";

#[test]
fn reductions_of_whole_vectors_fold_blocks_in_parallel() {
    let text = auto(DOT_PRODUCT, &[&[0], &[1], &[67], &[1000]]);
    assert!(text.contains("split(65536)") && text.contains("mapPar"), "{text}");
}

#[test]
fn a_contraction_reaches_the_lanes() {
    let program = format!("{DOT_PRODUCT} compile dot to rust with auto ; mulAdd @ everywhere ; lower;");
    let text = auto(&program, &[&[0], &[1], &[67], &[1000]]);
    assert_eq!(text.matches("mul_add(").count(), 6, "{text}");
}
