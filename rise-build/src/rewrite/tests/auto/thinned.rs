//! Elements that no window takes.

use super::*;

/// The program under `auto`.
fn of(body: &str, sizes: &[&[i128]]) -> String {
    auto(&format!("pub fn f<h: Nat, w: Nat>(x: [[i32; 2 * w + 4]; 2 * h + 4]) -> {body}"), sizes)
}

const SIZES: &[&[i128]] = &[&[0, 0], &[1, 2], &[3, 17], &[20, 5]];

#[test]
fn of_windows_that_take_one_element_no_other_is_computed() {
    let text = auto(
        "pub fn f<n: Nat>(t: [f32; 5], x: [f32; 3 * n + 8]) -> [f32; n + 1] {
            x |> slide(5, 1) |> map(|w| dot(w, t)) |> drop(1) |> slide(3, 3) |> map(|w| abs(w[1]))
        }",
        &[&[0], &[1], &[40]],
    );
    assert!(text.contains("slide(5, 3)") && !text.contains("toMem"), "{text}");
    let text = auto(
        "pub fn f<n: Nat>(x: [f32; 2 * n + 2], y: [f32; 2 * n + 2]) -> [f32; n] where n >= 1 {
            zip(x |> map(|a| a * 2.0), y |> slide(1, 1) |> map(sum)) |> slide(4, 2) |> map(|w| w[3].0 * w[3].1 + w[3].0)
        }",
        &[&[1], &[2], &[33]],
    );
    assert!(!text.contains("toMem"), "{text}");
}

#[test]
fn grids_are_thinned_in_both_directions() {
    for place in ["[0][0]", "[0][1]", "[1][0]", "[1][1]"] {
        let body = format!(
            "[[i32; w + 2]; h + 2] {{
                x |> map(|row| row |> padClamp(1, 1) |> slide(3, 1) |> map(sum))
                  |> padClamp(1, 1) |> slide(3, 1) |> map(|rows| transpose(rows) |> map(sum))
                  |> slide2D(2, 2) |> map2D(|w| w{place})
            }}"
        );
        let text = of(&body, SIZES);
        assert_eq!(text.matches("slide(3, 2)").count(), 2, "{text}");
    }
    let squares = "[[i32; w + 1]; h + 1] { x |> map2D(|v| v * v) |> slide2D(4, 2) |> map2D(|w| w[1][2]) }";
    let text = of(squares, SIZES);
    assert!(!text.contains("toMem"), "{text}");
}

#[test]
fn windows_that_take_several_elements_have_all_of_them() {
    let several = |element: &str, slide: &str| {
        let text = of(
            &format!(
                "[[i32; w + 1]; 2 * h + 4] {{
                    x |> map(|row| row |> slide(3, 1) |> map(sum) |> {slide} |> map(|w| {element}))
                }}"
            ),
            SIZES,
        );
        !text.contains("slide(3, 2)")
    };
    assert!(!several("w[1] + w[1]", "slide(2, 2)"));
    assert!(several("w[0] + w[1]", "slide(2, 2)"));
    assert!(several("sum(w)", "slide(2, 2)"));
    assert!(several("reduce(max, w[0], w)", "slide(2, 2)"));
}

#[test]
fn of_arrays_that_are_read_by_steps_no_other_element_is_computed() {
    let text = auto(
        "pub fn f<n: Nat>(t: [f32; 5], x: [f32; 3 * n + 7]) -> [f32; n] where n >= 1 {
            let y = x |> slide(5, 1) |> map(|w| dot(w, t));
            generate(|i| abs(y[3 * i + 2]) + y[3 * i + 2])
        }",
        &[&[1], &[2], &[40]],
    );
    assert!(text.contains("slide(5, 3)"), "{text}");
    let taken = |element: &str, shape: &str| {
        let text = auto(
            &format!(
                "pub fn f<h: Nat, w: Nat>(x: [[i32; 2 * w]; 2 * h]) -> {shape} where h >= 1, w >= 1 {{
                    let y = x |> padClamp2D(1, 1) |> slide2D(3, 1) |> map2D(|w| w[0][1] * w[1][0] - w[2][2]);
                    {element}
                }}"
            ),
            &[&[1, 1], &[2, 17], &[20, 5]],
        );
        text.matches("slide(3, 2)").count()
    };
    assert_eq!(taken("generate(|i: Idx[h]| generate(|j: Idx[w]| y[2 * i][2 * j]))", "[[i32; w]; h]"), 2);
    assert_eq!(taken("generate(|i: Idx[h]| generate(|j: Idx[w]| y[2 * i + 1][2 * j]))", "[[i32; w]; h]"), 2);
    assert_eq!(taken("generate(|j: Idx[w]| generate(|i: Idx[h]| y[2 * i][2 * j + 1]))", "[[i32; h]; w]"), 2);
    assert!(taken("generate(|i: Idx[2 * h]| generate(|j: Idx[w]| y[i][2 * j]))", "[[i32; w]; 2 * h]") > 0);
    assert!(taken("generate(|i: Idx[h]| sum(y[2 * i]))", "[i32; h]") > 0);
    // Two places, or all.
    let both = "generate(|i: Idx[h]| generate(|j: Idx[w]| y[2 * i][2 * j] + y[2 * i + 1][2 * j]))";
    assert_eq!(taken(both, "[[i32; w]; h]"), 0);
    assert_eq!(
        taken("zip(y, generate(|i: Idx[2 * h]| y[i])) |> map(|(a, b)| a[0] + b[1])", "[i32; 2 * h]"),
        0
    );
}
