//! The basic programs: each has the printed form, and the interpreter gives what the formula says.

use super::{body, infer};
use crate::diagnostics::Session;
use crate::expr::{Kernel, Literal, Value, interpret};
use crate::nat::Obligation;
use crate::types::Scalar;

/// Programs with their bodies; the obligations stand behind the last brace.
pub(super) const PROGRAMS: &[(&str, &str)] = &[
    ("pub fn scal<n: Nat>(alpha: f32, x: [f32; n]) -> [f32; n] { x |> map(|x| alpha * x) }", "x |> map(|x| alpha * x)"),
    (
        "pub fn shifted<n: Nat>(x: [f32; n], y: [f32; n + 3]) -> [f32; n] { zip(x, drop(3, y)) |> map(|(x, y)| x + y) }",
        "zip(x, y |> drop(3)) |> map(|xy| xy.0 + xy.1)",
    ),
    ("pub fn reverse<n: Nat>(x: [i32; n]) -> [i32; n] { generate(|i| x[n - 1 - i]) }", "generate(|i| x[n - i - 1])"),
    (
        "pub fn strided<s: Nat, n: Nat>(x: [i32; n]) -> [i32; n] where n % s == 0, s >= 1 {
            x |> reorder(|i| i / (n / s) + s * (i % (n / s)), |j| j / s + (n / s) * (j % s))
        }",
        "x |> reorder(|i| s * (i % (n / s)) + i / (n / s), |j| (n / s) * (j % s) + j / s)",
    ),
    (
        "pub fn transposed<r: Nat, c: Nat>(a: [[f32; c]; r]) -> [[f32; r]; c] { a |> transpose |> map(map(|x| x + 1.0)) }",
        "a |> transpose |> map(|x| x |> map(|x| x + 1.0))",
    ),
    (
        "pub fn dot_product<n: Nat>(x: [f32; n], y: [f32; n]) -> f32 { zip(x, y) |> map(|(x, y)| x * y) |> reduce(add, 0.0) }",
        "zip(x, y) |> map(|xy| xy.0 * xy.1) |> reduce(|acc, x| acc + x, 0.0)",
    ),
    (
        "pub fn asum<n: Nat>(x: [f32; n]) -> f32 {
            x |> split(128) |> map(|block| block |> map(abs) |> reduce(add, 0.0)) |> reduce(add, 0.0)
        }",
        "x |> split(128) |> map(|block| block |> map(|x| abs(x)) |> reduce(|acc, x| acc + x, 0.0)) |> \
         reduce(|acc, x| acc + x, 0.0); split(128): 128 divides n",
    ),
    (
        "pub fn scan5<n: Nat>(x: [i32; n]) -> [i32; n] { concat([5], scan(add, 5, x)) |> take(n) }",
        "concat([5], x |> scan(|acc, x| acc + x, 5)) |> take(n)",
    ),
    (
        "pub fn gemv<m: Nat, n: Nat>(a: [[f32; n]; m], x: [f32; n], y: [f32; m], alpha: f32, beta: f32) -> [f32; m] {
            zip(a, y) |> map(|(row, y)| alpha * (zip(row, x) |> map(mult) |> reduce(add, 0.0)) + beta * y)
        }",
        "zip(a, y) |> map(|row_y| alpha * (zip(row_y.0, x) |> map(|x| x.0 * x.1) |> reduce(|acc, x| acc + x, 0.0)) \
         + beta * row_y.1)",
    ),
    (
        "pub fn matmul<o: Nat, n: Nat, m: Nat>(at: [[f32; n]; o], b: [[f32; m]; o]) -> [[f32; m]; n] {
            transpose(at) |> 'i: map(|row| transpose(b) |> 'j: map(|col| zip(row, col) |> map(mult) |> 'k: reduce(add, 0.0)))
        }",
        "at |> transpose |> 'i: map(|row| b |> transpose |> 'j: map(|col| zip(row, col) |> map(|x| x.0 * x.1) |> \
         'k: reduce(|acc, x| acc + x, 0.0)))",
    ),
    (
        "pub fn binomial<n: Nat>(x: [f32; n]) -> [f32; n] {
            x |> padClamp(1, 1) |> slide(3, 1) |> map(|w| (w[0] + 2 * w[1] + w[2]) / 4)
        }",
        "x |> padClamp(1, 1) |> slide(3, 1) |> map(|w| (w[0] + 2.0 * w[1] + w[2]) / 4.0); padClamp(1, 1): 1 <= n",
    ),
    (
        "pub fn heat<o: Nat, n: Nat, m: Nat>(u: [[[f32; m]; n]; o]) -> [[[f32; m - 2]; n - 2]; o - 2]
            where 3 <= o, 3 <= n, 3 <= m { u |> slide3D(3, 1) |> map3D(|w| w[1][1][1] + w[0][1][2]) }",
        "u |> slide(3, 1) |> map(|planes| planes |> map(|plane| plane |> slide(3, 1) |> map(|rows| rows |> \
         map(|row| row |> slide(3, 1)) |> transpose)) |> transpose |> map(|rows| rows |> transpose)) |> \
         map(|plane| plane |> map(|row| row |> map(|w| w[1][1][1] + w[0][1][2])))",
    ),
    (
        "pub fn distances<n: Nat>(points: [(f32, f32); n], a: f32, b: f32) -> [f32; n] {
            points |> map(|(lat, lng)| sqrt((a - lat) * (a - lat) + (b - lng) * (b - lng)))
        }",
        "points |> map(|lat_lng| sqrt((a - lat_lng.0) * (a - lat_lng.0) + (b - lat_lng.1) * (b - lat_lng.1)))",
    ),
    (
        "pub fn nearest<f: Nat, p: Nat, c: Nat>(features: [[f32; p]; f], clusters: [[f32; f]; c]) -> [i32; p] {
            transpose(features) |> map(|point| {
                let best = clusters |> reduceSeq(|(distance, position, count), cluster| {
                    let d = zip(point, cluster) |> map(|(x, k)| (x - k) * (x - k)) |> reduce(add, 0.0);
                    if d < distance { (d, count, count + 1) } else { (distance, position, count + 1) }
                }, (3.4e38, 0, 0));
                best.1
            })
        }",
        "features |> transpose |> map(|point| (clusters |> reduceSeq(|distance_position_count, cluster| { \
         let d = zip(point, cluster) |> map(|xk| (xk.0 - xk.1) * (xk.0 - xk.1)) |> reduce(|acc, x| acc + x, 0.0); \
         if d < distance_position_count.0 { (d, distance_position_count.2, distance_position_count.2 + 1) } \
         else { (distance_position_count.0, distance_position_count.1, distance_position_count.2 + 1) } }, \
         (3.4e38, 0, 0))).1)",
    ),
];

