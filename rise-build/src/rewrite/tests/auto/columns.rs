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
        "{ let e = c |> map(|v| floor(exp(v))); let s = sum(e); e |> map(|v| v - s) }",
    ] {
        let program = format!("{PROGRAM} {{ x |> transpose |> map(|c| {column}) |> transpose }}");
        let body = auto(&program, &[&[0, 3], &[1, 1], &[13, 17]]);
        assert!(!body.contains("n <= 256"), "{body}");
    }
}

/// What is folded of each column of `x`.
fn folded(columns: &str, ty: &str, column: &str, sizes: &[&[i128]]) -> String {
    let sizes_of = if columns == "m" { "n: Nat, m: Nat" } else { "n: Nat" };
    auto(
        &format!(
            "pub fn f<{sizes_of}>(x: [[{ty}; {columns}]; n + 1]) -> [{ty}; {columns}] {{ x |> transpose |> map(|c| {column}) }}"
        ),
        sizes,
    )
}

/// Many rows go in blocks, and of few columns several rows as one; all of it from the start that is given.
#[test]
fn columns_of_many_rows_are_folded_in_stages() {
    let sizes: &[&[i128]] = &[&[0, 3], &[127, 64], &[129, 3], &[260, 70], &[300, 17], &[2200, 2]];
    for (ty, column) in [
        ("f32", "sum(c) / (n as f32 + 1.0)"),
        ("f32", "c |> map(|v| v * v + 1.0) |> reduce(add, 3.0)"),
        ("f64", "c |> reduce(max, 0.25)"),
        ("i32", "(c |> reduce(add, 5)) * 2"),
        ("u8", "c |> reduce(min, 200)"),
    ] {
        let text = folded("m", ty, column, sizes);
        let (few, many) = text.split_once("else").unwrap();
        assert!(few.contains("if (m <= 63) & (128 <= n + 1)") && few.contains("let lanes"), "{text}");
        assert!(
            many.contains("if (m <= 8191) & (m <= 16 * n + 4111)") && !many.contains("let lanes"),
            "{text}"
        );
        for stage in [few, many] {
            assert!(stage.contains("mapPar(|block|"), "{text}");
        }
        // Rows of seventeen numbers begin nowhere near where vectors do; those of three fill three vectors.
        let text = folded("17", ty, column, &[&[0], &[126], &[127], &[300]]);
        assert!(text.contains("split(128)") && text.contains("let lanes"), "{text}");
        let text = folded("3", ty, column, &[&[0], &[300]]);
        assert!(text.contains("split(21845)") && text.contains("let rest"), "{text}");
    }
}

/// So many columns make as many pieces as there would be blocks; what is known of them decides.
#[test]
fn more_columns_than_rows_go_in_pieces() {
    for (columns, rows, stages) in [(5000, 500, true), (5000, 50, false), (9000, 50000, false)] {
        let program = format!(
            "pub fn f(x: [[f32; {columns}]; {rows}]) -> [f32; {columns}] {{ x |> transpose |> map(sum) }}"
        );
        assert_eq!(auto(&program, &[]).contains("mapPar(|block|"), stages, "{rows} of {columns}");
    }
}

/// The blocks are of columns that are known to be few.
#[test]
fn few_columns_of_more_rows_than_a_block_are_folded_right() {
    let text = folded("32", "f32", "sum(c) + 1.0", &[&[0], &[4095], &[4200]]);
    assert!(text.contains("if 4096 <= n + 1") && text.contains("split(2048)"), "{text}");
}

/// Where rows do not fill the vectors, lanes would be folded for nothing.
#[test]
fn few_columns_of_few_rows_are_folded_row_by_row() {
    let text = |rows: &str, sizes: &[&[i128]]| {
        auto(
            &format!(
                "pub fn f<n: Nat, m: Nat>(x: [[[i32; 3]; {rows}]; m]) -> [[i32; 3]; m] {{
                    x |> map(|r| transpose(r) |> map(|c| c |> reduce(min, 5))) }}"
            ),
            sizes,
        )
    };
    let open = text("n", &[&[0, 3], &[31, 3], &[32, 2], &[101, 1]]);
    let (many, few) = open.split_once("else").expect(&open);
    assert!(many.contains("if 32 <= n") && many.contains("let lanes"), "{open}");
    assert!(!few.contains("let lanes"), "{open}");
    let fixed = ["31", "100"].map(|rows| text(rows, &[&[2, 3]]).contains("let lanes"));
    assert_eq!(fixed, [false, true]);
}

