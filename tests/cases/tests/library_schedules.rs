//! The schedules that ship with the compiler, each on a naive program against the same program under `lower`.

#![allow(missing_docs)]

use rise::rise;
use rise_cases::inputs;

rise! {
    use "rise/schedules.rise";
    use "rise/nn.rise";

    pub fn scaled<n: Nat>(a: f32, x: [f32; n], y: [f32; n]) -> [f32; n] {
        zip(x, y) |> 'x: map(|(x, y)| max(a * x + y, 0.0))
    }
    compile scaled to rust with lower;
    compile scaled to rust with elementwise('x) as scaled_fast;
    compile scaled to rust with auto as scaled_auto;

    pub fn dot_product<n: Nat>(x: [f32; n], y: [f32; n]) -> f32 { zip(x, y) |> map(mult) |> 'sum: reduce(add, 0.0) }
    compile dot_product to rust with lower;
    compile dot_product to rust with reduction('sum) as dot_product_fast;

    pub fn largest<n: Nat>(x: [f32; n]) -> f32 { x |> map(|x| abs(x)) |> 'most: reduce(max, 0.0) }
    compile largest to rust with lower;
    compile largest to rust with reduction('most) as largest_fast;

    pub fn applied<n: Nat, m: Nat>(a: [[f32; m]; n], x: [f32; m]) -> [f32; n] {
        a |> 'rows: map(|row| zip(row, x) |> map(mult) |> 'sum: reduce(add, 0.0))
    }
    compile applied to rust with lower;
    compile applied to rust with rowReductions('rows, 'sum) as applied_fast;

    pub fn summed<n: Nat, m: Nat>(a: [[f32; m]; n]) -> [f32; m] {
        transpose(a) |> 'columns: map(|column| column |> 'sum: reduce(add, 0.0))
    }
    compile summed to rust with lower;
    compile summed to rust with columnReductions('columns, 'sum) as summed_fast;

    pub fn turned<n: Nat, m: Nat>(a: [[f32; m]; n]) -> [[f32; n]; m] {
        transpose(a) |> 'rows: map(|row| row |> map(|x| x))
    }
    compile turned to rust with lower;
    compile turned to rust with transposition('rows) as turned_fast;

    pub fn shares<n: Nat, m: Nat>(x: [[f32; m + 1]; n]) -> [[f32; m + 1]; n] {
        x |> 'rows: map(|row| {
            let greatest = row |> 'greatest: reduce(max, row[0]);
            let powers = row |> 'powers: map(|x| exp(x - greatest)) |> toMem;
            let total = powers |> 'total: reduce(add, 0.0);
            powers |> 'shares: map(|p| p / total)
        })
    }
    compile shares to rust with lower;
    compile shares to rust with softmaxes('rows, 'greatest, 'powers, 'total, 'shares) as shares_fast;

    pub fn nn<n: Nat, m: Nat, k: Nat>(a: [[f32; k]; n], b: [[f32; m]; k]) -> [[f32; m]; n] {
        a |> 'i: map(|row| transpose(b) |> 'j: map(|column| zip(row, column) |> map(mult) |> 'k: reduce(add, 0.0)))
    }
    compile nn to rust with lower;
    compile nn to rust with products('i, 'j, 'k) as nn_fast;

    pub fn whole<n: Nat, m: Nat, k: Nat>(a: [[i32; k]; n], b: [[i32; m]; k]) -> [[i32; m]; n] {
        a |> 'i: map(|row| transpose(b) |> 'j: map(|column| zip(row, column) |> map(mult) |> 'k: reduce(add, 0)))
    }
    compile whole to rust with lower;
    compile whole to rust with products('i, 'j, 'k) as whole_fast;

    pub fn tt<n: Nat, m: Nat, k: Nat>(a: [[f32; n]; k], b: [[f32; k]; m]) -> [[f32; m]; n] {
        transpose(a) |> 'i: map(|row| b |> 'j: map(|column| zip(row, column) |> map(mult) |> 'k: reduce(add, 0.0)))
    }
    compile tt to rust with lower;
    compile tt to rust with products('i, 'j, 'k) as tt_fast;

    pub fn batch<g: Nat, n: Nat, m: Nat, k: Nat>(a: [[[f32; k]; n]; g], b: [[[f32; m]; k]; g]) -> [[[f32; m]; n]; g] {
        zip(a, b) |> map(|(a, b)| a |> 'i: map(|row| transpose(b) |> 'j: map(|column|
            zip(row, column) |> map(mult) |> 'k: reduce(add, 0.0))))
    }
    compile batch to rust with lower;
    compile batch to rust with products('i, 'j, 'k) as batch_fast;

    pub fn five<h: Nat, w: Nat>(x: [[f32; w]; h]) -> [[f32; w]; h] where h >= 1, w >= 1 {
        x |> padClamp2D(1, 1) |> slide2D(3, 1) |> 'y: map(|row| row |> 'x: map(|w|
            w[0][1] + w[1][0] + w[1][1] + w[1][2] + w[2][1]))
    }
    compile five to rust with lower;
    compile five to rust with windows('y, 'x) as five_fast;

    pub fn seven<o: Nat, h: Nat, w: Nat>(x: [[[f32; w + 2]; h + 2]; o + 2]) -> [[[f32; w]; h]; o] {
        x |> slide3D(3, 1) |> 'z: map(|plane| plane |> map(|row| row |> 'x: map(|w|
            w[1][1][1] + w[0][1][1] + w[2][1][1] + w[1][0][1] + w[1][2][1] + w[1][1][0] + w[1][1][2])))
    }
    compile seven to rust with lower;
    compile seven to rust with windows('z, 'x) as seven_fast;

    pub fn gauss<h: Nat, w: Nat>(x: [[f32; w]; h]) -> [[f32; w]; h] where h >= 1, w >= 1 {
        x |> padClamp2D(1, 1) |> slide2D(3, 1) |> 'y: map(|row| row |> 'x: map(|window|
            zip(join([[1.0, 2.0, 1.0], [2.0, 4.0, 2.0], [1.0, 2.0, 1.0]]), join(window))
            |> map(mult) |> 'taps: reduce(add, 0.0)))
    }
    compile gauss to rust with lower;
    compile gauss to rust with separableFilter('y, 'x, 'taps) as gauss_fast;

    pub fn conv<h: Nat, w: Nat, i: Nat, o: Nat>(
        x: [[[f32; i]; 2 * w + 5]; 2 * h + 5], f: [[[[f32; o]; i]; 3]; 3]
    ) -> [[[f32; o]; w + 1]; h + 1] {
        x |> dilatedSlide2D(3, 3, 2, 2) |> 'y: map(|row| row |> map(|window| transpose(join(join(f))) |> 'out: map(|taps|
            zip(join(join(window)), taps) |> map(mult) |> 'taps: reduce(add, 0.0))))
    }
    compile conv to rust with lower;
    compile conv to rust with convolution('y, 'out, 'taps) as conv_fast;

    pub fn line<n: Nat, i: Nat, o: Nat>(x: [[f32; i]; n + 3], f: [[[f32; o]; i]; 3]) -> [[f32; o]; n + 1] {
        x |> dilatedSlide(3, 1, 1) |> 'x: map(|window| transpose(join(f)) |> 'out: map(|taps|
            zip(join(window), taps) |> map(mult) |> 'taps: reduce(add, 0.0)))
    }
    compile line to rust with lower;
    compile line to rust with convolution('x, 'out, 'taps) as line_fast;

    pub fn depth<h: Nat, w: Nat, c: Nat>(x: [[[f32; c]; w + 3]; h + 3], f: [[[f32; c]; 3]; 3])
        -> [[[f32; c]; w + 1]; h + 1]
    {
        x |> slide2D(3, 1) |> 'y: map(|row| row |> map(|window|
            zip(transpose(join(window)), transpose(join(f))) |> 'c: map(|(x, f)|
                zip(x, f) |> map(mult) |> 'taps: reduce(add, 0.0))))
    }
    compile depth to rust with lower;
    compile depth to rust with convolution('y, 'c, 'taps) as depth_fast;

    pub fn pulled<n: Nat>(m: [f32; n], x: [f32; n]) -> [f32; n] {
        x |> 'i: map(|here| zip(m, x) |> map(|(m, there)| m * (there - here)) |> 'j: reduce(add, 0.0))
    }
    compile pulled to rust with lower;
    compile pulled to rust with pairs('i, 'j) as pulled_fast;
}

/// Around one vector, several, and what goes in pieces. The inputs are small integers, whose sums are exact.
const SIZES: [usize; 10] = [0, 1, 15, 16, 17, 64, 65, 1000, 16_385, 140_000];

/// Matrices around tiles and vectors, and with more columns than go at once.
const SHAPES: [[usize; 2]; 8] = [[0, 3], [3, 0], [1, 1], [8, 32], [17, 70], [64, 64], [65, 130], [19, 1100]];

#[test]
fn vectors() {
    for n in SIZES {
        let (x, y) = (inputs(n, 0), inputs(n, 5));
        let expected = scaled(2.0, &x, &y).unwrap();
        // Lines of the cache begin at different elements.
        for start in 0..n.min(17) {
            let (mut out, from) = (vec![-1.0; n], (&x[start..], &y[start..]));
            scaled_fast_into(&mut out[start..], 2.0, from.0, from.1).unwrap();
            assert!(out[start..] == expected[start..], "{n} from {start}");
            out.fill(-1.0);
            scaled_auto_into(&mut out[start..], 2.0, from.0, from.1).unwrap();
            assert!(out[start..] == expected[start..], "{n} from {start}");
        }
        assert_eq!(dot_product_fast(&x, &y), dot_product(&x, &y), "{n}");
        assert_eq!(largest_fast(&x), largest(&x), "{n}");
    }
}

#[test]
fn matrices() {
    for shape @ [n, m] in SHAPES {
        let (a, x) = (inputs(n * m, 1), inputs(m, 2));
        assert_eq!(applied_fast((&a, shape), &x), applied((&a, shape), &x), "{shape:?}");
        assert!(summed_fast((&a, shape)) == summed((&a, shape)), "{shape:?}");
        assert!(turned_fast((&a, shape)) == turned((&a, shape)), "{shape:?}");
    }
}

#[test]
fn softmaxes() {
    for [n, m] in SHAPES {
        let x = inputs(n * (m + 1), 3);
        let (found, expected) = (shares_fast((&x, [n, m + 1])).unwrap(), shares((&x, [n, m + 1])).unwrap());
        assert_eq!(found.shape(), expected.shape());
        for (found, expected) in found.iter().zip(expected.iter()) {
            assert!((found - expected).abs() <= 1e-5 * expected, "{found} is not {expected}");
        }
    }
}

#[test]
fn products() {
    for [n, m, k] in [[0, 2, 3], [1, 1, 1], [1, 130, 40], [8, 32, 5], [9, 33, 0], [37, 70, 29], [64, 96, 40]]
    {
        let (a, b) = (inputs(n * k, 0), inputs(k * m, 5));
        assert_eq!(nn_fast((&a, [n, k]), (&b, [k, m])), nn((&a, [n, k]), (&b, [k, m])), "{n} {m} {k}");
        assert_eq!(tt_fast((&a, [k, n]), (&b, [m, k])), tt((&a, [k, n]), (&b, [m, k])), "{n} {m} {k}");
        let [c, d] = [&a, &b].map(|x| x.iter().map(|x| *x as i32).collect::<Vec<_>>());
        assert_eq!(whole_fast((&c, [n, k]), (&d, [k, m])), whole((&c, [n, k]), (&d, [k, m])), "{n} {m} {k}");
        let (a, b) = (inputs(3 * n * k, 0), inputs(3 * k * m, 5));
        let (a, b) = ((&a, [3, n, k]), (&b, [3, k, m]));
        assert_eq!(batch_fast(a, b), batch(a, b), "{n} {m} {k}");
    }
}

#[test]
fn windows() {
    for shape @ [h, w] in [[1, 1], [2, 3], [3, 17], [20, 40], [5, 100]] {
        let x = inputs(h * w, 0);
        assert_eq!(five_fast((&x, shape)), five((&x, shape)), "{shape:?}");
        assert_eq!(gauss_fast((&x, shape)), gauss((&x, shape)), "{shape:?}");
        let (solid, size) = (inputs(4 * (h + 2) * (w + 2), 1), [4, h + 2, w + 2]);
        assert_eq!(seven_fast((&solid, size)), seven((&solid, size)), "{shape:?}");
    }
}

#[test]
fn convolutions() {
    for [h, w, i, o] in [[0, 0, 1, 1], [1, 2, 3, 16], [2, 5, 2, 37], [3, 1, 4, 0]] {
        let filter = inputs(9 * i * o, 4);
        let (rows, columns) = (2 * h + 5, 2 * w + 5);
        let (x, f) = (inputs(rows * columns * i, 0), (&filter, [3, 3, i, o]));
        let x = (&x, [rows, columns, i]);
        assert_eq!(conv_fast(x, f), conv(x, f), "{h} {w} {i} {o}");
        let (x, f) = (inputs((w + 3) * i, 0), (&filter[..3 * i * o], [3, i, o]));
        let x = (&x, [w + 3, i]);
        assert_eq!(line_fast(x, f), line(x, f), "{w} {i} {o}");
        let (x, f) = (inputs((h + 3) * (w + 3) * o, 0), inputs(9 * o, 1));
        let (x, f) = ((&x, [h + 3, w + 3, o]), (&f, [3, 3, o]));
        assert_eq!(depth_fast(x, f), depth(x, f), "{h} {w} {o}");
    }
}

#[test]
fn particles() {
    for n in [0, 1, 16, 17, 1030] {
        let (m, x) = (inputs(n, 0), inputs(n, 7));
        assert_eq!(pulled_fast(&m, &x), pulled(&m, &x), "{n}");
    }
}
