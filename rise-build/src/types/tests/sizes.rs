//! Sizes and indices: what is solved, what is proved, what the entry checks.

use super::{body, typed};

/// What the entry of a kernel checks.
fn checks(text: &str) -> Vec<String> {
    let shown = typed(text);
    let from = shown.find("\n}").map_or(shown.len(), |at| at + 2);
    shown[from..].lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

#[test]
fn equal_sizes_are_proved_or_checked() {
    let text = |clause: &str| {
        format!(
            "pub fn f<n: Nat, m: Nat>(x: [f32; n], y: [f32; m]) -> [f32; n] {clause} {{ zip(x, y) |> map(|(a, b)| a + b) }}"
        )
    };
    assert!(checks(&text("where n == m")).is_empty());
    assert_eq!(checks(&text("")), ["zip: m = n"]);
}

#[test]
fn conditions_are_proved_from_where_clauses() {
    let with = |clause: &str, body: &str| {
        checks(&format!("pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] {clause} {{ {body} }}"))
    };
    let split = "x |> split(8) |> map(map(|x| x + 1)) |> join";
    assert_eq!(with("", split), ["split(8): 8 divides n"]);
    assert!(with("where n % 8 == 0", split).is_empty());
    assert!(with("where n % 32 == 0", split).is_empty());
    assert!(with("where 16 divides n", split).is_empty());
    assert_eq!(with("", "x |> padClamp(1, 1) |> drop(1) |> take(n)"), ["padClamp(1, 1): 1 <= n"]);
    assert!(with("where n > 0", "x |> padClamp(1, 1) |> drop(1) |> take(n)").is_empty());
    assert_eq!(with("", "concat(x |> drop(3), x |> take(3))"), ["drop(3): 3 <= n"]);
    assert!(with("where n >= 4", "concat(x |> drop(3), x |> take(3))").is_empty());
}

#[test]
fn a_condition_is_checked_once() {
    let text = "pub fn f<n: Nat>(x: [f32; n]) -> f32 { sum(x |> split(8) |> map(sum)) + sum(x |> split(4) |> map(sum)) }";
    assert_eq!(checks(text), ["split(8): 8 divides n"]);
}

#[test]
fn indices_are_proved_by_their_ranges() {
    let none: [&str; 0] = [];
    let index = |result: &str, body: &str| {
        checks(&format!(
            "pub fn f<n: Nat, m: Nat>(x: [f32; n], y: [f32; n + 2]) -> [f32; {result}] {{ {body} }}"
        ))
    };
    assert_eq!(index("n", "generate(|i| x[i] + y[i + 1] + y[i + 2])"), none);
    assert_eq!(index("n", "generate(|i| x[n - 1 - i] + x[i / 2])"), none);
    assert_eq!(index("2 * n", "generate(|i| x[i / 2])"), none);
    assert_eq!(index("m", "generate(|i| x[i])"), ["index: m <= n"]);
    assert_eq!(index("m", "generate(|i| y[i + 1])"), ["index: m <= n + 1"]);
    assert_eq!(index("m", "generate(|i| x[(i + 5) as Idx[n]])"), ["as: 0 < n"]);
    assert_eq!(index("n", "generate(|i| x[(i + 5) as Idx[n]])"), none);
    assert_eq!(index("m", "generate(|i| x[0])"), ["index: 0 < n"]);
}

#[test]
fn what_goes_backwards_goes_through_all_unless_something_goes_forwards() {
    let length = |body: &str| {
        checks(&format!(
            "pub fn f<n: Nat, m: Nat>(x: [f32; n], y: [f32; m]) -> f32 {{ sum(generate(|i| {body})) }}"
        ))
    };
    assert!(length("x[n - 1 - i]").is_empty());
    assert_eq!(length("x[n - 1 - i] * y[i]"), ["index: m <= n"]);
    assert_eq!(length("x[n - 1 - i] * y[m - 1 - i]"), ["index: n <= m"]);
}

#[test]
fn runtime_indices_are_indices() {
    let text = "pub fn f<n: Nat, m: Nat>(x: [f32; n + 1], j: [Idx[n]; m], k: [i32; m]) -> [f32; m] {
        zip(j, k) |> map(|(j, k)| x[j + 1] + x[j] * x[k as Idx[n]])
    }";
    assert_eq!(body(text), "zip(j, k) |> map(|jk| { let j = jk.0; x[j + 1] + x[j] * x[jk.1 as Idx[n]] })");
}

