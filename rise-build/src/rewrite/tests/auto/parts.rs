//! Maps that give several arrays.

use super::*;

/// Each array by itself, in its own layout, in parallel and in lanes.
#[test]
fn parts_of_pairs_are_maps_of_their_own() {
    let body = auto(
        "pub fn f<n: Nat>(x: [f32; n], y: [f32; n]) -> ([[f32; n]; 2], [f32; n]) {
            let both = generate(|i| { let s = x[i] + y[i]; ([s, x[i] - y[i]], s * 2.0) }) |> unzip;
            (both.0 |> transpose, both.1)
        }",
        SIZES1,
    );
    assert!(!body.contains("unzip") && !body.contains("toMem"), "{body}");
    assert!(body.contains("mapPar") && body.contains("mapVec"), "{body}");
}

/// What is used twice is stored, once.
#[test]
fn parts_that_are_used_often_are_stored() {
    let body = auto(
        "pub fn f<n: Nat>(x: [f32; n]) -> ([f32; n], f32, [f32; n]) {
            let both = x |> map(|x| if x > 0.5 { (x, 1.0) } else { (0.0 - x, x) }) |> unzip;
            (both.0, both.0 |> reduceSeq(add, 0.0), both.1)
        }",
        SIZES1,
    );
    assert!(!body.contains("unzip"), "{body}");
    assert_eq!(body.matches("toMem").count(), 1, "{body}");
}

/// What takes long is computed for both at once.
#[test]
fn parts_that_take_long_are_written_together() {
    for f in ["(r |> reduceSeq(add, 0.0), r |> reduceSeq(mul, 1.0))", "(exp(r[0]), exp(0.0 - r[0]))"] {
        let program = format!(
            "pub fn f<n: Nat>(x: [[f32; 3]; n]) -> ([f32; n], [f32; n]) {{
                let both = x |> map(|r| {f}) |> unzip;
                (both.0, both.1)
            }}"
        );
        let body = auto(&program, SIZES1);
        assert_eq!(body.matches("unzip").count(), 1, "{body}");
        assert!(body.contains("mapPar") && !body.contains("toMem"), "{body}");
    }
}

/// Parts that are taken by maps are written where they belong, in any order, without a copy of all.
#[test]
fn parts_that_are_taken_are_written_where_they_belong() {
    for (f, parts) in [
        ("(v + 1.0, v * v, v)", "map(|p| p.0, r), map(|p| p.1, r), map(|p| p.2, r)"),
        ("{ let e = exp(v); (e, 1.0 / e, v) }", "map(|p| p.2, r), map(|p| p.0, r), map(|p| p.1, r)"),
        ("if v < 0.0 { (v, exp(v), 0.0) } else { (0.0, v, exp(v)) }", "map(|p| p.1, r), map(|p| p.2, r)"),
        ("fold(v)", "map(|p| p.1, r), map(|p| p.0, r)"),
    ] {
        let count = parts.matches("map").count();
        let result = vec!["[f32; n]"; count].join(", ");
        let program = format!(
            "fn fold(v: f32) {{ [v, 1.0] |> reduceSeq(|a, v| (a.0 + v, a.1 * v), (0.0, 1.0)) }}
            pub fn f<n: Nat>(x: [f32; n]) -> ({result}) {{
                let r = x |> map(|v| {f});
                ({parts})
            }}"
        );
        let body = auto(&program, SIZES1);
        assert!(!body.contains("toMem"), "{body}");
    }
}

/// A part that is taken twice is not what one array of parts can be written to.
#[test]
fn parts_that_are_taken_twice_are_right() {
    let body = auto(
        "pub fn f<n: Nat>(x: [f32; n]) -> ([f32; n], [f32; n]) {
            let r = x |> map(|v| (exp(v), v));
            (map(|p| p.0, r), map(|p| p.0, r))
        }",
        SIZES1,
    );
    assert!(body.contains("toMem"), "{body}");
}

/// A difference is computed again, what a window or each row of a loop looks at is not, nor what a result is.
#[test]
fn what_is_cheap_is_computed_where_it_is_used() {
    let stored = |uses: &str, result: &str| {
        let program = format!(
            "pub fn f<n: Nat>(x: [f32; n], y: [f32; n]) -> {result} where n >= 3 {{
                let r = zip(x, y) |> map(|(a, b)| a - b);
                {uses}
            }}"
        );
        auto(&program, &[&[3], &[7], &[30]]).contains("toMem")
    };
    let twice = "(r |> map(|v| v * v), r |> map(|v| abs(v)))";
    assert!(!stored(twice, "([f32; n], [f32; n])"));
    assert!(!stored("{ let s = r |> reduceSeq(add, 0.0); r |> map(|v| v - s) }", "[f32; n]"));
    assert!(stored("r |> map(|v| v + (r |> map(|w| w * v) |> reduceSeq(add, 0.0)))", "[f32; n]"));
    assert!(stored(
        "(r |> slide(3, 1) |> map(|w| w[0] + w[2]), r |> reduceSeq(add, 0.0))",
        "([f32; n - 2], f32)"
    ));
    assert!(stored("(r, r |> map(|v| v * v))", "([f32; n], [f32; n])"));
}

