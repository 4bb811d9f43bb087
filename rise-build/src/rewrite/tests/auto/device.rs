//! What is shared out on a device where no map is written: folds in stages, copies, and what is stored; long rows in
//! groups, long columns in pieces, and products in tiles.

use super::{SIZES1, SIZES2, auto};

fn on_device(program: &str, sizes: &[&[i128]]) -> String {
    auto(&format!("{program}\ncompile f to opencl with auto;"), sizes)
}

fn count(text: &str, part: &str) -> usize {
    text.matches(part).count()
}

#[test]
fn folds_go_in_stages_of_lanes_where_the_operator_commutes() {
    let fold = |op: &str| format!("pub fn f<n: Nat>(x: [i32; n]) -> i32 {{ x |> map(|v| v * v) |> {op} }}");
    for (op, zero) in [("reduce(add, 5)", "0)"), ("reduce(max, 5)", "-2147483648)"), ("reduce(xor, 5)", "0)")]
    {
        let text = on_device(&fold(op), &[&[0], &[3], &[70], &[5000]]);
        assert_eq!(count(&text, "mapGlobal(0"), 3, "{text}");
        assert!([67280, 2320, 80].iter().all(|width| text.contains(&format!("split({width})"))), "{text}");
        assert!(text.contains(zero) && count(&text, ", 5)") == 1, "it starts once from what is said: {text}");
    }
    let in_order = on_device(&fold("reduceSeq(add, 5)"), SIZES1);
    assert!(!in_order.contains("mapGlobal"), "{in_order}");
}

#[test]
fn folds_go_in_pieces_where_the_order_counts() {
    let text = on_device(
        "fn last(a: i32, b: i32) -> i32 { if b == 0 { a } else { b } }
        pub fn f<n: Nat>(x: [i32; n]) -> i32 { x |> reduce(last, 7) }",
        &[&[0], &[1], &[127], &[128], &[300]],
    );
    assert!(count(&text, "mapGlobal(0") == 3 && !text.contains("transpose"), "{text}");
}

#[test]
fn short_folds_stay_one_loop() {
    let text = on_device("pub fn f(x: [f32; 1000]) -> f32 { sum(x) }", &[&[]]);
    assert!(!text.contains("mapGlobal"), "{text}");
    let text = on_device("pub fn f(x: [f32; 100000]) -> f32 { sum(x) }", &[]);
    assert_eq!(count(&text, "mapGlobal(0"), 3, "{text}");
}

#[test]
fn elements_that_take_folds_are_stored_by_all() {
    let text = on_device(
        "pub fn f<h: Nat, w: Nat>(a: [[f32; w]; h]) -> f32 { a |> map(sum) |> reduce(add, 0.0) }",
        SIZES2,
    );
    assert_eq!((count(&text, "mapGlobal(0"), count(&text, "toMem(Global)")), (4, 4), "{text}");
}

#[test]
fn copies_are_shared_out() {
    let matrix =
        |body: &str, ty: &str| format!("pub fn f<h: Nat, w: Nat>(a: [[f32; w]; h]) -> {ty} {{ {body} }}");
    for (body, ty) in [
        ("a |> transpose", "[[f32; h]; w]"),
        ("a |> padClamp2D(1, 2)", "[[f32; w + 3]; h + 3]"),
        ("generate(|i: Idx[w]| generate(|j: Idx[h]| a[j][i]))", "[[f32; h]; w]"),
        ("a |> map(|row| row |> reorder(|i| w - 1 - i, |i| w - 1 - i))", "[[f32; w]; h]"),
    ] {
        let text = on_device(&matrix(body, ty), SIZES2);
        assert!(text.contains("mapGlobal(1") && text.contains("mapGlobal(0"), "{text}");
        assert!(!text.contains("mapSeq"), "{text}");
    }
    let text = on_device(&matrix("a |> join", "[f32; h * w]"), SIZES2);
    assert!(text.contains("mapGlobal(0") && !text.contains("mapSeq"), "{text}");
    let both = "(a |> transpose, concat(a |> map(map(|x| x + 1.0)), a))";
    let text = on_device(&matrix(both, "([[f32; h]; w], [[f32; w]; h + h])"), SIZES2);
    assert!(count(&text, "mapGlobal(0") == 3 && !text.contains("mapSeq"), "{text}");
}

#[test]
fn what_is_stored_between_maps_is_shared_out() {
    let text = on_device(
        "pub fn f<n: Nat>(x: [i32; n]) -> [i32; n] {
            let squares = x |> map(|v| v * v);
            squares |> padClamp(1, 1) |> slide(3, 1) |> map(|w| w[0] + w[1] * w[2])
        }",
        SIZES1,
    );
    assert!(count(&text, "mapGlobal(0") == 2 && text.contains("toMem(Global)"), "{text}");
    assert!(!text.contains("mapSeq"), "{text}");
}

#[test]
fn what_is_shared_out_by_hand_stays() {
    let by_hand = "pub fn f<h: Nat, w: Nat>(a: [[f32; w]; h]) -> ([[f32; h]; w], [f32; h]) {
        (a |> transpose, a |> mapGlobal(0)(|row| row |> reduceSeq(add, 0.0)))
    }";
    let text = on_device(by_hand, SIZES2);
    assert_eq!(text, auto(&format!("{by_hand}\ncompile f to opencl with lower;"), SIZES2));
}

/// Rows and columns that are long enough, and those that are not.
const LONG: &[&[i128]] = &[&[0, 0], &[2, 255], &[1, 256], &[3, 391], &[512, 2], &[531, 1]];

fn rows(body: &str, ty: &str) -> String {
    let program = format!("pub fn f<h: Nat, w: Nat>(a: [[f32; w]; h]) -> {ty} {{ {body} }}");
    on_device(&program, LONG)
}

