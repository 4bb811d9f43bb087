//! What goes in lanes where numbers are of several widths.

use crate::expr::Kernel;
use crate::machine::MACHINES;

use super::super::rewritten_for;
use super::{SIZES1, SIZES2, auto};

/// The fold of two arrays of these types to the sum of one and the greatest of the other.
fn sum_and_greatest(a: &str, b: &str) -> String {
    let zero = |ty: &str| if ty.starts_with('f') { "0.0" } else { "0" };
    let program = format!(
        "pub fn f<n: Nat>(x: [{a}; n], y: [{b}; n]) -> ({a}, {b}) {{
            zip(x, y) |> reduce(|(a, b), (c, d)| (a + c, max(b, d)), ({}, {})) }}",
        zero(a),
        zero(b)
    );
    auto(&program, &[&[0], &[5], &[300]])
}

#[test]
fn accumulators_beside_floats_have_as_many_lanes_as_the_widest() {
    for (a, b, width) in
        [("f32", "u8", 16), ("i16", "f32", 16), ("f32", "f64", 8), ("f64", "u8", 8), ("u64", "f32", 8)]
    {
        let text = sum_and_greatest(a, b);
        assert!(text.contains("mapVec") && text.contains(&format!("n / {width}")), "{a}, {b}: {text}");
    }
    for (a, b) in [("u64", "u8"), ("i32", "i16"), ("u8", "i16")] {
        let text = sum_and_greatest(a, b);
        assert!(!text.contains("mapVec"), "compilers find lanes for {a}, {b}: {text}");
    }
}

#[test]
fn rows_are_folded_to_accumulators_of_several_widths() {
    let text = auto(
        "pub fn f<n: Nat, m: Nat>(x: [[f32; n]; m], y: [[u8; n]; m]) -> [(f32, u8, bool); m] {
            zip(x, y) |> map(|(r, s)| zip(r, s) |> map(|(v, w)| (v, w, v > 3.0))
                |> reduce(|(a, b, e), (c, d, f)| (a + c, max(b, d), e || f), (0.0, 0, false))) }",
        SIZES2,
    );
    assert!(text.contains("mapVec") && text.contains("n / 16"), "{text}");
}

#[test]
fn narrow_results_of_what_compilers_find_no_lanes_for_are_lanes() {
    let in_lanes = |ty: &str, of: &str| {
        let program = format!(
            "pub fn f<n: Nat>(x: [f32; n], c: [f32; 40], d: [f32; 70]) -> [{ty}; n] {{ x |> map(|v| {of}) }}"
        );
        auto(&program, SIZES1).contains("mapVec")
    };
    for function in ["pow(v, 2.2)", "sin(v)", "exp(v) * sin(v)"] {
        assert!(in_lanes("u8", &format!("({function}) as u8")), "{function}");
        assert!(in_lanes("i16", &format!("({function}) as i16")), "{function}");
    }
    assert!(!in_lanes("u8", "sqrt(v * 3.0) as u8"), "compilers do that");
    let nearest = "|(d, k), (c, i)| if abs(v - c) < d { (abs(v - c), i) } else { (d, k) }, (9.0, 0)";
    let nearest = |c: &str| format!("(zip({c}, generate(|i| i as u8)) |> reduceSeq({nearest})).1");
    assert!(in_lanes("u8", &nearest("c")));
    assert!(!in_lanes("u8", &nearest("(c |> take(8))")), "compilers write out eight steps");
    assert!(in_lanes("u8", "(d |> reduceSeq(|a, c| a * v + c, 0.0)) as u8"));
    assert!(!in_lanes("u8", "(c |> reduceSeq(|a, c| a * v + c, 0.0)) as u8"), "compilers write out forty");
}

/// In the order that is chosen: others are folds of their rows.
#[test]
fn narrow_results_of_long_windows_are_lanes() {
    let windows = |k: i64, ty: &str, zero: &str| {
        let program = format!(
            "pub fn f<h: Nat, w: Nat>(x: [[{ty}; w + {k} - 1]; h + {k} - 1]) -> [[u8; w]; h] {{
                x |> slide2D({k}, 1) |> map(map(|win| (win |> join |> reduceSeq(max, {zero})) as u8)) }}"
        );
        auto(&program, SIZES2)
    };
    let text = windows(9, "f32", "0.0");
    assert!(text.contains("mapVec") && !text.contains("81 /"), "results go in lanes: {text}");
    assert!(!windows(5, "f32", "0.0").contains("mapVec"), "compilers write out 25 steps");
}

