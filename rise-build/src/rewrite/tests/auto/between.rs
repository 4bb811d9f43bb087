//! What is done to rows and columns between an image, its windows, and what is made of these.

use super::auto;

/// Of an image, of the rows of a window, of each of these rows, of a row of windows, and of a window. The first of each
/// does nothing.
const IMAGE: &[&str] = &["", "|> reverse", "|> map(reverse)", "|> map2D(|x| x * x + 1.0)", "|> map(pairs)"];
const ROWS: &[&str] = &["", "|> reverse", "|> map(reverse)"];
const ROW: &[&str] = &["", "|> reverse", "|> map(|x| x * x)", "|> padClamp(1, 1) |> drop(2)"];
const WINDOWS: &[&str] = &["", "|> reverse", "|> map(map(reverse))", "|> map(reverse)", "|> map(transpose)"];
const MADE: &[&str] = &[
    "sum(join(p))",
    "sum(map(|r| reduce(max, 0.0, r), p)) + p[1][1]",
    "reduce(max, 0.0, map(|r| sum(map(|x| x * x, r)), p))",
    "sum(map(|x| x * x, join(p))) - sum(join(p))",
    "p[0][2] - p[2][0] + 2.0 * p[1][0]",
    "dot([1.0, 2.0, 1.0], map(|r| dot([1.0, 0.0, 3.0], r), p))",
    "sum(p[0]) - reduce(min, 100.0, transpose(p)[1])",
    "sum(map(sum, p)) + of_row[0][1][2]",
    "dot(join(p), [1.0, 2.0, 1.0, 2.0, 4.0, 2.0, 1.0, 2.0, 1.0]) + of_row[0][1][2]",
    "sum(map(|r| sum(r) * of_row[0][1][1], p))",
];

/// Every so many of all programs.
const EVERY: usize = 23;

#[test]
fn nothing_that_is_done_to_rows_between_is_lost() {
    let kinds = [IMAGE, ROWS, ROW, WINDOWS, MADE];
    let number: usize = kinds.iter().map(|kind| kind.len()).product();
    for chosen in (0..number).step_by(EVERY) {
        let mut rest = chosen;
        let [image, rows, row, windows, made] = kinds.map(|kind| {
            let one = kind[rest % kind.len()];
            rest /= kind.len();
            one
        });
        let program = format!(
            "fn pairs<n: Nat>(xs: [f32; n]) -> [f32; n] {{ xs |> padCst(1, 0, 0.0) |> slide(2, 1) |> map(sum) }}
            pub fn f<n: Nat, m: Nat>(a: [[f32; m]; n]) -> [[f32; m]; n] where 1 <= m, 1 <= n {{
                a {image} |> padClamp2D(1, 1) |> slide(3, 1)
                  |> map(|rows| rows {rows} |> map(|row| row {row} |> slide(3, 1)) |> transpose)
                  |> map(|of_row| of_row {windows} |> map(|p| {made}))
            }}"
        );
        auto(&program, &[&[1, 1], &[3, 5], &[37, 9]]);
    }
}