/// Rows that indices or tuples give lie in order as well; what an index gives of elements does not.
#[test]
fn what_is_cheap_of_rows_is_computed_where_it_is_used() {
    let stored = |row: &str| {
        let program = format!(
            "pub fn f<n: Nat, m: Nat>(at: [Idx[n]; m], x: [[f32; n]; n], y: [[f32; n]; m]) -> [[f32; n]; m] {{
                zip(at, y) |> map(|(i, b)| {{
                    let r = {row};
                    let s = r |> reduceSeq(add, 0.0);
                    r |> map(|v| v - s)
                }})
            }}"
        );
        auto(&program, &[&[1, 1], &[3, 2], &[20, 5]]).contains("toMem")
    };
    assert!(!stored("zip(x[i], b) |> map(|(a, b)| a + b)"));
    assert!(stored("zip(b, b) |> map(|(u, v)| x[(u as u32) as Idx[n]][0] + v)"));
}

/// Conversions are done where elements are read by indices, unless others read the same ones.
#[test]
fn what_is_converted_is_so_where_it_is_read() {
    let body = |uses: &str, result: &str| {
        let program = format!(
            "pub fn f<n: Nat, m: Nat>(x: [[[u8; 3]; 2 * m]; n], y: [f32; n]) -> {result} {{
                let q = x |> map2D(|p| p |> map(|v| v as i32));
                {uses}
            }}"
        );
        auto(&program, &[&[1, 1], &[3, 2], &[2, 20]])
    };
    let pixels =
        "(q |> map2D(|p| p[0] + 2 * p[1]), generate(|i| generate(|j| q[i][2 * j][1] - q[i][2 * j + 1][2])))";
    let read = body(pixels, "([[i32; 2 * m]; n], [[i32; m]; n])");
    assert!(!read.contains("toMem") && read.contains("x[0] as i32 + "), "{read}");
    let rows = "(generate(|i: Idx[n]| q[i] |> map(|p| p[0])), generate(|i: Idx[n]| q[i] |> map(|p| p[1])))";
    let read = body(rows, "([[i32; 2 * m]; n], [[i32; 2 * m]; n])");
    assert!(!read.contains("toMem"), "{read}");
    let products = "y |> map(|v| (v, generate(|i: Idx[n]| q[i] |> map(|p| p[0]) |> sum) |> sum))";
    let stored = body(products, "[(f32, i32); n]");
    assert!(stored.contains("toMem"), "{stored}");
    let folds = "(q |> map2D(sum), q |> map2D(|p| p |> reduce(max, 0)))";
    let stored = body(folds, "([[i32; 2 * m]; n], [[i32; 2 * m]; n])");
    assert!(stored.contains("toMem"), "{stored}");
    let row = auto(
        "pub fn f<n: Nat>(x: [u8; n]) -> (i32, i32) {
            let q = x |> map(|v| v as i32);
            (sum(q), q |> map(|v| v * v) |> sum)
        }",
        SIZES1,
    );
    assert!(!row.contains("let q ="), "{row}");
}

/// Integers that count are at hand in each row; what is computed of them is stored for all rows.
#[test]
fn numbers_that_count_are_not_stored() {
    let stored = |number: &str| {
        let program = format!(
            "pub fn f<n: Nat, m: Nat>(x: [[f32; m]; n]) -> [u32; n] {{
                x |> map(|r| zip(r, generate(|i: Idx[m]| {number}))
                    |> reduceSeq(|a, (v, i)| if v > 0.5 {{ a + i }} else {{ a }}, 0))
            }}"
        );
        auto(&program, &[&[1, 1], &[3, 2], &[20, 5]]).contains("toMem")
    };
    assert!(!stored("i as u32"));
    assert!(stored("(i as u32) * (i as u32) % 7"));
}

/// Truth values take a fourth of what the numbers take that they come from.
#[test]
fn what_is_small_is_stored() {
    let body = auto(
        "pub fn f<n: Nat>(x: [f32; n], y: [f32; n]) -> ([bool; n], bool) {
            let r = zip(x, y) |> map(|(a, b)| a < b);
            (r |> map(|v| !v), r |> reduceSeq(|a, b| a || b, false))
        }",
        SIZES1,
    );
    assert!(body.contains("toMem"), "{body}");
}

/// What takes a division, or is used so often that to read it costs less, is stored.
#[test]
fn what_takes_long_is_stored() {
    for (f, uses) in [
        ("a / b", "(r |> reduceSeq(add, 0.0), r |> map(|v| v - 1.0))"),
        ("a * a + b * b - a * b", "(r |> reduceSeq(add, 0.0), r |> map(|v| v - 1.0), r |> map(|v| 0.0 - v))"),
    ] {
        let parts = vec!["[f32; n]"; uses.matches("map").count()].join(", ");
        let program = format!(
            "pub fn f<n: Nat>(x: [f32; n], y: [f32; n]) -> (f32, {parts}) {{
                let r = zip(x, y) |> map(|(a, b)| {f});
                {uses}
            }}"
        );
        let body = auto(&program, SIZES1);
        assert!(body.contains("toMem"), "{body}");
    }
}
