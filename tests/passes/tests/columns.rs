//! Folds of columns in stages: blocks of rows, and long rows of few columns; in Rust, C and OpenMP, lowered and not.

use rise::rise;
use rise_passes::levels::everywhere;

rise! {
    /// However many columns there are.
    pub fn sums<n: Nat, m: Nat>(x: [[i32; m]; n]) -> [i32; m] { transpose(x) |> map(|c| c |> reduce(add, 7)) }
    compile sums to rust with lower as sums_lowered;
    compile sums to c with auto as sums_c;
    compile sums to openmp with auto as sums_openmp;

    /// Of bytes, whose long rows have many numbers.
    pub fn least<n: Nat, m: Nat>(x: [[u8; m]; n]) -> [u8; m] { transpose(x) |> map(|c| c |> reduce(min, 250)) }
    compile least to rust with lower as least_lowered;
    compile least to c with auto as least_c;

    /// What is made of each number, and of each sum.
    pub fn lengths<n: Nat, m: Nat>(x: [[f64; m]; n]) -> [f64; m] {
        transpose(x) |> map(|c| sqrt((c |> map(|v| v * v) |> sum) + 1.0))
    }
    compile lengths to rust with lower as lengths_lowered;
    compile lengths to openmp with auto as lengths_openmp;

    /// Two folds, the second of which needs the first one.
    pub fn spreads<n: Nat, m: Nat>(x: [[i32; m]; n]) -> [(i32, i32); m] {
        transpose(x) |> map(|c| { let lo = c |> reduce(min, 90); (lo, c |> map(|v| (v - lo) * (v - lo)) |> sum) })
    }
    compile spreads to rust with lower as spreads_lowered;
    compile spreads to openmp with auto as spreads_openmp;

    /// Two at once.
    pub fn moments<n: Nat, m: Nat>(x: [[i32; m]; n]) -> [i32; m] {
        transpose(x) |> map(|c| { let s = sum(c); sum(c |> map(|v| v * v)) - s * 3 })
    }
    compile moments to rust with lower as moments_lowered;
    compile moments to c with auto as moments_c;

    /// A number beside each column, whose elements are chosen.
    pub fn below<n: Nat, m: Nat>(x: [[i32; m]; n], w: [i32; m]) -> [i32; m] {
        zip(transpose(x), w) |> map(|(c, w)| (c |> map(|v| if v < w { 1 } else { 0 }) |> sum) * w)
    }
    compile below to rust with lower as below_lowered;
    compile below to openmp with auto as below_openmp;

    /// What goes along all columns, and what is beside each.
    pub fn along<n: Nat, m: Nat>(x: [[i32; m]; n], w: [i32; m], y: [i32; n]) -> [i32; m] {
        zip(transpose(x), w) |> map(|(c, w)| (zip(y, c) |> map(|(y, v)| v * y - w) |> sum) + w)
    }
    compile along to rust with lower as along_lowered;
    compile along to openmp with auto as along_openmp;

    /// Rows, each with a weight, folded element by element.
    pub fn weighted<n: Nat, m: Nat>(x: [[i32; m]; n], w: [i32; n], z: [i32; m]) -> [i32; m] {
        zip(x, w) |> reduceSeq(|acc, (row, w)| zip(acc, row) |> map(|(a, x)| a + x * w), z)
    }
    compile weighted to rust with lower as weighted_lowered;
    compile weighted to c with auto as weighted_c;

    /// Three columns, which fill three vectors.
    pub fn three<n: Nat>(x: [[i32; 3]; n]) -> [i32; 3] { transpose(x) |> map(|c| c |> reduce(max, -40)) }
    compile three to rust with lower as three_lowered;
    compile three to openmp with auto as three_openmp;

    /// Seventeen, which fill none.
    pub fn seventeen<n: Nat>(x: [[i32; 17]; n]) -> [i32; 17] { transpose(x) |> map(sum) }
    compile seventeen to rust with lower as seventeen_lowered;
    compile seventeen to c with auto as seventeen_c;

    /// A fold and an element of each column.
    pub fn beside<n: Nat>(x: [[i32; 3]; n + 1]) -> [i32; 3] { transpose(x) |> map(|c| sum(c) * c[0]) }
    compile beside to c with auto as beside_c;
}

/// Rows and columns: less than a block and several, less than a vector and pieces of their own.
const SIZES: [(usize, usize); 16] = [
    (0, 0),
    (0, 5),
    (5, 0),
    (1, 1),
    (127, 3),
    (128, 3),
    (129, 63),
    (129, 64),
    (300, 17),
    (2047, 2),
    (2100, 40),
    (9000, 9),
    (700, 200),
    (1, 4095),
    (130, 4095),
    (260, 5000),
];

fn numbers(n: usize) -> Vec<i32> {
    (0..n as i32).map(|i| (i % 8191) * 37 % 1001 - 500).collect()
}

/// The columns of so many numbers each.
fn column(x: &[i32], m: usize, j: usize) -> impl Iterator<Item = i32> {
    x.iter().skip(j).step_by(m).copied()
}