#[test]
fn small_numbers_of_nothing_wider_go_in_lanes_where_machines_have_such() {
    let forms = |ty: &str, of: &str| {
        let program =
            format!("pub fn f<n: Nat>(x: [{ty}; n + 2]) -> [{ty}; n] {{ x |> slide(3, 1) |> map({of}) }}");
        MACHINES
            .iter()
            .map(|machine| in_lanes(rewritten_for(&program, SIZES1, machine).0))
            .collect::<Vec<_>>()
    };
    for ty in ["u8", "i8", "u16", "i16"] {
        assert_eq!(forms(ty, "|w| w |> reduce(max, 0)"), [true, true, false], "{ty}");
        assert_eq!(
            forms(ty, "|w| if w[0] < w[1] { w[2] - w[0] } else { w[1] }"),
            [true, true, false],
            "{ty}"
        );
        // Masks have lanes of 32 bits there.
        let two = "|w| if w[0] < w[1] && w[1] < w[2] { w[2] } else { w[1] }";
        assert_eq!(forms(ty, two), [true, false, false], "{ty}");
        let counted = format!("|w| w[2] + ((w[0] < w[1]) as {ty})");
        assert_eq!(forms(ty, &counted), [true, false, false], "{ty}");
        assert_eq!(forms(ty, "|w| (w[0] + w[2]) / 2"), [false; 3], "{ty}");
        assert_eq!(forms(ty, &format!("|w| (w[0] as i64 + w[2] as i64) as {ty}")), [false; 3], "{ty}");
    }
    assert_eq!(forms("u32", "|w| w |> reduce(max, 0)"), [true; 3]);
    assert_eq!(forms("bool", "|w| w |> reduce(|a, b| a && b, true)"), [false; 3]);
}

#[test]
fn quotients_by_what_is_known_are_left_to_compilers() {
    let in_lanes = |ty: &str, of: &str| {
        let program = format!(
            "pub fn f<n: Nat>(x: [{ty}; n], y: [{ty}; n]) -> [{ty}; n] {{ zip(x, y) |> map(|(a, b)| {of}) }}"
        );
        auto(&program, SIZES1).contains("mapVec")
    };
    for ty in ["i32", "u32", "i64", "u64"] {
        assert!(!in_lanes(ty, "a / 7 + b % 10"), "{ty}");
        assert!(in_lanes(ty, "a / max(b, 1)"), "{ty}");
    }
    assert!(in_lanes("f32", "a / 7.0"));
    assert!(in_lanes("f32", "sin(a) * ((b as i32) / 7) as f32"), "they find no lanes for functions");
}

fn in_lanes(kernel: Kernel) -> bool {
    kernel.body.to_string().contains("mapVec")
}

#[test]
fn rows_of_few_numbers_go_in_lanes_where_compilers_find_none() {
    let in_lanes = |ty: &str, count: i64, fold: &str| {
        let program =
            format!("pub fn f<n: Nat>(x: [[{ty}; {count}]; n]) -> [{ty}; n] {{ x |> map(|r| r |> {fold}) }}");
        auto(&program, SIZES1).contains("mapVec")
    };
    assert!(in_lanes("f32", 16, "sum") && in_lanes("f64", 8, "reduce(max, 0.0)"));
    assert!(!in_lanes("f32", 15, "sum"), "they fill no vector");
    assert!(in_lanes("i32", 33, "sum") && in_lanes("u64", 48, "reduce(max, 0)"));
    assert!(!in_lanes("i32", 32, "sum"), "compilers write out as many");
    assert!(!in_lanes("bool", 48, "reduce(|a, b| a || b, false)") && !in_lanes("i16", 48, "sum"));
}

#[test]
fn functions_of_folds_come_behind_all_folds() {
    let rows = |of: &str, rows: &str| {
        let program = format!(
            "pub fn f<n: Nat, h: Nat>(r: [f32; n], a: [[f32; n]; {rows}]) -> [f32; {rows}] {{ a |> map(|p| {of}) }}"
        );
        auto(&program, SIZES2)
    };
    for of in ["exp(dot(r, p))", "{ let z = dot(r, p) + 1.0; z / (1.0 + exp(-z)) }"] {
        let text = rows(of, "h");
        assert!(text.contains("mapVec(|each| ") && text.contains("let folds = "), "{text}");
        assert!(!rows(of, "5").contains("let folds = "), "five functions fill no vector");
    }
    assert!(!rows("{ let z = dot(r, p); z * z }", "h").contains("let folds = "), "that takes no memory");
}

#[test]
fn folds_of_words_go_in_lanes_where_machines_have_such() {
    for (program, sizes) in [
        ("pub fn f<n: Nat>(x: [i16; n]) -> i16 { x |> reduce(max, -32768) }", SIZES1),
        (
            "pub fn f<n: Nat, m: Nat>(x: [[u16; m]; n]) -> [u16; n] { x |> map(|r| r |> reduce(add, 0)) }",
            SIZES2,
        ),
    ] {
        let forms: Vec<bool> =
            MACHINES.iter().map(|machine| in_lanes(rewritten_for(program, sizes, machine).0)).collect();
        assert_eq!(forms, [true, true, false], "{program}");
        let asked = rewritten_for(program, sizes, &MACHINES[0]).1;
        assert!(asked.small && !asked.registers, "{program}");
    }
    let wide = "pub fn f<n: Nat>(x: [i32; n]) -> i32 { x |> reduce(max, 0) }";
    assert!(!rewritten_for(wide, SIZES1, &MACHINES[0]).1.small);
}
