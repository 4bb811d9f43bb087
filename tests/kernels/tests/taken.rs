//! Parts of tuples that maps take, arrays that are computed where they are used, indices that are divided by three, and
//! columns that are changed row by row: in Rust and C, lowered and not.

mod levels;

use levels::everywhere;
use rise::rise;
use rise_kernels as _;

rise! {
    /// Three parts in another order than they are computed in.
    pub fn parts<n: Nat>(x: [f32; n], y: [i32; n]) -> ([i32; n], [bool; n], [f32; n]) {
        let r = zip(x, y) |> map(|(x, y)| { let d = x * 2.0; (d + 1.0, y - 3, d > 1.0) });
        (map(|p| p.1, r), map(|p| p.2, r), map(|p| p.0, r))
    }
    compile parts to rust with lower as parts_lowered;
    compile parts to c with auto as parts_c;

    /// The same by `unzip`.
    pub fn apart<n: Nat>(x: [(f32, i32, f64); n]) -> ([f32; n], [i32; n], [f64; n]) { unzip(x) }
    compile apart to rust with lower as apart_lowered;
    compile apart to c with auto as apart_c;

    /// Differences, which are used three times.
    pub fn differences<n: Nat>(x: [i32; n], y: [i32; n]) -> ([i32; n], i32, i32) {
        let d = zip(x, y) |> map(|(a, b)| a - b);
        (d |> map(|v| v * v), sum(d), d |> reduce(max, -1000))
    }
    compile differences to rust with lower as differences_lowered;
    compile differences to c with auto as differences_c;

    /// Between every two elements two more.
    pub fn between<n: Nat>(x: [f32; n + 1]) -> [f32; 3 * n + 1] {
        generate(|i| { let t = (i % 3) as f32; (x[i / 3] * (3.0 - t) + x[(i + 2) / 3] * t) / 3.0 })
    }
    compile between to rust with lower as between_lowered;
    compile between to c with auto as between_c;

    /// In pieces by hand.
    pub fn thrice<n: Nat>(x: [i32; n]) -> [i32; 3 * n] { 'g: generate(|i| x[i / 3] + (i % 3) as i32) }
    compile thrice to rust with generateSplit(3) @ 'g ; lower as thrice_by_hand;

    /// Columns between their least and greatest element.
    pub fn scaled<n: Nat, m: Nat>(x: [[i32; m]; n]) -> [[i32; m]; n] {
        x |> transpose
          |> map(|c| { let lo = c |> reduce(min, 100); let hi = c |> reduce(max, lo); c |> map(|v| (v - lo) * (hi + 1)) })
          |> transpose
    }
    compile scaled to rust with lower as scaled_lowered;
    compile scaled to c with auto as scaled_c;
}

const SIZES: [usize; 9] = [0, 1, 2, 3, 7, 16, 33, 100, 1000];

fn numbers(n: usize) -> Vec<i32> {
    (0..n as i32).map(|i| i * 37 % 101 - 50).collect()
}

#[test]
fn parts_are_written_where_they_belong() {
    everywhere(|| {
        for n in SIZES {
            let (y, x): (Vec<i32>, Vec<f32>) = numbers(n).into_iter().map(|i| (i, i as f32 * 0.25)).unzip();
            let wanted = parts_lowered(&x, &y).unwrap();
            assert_eq!(wanted.0, y.iter().map(|y| y - 3).collect::<Vec<_>>());
            assert_eq!(wanted.2, x.iter().map(|x| x * 2.0 + 1.0).collect::<Vec<_>>());
            assert_eq!(parts(&x, &y).unwrap(), wanted, "{n}");
            assert_eq!(parts_c(&x, &y).unwrap(), wanted, "{n}");
            let x: Vec<(f32, i32, f64)> =
                x.iter().zip(&y).map(|(x, y)| (*x, *y, f64::from(*y) / 8.0)).collect();
            let wanted = apart_lowered(&x).unwrap();
            assert_eq!(wanted.2, x.iter().map(|x| x.2).collect::<Vec<_>>());
            assert_eq!(apart(&x).unwrap(), wanted, "{n}");
            assert_eq!(apart_c(&x).unwrap(), wanted, "{n}");
        }
    });
}

#[test]
fn differences_are_those_that_were_stored() {
    everywhere(|| {
        for n in SIZES {
            let (x, y) = (numbers(n), numbers(n + 5)[5..].to_vec());
            let d: Vec<i32> = x.iter().zip(&y).map(|(a, b)| a - b).collect();
            let most = d.iter().copied().fold(-1000, i32::max);
            let wanted = (d.iter().map(|d| d * d).collect::<Vec<_>>(), d.iter().sum::<i32>(), most);
            assert_eq!(differences(&x, &y).unwrap(), wanted, "{n}");
            assert_eq!(differences_lowered(&x, &y).unwrap(), wanted, "{n}");
            assert_eq!(differences_c(&x, &y).unwrap(), wanted, "{n}");
        }
    });
}

#[test]
fn what_is_divided_by_three_is_where_it_was() {
    everywhere(|| {
        for n in SIZES {
            let x: Vec<f32> = numbers(n + 1).into_iter().map(|i| i as f32).collect();
            let wanted = between_lowered(&x).unwrap();
            assert_eq!(wanted.iter().step_by(3).copied().collect::<Vec<_>>(), x);
            assert_eq!(between(&x).unwrap(), wanted, "{n}");
            assert_eq!(between_c(&x).unwrap(), wanted, "{n}");
            let x = numbers(n);
            let wanted: Vec<i32> = x.iter().flat_map(|x| [*x, x + 1, x + 2]).collect();
            assert_eq!(thrice(&x).unwrap(), wanted, "{n}");
            assert_eq!(thrice_by_hand(&x).unwrap(), wanted, "{n}");
        }
    });
}

#[test]
fn columns_are_changed_by_what_is_their_own() {
    everywhere(|| {
        for (n, m) in [(0, 3), (1, 1), (5, 40), (256, 3), (257, 3), (300, 70), (1000, 1)] {
            let x = numbers(n * m);
            let column = |j: usize| (0..n).map(move |i| i * m + j);
            let mut wanted = vec![0; n * m];
            for j in 0..m {
                let least = column(j).map(|at| x[at]).fold(100, i32::min);
                let most = column(j).map(|at| x[at]).fold(least, i32::max);
                column(j).for_each(|at| wanted[at] = (x[at] - least) * (most + 1));
            }
            let x = (&x[..], [n, m]);
            assert_eq!(scaled(x).unwrap().into_vec(), wanted, "{n} by {m}");
            assert_eq!(scaled_lowered(x).unwrap().into_vec(), wanted, "{n} by {m}");
            assert_eq!(scaled_c(x).unwrap().into_vec(), wanted, "{n} by {m}");
        }
    });
}