/// In order, and what else is read of a column.
#[test]
fn columns_that_are_more_than_their_folds_stay() {
    let sizes: &[&[i128]] = &[&[0, 3], &[150, 3], &[150, 70]];
    for column in ["c |> reduceSeq(add, 0.0)", "sum(c) * c[0]", "sum(c |> map(|v| v - c[0]))"] {
        assert!(!folded("m", "f32", column, sizes).contains("block"), "{column}");
        let text = folded("3", "f32", column, &[&[0], &[150]]);
        assert!(!text.contains("block") && !text.contains("join"), "{text}");
    }
}

/// Rows that are folded element by element go as columns do, each from its own start and in order.
#[test]
fn rows_that_are_folded_element_by_element_are_columns() {
    let sizes: &[&[i128]] = &[&[0, 3], &[1, 1], &[150, 3], &[260, 70]];
    let rows = |fold: &str, step: &str, start: &str, xs: &str| {
        auto(
            &format!(
                "pub fn f<n: Nat, m: Nat>(x: [[i32; m]; n], w: [i32; n], z: [i32; m]) -> [i32; m] {{ {xs} |> {fold}({step}, {start}) }}"
            ),
            sizes,
        )
    };
    let zero = "generate(|i| 0)";
    for (step, start) in [
        ("|acc, row| zip(acc, row) |> map(|(a, x)| a + x)", zero),
        ("|acc, row| zip(row, acc) |> map(|(x, a)| max(x * 3, a))", zero),
        ("|acc, row| zip(acc, row) |> map(|p| p.1 * p.1 + p.0)", zero),
    ] {
        let text = rows("reduce", step, start, "x");
        assert!(text.contains("mapPar(|block|"), "{text}");
        assert!(!rows("reduceSeq", step, start, "x").contains("block"), "{step}");
    }
    for (step, start, xs) in [
        ("|acc, row| zip(acc, row) |> map(|(a, x)| a + x)", "z", "x"),
        ("|acc, row| zip(acc, row) |> map(|(a, x)| a * 2 - x + a)", "z", "x"),
        ("|acc, row| zip(acc, row) |> map(|(a, x)| if x > a { x } else { a - 1 })", "z", "x"),
        ("|acc, (row, v)| zip(acc, row) |> map(|(a, x)| a + x * v)", zero, "zip(x, w)"),
        ("|acc, (v, row)| zip(row, acc) |> map(|(x, a)| a * v - x)", "z", "zip(w, x)"),
    ] {
        let text = rows("reduceSeq", step, start, xs);
        assert!(text.contains("transpose") && text.contains("split(8)"), "{text}");
    }
}

/// What looks at the whole accumulator, or takes long to compute for a row, is no fold of columns.
#[test]
fn rows_that_are_more_than_their_elements_stay() {
    let sizes: &[&[i128]] = &[&[0, 3], &[1, 1], &[15, 3]];
    for (step, xs) in [
        ("|acc, row| { let s = acc[0]; zip(acc, row) |> map(|(a, x)| a + x * s) }", "x"),
        ("|acc, row| zip(acc, row) |> map(|(a, x)| a + x * row[0])", "x"),
        (
            "|acc, row| zip(acc, row) |> map(|(a, x)| a + x)",
            "x |> map(|r| { let s = sum(r); r |> map(|v| v - s) })",
        ),
    ] {
        let text = auto(
            &format!(
                "pub fn f<n: Nat, m: Nat>(x: [[i32; m + 1]; n]) -> [i32; m + 1] {{ {xs} |> reduceSeq({step}, generate(|i| 1)) }}"
            ),
            sizes,
        );
        assert!(!text.contains("transpose"), "{text}");
    }
}

