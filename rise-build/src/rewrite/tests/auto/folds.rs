//! Folds, scans, and what goes in lanes.

use super::{SIZES1, SIZES2, auto};

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
fn what_has_a_size_only_because_a_loop_runs_is_folded_before_it_where_it_runs() {
    for fold in ["generate(|j: Idx[n + m - 1]| j as i32)", "x |> take(n + m - 1)"] {
        let program = format!(
            "pub fn f<n: Nat, m: Nat>(x: [i32; n + m]) -> [i32; m] {{ generate(|i| i as i32 + sum({fold})) }}"
        );
        let text = auto(&program, &[&[0, 0], &[0, 1], &[3, 0], &[40, 3]]);
        assert!(text.contains("if 1 <= m {"), "{text}");
    }
}

#[test]
fn truth_values_are_folded_in_as_many_lanes_as_numbers() {
    for (element, op, start) in [("f32", "or", "false"), ("f64", "and", "true"), ("u8", "xor", "false")] {
        let text = auto(
            &format!(
                "pub fn f<n: Nat>(x: [{element}; n], y: [{element}; n]) -> bool {{
                    zip(x, y) |> map(|(a, b)| a <= b) |> reduce({op}, {start})
                }}"
            ),
            &[&[0], &[5], &[300]],
        );
        assert!(text.contains("split(16)") && text.contains("mapVec"), "{text}");
    }
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
fn what_pieces_of_a_row_read_is_scanned_once() {
    let text = auto(
        "pub fn f<n: Nat>(x: [f64; n]) -> [f64; n] {
            let fast = toMem(x |> scan(|a, v| a + 0.5 * (v - a), 0.0));
            let slow = toMem(x |> scan(|a, v| a + 0.1 * (v - a), 0.0));
            zip(fast, slow) |> map(|(a, b)| a - b)
        }",
        &[&[0], &[7], &[40]],
    );
    assert_eq!(text.matches("scanSeq").count(), 2, "{text}");
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
    // Indices that are zipped with what they choose.
    let numbered = |condition: &str| {
        format!(
            "zip(x, generate(|i| i)) |> map(|(row, i)| zip(zip(row, y), generate(|j: Idx[n]| j))
                |> map(|((x, y), j)| if {condition} {{ let d = x - y; d * d }} else {{ 0.0 }}) |> sum)"
        )
    };
    assert!(several(matrix, &numbered("j <= i")));
    assert!(several(matrix, &numbered("i <= j + 3 && j < i")));
    // Where each element reads its own bound, there is none for all.
    for condition in ["j <= own", "own <= j", "j == own"] {
        let own = format!("{{ let own = s[j] as Idx[n]; if {condition} {{ x[j] }} else {{ 0.0 }} }}");
        let numbered = format!(
            "zip(generate(|j| j), s) |> map(|(j, s)| {{ let own = s as Idx[n]; if {condition} {{ x[j] }} else {{ 0.0 }} }})"
        );
        for elements in [format!("generate(|j: Idx[n]| {own})"), numbered] {
            let text = auto(
                &format!(
                    "pub fn f<n: Nat>(x: [f32; n], s: [i32; n]) -> f32 where 1 <= n {{ {elements} |> sum }}"
                ),
                &[&[1]],
            );
            assert!(text.contains("else { 0.0 }"), "{text}");
        }
    }
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
fn what_lies_where_data_say_is_far_by_whatever_name() {
    for element in ["x[(v as i32) as Idx[m]]", "{ let at = (v as i32) as Idx[m]; x[at] }"] {
        let program = format!(
            "pub fn f<n: Nat, m: Nat>(x: [f32; m], y: [f32; n]) -> [f32; n] where 1 <= m {{ y |> map(|v| {element} * v) }}"
        );
        let text = auto(&program, &[&[0, 1], &[35, 2]]);
        assert!(!text.contains("mapVec"), "{text}");
    }
}

#[test]
fn columns_are_folded_side_by_side() {
    let text = auto(
        "pub fn sums<n: Nat, m: Nat>(a: [[f32; m]; n]) -> [f32; m] { transpose(a) |> map(|c| c |> reduceSeq(add, 0.0)) }",
        SIZES2,
    );
    assert!(text.contains("mapVec") && !text.contains("lanes") && !text.contains("block"), "{text}");
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
    // Columns lie side by side already: whatever is computed of them is loaded in vectors, if they fill some of one.
    for of in [shares, parts, less] {
        let columns = of.replace("x |> map(|row|", "transpose(y) |> map(|row|");
        assert_eq!(each(&columns, "m"), (true, true), "{of}");
        let known = |columns: usize| {
            let program = format!(
                "pub fn f<m: Nat>(y: [[f32; {columns}]; m]) -> [[f32; m]; {columns}] {{ {} }}",
                of.replace("x |> map(|row|", "transpose(y) |> map(|row|")
            );
            let text = auto(&program, SIZES1);
            (text.contains("mapVec(|row|"), text.starts_with("if"))
        };
        assert!(!known(3).0, "{of}");
        assert_eq!(known(5), (true, false), "{of}");
    }
}