#[test]
fn columns_are_folded_whole() {
    everywhere(|| {
        for (n, m) in SIZES {
            let x = numbers(n * m);
            let wanted: Vec<i32> = (0..m).map(|j| column(&x, m, j).sum::<i32>() + 7).collect();
            for f in [sums, sums_lowered, sums_c, sums_openmp] {
                assert_eq!(f((&x[..], [n, m])).unwrap(), wanted, "{n} by {m}");
            }
            let bytes: Vec<u8> = x.iter().map(|x| (x.unsigned_abs() % 256) as u8).collect();
            let least_of = |j| bytes.iter().skip(j).step_by(m).copied().fold(250, u8::min);
            let wanted: Vec<u8> = (0..m).map(least_of).collect();
            for f in [least, least_lowered, least_c] {
                assert_eq!(f((&bytes[..], [n, m])).unwrap(), wanted, "{n} by {m}");
            }
            // Sums of squares of whole numbers are exact, in whatever order.
            let x: Vec<f64> = x.into_iter().map(f64::from).collect();
            let wanted = lengths_lowered((&x[..], [n, m])).unwrap();
            for f in [lengths, lengths_openmp] {
                assert_eq!(f((&x[..], [n, m])).unwrap(), wanted, "{n} by {m}");
            }
        }
    });
}

#[test]
fn what_is_made_of_columns_is_made_of_whole_ones() {
    everywhere(|| {
        for (n, m) in SIZES {
            let x = numbers(n * m);
            let least = |j| column(&x, m, j).fold(90, i32::min);
            let squares =
                |j, of: i32| column(&x, m, j).fold(0, |sum: i32, v| sum.wrapping_add((v - of) * (v - of)));
            let wanted: Vec<(i32, i32)> = (0..m).map(|j| (least(j), squares(j, least(j)))).collect();
            for f in [spreads, spreads_lowered, spreads_openmp] {
                assert_eq!(f((&x[..], [n, m])).unwrap(), wanted, "{n} by {m}");
            }
            let sum = |j| column(&x, m, j).sum::<i32>();
            let wanted: Vec<i32> = (0..m).map(|j| squares(j, 0).wrapping_sub(sum(j) * 3)).collect();
            for f in [moments, moments_lowered, moments_c] {
                assert_eq!(f((&x[..], [n, m])).unwrap(), wanted, "{n} by {m}");
            }
            let w = numbers(m);
            let below_w = |j: usize| column(&x, m, j).filter(|v| *v < w[j]).count() as i32 * w[j];
            let wanted: Vec<i32> = (0..m).map(below_w).collect();
            for f in [below, below_lowered, below_openmp] {
                assert_eq!(f((&x[..], [n, m]), &w[..]).unwrap(), wanted, "{n} by {m}");
            }
            let v = numbers(n);
            let along_of = |j: usize| {
                let terms = column(&x, m, j).zip(&v).map(|(x, y)| x.wrapping_mul(*y).wrapping_sub(w[j]));
                terms.fold(w[j], i32::wrapping_add)
            };
            let wanted: Vec<i32> = (0..m).map(along_of).collect();
            for f in [along, along_lowered, along_openmp] {
                assert_eq!(f((&x[..], [n, m]), &w[..], &v[..]).unwrap(), wanted, "{n} by {m}");
            }
            let weighted_of = |j: usize| {
                column(&x, m, j).zip(&v).fold(w[j], |sum, (x, v)| sum.wrapping_add(x.wrapping_mul(*v)))
            };
            let wanted: Vec<i32> = (0..m).map(weighted_of).collect();
            for f in [weighted, weighted_lowered, weighted_c] {
                assert_eq!(f((&x[..], [n, m]), &v[..], &w[..]).unwrap(), wanted, "{n} by {m}");
            }
        }
    });
}

#[test]
fn columns_of_known_number_are_folded_whole() {
    everywhere(|| {
        for n in [0, 1, 100, 127, 128, 300, 3000, 21845, 50000] {
            let x = numbers(3 * n);
            let wanted: Vec<i32> = (0..3).map(|j| column(&x, 3, j).fold(-40, i32::max)).collect();
            let rows = (&x[..], [n, 3]);
            for f in [three, three_lowered, three_openmp] {
                assert_eq!(f(rows).unwrap(), wanted, "{n}");
            }
            let x = numbers(17 * n);
            let wanted: Vec<i32> = (0..17).map(|j| column(&x, 17, j).sum()).collect();
            for f in [seventeen, seventeen_lowered, seventeen_c] {
                assert_eq!(f((&x[..], [n, 17])).unwrap(), wanted, "{n}");
            }
            let x = numbers(3 * n + 3);
            let wanted: Vec<i32> = (0..3).map(|j| column(&x, 3, j).sum::<i32>().wrapping_mul(x[j])).collect();
            for f in [beside, beside_c] {
                assert_eq!(f((&x[..], [n + 1, 3])).unwrap(), wanted, "{n}");
            }
        }
    });
}
