//! Products and other contractions.

use super::{SIZES, auto};

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
fn few_rows_go_once_through_columns_that_no_cache_holds() {
    let program = |rows: &str, steps: &str| {
        format!(
            "pub fn mm<m: Nat>(a: [[f32; {steps}]; {rows}], b: [[f32; m]; {steps}]) -> [[f32; m]; {rows}] {{
                a |> map(|row| transpose(b) |> map(|column| {DOT}))
            }}"
        )
    };
    let sizes: &[&[i128]] = &[&[0], &[1], &[130]];
    let many = auto(&program("20", "7"), sizes);
    assert!(many.contains("panel") && !many.starts_with("if "), "{many}");
    let few = auto(&program("5", "7"), sizes);
    assert!(few.starts_with("if 15728640 <= 28 * m {") && few.contains("panel"), "{few}");
    // In pieces of 512 columns, eight steps at a time, rows inside of them.
    let large = auto(&program("5", "7").replace("; m]", "; 1048576]").replace("m: Nat", "z: Nat"), &[]);
    assert!(large.contains("split(512)") && !large.contains("panel"), "{large}");
}

#[test]
fn few_rows_leave_columns_whose_elements_lie_side_by_side_where_they_are() {
    let program = |rows: i64, steps: i64, a: &str, view: &str| {
        format!(
            "pub fn mm<m: Nat>(a: {a}, b: [[f32; {steps}]; m]) -> [[f32; m]; {rows}] {{
                {view} |> map(|row| b |> map(|column| {DOT}))
            }}"
        )
    };
    let text = |rows, steps| {
        let straight = format!("[[f32; {steps}]; {rows}]");
        auto(&program(rows, steps, &straight, "a"), &[&[0], &[1], &[100]])
    };
    let few = text(8, 64);
    assert!(few.contains("split(48)") && !few.contains("let panel"), "{few}");
    assert!(few.contains("map(|column| (row, column))"), "{few}");
    assert!(text(9, 64).contains("let panel") && text(8, 63).contains("let panel"));
    assert!(text(21, 300).contains("let panel") && !text(20, 300).contains("let panel"));
    let across = auto(&program(8, 64, "[[f32; 8]; 64]", "transpose(a)"), &[&[0], &[1], &[100]]);
    assert!(across.contains("let rows") && !across.contains("let panel"), "{across}");
}

#[test]
fn few_columns_whose_elements_lie_side_by_side_stay_where_they_are() {
    let panels = |columns: i64, a: &str, view: &str| {
        let program = format!(
            "pub fn mm<n: Nat>(a: {a}, b: [[f32; 300]; {columns}]) -> [[f32; {columns}]; n] {{
                {view} |> map(|row| b |> map(|column| {DOT}))
            }}"
        );
        auto(&program, &[&[0], &[1], &[27]]).contains("let panel")
    };
    assert!(!panels(15, "[[f32; 300]; n]", "a"));
    // Rows that lie across would all be copied.
    assert!(panels(15, "[[f32; n]; 300]", "transpose(a)"));
    assert!(panels(16, "[[f32; 300]; n]", "a"));
}

#[test]
fn few_columns_of_rows_that_lie_across_go_as_few_rows_do() {
    let program = product("a: [[f32; n]; k], b: [[f32; m]; k]", DOT)
        .replace("rows(a)", "transpose(a)")
        .replace("columns(b)", "transpose(b)");
    let sizes: &[&[i128]] = &[&[5, 2, 3], &[130, 9, 1], &[513, 17, 4], &[600, 8, 5]];
    let text = auto(&program, sizes);
    let (few, _) = text.split_once("let blocks").expect("blocks of rows where there are many columns");
    assert!(few.starts_with("if m <= 4 {") && few.contains("split(512)"), "{few}");
}

#[test]
fn panels_are_wide_where_the_cache_holds_them() {
    let program = |steps: i64| {
        format!(
            "pub fn mm<m: Nat>(a: [[f32; {steps}]; 6], b: [[f32; m]; {steps}]) -> [[f32; m]; 6] {{
                a |> map(|row| transpose(b) |> map(|column| {DOT}))
            }}"
        )
    };
    let text = |steps: i64| auto(&program(steps), &[&[3]]);
    assert!(text(1280).contains("split(128)"));
    let narrow = text(1281);
    assert!(!narrow.contains("split(128)") && narrow.contains("split(64)"), "{narrow}");
}