/// Several folds of each column are one pass each, or one for all that need nothing of each other.
#[test]
fn what_is_made_of_several_folds_of_columns_goes_row_by_row() {
    let sizes: &[&[i128]] = &[&[0, 3], &[1, 1], &[13, 70], &[257, 3], &[300, 65]];
    let made = |ty: &str, column: &str, result: &str| {
        auto(
            &format!(
                "pub fn f<n: Nat, m: Nat>(x: [[{ty}; m]; n]) -> [{result}; m] {{ x |> transpose |> map(|c| {column}) }}"
            ),
            sizes,
        )
    };
    for (ty, column, result, passes) in [
        ("i32", "(sum(c), c |> reduce(max, -9))", "(i32, i32)", 1),
        ("i32", "sum(c) * 3 - sum(c |> map(|v| v * v))", "i32", 1),
        ("i32", "{ let s = sum(c); let q = sum(c |> map(|v| v * v)); q - s * s }", "i32", 1),
        ("f32", "{ let mu = sum(c); (sum(c |> map(|v| v - mu)), mu) }", "(f32, f32)", 2),
        ("i32", "sum(c |> map(|v| v - sum(c)))", "i32", 2),
        ("f32", "sum(c |> map(|v| v - sum(c) / 2.0) |> map(|d| d + 1.0))", "f32", 2),
        ("i32", "c |> map(|v| if v > sum(c) { v } else { 1 }) |> reduce(max, 0)", "i32", 2),
        ("i32", "{ let lo = c |> reduce(min, 50); (c |> reduce(max, lo)) - lo }", "i32", 1),
    ] {
        let text = made(ty, column, result);
        assert!(text.starts_with("if (256 <= n) & (64 <= m)"), "{text}");
        let (rows, _) = text.rsplit_once("else").unwrap();
        // Each pass has blocks of its own.
        assert!(rows.matches("mapPar(|block|").count() >= passes, "{text}");
        assert!(!rows.contains("map(|x| (x, "), "{text}");
    }
    // One of a condition, and what looks at the column beside.
    for column in
        ["if m > 3 { sum(c) } else { c |> reduce(max, 0) }", "{ let s = sum(c); sum(c) * c[0] + s }"]
    {
        let text = auto(
            &format!(
                "pub fn f<n: Nat, m: Nat>(x: [[i32; m]; n + 1]) -> [i32; m] {{ x |> transpose |> map(|c| {column}) }}"
            ),
            &[&[0, 3], &[12, 1], &[300, 65]],
        );
        assert!(!text.contains("(64 <= m)"), "{text}");
    }
}

/// What belongs to each column beside its elements is there in each block.
#[test]
fn columns_with_something_beside_them_go_in_blocks() {
    let sizes: &[&[i128]] = &[&[0, 3], &[1, 1], &[129, 3], &[260, 70]];
    for column in [
        "sum(c) * w",
        "c |> map(|v| (v - w) * (v - w)) |> reduce(add, 4)",
        "(c |> map(|v| if v < w { 1 } else { 0 }) |> sum) - w",
        "(zip(c, y) |> map(|(v, y)| v * y + w) |> sum) - w",
        "zip(y, c) |> map(|(y, v)| v - y * w) |> reduce(min, 70)",
    ] {
        let text = auto(
            &format!(
                "pub fn f<n: Nat, m: Nat>(x: [[i32; m]; n], w: [i32; m], y: [i32; n]) -> [i32; m] {{ zip(transpose(x), w) |> map(|(c, w)| {column}) }}"
            ),
            sizes,
        );
        assert!(text.contains("(16 <= m) & (m <= 8191)") && text.contains("mapPar(|block|"), "{text}");
        assert!(!text.contains("lanes"), "{text}");
    }
}

/// What is computed of each number, before the rows are turned or after, is computed in the blocks; what is computed of whole
/// rows is not computed once more for each block.
#[test]
fn columns_of_computed_rows_go_in_blocks_where_elements_are_computed_alone() {
    let sizes: &[&[i128]] = &[&[0, 3], &[1, 1], &[129, 3], &[260, 70]];
    for (rows, in_blocks) in [
        ("x |> map(map(|v| v * v + 1))", true),
        ("x |> map(|r| r |> map(|v| v * 3) |> map(|v| if v < 2 { v } else { 2 }))", true),
        ("x |> drop(n / 2)", true),
        ("x |> map(|r| { let s = sum(r); r |> map(|v| v - s) })", false),
        ("zip(x, y) |> map(|(r, s)| zip(r, s) |> map(|(a, b)| a - b))", false),
    ] {
        let text = auto(
            &format!(
                "pub fn f<n: Nat, m: Nat>(x: [[i32; m]; n], y: [[i32; m]; n]) -> [i32; m] {{ {rows} |> transpose |> map(sum) |> map(|s| s * 2) }}"
            ),
            sizes,
        );
        assert_eq!(text.contains("mapPar(|block|"), in_blocks, "{text}");
    }
}