#[test]
fn elements_may_be_indices() {
    let text = "pub fn f<n: Nat>(j: [Idx[n]; n]) -> [Idx[n]; n] { j |> map(|i| n - 1 - i) }";
    assert_eq!(body(text), "j |> map(|i| n - i - 1)");
    let text = "pub fn f<n: Nat, m: Nat>(j: [Idx[n]; m]) -> [Idx[n + m]; m] { j |> map(|i| i) }";
    assert_eq!(body(text), "j |> map(|i| i)");
}

#[test]
fn naturals_are_values() {
    let text =
        "pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] { generate(|i| x[i] * (2 * i + 1) as f32 / n as f32) }";
    assert_eq!(body(text), "generate(|i| x[i] * (2 * i + 1) as f32 / n as f32)");
    let text = "pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] { generate(|i| if i < n / 2 && i % 2 == 0 { x[i] } else { 0 }) }";
    assert_eq!(body(text), "generate(|i| if (i < n / 2) & (i % 2 == 0) { x[i] } else { 0.0 })");
}

#[test]
fn a_generate_that_only_indexes_has_the_length_of_the_array() {
    let text = "pub fn f<n: Nat>(x: [[f32; n]; n]) -> [f32; n] {
        generate(|i| generate(|j| if j < i { x[i][j] } else { 0.0 }) |> reduce(add, 0.0))
    }";
    assert_eq!(
        body(text),
        "generate(|i| generate(|j| if j < i { x[i][j] } else { 0.0 }) |> reduce(|acc, x| acc + x, 0.0))"
    );
}

#[test]
fn windows_and_vectors_ask_for_their_lengths() {
    let text = "pub fn f<n: Nat>(x: [f32; n]) -> [f32; (n - 5) / 2 + 1] { x |> slide(5, 2) |> map(sum) }";
    assert_eq!(checks(text), ["slide(5, 2): 2 divides n - 5", "slide(5, 2): 5 <= n"]);
    let text = "pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] { x |> asVector(4) |> map(|v| v * 2) |> asScalar }";
    assert_eq!(checks(text), ["asVector(4): 4 divides n"]);
}

#[test]
fn helpers_bring_their_conditions() {
    let text = "fn g<n: Nat>(x: [f32; n]) -> [f32; n] where 4 <= n { x |> map(|x| x) }
         pub fn f<m: Nat>(x: [[f32; m]; m]) -> [[f32; m]; m] { x |> map(g) }";
    assert_eq!(checks(text), ["g: 4 <= m"]);
}

#[test]
fn iterate_finds_its_factor() {
    let text =
        "pub fn f<n: Nat>(x: [f32; n]) -> [f32; n / 8] { x |> iterate(3, |xs| xs |> split(2) |> map(sum)) }";
    assert_eq!(checks(text), ["iterate(3): 8 divides n"]);
    let text = "pub fn f<n: Nat, k: Nat>(x: [f32; n * 3 ^ k]) -> [f32; n] {
        x |> iterate(k, |l: Nat| |x: [f32; 3 * l]| x |> split(3) |> map(sum))
    }";
    assert!(checks(text).is_empty());
    let text = "pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] { x |> iterate(5, |xs| xs |> map(|x| x * 0.5)) }";
    assert!(checks(text).is_empty());
}

#[test]
fn steps_know_their_length() {
    let smooth = "y |> padClamp(1, 1) |> slide(3, 1) |> map(sum)";
    let text = format!("pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] {{ x |> iterate(4, |y| {smooth}) }}");
    assert_eq!(checks(&text), ["padClamp(1, 1): 1 <= n"]);
    let text = "pub fn f<n: Nat, k: Nat>(x: [[f32; n]; n]) -> [[f32; n]; n] where 4 <= n {
        x |> iterate(k, |y| y |> drop(1) |> take(3) |> (|z| concat(z, drop(3, y))) |> padClamp(0, 0))
    }";
    assert_eq!(checks(text), [""; 0]);
    let text = "pub fn f<n: Nat>(x: [f32; 8 * n]) -> [f32; n] {
        x |> iterate(3, |y| y |> split(2) |> map(|p| p[0] + y[5]))
    }";
    assert_eq!(checks(text), ["index: 6 <= 2 * n"]);
}