#[test]
fn long_rows_are_folded_by_groups_where_work_items_run_in_step() {
    let text = rows("a |> map(|row| row |> map(|x| x * x) |> reduce(add, 2.0))", "[f32; h]");
    assert!(text.contains("if (2 <= inStep) & (256 <= w)"), "{text}");
    assert_eq!(
        [count(&text, "mapWorkGroup(0"), count(&text, "mapLocal(0"), count(&text, "mapGlobal(0")],
        [1, 3, 1],
        "{text}"
    );
    assert!(text.contains("split(128)") && text.contains("toMem(Local)"), "{text}");
    // What is computed once and looked at twice is stored, and shared out as well.
    let shifted = "a |> map(|row| {
        let shifted = row |> map(|x| x - reduce(max, -3.0e38, row));
        let total = sum(shifted);
        shifted |> map(|x| x + total)
    })";
    let text = rows(shifted, "[[f32; w]; h]");
    assert_eq!([count(&text, "mapWorkGroup(0"), count(&text, "mapLocal(0")], [1, 6], "{text}");
    assert!(text.contains("mapLocal(0, |x| x - ") && text.contains("mapLocal(0, |x| x + total)"), "{text}");
}

#[test]
fn rows_that_others_read_too_are_folded_by_work_items() {
    let product = "pub fn f<n: Nat, m: Nat>(a: [[f32; 300]; n], b: [[f32; 300]; m]) -> [[f32; m]; n] {
        a |> map(|row| b |> map(|other| zip(row, other) |> map(|(x, y)| x * y) |> reduce(add, 0.0)))
    }";
    let text = on_device(product, &[&[2, 3]]);
    assert!(!text.contains("mapWorkGroup") && text.contains("mapGlobal(1"), "{text}");
}

#[test]
fn products_are_computed_in_tiles_where_there_are_many_results() {
    let product = |value: &str| {
        format!(
            "pub fn f<n: Nat, k: Nat, m: Nat>(a: [[i32; k]; n], b: [[i32; m]; k], c: [i32; m]) -> [[i32; m]; n] {{
                a |> map(|row| zip(transpose(b), c) |> map(|(column, c)| {value}))
            }}"
        )
    };
    for value in [
        "2 * (zip(row, column) |> map(|(x, y)| x * y) |> reduce(add, c))",
        "zip(row, column) |> map(|(x, y)| x + y) |> reduce(max, 3) |> min(c)",
    ] {
        // Sizes at which it is in tiles are held against the interpreter on devices.
        let text = on_device(&product(value), &[&[5, 3, 6], &[0, 2, 2]]);
        assert!(text.contains("if (2 <= inStep) & (900000 <= n * m)"), "{text}");
        assert!(text.contains("split(m / 4)") && text.contains("accs.15"), "{text}");
        assert_eq!([count(&text, "mapGlobal(1"), count(&text, "mapGlobal(0")], [3, 4], "{text}");
    }
    // Rows of memory are turned before, if many rows read them.
    let by_rows = "pub fn f<n: Nat, k: Nat, m: Nat>(a: [[i32; k]; n], b: [[i32; k]; m]) -> [[i32; m]; n] {
        a |> map(|row| b |> map(|other| zip(row, other) |> map(|(x, y)| x * y) |> reduce(add, 0)))
    }";
    let text = on_device(by_rows, &[&[5, 3, 6]]);
    assert!(text.contains("(225000 <= n * m) & (64 <= n)") && text.contains("let turned = b |>"), "{text}");
    // What is computed would be so for each tile.
    let computed = by_rows.replace("b |> map(|other|", "b |> map(map(|y| 2 * y)) |> map(|other|");
    let text = on_device(&computed, &[&[5, 3, 6]]);
    assert!(!text.contains("split(4)") && text.contains("mapGlobal(1"), "{text}");
    // What all results read is no row of theirs.
    let outer = "pub fn f<n: Nat, m: Nat>(a: [i32; n], b: [i32; m], x: [i32; 9]) -> [[i32; m]; n] {
        a |> map(|p| b |> map(|q| p * q + (x |> map(|x| x * p) |> reduce(add, 0))))
    }";
    let text = on_device(outer, SIZES2);
    assert!(!text.contains("split(4)"), "{text}");
}

#[test]
fn rows_of_rows_are_rows() {
    let program = "pub fn f<b: Nat, h: Nat>(a: [[[f32; 300]; h]; b]) -> [[f32; h]; b] { a |> map(map(sum)) }";
    let text = on_device(program, &[&[2, 3], &[0, 1]]);
    assert!(count(&text, "mapWorkGroup(0") == 1 && !text.contains("mapWorkGroup(1"), "{text}");
}

#[test]
fn long_columns_are_folded_in_pieces_in_order() {
    let text = rows("a |> transpose |> map(|column| column |> reduce(max, 2.0))", "[f32; w]");
    assert!(text.contains("if (w <= 32767) & (512 <= h)"), "{text}");
    assert_eq!([count(&text, "mapGlobal(1"), count(&text, "mapGlobal(0")], [1, 3], "{text}");
    let few =
        on_device("pub fn f<w: Nat>(a: [[f32; w]; 40]) -> [f32; w] { a |> transpose |> map(sum) }", SIZES1);
    assert_eq!([count(&few, "mapGlobal(0"), count(&few, "toMem")], [1, 0], "{few}");
}

#[test]
fn folds_of_a_row_are_not_repeated_by_all_that_write_it() {
    let body = "a |> map(|row| { let mean = sum(row) / (w as f32); row |> map(|x| x - mean) })";
    let text = rows(body, "[[f32; w]; h]");
    assert!(!text.contains("mapGlobal(1"), "{text}");
}