#[test]
fn folds_of_few_columns_go_by_several_rows() {
    let sums = |row: &str, of: &str| {
        let program = format!("pub fn f<n: Nat>(x: [[u8; {row}]; n], y: [u8; n + 2]) -> [u32; 3] {{ {of} }}");
        auto(&program, &[&[0], &[1], &[31], &[32], &[33], &[100], &[1000]])
    };
    let each = "transpose |> map(|c| 7 * sum(c |> map(|v| v as u32)))";
    let text = sums("3", &format!("x |> {each}"));
    assert!(text.contains("split(96)"), "the rows of 32 fill six vectors:\n{text}");
    // Such rows lie apart, or are windows, which overlap.
    let parts = format!("x |> map(|r| take(3, r)) |> {each}");
    let windows = format!("y |> slide(3, 1) |> {each}");
    for other in [sums("5", &parts), sums("1", &windows)] {
        assert!(!other.contains("split(96)"), "{other}");
    }
    // So many numbers are folded by any operator that knows what leaves it as it is.
    let most = "pub fn f<n: Nat>(x: [[f32; 24]; n]) -> [f32; 24] { x |> transpose |> map(|c| c |> reduce(max, 1.0)) }";
    assert!(auto(most, SIZES1).contains("split(96)"));
}

#[test]
fn columns_of_which_nests_are_computed_go_in_parallel_one_by_one() {
    let program = "pub fn f<n: Nat, m: Nat>(x: [[f32; n]; m]) -> [[f32; n]; m] {
        x |> transpose |> map(|c| c |> map(|u| c |> map(|v| abs(u - v)) |> reduce(add, 0.0))) |> transpose }";
    let text = auto(program, SIZES2);
    assert!(text.find("mapPar").zip(text.find("mapVec")).is_some_and(|(rows, lanes)| rows < lanes), "{text}");
    assert!(!text.contains("split"), "{text}");
}

#[test]
fn narrow_columns_are_folded_row_by_row() {
    let program = "pub fn most<n: Nat, m: Nat>(a: [[u8; m]; n]) -> [u8; m] { transpose(a) |> map(|c| c |> reduce(max, 0)) }";
    let text = auto(program, SIZES2);
    let rows = text.find("reduceSeq").zip(text.find("mapSeq"));
    assert!(rows.is_some_and(|(rows, columns)| rows < columns), "{text}");
}