#[test]
fn basic_programs_have_their_normal_form() {
    for (text, expected) in PROGRAMS {
        assert_eq!(body(text), *expected, "{text }");
    }
}

fn ints(values: impl IntoIterator<Item = i128>) -> Value {
    Value::Array(values.into_iter().map(|value| Value::Scalar(Literal::Int(value, Scalar::I32))).collect())
}

fn floats(values: impl IntoIterator<Item = f64>) -> Value {
    Value::Array(values.into_iter().map(|value| Value::Scalar(Literal::Float(value, Scalar::F32))).collect())
}

/// What the interpreter gives for the one kernel of a text.
fn run(text: &str, sizes: &[i128], args: &[Value]) -> String {
    let _session = Session::start();
    let (kernels, diagnostics) = infer(text);
    assert!(diagnostics.is_empty(), "{text}\n{diagnostics:?}");
    match interpret(&kernels[0], sizes, args) {
        Ok(value) => format!("{value:?}"),
        Err(failure) => format!("{failure:?}"),
    }
}

#[test]
fn reversal_by_indices_and_by_permutation_agree() {
    for n in 0..6 {
        let expected = format!("{:?}", ints((0..n).rev()));
        for body in [
            "generate(|i| x[n - 1 - i])",
            "reverse(x)",
            "x |> gather(generate(|i| n - 1 - i))",
            "x |> reorder(|i| n - 1 - i, |i| n - 1 - i)",
        ] {
            let text = format!("pub fn f<n: Nat>(x: [i32; n]) -> [i32; n] {{ {body} }}");
            assert_eq!(run(&text, &[n], &[ints(0..n)]), expected, "{body} at {n}");
        }
    }
}

#[test]
fn rotations_undo_each_other() {
    for (where_, there, back) in [
        ("", "i + 1", "i + n - 1"),
        ("where k <= n", "i + k", "i + n - k"),
        ("where k <= n", "n - k + i", "k + i"),
    ] {
        let text = format!(
            "pub fn f<n: Nat, k: Nat>(x: [i32; n]) -> [i32; n] {where_} {{ x |> reorder(|i| ({there}) % n, |i| ({back}) % n) }}"
        );
        for n in 2..6 {
            let (n, k) = (n, 2);
            let by = if there.starts_with('n') {
                n - k
            } else if there.contains('k') {
                k
            } else {
                1
            };
            let expected = format!("{:?}", ints((0..n).map(|i| (i + by) % n)));
            assert_eq!(run(&text, &[n, k], &[ints(0..n)]), expected, "{there} at {n}");
        }
    }
}

#[test]
fn strided_order_is_the_formula() {
    let text = PROGRAMS[3].0;
    let (n, s) = (12, 3);
    let expected = ints((0..n).map(|i| i / (n / s) + s * (i % (n / s))));
    assert_eq!(run(text, &[s, n], &[ints(0..n)]), format!("{expected:?}"));
}

