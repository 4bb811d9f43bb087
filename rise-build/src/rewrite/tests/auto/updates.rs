//! Accumulators of which a step changes one element.

use super::*;

const BINS: &[&[i128]] = &[&[0, 0], &[0, 5], &[1, 1], &[9, 2], &[40, 7], &[5, 70]];

fn is_updated(program: &str, sizes: &[&[i128]]) -> bool {
    auto(program, sizes).contains("update(")
}

#[test]
fn folds_by_an_index_become_one() {
    let counted = |key: &str, index: &str, bins: &str| {
        format!(
            "pub fn f<n: Nat, b: Nat>(x: [i32; n], l: [i64; n], w: [f32; n]) -> [f32; {bins}] {{
                generate(|j: Idx[{bins}]| zip(x, zip(l, w)) |> map(|(x, (l, w))| if {key} == {index} {{ w }} else {{ 0.0 }})
                    |> sum) }}"
        )
    };
    assert!(is_updated(&counted("x", "j as i32", "b"), BINS));
    assert!(is_updated(&counted("(l * 3)", "j as i64", "b"), BINS));
    assert!(is_updated(&counted("(w * 10.0) as i32", "j as i32", "100"), BINS));
    assert!(!is_updated(&counted("x", "j as i32", "16"), BINS), "a few are compared with in vectors");
    assert!(!is_updated(&counted("w", "j as f32", "b"), BINS), "a float is no index");
    // Where the type of the number has too few values, several indices are the same one.
    let text = auto(&counted("x as u8", "j as u8", "b"), &[&[3, 1], &[9, 300]]);
    assert!(text.contains("b <= 256") && text.contains("update("), "{text}");
}

#[test]
fn rows_and_pairs_of_indices_are_updated() {
    let rows = "pub fn f<n: Nat, b: Nat>(x: [[f32; 3]; n], l: [Idx[b + 1]; n]) -> [[f32; 3]; b] {
        generate(|c: Idx[b]| generate(|j: Idx[3]| sum(generate(|i: Idx[n]| if l[i] == c { x[i][j] } else { 0.0 })))) }";
    assert!(is_updated(rows, BINS));
    let pairs = "pub fn f<n: Nat, b: Nat>(x: [(u32, u32); n]) -> [[u32; b]; b] {
        generate(|i: Idx[b]| generate(|j: Idx[b]| x
            |> map(|p| if p.0 == (i as u32) && p.1 == (j as u32) { p.0 + 1 } else { 0 }) |> reduce(add, 0))) }";
    assert_eq!(auto(pairs, BINS).matches("update(").count(), 2);
}

#[test]
fn steps_that_change_one_element_are_updates() {
    let fold = |step: &str| {
        format!(
            "pub fn f<n: Nat, b: Nat>(k: [Idx[b]; n], w: [f32; n]) -> [f32; b] {{
                zip(k, w) |> reduceSeq(|h, (k, w)| {step}, generate(|j: Idx[b]| j as f32)) }}"
        )
    };
    let updated = |step: &str| is_updated(&fold(step), &[&[0, 0], &[0, 4], &[5, 1], &[30, 7]]);
    assert!(updated("generate(|j| if j == k { h[j] + w } else { h[j] })"));
    assert!(updated("generate(|j| if j != k { h[j] } else { h[0] * w })"), "others are read before");
    assert!(updated("{ let s = sum(h); generate(|j| if j == k { s } else { h[j] }) }"));
    assert!(updated("if w > 0.0 { generate(|j| if j == k { w } else { h[j] }) } else { h }"));
    assert!(updated("generate(|j| if j == 0 && w > 0.5 { w } else { h[j] })"), "there may be no first one");
    assert!(!updated("generate(|j| if j == k { w } else { h[j] + 1.0 })"));
    assert!(!updated("generate(|j| if j == k { w } else { h[k] })"));
}

#[test]
fn elements_whose_index_is_known_are_chosen() {
    let program = "pub fn f<n: Nat>(x: [[f32; n]; n]) -> [f32; n] {
        generate(|j: Idx[n]| sum(generate(|i: Idx[n]| if i == j { x[i][j] } else { 0.0 }))) }";
    assert!(!is_updated(program, SIZES1));
}

#[test]
fn what_has_a_value_only_where_there_is_an_index_stays_there() {
    let program = "pub fn f<n: Nat>(x: [i32; n]) -> [i32; n] {
        generate(|j: Idx[n]| x |> drop(1) |> map(|v| if v == (j as i32) { 1 } else { 0 }) |> sum) }";
    assert!(!is_updated(program, &[&[0], &[1], &[9]]));
}

/// What a step folds of its element alone is a map, of points in lanes; what waits for the accumulator, or is chosen, stays.
#[test]
fn what_steps_fold_of_their_element_is_stored_before() {
    let program = |step: &str| {
        format!(
            "pub fn f<n: Nat, k: Nat>(x: [f32; n], c: [f32; k + 1]) -> f32 {{
                x |> reduceSeq(|s, x| {{ {step} }}, 0.5)
            }}"
        )
    };
    let sizes: &[&[i128]] = &[&[0, 3], &[1, 0], &[40, 7], &[300, 20]];
    let nearest = "c |> reduce(|a, b| if abs(a - x) < abs(b - x) { a } else { b }, 9.0)";
    let text = auto(&program(&format!("let b = {nearest}; s * 0.5 + b * x")), sizes);
    let (before, steps) = text.split_once("toMem").unwrap_or_default();
    assert!(before.contains("mapVec") && before.contains("abs"), "{text}");
    assert!(steps.contains("zip(ys, all)") && !steps.contains("abs"), "{text}");
    for step in [
        "s * 0.5 + (c |> reduceSeq(|a, b| max(a * x, b - s), 0.0))",
        &format!("if s > 3.0 {{ s - ({nearest}) }} else {{ s + x }}"),
    ] {
        let text = auto(&program(step), sizes);
        assert!(!text.contains("zip(ys"), "{text}");
    }
    let sums = "pub fn f<n: Nat, m: Nat>(x: [f32; n + m]) -> f32 {
        generate(|i: Idx[n]| i) |> reduceSeq(|s, i| s * 0.5 + (x |> take(i) |> reduce(add, 1.0)) * x[i], 0.0)
    }";
    auto(sums, &[&[0, 3], &[1, 0], &[20, 7]]);
}