#[test]
fn a_known_number_of_columns_fills_panels_of_its_own() {
    let panels = |columns: &str, steps: &str| {
        let program = format!(
            "pub fn mm<n: Nat>(a: [[f32; {steps}]; n], b: [[f32; {columns}]; {steps}]) -> [[f32; {columns}]; n] {{
                a |> map(|row| transpose(b) |> map(|column| {DOT}))
            }}"
        );
        let text = auto(&program, &[&[1], &[25]]);
        let is_there = |size: &i64| text.contains(&format!("split({size})"));
        [48, 64, 80, 96, 112, 128].into_iter().filter(is_there).collect::<Vec<i64>>()
    };
    assert_eq!(panels("48", "9"), [48]);
    assert_eq!(panels("80", "9"), [80]);
    assert_eq!(panels("112", "9"), [112]);
    // Tiles of few rows read long columns too often.
    assert_eq!(panels("112", "200"), [48, 64]);
    assert_eq!(panels("96", "200"), [96]);
    // The widest ones go in tiles of half of them.
    assert_eq!(panels("176", "9"), [48, 64, 128]);
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
        (text.contains("let copy"), text.contains(&format!("take({columns})")))
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
    assert!(
        text.starts_with("if (n <= 5) & (3145728 * n <= 4 * k * m) {") && panel.contains("mapPar"),
        "{text}"
    );
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
fn columns_of_several_dimensions_are_those_of_one_product() {
    let planes = "k: [[f32; c]; o], x: [[[f32; w]; h]; c]";
    let sum = "sum(generate(|l: Idx[c]| k[o][l] * x[l][i][j]))";
    let pixels = "x |> transpose |> map(|rows| transpose(rows) |> map(|p| dot(k, p)))";
    for (signature, body) in [
        (planes, &*format!("generate(|o| generate(|i| generate(|j| {sum})))")),
        (planes, &format!("k |> map(|k| {pixels})")),
        (
            &format!("{planes}, b: [f32; o]"),
            &format!("zip(k, b) |> map(|(k, b)| {pixels} |> map(map(|v| v + b)))"),
        ),
    ] {
        let program = format!(
            "pub fn f<o: Nat, h: Nat, w: Nat, c: Nat>({signature}) -> [[[f32; w]; h]; o] {{ {body} }}"
        );
        let text =
            auto(&program, &[&[1, 1, 1, 1], &[4, 0, 0, 9], &[2, 3, 0, 1], &[7, 5, 29, 3], &[13, 3, 4, 9]]);
        assert_tiled(&text);
    }
}

const PLANES: &str = "k: [[[[f32; 3]; 3]; c]; o], x: [[[f32; w + 2]; h + 2]; c]";

#[test]
fn windows_of_planes_are_read_where_they_lie() {
    let sum = "sum(generate(|c: Idx[c]| sum(generate(|a: Idx[3]|
        sum(generate(|b: Idx[3]| k[o][c][a][b] * x[c][i + a][j + b]))))))";
    let by_index = format!("generate(|o| generate(|i: Idx[h]| generate(|j: Idx[w]| {sum})))");
    let with_index = format!("generate(|o| generate(|i: Idx[h]| generate(|j: Idx[w]| max({sum}, 0.0))))");
    let windows = "k |> map(|k| x |> map(slide2D(3, 1)) |> transpose |> map(|rows| transpose(rows)
        |> map(|ws| zip(k, ws) |> map(|(a, b)| dot(join(a), join(b))) |> sum)))";
    for (body, may_be_empty) in [(&*by_index, true), (&with_index, true), (windows, false)] {
        let program =
            format!("pub fn f<o: Nat, c: Nat, h: Nat, w: Nat>({PLANES}) -> [[[f32; w]; h]; o] {{ {body} }}");
        let sizes: &[&[i128]] =
            &[&[0, 2, 3, 3], &[3, 0, 1, 2], &[12, 1, 1, 17], &[13, 2, 2, 5], &[1, 1, 1, 66]];
        let empty: &[&[i128]] = &[&[12, 1, 0, 2], &[14, 1, 2, 0]];
        let text = auto(&program, &[sizes, if may_be_empty { empty } else { &[] }].concat());
        // Few filters and columns as before; otherwise a copy is of columns that fill no vector.
        assert!(text.starts_with("if (o <= 11) & (w <= 63) {"), "{text}");
        assert!(text.contains("split(64)") && text.matches("let panel").count() == 1, "{text}");
    }
}

