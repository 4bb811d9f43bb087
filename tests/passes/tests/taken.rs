//! Parts of tuples that maps take, arrays that are computed where they are used, indices that are divided by three,
//! columns that are changed row by row, windows of truth values, borders that indices tell, and lanes that they choose: in
//! Rust and C, lowered and not.

use rise::rise;
use rise_passes::levels::everywhere;

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

    /// A round of the game of life.
    pub fn life<h: Nat, w: Nat>(x: [[bool; w]; h]) -> [[bool; w]; h] where h >= 1, w >= 1 {
        x |> padCst2D(1, 1, false) |> slide2D(3, 1) |> map2D(|p| {
            let c = p |> join |> map(|b| if b { 1 } else { 0 }) |> reduce(add, 0);
            c == 3 || (p[1][1] && c == 4)
        })
    }
    compile life to rust with lower as life_lowered;
    compile life to c with auto as life_c;

    /// Where two neighbours hold, in numbers of each width.
    pub fn both<n: Nat>(x: [bool; n + 1]) -> ([i8; n], [f32; n], [i64; n]) {
        (generate(|i| if x[i] && x[i + 1] { 1 } else { 0 }),
         generate(|i| if x[i] && x[i + 1] { 1.0 } else { 0.0 }),
         generate(|i| if x[i] && x[i + 1] { 1 } else { 0 }))
    }
    compile both to rust with lower as both_lowered;
    compile both to c with auto as both_c;

    /// The other way round: truth values that fill lines of the cache.
    pub fn rises<n: Nat>(x: [u8; n + 1]) -> [bool; n] { generate(|i| x[i] < x[i + 1]) }
    compile rises to rust with lower as rises_lowered;
    compile rises to c with auto as rises_c;

    /// A step of heat, whose borders stay.
    pub fn heat<h: Nat, w: Nat>(u: [[f32; w]; h], a: f32) -> [[f32; w]; h] where h >= 1, w >= 1 {
        let windows = u |> padClamp2D(1, 1) |> slide2D(3, 1);
        generate(|i| generate(|j| if i == 0 || j == 0 || i == h - 1 || j == w - 1 { u[i][j] } else {
            let p = windows[i][j];
            p[1][1] + a * (p[0][1] + p[2][1] + p[1][0] + p[1][2] - 4.0 * p[1][1])
        }))
    }
    compile heat to rust with lower as heat_lowered;
    compile heat to c with auto as heat_c;

    /// Two elements beside the ends are others.
    pub fn marked<n: Nat>(x: [i32; n]) -> [i32; n] where n >= 2 {
        generate(|i| if i == 1 || i == n - 2 { 7 } else { x[i] * 2 })
    }
    compile marked to rust with lower as marked_lowered;
    compile marked to c with auto as marked_c;

    /// On which sides of two diagonals an element lies, in numbers of each width.
    pub fn sides<n: Nat, m: Nat>(x: [[i32; m]; n]) -> ([[u8; m]; n], [[f32; m]; n], [[f64; m]; n]) {
        (generate(|i| generate(|j|
             (if i == j { 1u8 } else { 0 }) + (if j + 3 == i { 2 } else { 0 }) + (if i != j + 1 { 4 } else { 0 })
               + (if i < j { 8 } else { 0 }) + (if i + 2 <= j { 16 } else { 0 }) + (if i > j { 32 } else { 0 })
               + (if i >= j + 2 { 64 } else { 0 }) + (if j >= i { 128 } else { 0 }))),
         generate(|i| generate(|j| if i == j { x[i][j] as f32 } else { 0.0 })),
         generate(|i| generate(|j| if i + j == m { 0.0 } else { if i < j { x[i][j] as f64 } else { 1.0 } })))
    }
    compile sides to rust with lower as sides_lowered;
    compile sides to c with auto as sides_c;
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