#[test]
fn neighbouring_tuples_of_few_numbers_are_lanes_of_what_takes_long() {
    let in_lanes = |ty: &str, of: &str| {
        let program = format!(
            "pub fn f<n: Nat, m: Nat>(x: [{ty}; n], y: [[{ty}; n]; m], v: [(f32, f32); m]) -> [{ty}; n] {{ x |> map({of}) }}"
        );
        auto(&program, SIZES2).contains("mapVec")
    };
    let turned = "|(a, b)| (a * cos(b), a * sin(b))";
    assert!(in_lanes("(f32, f32)", turned) && in_lanes("(f64, f64)", turned));
    assert!(!in_lanes("(f32, f32)", "|(a, b)| (a - b, a + b)"), "compilers find their own vectors");
    let product =
        "|(a, b)| v |> map(|(c, d)| (a * c, b * d)) |> reduce(|p, q| (p.0 + q.0, p.1 + q.1), (0.0, 0.0))";
    assert!(in_lanes("(f32, f32)", product));
    assert!(in_lanes("[f32; 2]", "|p| [p[0] * cos(p[1]), p[0] * sin(p[1])]"));
    let nearest = |count: i64| {
        let bound = format!(
            "pub fn f<n: Nat>(p: [[f32; 3]; n], c: [[f32; 3]; {count}]) -> [f32; n] {{
            p |> map(|p| c |> map(|q| zip(p, q) |> map(|(a, b)| abs(a - b)) |> sum) |> reduce(min, 9.0)) }}"
        );
        auto(&bound, SIZES1).contains("mapVec")
    };
    assert!(nearest(8) && !nearest(2), "shuffles take longer than two steps");
    assert!(!in_lanes("[f32; 5]", "|p| [exp(p[0]), p[1], p[2], p[3], p[4]]"), "few come together");
    let rotated = "pub fn f<n: Nat>(x: [f32; 2 * n], t: [f32; n]) -> [f32; 2 * n] {
        zip(x |> split(2), t) |> map(|(p, t)| [p[0] * cos(t) - p[1] * sin(t), p[0] * sin(t) + p[1] * cos(t)]) |> join }";
    assert!(auto(rotated, SIZES1).contains("mapVec"));
    let column = |ty: &str, zero: &str| {
        auto(
            &format!(
                "pub fn f<n: Nat, m: Nat>(y: [[{ty}; n]; m]) -> [{ty}; n] {{
                    y |> transpose |> map(|c| c |> reduce(|p, q| (p.0 + q.0, p.1 + q.1), (0.0, {zero}))) }}"
            ),
            SIZES2,
        )
    };
    assert!(column("(f32, f32)", "0.0").contains("mapVec") && column("(f64, f64)", "0.0").contains("mapVec"));
    assert!(!column("(f64, i32)", "0").contains("mapVec"), "these lie apart, and take other vectors");
    let inside = auto(
        "pub fn f<n: Nat, m: Nat>(x: [(f32, f32); n], v: [(f32, f32); m]) -> [bool; n] {
            x |> map(|(a, b)| (v |> map(|(c, d)| if a < c && b < d { 1 } else { 0 }) |> sum) % 2 == 1) }",
        SIZES2,
    );
    assert!(inside.contains("mapVec"), "{inside}");
}

#[test]
fn accumulators_of_other_widths_are_lanes_beside_each_other() {
    let in_lanes = |result: &str, step: &str, start: &str| {
        let program = format!(
            "pub fn f<n: Nat>(x: [f64; n]) -> [{result}; n] {{ x |> map(|a| {{ let e = generate(|i: Idx[9]| i)
                |> reduceSeq(|(u, c), i| if u <= 4.0 {{ (u * u + a, {step}) }} else {{ (u, c) }}, (0.0, {start})); e.1 }}) }}"
        );
        auto(&program, SIZES1).contains("mapVec")
    };
    assert!(
        in_lanes("i32", "c + 1", "0")
            && in_lanes("f32", "c * 0.5", "1.0")
            && in_lanes("bool", "false", "true")
    );
    assert!(!in_lanes("u8", "c + 1", "0"), "a narrow one fills a small part of a register");
}

#[test]
fn folds_of_neighbouring_tuples_go_in_lanes() {
    let sum = |ty: &str, result: &str, of: &str| {
        let program = format!("pub fn f<n: Nat>(x: [{ty}; n]) -> {result} {{ x |> map(|p| {of}) |> sum }}");
        auto(&program, &[&[0], &[5], &[1000]]).contains("mapVec")
    };
    assert!(sum("(f32, f32)", "f32", "p.0 * p.1") && sum("[f64; 3]", "f64", "p[0] * p[2]"));
    assert!(!sum("(f32, i32)", "f32", "p.0"), "these lie further apart");
    assert!(!sum("(i32, i32)", "i32", "p.0 * p.1"), "compilers do that");
    let simpson = "pub fn f<n: Nat>(x: [f64; 2 * n + 1]) -> f64 where n >= 1 {
        x |> slide(3, 2) |> map(|w| w[0] + 4.0 * w[1] + w[2]) |> sum }";
    assert!(auto(simpson, &[&[1], &[5], &[500]]).contains("mapVec"));
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
    // Several vectors, single ones, halves and quarters of one, and what is left over: in blocks and behind them.
    assert_eq!(text.matches("mul_add(").count(), 2 * 5, "{text}");
}

#[test]
fn what_fills_no_vector_goes_in_parts_of_one_before_it_goes_one_by_one() {
    let parts = |ty: &str| {
        let program = format!(
            "pub fn f<n: Nat, m: Nat>(a: [[{ty}; m]; n]) -> [{ty}; n] {{ a |> map(reduce(add, 0.0)) }}"
        );
        let text = auto(&program, &[&[7, 67], &[6, 79]]);
        [16, 8, 4, 2, 1].map(|width| text.contains(&format!("split({width})")))
    };
    assert_eq!(parts("f32"), [true, true, true, false, false]);
    assert_eq!(parts("f64"), [false, true, true, true, false]);
}