#[test]
fn convolutions_by_indices_are_products() {
    let program = "pub fn f<o: Nat, c: Nat, h: Nat, w: Nat>(k: [[[[f32; c]; 3]; 3]; o], x: [[[f32; c]; w + 2]; h + 2])
        -> [[[f32; o]; w]; h] {
            generate(|i: Idx[h]| generate(|j: Idx[w]| generate(|o| sum(generate(|a: Idx[3]| sum(generate(|b: Idx[3]|
                sum(generate(|c: Idx[c]| k[o][a][b][c] * x[i + a][j + b][c])))))))))
        }";
    let text = auto(program, &[&[1, 1, 1, 1], &[3, 2, 0, 5], &[17, 1, 2, 0], &[18, 5, 2, 7], &[2, 20, 1, 2]]);
    assert_tiled(&text);
    // Lines of windows lie apart: no lanes go along them.
    assert!(text.contains("mul_add") && !text.contains("let lanes"), "{text}");
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
        let names = ["before", "layer", "stored"].map(|name| text.matches(&format!("let {name}")).count());
        assert_eq!(names.iter().sum::<usize>(), 2, "{text}");
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
fn rows_may_have_columns_of_their_own_beside_those_of_all() {
    for (element, of_row) in [
        ("c[i][j] + sum(generate(|l| a[i][l] * b[l][j]))", "c: [[f32; m]; n]"),
        ("2.0 * sum(generate(|l| a[i][l] * b[l][j])) - (c[i][j].0 + c[i][j].1)", "c: [[(f32, f32); m]; n]"),
        ("sum(generate(|l| a[i][l] * b[l][j])) + c[j][i]", "c: [[f32; n]; m]"),
    ] {
        let program = format!(
            "pub fn scaled<n: Nat, k: Nat, m: Nat>({NN}, {of_row}) -> [[f32; m]; n] {{
                generate(|i| generate(|j| {element}))
            }}"
        );
        assert_tiled(&auto(&program, SIZES));
    }
    let text = auto(
        "pub fn scaled<n: Nat, k: Nat, m: Nat>(s: f32, a: [[f32; k]; n], b: [[f32; k]; m], c: [[f32; m]; n], d: [[f32; m]; n])
            -> [[f32; m]; n] {
            zip(zip(a, c), d) |> map(|((row, cs), ds)| zip(cs, zip(b, ds)) |> map(|(x, (column, y))|
                s * dot(row, column) + x * y))
        }",
        SIZES,
    );
    assert_tiled(&text);
}

#[test]
fn terms_of_a_sum_are_added_to_the_accumulator_one_by_one() {
    let text = auto(
        "pub fn two<n: Nat, k: Nat, m: Nat>(a: [[f32; k]; n], b: [[f32; m]; k], c: [[f32; k]; n], d: [[f32; m]; k])
            -> [[f32; m]; n] {
            generate(|i| generate(|j| sum(generate(|l| a[i][l] * b[l][j] - c[i][l] * d[l][j]))))
        }",
        SIZES,
    );
    assert_tiled(&text);
    // Around the other one: `mul_add(-c, d, mul_add(a, b, acc))`.
    let nested =
        text.split("mul_add(").skip(1).filter(|args| args.starts_with('-') && args.ends_with(", ")).count();
    assert!(nested > 0, "{text}");
}

/// The product in tiles, and then what the indices say.
#[test]
fn products_beside_which_indices_count_are_stored() {
    let program = |element: &str| {
        format!(
            "pub fn f<n: Nat, m: Nat>(a: [[i32; n]; m], b: [[i32; n]; m], c: i32) -> [[i32; n]; n] {{
                generate(|i| generate(|j| {element}))
            }}"
        )
    };
    let sum = "sum(generate(|k: Idx[m]| a[k][i] * b[k][j]))";
    let sizes: &[&[i128]] = &[&[0, 0], &[1, 1], &[3, 5], &[40, 7]];
    for element in [
        format!("{sum} + if i == j {{ c }} else {{ 0 }}"),
        format!("{{ let s = {sum}; if i < j {{ s * c }} else {{ s }} }}"),
    ] {
        let text = auto(&program(&element), sizes);
        assert!(text.contains("let all = ") && text.contains("reduceSeqUnroll"), "{text}");
    }
    // Nothing is computed that a condition may leave out, or that more than indices go into.
    for element in [
        format!("if i < j {{ {sum} }} else {{ c }}"),
        "{ let s = if i == j { c } else { 1 }; s + sum(generate(|k: Idx[m]| a[k][i] * b[k][j] * s)) }"
            .to_owned(),
    ] {
        let text = auto(&program(&element), sizes);
        assert!(!text.contains("let all = "), "{text}");
    }
}