#[test]
fn windows_of_truth_values_are_like_others() {
    everywhere(|| {
        for [h, w] in [[1, 1], [3, 5], [7, 64], [20, 131]] {
            let x: Vec<bool> = numbers(h * w).into_iter().map(|v| v % 3 == 0).collect();
            let holds =
                |i: usize, j: usize| (1..=h).contains(&i) && (1..=w).contains(&j) && x[(i - 1) * w + j - 1];
            let expected: Vec<bool> = (0..h * w)
                .map(|at| {
                    let (i, j) = (at / w, at % w);
                    let around = (0..9).filter(|k| holds(i + k / 3, j + k % 3)).count();
                    around == 3 || x[at] && around == 4
                })
                .collect();
            for life in [life, life_lowered, life_c] {
                assert_eq!(life((&x[..], [h, w])).unwrap().into_vec(), expected, "{h} by {w}");
            }
        }
        for n in SIZES.into_iter().chain([3_000_000]) {
            let x: Vec<bool> = numbers(n + 1).into_iter().map(|v| v % 3 != 0).collect();
            let expected: Vec<bool> = x.windows(2).map(|pair| pair[0] && pair[1]).collect();
            for both in [both, both_lowered, both_c] {
                let (small, float, long) = both(&x).unwrap();
                let is = |at: usize| i8::from(expected[at]);
                assert!((0..n).all(|at| small[at] == is(at)), "{n}");
                assert!((0..n).all(|at| float[at] == f32::from(is(at))), "{n}");
                assert!((0..n).all(|at| long[at] == i64::from(is(at))), "{n}");
            }
            let x: Vec<u8> = numbers(n + 1).into_iter().map(|v| v as u8).collect();
            let expected: Vec<bool> = x.windows(2).map(|pair| pair[0] < pair[1]).collect();
            for rises in [rises, rises_lowered, rises_c] {
                assert!(rises(&x).unwrap() == expected, "{n}");
            }
        }
    });
}

#[test]
fn borders_that_indices_tell_stay_as_they_are() {
    everywhere(|| {
        for [h, w] in [[1, 1], [1, 2], [2, 1], [2, 2], [3, 3], [3, 40], [40, 3], [7, 19], [20, 131]] {
            let u: Vec<f32> = numbers(h * w).into_iter().map(|v| v as f32).collect();
            let expected: Vec<f32> = (0..h * w)
                .map(|at| {
                    match [at / w == 0, at % w == 0, at / w == h - 1, at % w == w - 1].contains(&true) {
                        true => u[at],
                        false => u[at] + 0.25 * (u[at - w] + u[at + w] + u[at - 1] + u[at + 1] - 4.0 * u[at]),
                    }
                })
                .collect();
            for heat in [heat, heat_lowered, heat_c] {
                assert_eq!(heat((&u[..], [h, w]), 0.25).unwrap().into_vec(), expected, "{h} by {w}");
            }
        }
        for n in (2..40).chain([100, 1000]) {
            let x = numbers(n);
            let expected: Vec<i32> =
                (0..n).map(|i| if i == 1 || i == n - 2 { 7 } else { x[i] * 2 }).collect();
            for marked in [marked, marked_lowered, marked_c] {
                assert_eq!(marked(&x).unwrap(), expected, "{n}");
            }
        }
    });
}

#[test]
fn indices_choose_lanes() {
    everywhere(|| {
        for [n, m] in [[0, 3], [1, 1], [3, 3], [5, 8], [17, 16], [20, 33], [9, 100], [70, 70], [300, 67]] {
            let x = numbers(n * m);
            let all = || (0..n * m).map(|at| (at / m, at % m));
            let bits = |(i, j): (usize, usize)| {
                [i == j, j + 3 == i, i != j + 1, i < j, i + 2 <= j, i > j, i >= j + 2, j >= i]
            };
            let number =
                |bits: [bool; 8]| bits.iter().rev().fold(0, |number, bit| number * 2 + u8::from(*bit));
            let bytes: Vec<u8> = all().map(|at| number(bits(at))).collect();
            let diagonal: Vec<f32> =
                all().map(|(i, j)| if i == j { x[i * m + j] as f32 } else { 0.0 }).collect();
            let other = |(i, j)| match (i + j == m, i < j) {
                (true, _) => 0.0,
                (_, true) => f64::from(x[i * m + j]),
                _ => 1.0,
            };
            let other: Vec<f64> = all().map(other).collect();
            for sides in [sides, sides_lowered, sides_c] {
                let (a, b, c) = sides((&x[..], [n, m])).unwrap();
                assert_eq!(a.into_vec(), bytes, "{n} by {m}");
                assert_eq!(b.into_vec(), diagonal, "{n} by {m}");
                assert_eq!(c.into_vec(), other, "{n} by {m}");
            }
        }
    });
}