#[test]
fn windows_of_a_matrix_hold_its_neighbours() {
    let text = "pub fn f<h: Nat, w: Nat>(a: [[f32; w]; h]) -> [[f32; w]; h] {
        a |> padClamp2D(1, 1) |> slide2D(3, 1) |> map2D(|w| w[0][1] + 10 * w[1][0] + 100 * w[2][2])
    }";
    let (h, w) = (3i64, 4i64);
    let at = |i: i64, j: i64| (i.clamp(0, h - 1) * w + j.clamp(0, w - 1)) as f64;
    let row = |i: i64| floats((0..w).map(|j| at(i, j)));
    let expected =
        (0..h).map(|i| floats((0..w).map(|j| at(i - 1, j) + 10.0 * at(i, j - 1) + 100.0 * at(i + 1, j + 1))));
    let expected = Value::Array(expected.collect());
    let input = Value::Array((0..h).map(row).collect());
    assert_eq!(run(text, &[h.into(), w.into()], &[input]), format!("{expected:?}"));
}

#[test]
fn borders_of_a_constant_surround_a_matrix() {
    let text = "pub fn f<n: Nat>(x: [[f32; n]; n]) -> [[f32; n + 3]; n + 3] { x |> padCst2D(1, 2, 7.0) }";
    let row = |values: [f64; 4]| floats(values);
    let expected = Value::Array(vec![row([7.0; 4]), row([7.0, 1.0, 7.0, 7.0]), row([7.0; 4]), row([7.0; 4])]);
    let input = Value::Array(vec![floats([1.0])]);
    assert_eq!(run(text, &[1], &[input]), format!("{expected:?}"));
}

#[test]
fn tiles_join_to_the_matrix() {
    let text = "pub fn f<n: Nat>(x: [[f32; n]; n]) -> [[f32; n]; n] {
        x |> split(2) |> map(transpose >> split(2) >> map(transpose)) |> join2D
    }";
    let input = Value::Array((0..4).map(|i| floats((0..4).map(|j| f64::from(4 * i + j)))).collect());
    assert_eq!(run(text, &[4], std::slice::from_ref(&input)), format!("{input:?}"));
}

#[test]
fn windows_of_a_cube_hold_its_neighbours() {
    let text = "pub fn f(u: [[[f32; 3]; 3]; 3]) -> [[[f32; 1]; 1]; 1] {
        u |> slide3D(3, 1) |> map3D(|w| w[0][1][2] + 100 * w[2][0][1])
    }";
    let cube = (0..3).map(|i| {
        Value::Array((0..3).map(|j| floats((0..3).map(|k| f64::from(9 * i + 3 * j + k)))).collect())
    });
    let expected = Value::Array(vec![Value::Array(vec![floats([5.0 + 1900.0])])]);
    assert_eq!(run(text, &[], &[Value::Array(cube.collect())]), format!("{expected:?}"));
}

#[test]
fn iterate_halves_as_often_as_told() {
    let text = "pub fn f<n: Nat, k: Nat>(x: [f32; n * 2 ^ k]) -> [f32; n] { x |> iterate(k, |x| x |> split(2) |> map(sum)) }";
    for k in 0..4 {
        let len = 3 << k;
        let input = floats((0..len).map(f64::from));
        let expected = floats((0..3).map(|i| ((i << k)..((i + 1) << k)).map(f64::from).sum()));
        assert_eq!(run(text, &[3, k], &[input]), format!("{expected:?}"), "{k} steps");
    }
}

/// Small sizes for which all declarations of a kernel hold and one thing does not.
fn broken_by(kernel: &Kernel, checked: &Obligation) -> Option<Vec<i128>> {
    const BASE: i128 = 8;
    let count = u32::try_from(kernel.nats.len()).expect("few sizes");
    let sizes =
        |number: i128| (0..count).map(move |digit| number / BASE.pow(digit) % BASE).collect::<Vec<_>>();
    (0..BASE.pow(count)).map(sizes).find(|sizes| {
        let value = |var: &_| kernel.nats.iter().position(|nat| nat == var).map(|at| sizes[at]);
        let holds = |obligation: &Obligation| obligation.eval(&value).expect("small numbers");
        kernel.declared.iter().all(holds) && !holds(checked)
    })
}

/// What the entry of a basic program checks is wrong for some sizes: nothing that could be proved is left to it.
#[test]
fn nothing_provable_is_checked() {
    let _session = Session::start();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/cases/basics.rise");
    let (kernels, diagnostics) = infer(&std::fs::read_to_string(path).expect("the cases are there"));
    assert!(diagnostics.is_empty() && kernels.len() > 20, "{diagnostics:?}");
    let mut checks = 0;
    for kernel in &kernels {
        for required in &kernel.obligations {
            let found = broken_by(kernel, &required.obligation);
            assert!(found.is_some(), "{}: {} always holds", kernel.name, required.obligation);
            checks += 1;
        }
    }
    assert!(checks > 3, "some sizes are refused");
}
