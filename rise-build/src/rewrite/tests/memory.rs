//! Programs that wait for memory under `auto`: their loops after all passes, run at sizes around whole squares,
//! vectors and pieces.

use crate::dpia::functional::{Target, from_expr};
use crate::dpia::imperative::translate;
use crate::expr::{Value, interpret};
use crate::loops::{self, check, execute, passes};

use super::{input, rewritten};

/// The loops as text, after they gave what the interpreter gives after every pass.
fn loops_of(program: &str, sizes: &[&[i128]]) -> String {
    let kernel = rewritten(program, &[]);
    let functional = from_expr(&kernel, Target::Rust).unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let mut loops = loops::lower(&translate(&functional));
    let cases: Vec<(&[i128], Vec<Value>)> = sizes
        .iter()
        .map(|sizes| {
            (*sizes, kernel.params.iter().map(|param| input(&param.ty, &kernel.nats, sizes)).collect())
        })
        .collect();
    let expected: Vec<Value> =
        cases.iter().map(|(sizes, args)| interpret(&kernel, sizes, args).expect("a result")).collect();
    for pass in passes::PASSES {
        (pass.run)(&mut loops, &passes::Options::CPU).unwrap_or_else(|large| panic!("{large}"));
        assert!(check(&loops).wrong.is_empty(), "{}: {:?}\n{loops}", pass.name, check(&loops).wrong);
    }
    for ((sizes, args), expected) in cases.iter().zip(&expected) {
        let found =
            execute(&loops, sizes, args).unwrap_or_else(|fault| panic!("{sizes:?}: {fault}\n{loops}"));
        assert_eq!(found.as_slice(), std::slice::from_ref(expected), "{sizes:?}\n{loops}");
    }
    loops.to_string()
}

const MATRICES: &[&[i128]] =
    &[&[0, 0], &[1, 40], &[15, 16], &[16, 16], &[17, 31], &[40, 33], &[64, 65], &[83, 70]];

#[test]
fn transposes_go_in_squares() {
    for scalar in ["f32", "f64", "u8", "i16"] {
        let text = loops_of(
            &format!(
                "pub fn t<n: Nat, m: Nat>(a: [[{scalar}; m]; n]) -> [[{scalar}; n]; m] {{ transpose(a) }}"
            ),
            MATRICES,
        );
        assert!(text.contains("= transpose(a["), "{text}");
        assert!(text.contains("parallel") && !text.contains("_square"), "{text}");
    }
}

#[test]
fn what_is_computed_beside_a_transpose_is_in_vectors() {
    let text = loops_of(
        "pub fn symmetric<n: Nat>(a: [[f32; n]; n]) -> [[f32; n]; n] {
            zip2D(a, transpose(a)) |> map2D(|(x, y)| x + 2.0 * y)
        }",
        &[&[0], &[1], &[16], &[37], &[64], &[81]],
    );
    assert!(text.contains("a_square[0; 16] = transpose(a["), "{text}");
    assert!(text.contains("..16] + (f32x16(2.0) * a_square"), "{text}");
}

#[test]
fn other_permutations_go_in_squares_too() {
    let sizes: &[&[i128]] = &[&[0, 3, 20], &[2, 17, 40], &[17, 2, 33], &[33, 3, 16], &[20, 18, 1]];
    for (body, ty) in [
        ("a |> map(transpose)", "[[[f32; n]; m]; b]"),
        ("a |> map(transpose) |> transpose |> map(transpose)", "[[[f32; b]; n]; m]"),
    ] {
        let program = format!("pub fn p<b: Nat, n: Nat, m: Nat>(a: [[[f32; m]; n]; b]) -> {ty} {{ {body} }}");
        let text = loops_of(&program, sizes);
        assert!(text.contains("= transpose(a["), "{text}");
    }
}

#[test]
fn what_does_not_cross_over_stays() {
    for program in [
        // Rows move as they are.
        "pub fn p<b: Nat, n: Nat>(a: [[[f32; 40]; n]; b]) -> [[[f32; 40]; b]; n] { transpose(a) }",
        // Too narrow.
        "pub fn p<b: Nat, n: Nat>(a: [[f32; 3]; n]) -> [[f32; n]; 3] { transpose(a) }",
        // Reads what it writes.
        "pub fn p<b: Nat, n: Nat>(a: [[f32; n]; b]) -> [f32; n] { transpose(a) |> map(|c| c |> reduceSeq(|x, y| x - y, 0.0)) }",
    ] {
        let text = loops_of(program, &[&[3, 5], &[20, 18]]);
        assert!(!text.contains("transpose("), "{text}");
    }
}

#[test]
fn columns_are_folded_row_by_row() {
    let sizes: &[&[i128]] = &[&[0, 3], &[5, 0], &[1, 1], &[8, 100], &[19, 2054], &[9, 2048]];
    let text = loops_of(
        "pub fn sums<n: Nat, m: Nat>(a: [[f32; m]; n]) -> [f32; m] { transpose(a) |> map(|c| c |> reduce(add, 0.0)) }",
        sizes,
    );
    assert!(text.contains("parallel i in 0..m / 2048") && text.contains("a[7 * m + at ..16]"), "{text}");
    // The accumulators are read again.
    assert!(!text.contains("stream"), "{text}");
    let text = loops_of(
        "pub fn gemv<n: Nat, m: Nat>(a: [[f32; m]; n], x: [f32; n], b: [f32; m]) -> [f32; m] {
            zip(transpose(a), b) |> map(|(c, b)| b + 3.0 * (zip(c, x) |> map(mult) |> reduce(add, 0.0)))
        }",
        sizes,
    );
    assert!(text.contains("a[7 * m + at ..16]"), "{text}");
    // Not associative, and one after the other all the same.
    loops_of(
        "pub fn f<n: Nat, m: Nat>(a: [[f32; m]; n]) -> [f32; m] {
            transpose(a) |> map(|c| c |> reduceSeq(|x, y| y - 0.5 * x, 1.0))
        }",
        sizes,
    );
}

#[test]
fn vectors_begin_with_lines_and_go_past_the_cache() {
    let text = loops_of(
        "pub fn axpy<n: Nat>(a: f32, x: [f32; n], y: [f32; n]) -> [f32; n] { zip(x, y) |> map(|(x, y)| a * x + y) }",
        &[&[0], &[1], &[15], &[16], &[33], &[100], &[300], &[17_000]],
    );
    assert!(text.contains("to_line(output[") && text.contains("if past(12 * n)"), "{text}");
    assert!(text.contains("stream output["), "{text}");
}

#[test]
fn bodies_that_fold_tuples_are_lanes() {
    let text = loops_of(
        "pub fn pulls<n: Nat>(m: [f32; n], x: [f32; n], y: [f32; n]) -> [(f32, f32); n] {
            zip(x, y) |> map(|(px, py)| zip(m, zip(x, y))
                |> map(|(m, (x, y))| { let pull = m * (x - px) * (y - py); (pull * (x - px), pull * (y - py)) })
                |> reduce(|(ax, ay), (bx, by)| (ax + bx, ay + by), (0.0, 0.0)))
        }",
        &[&[0], &[1], &[15], &[33]],
    );
    assert!(text.contains("parallel i in 0..n / 256") && text.contains("var accum: f32x16"), "{text}");
}
