//! Folds of what folds have given.

use super::*;

const ROWS: &str = "a: [[f64; n]; n], b: [[f64; n]; n], y: [f64; n]";

/// So many folds end with a rest of less than four elements that goes on from lanes.
fn in_lanes(text: &str) -> usize {
    text.matches("drop(4 * (n / 4)) |>\n").count()
}

#[test]
fn folds_of_what_has_a_name_and_was_folded_go_in_lanes() {
    let text = |x: &str| {
        let program =
            format!("pub fn f<n: Nat>({ROWS}) -> [f64; n] {{ let x = {x}; b |> map(|r| dot(r, x)) }}");
        auto(&program, &[&[3], &[37]])
    };
    let once = in_lanes(&text("y |> toMem"));
    assert!(once > 0);
    for x in [
        "a |> map(|c| dot(c, y))",
        "a |> map(|c| max(dot(c, y), 0.0))",
        "zip(y, a |> map(|c| dot(c, y))) |> map(|(u, v)| u - v)",
        "concat(a |> take(n / 2) |> map(|c| dot(c, y)), a |> drop(n / 2) |> map(|c| dot(c, y)))",
    ] {
        let text = text(x);
        assert!(in_lanes(&text) >= 2 * once, "{x}: {text}");
    }
    let columns = text("a |> transpose |> map(|c| dot(c, y))");
    assert!(in_lanes(&columns) >= once, "{columns}");
}

#[test]
fn numbers_of_rows_are_made_with_the_rows() {
    let text = |program: &str| {
        auto(
            &format!("pub fn f<n: Nat, m: Nat>(x: [[f64; m]; n], w: [f64; n]) -> [f64; n] {{ {program} }}"),
            &[&[5, 32]],
        )
    };
    let mean = "let mu = x |> map(|r| sum(r) / (m as f64));";
    let here = text(&format!("{mean} zip(x, mu) |> map(|(r, u)| r |> map(|v| (v - u) * (v - u)) |> sum)"));
    let inside =
        text("x |> map(|r| { let u = sum(r) / (m as f64); r |> map(|v| (v - u) * (v - u)) |> sum })");
    let shape = |text: &str| ["mapPar", "mapVec", "toMem"].map(|word| text.matches(word).count());
    assert_eq!(shape(&here), shape(&inside), "{here}");
    // Beside others, and of an array that is not there.
    let others =
        text(&format!("{mean} zip(zip(mu, w), x) |> map(|((u, w), r)| w * (r |> map(|v| v - u) |> sum))"));
    assert!(!others.contains("let mu"), "{others}");
    text(&format!("{mean} zip(w, mu) |> map(|(w, u)| w * u)"));
    // Products of all rows, and what takes long.
    for g in [
        "zip(r, r) |> map(|(v, _)| x |> map(|o| dot(o, r)) |> sum) |> sum",
        "r |> map(|v| exp(0.0 * (v - u))) |> sum",
    ] {
        let stays = text(&format!("{mean} zip(x, mu) |> map(|(r, u)| u * ({g}))"));
        assert!(stays.contains("zip(x, "), "{g}: {stays}");
    }
    // What is the same for all rows.
    let once = auto(
        "pub fn f<n: Nat, m: Nat, k: Nat>(a: [[f64; m]; n], b: [[f64; m]; k]) -> [[f64; k]; n] {
            zip(a, a |> map(|r| dot(r, r))) |> map(|(r, u)|
                zip(b, b |> map(|c| dot(c, c))) |> map(|(c, v)| u + v - 2.0 * dot(r, c)))
        }",
        &[&[7, 3, 5]],
    );
    assert_eq!(once.matches("let before").count(), 2, "{once}");
}

/// Sums and maxima of integers are there for the next step at once.
#[test]
fn scans_of_rows_go_several_at_once_where_steps_wait() {
    let at_once = |ty: &str, step: &str| {
        auto(
            &format!("pub fn f<n: Nat, m: Nat>(x: [[{ty}; m]; n]) -> [[{ty}; m]; n] {{ x |> map(|r| r |> {step}) }}"),
            SIZES2,
        )
        .contains("split(4)")
    };
    assert!(at_once("f32", "scan(max, 0.0)") && at_once("u32", "scan(|a, v| a * 31 + v, 7)"));
    assert!(!at_once("i32", "scan(add, 0)") && !at_once("i64", "scan(max, 0)"));
}
