//! Short rows whose functions are computed several rows at a time, in Rust and C: as each row by itself gives them, whatever
//! is left over.

use rise::rise;
use rise_passes::levels::everywhere;

rise! {
    fn shares(row) {
        let greatest = row |> reduce(max, row[0]);
        let powers = row |> map(|x| exp(x - greatest)) |> toMem;
        let total = powers |> reduce(add, 0.0);
        powers |> map(|p| p / total)
    }

    pub fn softmax<n: Nat, m: Nat>(x: [[f32; m + 1]; n]) -> [[f32; m + 1]; n] { x |> map(shares) }
    compile softmax to rust with lower as softmax_lowered;
    compile softmax to c with auto as softmax_c;

    pub fn wide<n: Nat, m: Nat>(x: [[f64; m + 1]; n]) -> [[f64; m + 1]; n] { x |> map(shares) }
    compile wide to rust with lower as wide_lowered;
    compile wide to c with auto as wide_c;

    /// Rows of a length that is known, some behind each other.
    pub fn classes<b: Nat, n: Nat>(x: [[[f32; 10]; n]; b]) -> [[[f32; 10]; n]; b] { x |> map(map(shares)) }
    compile classes to rust with lower as classes_lowered;
    compile classes to c with auto as classes_c;

    /// One number of each row, of which an element is chosen.
    pub fn losses<n: Nat, m: Nat>(x: [[f32; m + 1]; n], labels: [i32; n]) -> [f32; n] {
        zip(x, labels) |> map(|(row, label)| {
            let greatest = row |> reduce(max, row[0]);
            let total = ln(row |> map(|x| exp(x - greatest)) |> reduce(add, 0.0));
            total + greatest - row[label as Idx[m + 1]]
        })
    }
    compile losses to rust with lower as losses_lowered;
    compile losses to c with auto as losses_c;

    /// Roots and divisions alone.
    pub fn normal<n: Nat, m: Nat>(x: [[f32; m]; n]) -> [[f32; m]; n] {
        x |> map(|row| {
            let mean = sum(row) / (m as f32);
            let variance = (row |> map(|x| (x - mean) * (x - mean)) |> sum) / (m as f32);
            row |> map(|x| (x - mean) / sqrt(variance + 0.25))
        })
    }
    compile normal to rust with lower as normal_lowered;
    compile normal to c with auto as normal_c;

    /// Pairs, and what all rows share.
    pub fn angles<n: Nat, m: Nat>(x: [[f32; m]; n], y: [[f32; m]; n], w: [f32; m]) -> [(f32, f32); n] {
        zip(x, y) |> map(|(x, y)| {
            let turned = zip(x, w) |> map(|(x, w)| x * w) |> reduce(add, 0.0);
            (sin(turned), cos(y |> reduce(add, turned)))
        })
    }
    compile angles to rust with lower as angles_lowered;
    compile angles to c with auto as angles_c;

    /// Columns of planes, which become columns again.
    pub fn planes<b: Nat, n: Nat, m: Nat>(x: [[[f32; n]; m]; b]) -> [[[f32; n]; m]; b] {
        x |> map(|plane| plane |> transpose |> map(|column| {
            let greatest = column |> reduce(max, -1000.0);
            let total = ln(column |> map(|x| exp(x - greatest)) |> reduce(add, 0.0));
            column |> map(|x| x - greatest - total)
        }) |> transpose)
    }
    compile planes to rust with lower as planes_lowered;
    compile planes to c with auto as planes_c;

    /// The same with what is stored between, in f64.
    pub fn columns<n: Nat, m: Nat>(x: [[f64; n]; m + 1]) -> [[f64; n]; m + 1] {
        x |> transpose |> map(shares) |> transpose
    }
    compile columns to rust with lower as columns_lowered;
    compile columns to c with auto as columns_c;

    /// Columns that become rows, and what each of them is given.
    pub fn turned<n: Nat, m: Nat>(x: [[i32; n]; m], by: [i32; n]) -> [[i32; m]; n] {
        zip(transpose(x), by) |> map(|(column, by)| {
            let greatest = column |> reduce(max, by);
            column |> map(|x| greatest - x)
        })
    }
    compile turned to rust with lower as turned_lowered;
    compile turned to c with auto as turned_c;

    /// Columns of windows of columns.
    pub fn drawn<n: Nat, m: Nat>(x: [[f32; n]; m + 2]) -> [[[f32; 3]; n]; m] where m >= 1 {
        x |> slide(3, 1) |> map(|rows| rows |> transpose |> map(|window| {
            let total = window |> reduce(add, 0.0);
            window |> map(|x| x * total)
        }))
    }
    compile drawn to rust with lower as drawn_lowered;
    compile drawn to c with auto as drawn_c;

    /// The first rows become columns: how many there are only decides about caches.
    pub fn first_rows<n: Nat, m: Nat, k: Nat>(x: [[f32; m]; n]) -> [[f32; k]; m] where k <= n {
        x |> take(k) |> transpose
    }
    compile first_rows to rust with lower as first_rows_lowered;

    /// A fold that reads where there may be nothing.
    pub fn total<n: Nat>(x: [i32; n]) -> i32 { x |> 'l: reduce(add, 5) }
    compile total to rust with vectorize(8, tail = mask) @ 'l; lower as total_masked;
}

const ROWS: [usize; 12] = [0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 50];
const LENGTHS: [usize; 16] = [1, 2, 3, 4, 7, 8, 10, 15, 16, 17, 24, 25, 33, 47, 48, 49];

fn numbers(len: usize) -> Vec<f32> {
    (0..len).map(|i| ((7919 * i) % 1001) as f32 * 0.01 - 5.0).collect()
}

/// For all shapes, on every instruction set that the CPU has.
fn shapes(test: impl Fn(usize, usize)) {
    everywhere(|| ROWS.iter().for_each(|n| LENGTHS.iter().for_each(|m| test(*n, *m))));
}

fn assert_close(
    what: &str,
    found: impl IntoIterator<Item = f64>,
    expected: impl IntoIterator<Item = f64>,
    within: f64,
) {
    let (found, expected): (Vec<f64>, Vec<f64>) =
        (found.into_iter().collect(), expected.into_iter().collect());
    assert_eq!(found.len(), expected.len(), "{what}");
    for (i, (a, b)) in found.iter().zip(&expected).enumerate() {
        assert!((a - b).abs() <= within * (1.0 + b.abs()), "{what}, {i}: {a} for {b}");
    }
}

fn single(x: &[f32]) -> impl Iterator<Item = f64> {
    x.iter().map(|x| f64::from(*x))
}

#[test]
fn rows_become_rows() {
    shapes(|n, m| {
        let x = numbers(n * m);
        let expected = softmax_lowered((&x[..], [n, m])).unwrap();
        for (name, found) in [("rust", softmax((&x[..], [n, m]))), ("c", softmax_c((&x[..], [n, m])))] {
            let what = format!("{n} rows of {m} in {name}");
            assert_close(&what, single(&found.unwrap()), single(&expected), 1e-6);
        }
        let expected = normal_lowered((&x[..], [n, m])).unwrap();
        for found in [normal((&x[..], [n, m])), normal_c((&x[..], [n, m]))] {
            assert_close("normal", single(&found.unwrap()), single(&expected), 1e-4);
        }
        let x: Vec<f64> = single(&x).collect();
        let expected = wide_lowered((&x[..], [n, m])).unwrap();
        for found in [wide((&x[..], [n, m])), wide_c((&x[..], [n, m]))] {
            assert_close("f64", found.unwrap().iter().copied(), expected.iter().copied(), 1e-13);
        }
    });
}

#[test]
fn rows_of_a_known_length() {
    for (b, n) in [(0, 5), (1, 16), (2, 17), (3, 33), (2, 9)] {
        let x = numbers(b * n * 10);
        let expected = classes_lowered((&x[..], [b, n, 10])).unwrap();
        for found in [classes((&x[..], [b, n, 10])), classes_c((&x[..], [b, n, 10]))] {
            assert_close("ten", single(&found.unwrap()), single(&expected), 1e-6);
        }
    }
}

#[test]
fn rows_become_numbers() {
    shapes(|n, m| {
        let (x, labels) = (numbers(n * m), (0..n).map(|i| (3 * i % m) as i32).collect::<Vec<_>>());
        let expected = losses_lowered((&x[..], [n, m]), &labels).unwrap();
        for found in [losses((&x[..], [n, m]), &labels), losses_c((&x[..], [n, m]), &labels)] {
            assert_close("losses", single(&found.unwrap()), single(&expected), 1e-5);
        }
    });
}

/// Operations are called there: in one frame those of this kernel would take fifteen times as much.
#[test]
fn little_of_the_stack_is_taken_without_optimisation() {
    let small = std::thread::Builder::new().stack_size(128 << 10);
    small.spawn(rows_become_numbers).unwrap().join().unwrap();
}

#[test]
fn rows_become_pairs() {
    shapes(|n, m| {
        let (x, w) = (numbers(n * m), numbers(m));
        let y: Vec<f32> = x.iter().rev().copied().collect();
        let of = |pairs: Vec<(f32, f32)>| pairs.into_iter().flat_map(|(a, b)| [f64::from(a), f64::from(b)]);
        let [x, y] = [&x, &y].map(|x| (&x[..], [n, m]));
        let expected = angles_lowered(x, y, &w).unwrap();
        for found in [angles(x, y, &w), angles_c(x, y, &w)] {
            assert_close("angles", of(found.unwrap()), of(expected.clone()), 2e-3);
        }
    });
}

#[test]
fn columns_become_columns() {
    shapes(|n, m| {
        for b in [1, 3] {
            let x = numbers(b * n * m);
            let expected = planes_lowered((&x[..], [b, m, n])).unwrap();
            for found in [planes((&x[..], [b, m, n])), planes_c((&x[..], [b, m, n]))] {
                assert_close("planes", single(&found.unwrap()), single(&expected), 1e-5);
            }
        }
        let x: Vec<f64> = single(&numbers(n * m)).collect();
        let expected = columns_lowered((&x[..], [m, n])).unwrap();
        for found in [columns((&x[..], [m, n])), columns_c((&x[..], [m, n]))] {
            assert_close("columns", found.unwrap().iter().copied(), expected.iter().copied(), 1e-13);
        }
    });
}

#[test]
fn columns_become_rows() {
    shapes(|n, m| {
        let x: Vec<i32> = (0..n * m).map(|i| ((7919 * i) % 1001) as i32 - 500).collect();
        let by: Vec<i32> = (0..n).map(|i| (i as i32 - 8) * 10).collect();
        let expected = turned_lowered((&x[..], [m, n]), &by).unwrap();
        assert_eq!(turned((&x[..], [m, n]), &by).unwrap(), expected, "{m} by {n}");
        assert_eq!(turned_c((&x[..], [m, n]), &by).unwrap(), expected, "{m} by {n} in C");
        let x = numbers(n * (m + 2));
        let expected = drawn_lowered((&x[..], [m + 2, n])).unwrap();
        for found in [drawn((&x[..], [m + 2, n])), drawn_c((&x[..], [m + 2, n]))] {
            assert_close("drawn", single(&found.unwrap()), single(&expected), 1e-5);
        }
    });
}

#[test]
fn first_rows_become_columns() {
    for (n, m, k) in [(5, 3, 2), (40, 33, 40), (100, 70, 17), (600, 530, 513), (3000, 1500, 2000)] {
        let x = numbers(n * m);
        let expected = first_rows_lowered(k, (&x[..], [n, m])).unwrap();
        assert_eq!(first_rows(k, (&x[..], [n, m])).unwrap(), expected, "{k} of {n} by {m}");
    }
}

#[test]
fn what_is_masked_may_be_empty() {
    for n in [0, 1, 7, 8, 9, 24] {
        let x: Vec<i32> = (1..=n).collect();
        assert_eq!(total_masked(&x).unwrap(), 5 + n * (n + 1) / 2, "{n}");
        assert_eq!(total(&x).unwrap(), total_masked(&x).unwrap(), "{n}");
    }
}

/// Pieces of many columns go in parallel.
#[test]
fn many_columns() {
    for (n, m) in [(255, 3), (256, 7), (531, 5), (2000, 9)] {
        let x = numbers(n * m);
        let expected = planes_lowered((&x[..], [1, m, n])).unwrap();
        assert_close("planes", single(&planes((&x[..], [1, m, n])).unwrap()), single(&expected), 1e-5);
        let x: Vec<f64> = single(&x).collect();
        let expected = columns_lowered((&x[..], [m, n])).unwrap();
        let found = columns((&x[..], [m, n])).unwrap();
        assert_close("columns", found.iter().copied(), expected.iter().copied(), 1e-13);
    }
}
