//! Several arrays between what is read and the result.

use super::auto;

/// What lies between the rows of a strip is stored for each strip, so many times.
fn stored_in_strips(text: &str) -> usize {
    let strips = text.split("generate(|strip|").nth(1).and_then(|strips| strips.split("join,").next());
    strips.map_or(0, |strips| strips.matches("toMem").count())
}

const SIZES: &[&[i128]] = &[&[1, 1], &[16, 2], &[17, 3], &[33, 2], &[50, 1]];

fn of_inside(body: &str) -> String {
    auto(&format!("pub fn f<h: Nat, w: Nat>(a: [[f32; w + 4]; h + 4]) -> [[f32; w]; h] {{ {body} }}"), SIZES)
}

fn of_whole(body: &str) -> String {
    auto(
        &format!(
            "pub fn f<h: Nat, w: Nat>(a: [[f32; w]; h]) -> [[f32; w]; h] where 1 <= h, 1 <= w {{ {body} }}"
        ),
        SIZES,
    )
}

#[test]
fn arrays_that_windows_look_at_go_together() {
    let text = of_inside(
        "let x = a |> slide2D(3, 1) |> map2D(|n| n[0][2] - n[2][0] * n[1][1]);
        let y = a |> slide2D(3, 1) |> map2D(|n| n[2][0] + n[0][1] * n[1][0]);
        let xs = x |> slide2D(3, 1) |> map2D(|n| sum(join(n)));
        zip2D(xs, y |> slide2D(3, 1)) |> map2D(|(s, n)| s * n[0][0] - n[1][2])",
    );
    assert_eq!(stored_in_strips(&text), 2, "{text}");
    // What is no grid is made once for all strips.
    let text = of_inside(
        "let x = a |> slide2D(3, 1) |> map2D(|n| n[0][2] - n[2][0] * n[1][1]);
        let most = reduce(max, 0.0, a[0] |> map(|v| v * v));
        let y = x |> slide2D(2, 1) |> map2D(|n| n[0][0] - most * n[1][1]);
        y |> slide2D(2, 1) |> map2D(|n| n[0][1] - n[1][0])",
    );
    assert_eq!(stored_in_strips(&text), 2, "{text}");
    // One that is made of another, which is read again later.
    let text = of_inside(
        "let x = a |> slide2D(3, 1) |> map2D(|n| n[0][2] - n[2][0] * n[1][1]);
        let y = x |> slide(3, 1) |> map(|rows| rows |> transpose |> map(|c| c[0] * c[1] - c[2]));
        zip2D(y |> map(|row| row |> drop(1) |> take(w)), x |> drop(2) |> map(|row| row |> take(w)))
            |> map2D(|(s, n)| s / (1.0 + n * n))",
    );
    assert!(text.contains("generate(|strip|"), "{text}");
}

#[test]
fn borders_are_those_of_what_is_read() {
    let text = of_whole(
        "let grey = a |> map2D(|v| sqrt(abs(v)));
        let blurred = grey |> padClamp2D(2, 1) |> slide2D(4, 1) |> map2D(|n| n[0][1] - n[3][2]);
        zip2D(grey, blurred) |> map2D(|(v, s)| v * s - s)",
    );
    assert_eq!(stored_in_strips(&text), 1, "{text}");
    // Of two widths.
    let text = of_whole(
        "let root = a |> map2D(|v| sqrt(abs(v)));
        let near = root |> padClamp2D(1, 1) |> slide2D(3, 1) |> map2D(|n| n[0][1] / n[2][1]);
        let far = root |> padClamp2D(3, 2) |> slide2D(6, 1) |> map2D(|n| n[0][1] / n[5][1]);
        zip2D(near, far) |> map2D(|(v, s)| v * s - s)",
    );
    assert_eq!(stored_in_strips(&text), 1, "{text}");
}

#[test]
fn arrays_that_are_needed_as_a_whole_are_stored_as_a_whole() {
    // What takes long is made once.
    let text = of_inside(
        "let x = a |> map(|row| row |> map(|v| row |> map(|u| u * v) |> reduce(max, 0.0)));
        zip2D(x |> slide2D(3, 1) |> take(h) |> map(take(w)), x |> slide2D(5, 1)) |> map2D(|(n, m)| n[0][0] - m[1][3])",
    );
    assert_eq!(stored_in_strips(&text), 0, "{text}");
    let x = "let x = a |> slide2D(3, 1) |> map2D(|n| n[0][2] - n[2][0] * n[1][1]);";
    for body in [
        "let s = sum(join(x)); zip2D(x |> drop(2) |> map(drop(2)), x |> slide2D(3, 1)) |> map2D(|(v, n)| v * s - n[0][0])",
        "generate(|i: Idx[h]| generate(|j: Idx[w]| x[i][j] * x[i + 2][j + 1]))",
        "x |> drop(2) |> map(|row| row |> drop(2) |> map(|v| v * x[0][0]))",
        "x |> transpose |> slide(3, 1) |> map(|rows| rows |> transpose |> map(|c| c[0] - c[2])) |> transpose |> drop(2)",
    ] {
        let text = of_inside(&format!("{x} {body}"));
        assert!(stored_in_strips(&text) == 0 || body.contains("transpose"), "{text}");
    }
}

/// Each stage clamps what the one before has made.
#[test]
fn stages_with_borders_of_their_own_are_clipped() {
    let stage = "padClamp2D(1, 1) |> slide2D(3, 1) |> map2D(|n| n[0][1] - n[2][2] * n[1][0])";
    for stages in 2..5 {
        let text = of_whole(&format!("a {}", format!("|> {stage} ").repeat(stages)));
        assert_eq!(stored_in_strips(&text), stages - 1, "{text}");
    }
    let text = of_whole(
        "let once = a |> padClamp2D(2, 0) |> slide2D(3, 1) |> map2D(|n| n[0][1] - n[2][2] * n[1][0]);
        let twice = once |> padCst2D(1, 0, 3.0) |> slide2D(2, 1) |> map2D(|n| n[0][1] - n[1][0]);
        zip2D(twice, zip2D(once, a)) |> map2D(|(t, (o, v))| t * o - v)",
    );
    assert_eq!(stored_in_strips(&text), 1, "{text}");
}

#[test]
fn borders_show_rows_that_lie_before_those_that_are_taken() {
    let text = auto(
        "fn taps(w: [f32; 3]) -> f32 { w[0] + 2.0 * w[1] - w[2] }
        pub fn f<h: Nat, w: Nat>(a: [[f32; w]; h]) -> [[f32; w]; h] where 1 <= h, 1 <= w {
            let t = a |> padClamp(1, 1) |> slide(3, 1) |> map(|rows| transpose(rows) |> map(taps));
            let u = t |> transpose |> map(|c| c |> padClamp(1, 1) |> slide(3, 1) |> map(taps)) |> transpose;
            zip2D(u |> padClamp(0, 2) |> drop(2), t) |> map2D(|(x, y)| x - y)
        }",
        &[&[1, 1], &[40, 2], &[41, 3], &[49, 2], &[97, 1]],
    );
    assert!(stored_in_strips(&text) > 1, "{text}");
}