#[test]
fn steps_may_speak_of_arrays_of_their_length() {
    let text = "pub fn f<n: Nat, k: Nat>(a: [[f32; n]; n], x: [f32; n]) -> [f32; n] {
        x |> iterate(k, |v| a |> map(|row| dot(row, v)))
    }";
    assert_eq!(checks(text), [""; 0]);
    let text = "pub fn f<n: Nat>(x: [f32; n], b: [f32; n]) -> [f32; n] {
        x |> iterate(4, |v| generate(|i| v[(i + 1) % n] + b[i]))
    }";
    assert_eq!(checks(text), [""; 0]);
    // One inside another, with arrays as elements.
    let text = "pub fn f<n: Nat, m: Nat>(x: [[f32; m]; n], b: [[f32; m]; n]) -> [[f32; m]; n] {
        x |> iterate(2, |v| zip(v, b) |> map(|(r, s)| r |> iterate(3, |w| zip(w, s) |> map(|(p, q)| p + q))))
    }";
    assert_eq!(checks(text), [""; 0]);
}

#[test]
fn dependent_arrays_know_their_positions() {
    let text = "pub fn f<n: Nat>(x: [f32; n * (n - 1) / 2]) -> [f32; n * (n - 1) / 2] {
        x |> partition(n, |i| i) |> depMap(|i: Nat| |row| row |> map(|x| x * i as f32)) |> depJoin
    }";
    let shown = "x |> partition(n, |i| i) |> depMap(|i: Nat, x| x |> map(|x| x * i as f32)) |> depJoin";
    assert_eq!(body(text), shown);
    // A plain lambda does as well.
    assert_eq!(body(&text.replace("|i: Nat| |row|", "|i, row|")), shown);
    assert_eq!(body(&text.replace("|i: Nat| |row|", "|i| |row|")), shown);
}

#[test]
fn rows_of_a_dependent_array_tell_their_own_lengths() {
    let of = |row: &str| {
        format!(
            "pub fn f<n: Nat>(x: [f32; n * (n + 1) / 2]) -> [f32; n * (n + 1) / 2] {{
                x |> partition(n, |i| i + 1) |> depMap(|i, row| {row}) |> depJoin
            }}"
        )
    };
    // Nothing but the row that it reads says how long this is.
    assert_eq!(checks(&of("generate(|k| row[k] + i as f32)")), [""; 0]);
    assert_eq!(checks(&of("generate(|k: Idx[i + 1]| k as f32)")), [""; 0]);
    let wrong = super::wrong(&of("generate(|k| k as f32)"));
    assert_eq!(wrong, ["generate(|k| k as f32): the length of `generate` cannot be determined"]);
}

#[test]
fn loops_over_nothing_need_nothing() {
    let text = "pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] { x |> map(|y| y / x[0]) }";
    assert!(checks(text).is_empty());
    let text = "pub fn f<n: Nat, m: Nat>(x: [f32; n], y: [f32; m]) -> [f32; n] { x |> map(|z| z / y[0]) }";
    assert_eq!(checks(text), ["index: 0 < m"]);
    let text = "pub fn f<n: Nat>(x: [f32; n]) -> [[f32; n]; n] { generate(|i| x |> padClamp(i, n - i) |> drop(i) |> take(n)) }";
    assert!(checks(text).is_empty());
}

#[test]
fn long_pipes_do_not_exhaust_the_stack() {
    let text =
        format!("pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] {{ x {} }}", "|> map(|y| y + 1.0) ".repeat(200));
    assert!(checks(&text).is_empty());
}

#[test]
fn naturals_are_not_negative_where_they_are_used() {
    let of = |body: &str| super::body(&format!("pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] {{ {body} }}"));
    assert_eq!(
        of("generate(|i| if i - 1 < n - 2 { x[i] } else { 0 })"),
        "generate(|i| if i + 1 < n { x[i] } else { 0.0 })"
    );
    assert_eq!(of("generate(|i| x[(i - 1) as Idx[n]])"), "generate(|i| x[min(n - 1, max(1, i) - 1)])");
    assert_eq!(of("generate(|i| (n - i) as f32)"), "generate(|i| (n - i) as f32)");
}