#[test]
fn several_reductions_of_other_rows_each_go_side_by_side() {
    let groups = |of_row: &str| {
        let program = format!(
            "pub fn f<m: Nat, n: Nat>(a: [[f32; n]; m], b: [[f64; n]; m], c: [[f32; n]; m], x: [f32; n]) -> [f64; m] {{
                zip(zip(a, b), c) |> map(|((row, wide), other)| {of_row})
            }}"
        );
        auto(&program, &[&[0, 3], &[6, 16], &[13, 37], &[3, 130]]).contains("split(6)")
    };
    assert!(groups("(dot(row, x) as f64) + sum(wide)"));
    assert!(groups("sum(wide) * 2.0 - ((dot(row, x) * dot(other, x)) as f64)"));
    // What is near after one reduction is read again.
    assert!(!groups("((dot(row, x) / dot(row, row)) as f64) + sum(wide)"));
    assert!(!groups("((dot(row, other) + dot(other, x)) as f64)"));
}

#[test]
fn what_rows_side_by_side_fold_may_depend_on_the_row() {
    for (of, element) in [("", "u * v * row[0]"), ("", "max(u, row[1]) + v"), ("s", "u * row.1 + v")] {
        let (rows, row) = if of.is_empty() { ("a", "row") } else { ("zip(a, s)", "row.0") };
        let text = auto(
            &format!(
                "pub fn f<m: Nat, n: Nat>(a: [[f32; n]; m], s: [f32; m], x: [f32; n]) -> [f32; m] where 2 <= n {{
                    {rows} |> map(|row| zip({row}, x) |> map(|(u, v)| {element}) |> reduce(add, 0.0))
                }}"
            ),
            &[&[0, 2], &[1, 16], &[7, 35], &[13, 150]],
        );
        assert!(text.contains("split(6)") && text.contains("mapVec"), "{text}");
    }
}

#[test]
fn means_of_windows_that_lie_close_are_left_to_compilers_where_these_load_them_at_once() {
    let program = |step: i64, each: &str| {
        format!(
            "pub fn f<n: Nat>(x: [f32; {step} * n + 3]) -> [f32; n + 1] {{
                x |> slide(3, {step}) |> map(|w| (w |> map(|v| {each}) |> sum) / 3.0)
            }}"
        )
    };
    for (step, each, abreast) in
        [(2, "v", true), (3, "v", false), (4, "v", false), (5, "v", true), (3, "exp(v)", true)]
    {
        let text = auto(&program(step, each), &[&[0], &[15], &[16], &[35]]);
        assert_eq!(text.contains("mapVec"), abreast, "{step} {each}: {text}");
    }
}

#[test]
fn folds_of_the_same_arrays_go_through_them_once() {
    let sum = |of: &str| format!("{of} |> reduce(add, 0.0)");
    let (squares, both) = (sum("x |> map(|v| v * v)"), sum("zip(x, y) |> map(|(v, w)| v * w)"));
    let of_y = sum("map(|v| 3.0 * v, y |> map(|v| v + 1.0))");
    for (result, ty) in [
        (format!("({}, x |> reduce(max, -9.0))", sum("x")), "(f32, f32)"),
        (format!("({both}) / sqrt(1.0 + ({squares}) * ({of_y}))"), "f32"),
        (format!("{{ let s = {}; x |> map(|v| v * s + ({squares})) }}", sum("x")), "[f32; n]"),
        (format!("if 1.0 < ({squares}) * ({}) {{ 1.0 }} else {{ 2.0 }}", sum("x")), "f32"),
    ] {
        let program = format!("pub fn f<n: Nat>(x: [f32; n], y: [f32; n]) -> {ty} {{ {result} }}");
        let text = auto(&program, &[&[0], &[1], &[37], &[1000]]);
        assert_eq!(text.matches("split(65536)").count(), 1, "{text}");
    }
}

#[test]
fn folds_that_need_each_other_or_go_through_other_arrays_stay_apart() {
    for (result, count) in [
        // The second one begins where the first one has ended.
        ("{ let s = sum(x); s + sum(x |> map(|v| v * s)) }", 2),
        // Other lengths, other arrays, other elements.
        ("sum(x) + sum(x |> take(n / 2)) ", 2),
        ("sum(x) + sum(y)", 2),
        ("sum(x) + (sum(z) as f32)", 2),
        // It may not be asked for.
        ("if n < 5 { sum(x) } else { reduce(max, 0.0, x) }", 0),
        // Only one goes in lanes.
        ("sum(x) + reduce(|a, b| if a == 0.0 { b } else { a }, 0.0, x)", 1),
        // Five at once have too few registers: four, and one.
        (
            "sum(x) + reduce(max, 0.0, x) * reduce(min, 0.0, x) + sum(x |> map(|v| v * v)) + sum(x |> map(abs))",
            2,
        ),
    ] {
        let program = format!(
            "fn sum(x) {{ reduce(add, 0, x) }}
            pub fn f<n: Nat>(x: [f32; n], y: [f32; n], z: [f64; n]) -> f32 {{ {result} }}"
        );
        let text = auto(&program, &[&[0], &[1], &[6], &[100]]);
        assert_eq!(text.matches("mapPar").count(), count, "{result}\n{text}");
    }
}

#[test]
fn folds_of_the_same_row_go_through_it_once() {
    let rows = |of_row: &str| {
        let program = format!(
            "pub fn f<n: Nat, m: Nat>(a: [[f32; m]; n], x: [f32; m]) -> [f32; n] {{ a |> map(|r| {of_row}) }}"
        );
        let text = auto(&program, &[&[0, 3], &[7, 0], &[13, 37], &[3, 130]]);
        // What each fold leaves over of a row.
        text.matches("drop(4 * (m / 4))").count()
    };
    assert_eq!(rows("sum(r) * reduce(max, 0.0, r) - sum(map(|v| v * v, r))"), 1);
    assert_eq!(rows("dot(r, x) / (1.0 + dot(r, r))"), 1);
    // What begins with the other's result does not.
    assert_eq!(rows("{ let s = sum(r); s + sum(r |> map(|v| v * s)) }"), 2);
}

#[test]
fn elements_that_are_chosen_are_folded_in_lanes() {
    for chosen in ["if x > 0.5 { x } else { 0.0 }", "if x > 0.0 { x * ln(x) } else { 0.0 }"] {
        let program =
            format!("pub fn f<n: Nat>(a: [f32; n]) -> f32 {{ a |> map(|x| {chosen}) |> reduce(add, 0.0) }}");
        let text = auto(&program, SIZES1);
        assert!(text.contains("mapVec") && text.contains("mapPar"), "{text}");
    }
}

/// What is stored, or takes a loop before, has a name.
#[test]
fn folds_of_what_is_stored_go_in_lanes() {
    for xs in [
        "x |> map(|x| x * 0.5) |> toMem",
        "x |> scan(add, 0.0)",
        "zip(x |> scan(max, 0.0), x) |> map(|(most, x)| most - x)",
        "x |> scan(add, 0.0) |> drop(1)",
    ] {
        let program = format!("pub fn f<n: Nat>(x: [f32; n + 1]) -> f32 {{ {xs} |> reduce(max, 0.0) }}");
        let body = auto(&program, &[&[1], &[70], &[200]]);
        assert!(body.contains("let lanes") && body.contains("toMem"), "{body}");
    }
}

/// Each in lanes, and in parallel.
#[test]
fn rows_of_any_length_are_rows() {
    let body = auto(
        "pub fn f<n: Nat>(x: [f32; n * (n + 1) / 2]) -> [f32; n * (n + 1) / 2] {
            x |> partition(n, |i| i + 1)
              |> depMap(|i, row| { let most = row |> reduce(max, 0.0); row |> map(|x| x - most) })
              |> depJoin
        }",
        &[&[0], &[1], &[5], &[70]],
    );
    for form in ["depMapPar", "mapVec(|x|", "let lanes"] {
        assert!(body.contains(form), "{body}");
    }
}

#[test]
fn what_is_computed_of_a_fold_leaves_its_rows_in_parallel() {
    let program = |of: &str| {
        format!(
            "pub fn f<n: Nat, m: Nat>(x: [[f32; m]; n]) -> f32 {{
                let rows = x |> map(|r| r |> map(|v| v * v) |> sum);
                {of} }}"
        )
    };
    for of in ["sum(rows)", "sum(rows) / (n as f32)", "2.0 - sqrt(rows |> map(|v| v * 0.5) |> sum)"] {
        assert!(auto(&program(of), SIZES2).contains("mapPar"), "{of}");
    }
}

#[test]
fn short_scans_are_left_alone() {
    let at_once = |length: &str| {
        let text = auto(
            &format!(
                "pub fn f<n: Nat, m: Nat>(x: [[f64; {length}]; n]) -> [[f64; {length}]; n] {{ x |> map(|r| scan(add, 0.0, r)) }}"
            ),
            SIZES2,
        );
        text.contains("split(4)")
    };
    assert!(at_once("m") && at_once("40") && !at_once("8"));
}
