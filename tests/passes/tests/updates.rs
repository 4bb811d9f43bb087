//! Folds that change one element of their accumulator, in Rust on all instruction sets and in C, beside loops by hand.

use rise::rise;
use rise_passes::levels::everywhere;

rise! {
    /// How often each byte occurs.
    pub fn counts<n: Nat>(x: [u8; n]) -> [u32; 256] {
        generate(|j: Idx[256]| x |> map(|v| if v == (j as u8) { 1 } else { 0 }) |> sum)
    }
    compile counts to c with auto as counts_c;

    /// Sums of the rows of each class; what belongs to none is left out.
    pub fn totals<n: Nat, k: Nat, d: Nat>(x: [[i64; d]; n], class: [i32; n]) -> [[i64; d]; k] {
        generate(|c: Idx[k]| generate(|j: Idx[d]|
            sum(generate(|i: Idx[n]| if class[i] == (c as i32) { x[i][j] } else { 0 }))))
    }
    compile totals to c with auto as totals_c;

    /// Each row counts what it holds, by an update that is written down.
    pub fn of_rows<n: Nat, m: Nat, b: Nat>(x: [[Idx[b]; m]; n]) -> [[u16; b]; n] {
        x |> map(|row| row |> reduceSeq(|h, k| h |> update(|c| c + 1, k), generate(|j: Idx[b]| 0)))
    }
    compile of_rows to c with auto as of_rows_c;
    compile of_rows to rust with lower as of_rows_lowered;

    /// The system `(1 + l) x = b`, where nothing above the diagonal counts.
    pub fn solved<n: Nat>(l: [[i32; n]; n], b: [i32; n]) -> [i32; n] {
        generate(|i: Idx[n]| i) |> reduceSeq(|x, i| {
            let s = b[i] - dot(l[i], x);
            generate(|j: Idx[n]| if j == i { s } else { x[j] })
        }, generate(|j: Idx[n]| 0))
    }
    compile solved to c with auto as solved_c;

    /// Sums and counts of each class at once, and the last one of each.
    pub fn gathered<n: Nat, k: Nat, d: Nat>(x: [[i64; d]; n], class: [Idx[k]; n])
        -> ([[i64; d]; k], [u32; k], [i64; k]) {
        zip(x, class) |> reduceSeq(|(s, (c, f)), (x, k)| (
            s |> update(|sum| zip(sum, x) |> map(|(a, b)| a + b), k),
            (c |> update(|c| c + 1, k), f |> update(|_| (c[k] as i64) * 10, k))
        ), (generate(|j: Idx[k]| generate(|i: Idx[d]| 0)),
            (generate(|j: Idx[k]| 0), generate(|j: Idx[k]| -1)))) |> |(s, (c, f))| (s, c, f)
    }
    compile gathered to c with auto as gathered_c;
    compile gathered to rust with lower as gathered_lowered;

    /// How many points each centre is the nearest one of, and where they are together.
    pub fn nearest<n: Nat, k: Nat>(x: [(i32, i32); n], c: [(i32, i32); k + 1]) -> ([u32; k + 1], [i32; k + 1]) {
        x |> reduceSeq(|(counts, sums), (px, py)| {
            let (_, b) = zip(c, generate(|j| j as u32)) |> reduceSeq(|(least, at), ((qx, qy), j)| {
                let d = (px - qx) * (px - qx) + (py - qy) * (py - qy);
                if d < least { (d, j) } else { (least, at) }
            }, (1000000, 0));
            (counts |> update(|v| v + 1, b as Idx[k + 1]), sums |> update(|v| v + px, b as Idx[k + 1]))
        }, (generate(|j| 0), generate(|j| 0)))
    }
    compile nearest to c with auto as nearest_c;
    compile nearest to rust with lower as nearest_lowered;

    /// One round of sorting by exchange.
    pub fn exchanged<n: Nat>(x: [i32; n + 1]) -> [i32; n + 1] {
        generate(|i: Idx[n]| i) |> reduceSeq(|a, i| {
            let (less, more) = (min(a[i], a[i + 1]), max(a[i], a[i + 1]));
            a |> update(|_| less, i) |> update(|_| more, i + 1)
        }, x)
    }
    compile exchanged to c with auto as exchanged_c;
    compile exchanged to rust with lower as exchanged_lowered;

    /// Edges leave one node and enter another one, or the same.
    pub fn degrees<n: Nat, k: Nat>(from: [Idx[k]; n], to: [Idx[k]; n]) -> [i32; k] {
        zip(from, to) |> reduceSeq(|d, (a, b)| d |> update(|v| 3 * v + 1, a) |> update(|v| 2 * v - 1, b),
            generate(|j: Idx[k]| 0))
    }
    compile degrees to c with auto as degrees_c;
    compile degrees to rust with lower as degrees_lowered;

    /// What is replaced second depends on what has been replaced first, before that.
    pub fn rotated<n: Nat, k: Nat>(x: [i32; k], at: [Idx[k]; n], to: [Idx[k]; n]) -> [i32; k] {
        zip(at, to) |> reduceSeq(|s, (i, j)| s |> update(|_| s[j], i) |> update(|v| v + s[i], j), x)
    }
    compile rotated to c with auto as rotated_c;
    compile rotated to rust with lower as rotated_lowered;

    /// What has a name is read before anything changes.
    pub fn rated<n: Nat, k: Nat>(x: [i32; k], at: [Idx[k]; n], to: [Idx[k]; n]) -> [i32; k] {
        zip(at, to) |> reduceSeq(|r, (i, j)| if r[i] < r[j] {
            let d = (r[j] - r[i]) / 2 + 1;
            r |> update(|v| v + d, i) |> update(|v| 2 * v - d, j)
        } else {
            let (first, second) = (r[i], r[j]);
            r |> update(|_| second, i) |> update(|_| first, j)
        }, x)
    }
    compile rated to c with auto as rated_c;
    compile rated to rust with lower as rated_lowered;

    /// How often a walk comes to each place, and where it ends.
    pub fn visits<n: Nat, k: Nat>(s: [i8; n]) -> ([u32; k], i32) where k >= 1 {
        s |> reduceSeq(|(h, p), v| { let q = p + (v as i32); (h |> update(|c| c + 1, q as Idx[k]), q) },
            (generate(|j: Idx[k]| 0), 0))
    }
    compile visits to c with auto as visits_c;
    compile visits to rust with lower as visits_lowered;

    /// A row is filled, then one is turned round.
    pub fn turned<n: Nat, k: Nat, d: Nat>(x: [[i32; d]; k], at: [Idx[k]; n], to: [Idx[k]; n]) -> [[i32; d]; k] {
        zip(at, to) |> reduceSeq(|s, (i, j)| s
            |> update(|row| row |> map(|v| v + (i as i32)), i)
            |> update(|row| row |> scatter(generate(|l: Idx[d]| d - 1 - l)), j), x)
    }
    compile turned to c with auto as turned_c;
    compile turned to rust with lower as turned_lowered;

    /// Counts by a number that is no index, and a change of all elements.
    pub fn numbered<n: Nat, k: Nat>(x: [u32; n]) -> [u32; k] {
        x |> reduceSeq(|h, v| generate(|j: Idx[k]| if (j as u32) == v { h[j] + 1 } else { h[j] }),
            generate(|j: Idx[k]| 0))
    }
    compile numbered to c with auto as numbered_c;
    compile numbered to rust with lower as numbered_lowered;

    /// One element changed, none in place.
    pub fn changed<n: Nat>(x: [i32; n], k: Idx[n]) -> [i32; n] { x |> update(|v| v + x[0], k) }
    compile changed to c with auto as changed_c;
    compile changed to rust with lower as changed_lowered;
}

/// Numbers less than `below`.
fn numbers(count: usize, below: i64) -> impl Iterator<Item = i64> {
    (0..count as i64).map(move |i| (i * 7919 + i * i * 31) % below)
}

#[test]
fn bytes_are_counted() {
    everywhere(|| {
        for n in [0, 1, 15, 64, 1000] {
            let x: Vec<u8> = numbers(n, 256).map(|v| v as u8).collect();
            let mut wanted = [0; 256];
            x.iter().for_each(|v| wanted[*v as usize] += 1);
            assert_eq!(counts(&x).unwrap(), wanted, "{n}");
            assert_eq!(counts_c(&x).unwrap(), wanted, "{n}");
        }
    });
}

#[test]
fn rows_of_classes_are_added() {
    everywhere(|| {
        for (n, k, d) in [(0, 3, 2), (5, 0, 3), (5, 3, 0), (40, 6, 1), (33, 7, 20), (100, 9, 35)] {
            let x: Vec<i64> = numbers(n * d, 1000).collect();
            let class: Vec<i32> = numbers(n, k as i64 + 4).map(|c| c as i32 - 2).collect();
            let mut wanted = vec![0; k * d];
            for (i, c) in class.iter().enumerate().filter(|(_, c)| (0..k as i32).contains(c)) {
                (0..d).for_each(|j| wanted[*c as usize * d + j] += x[i * d + j]);
            }
            assert_eq!(totals(k, (&x[..], [n, d]), &class).unwrap().into_vec(), wanted, "{n} {k} {d}");
            assert_eq!(totals_c(k, (&x[..], [n, d]), &class).unwrap().into_vec(), wanted, "{n} {k} {d}");
        }
    });
}

#[test]
fn each_row_has_counts_of_its_own() {
    everywhere(|| {
        for (n, m, b) in [(0, 3, 2), (3, 0, 5), (2, 40, 1), (9, 33, 17)] {
            let x: Vec<u32> = numbers(n * m, b as i64).map(|v| v as u32).collect();
            let mut wanted = vec![0u16; n * b];
            for (i, v) in x.iter().enumerate() {
                wanted[i / m * b + *v as usize] += 1;
            }
            for counted in [
                of_rows(b, (&x[..], [n, m])),
                of_rows_c(b, (&x[..], [n, m])),
                of_rows_lowered(b, (&x[..], [n, m])),
            ] {
                assert_eq!(counted.unwrap().into_vec(), wanted, "{n} {m} {b}");
            }
        }
    });
}

#[test]
fn what_is_found_is_read_by_later_steps() {
    everywhere(|| {
        for n in [0, 1, 2, 17, 70] {
            let l: Vec<i32> = numbers(n * n, 9).map(|v| v as i32 - 4).collect();
            let b: Vec<i32> = numbers(n, 100).map(|v| v as i32).collect();
            let mut wanted = vec![0i32; n];
            for i in 0..n {
                let of = |j: usize| l[i * n + j].wrapping_mul(wanted[j]);
                wanted[i] = (0..i).fold(b[i], |s, j| s.wrapping_sub(of(j)));
            }
            assert_eq!(solved((&l[..], [n, n]), &b).unwrap(), wanted, "{n}");
            assert_eq!(solved_c((&l[..], [n, n]), &b).unwrap(), wanted, "{n}");
        }
    });
}

#[test]
fn one_element_is_changed() {
    everywhere(|| {
        for (n, k) in [(1, 0u32), (2, 1), (40, 0), (40, 39), (65, 32)] {
            let x: Vec<i32> = (1..=n).collect();
            let mut wanted = x.clone();
            wanted[k as usize] += 1;
            for found in [changed(&x, k), changed_c(&x, k), changed_lowered(&x, k)] {
                assert_eq!(found.unwrap(), wanted, "{n} {k}");
            }
        }
    });
}

#[test]
fn several_accumulators_are_changed_where_they_lie() {
    everywhere(|| {
        for (n, k, d) in [(0, 3, 2), (1, 1, 0), (40, 6, 1), (33, 7, 20), (100, 9, 35)] {
            let x: Vec<i64> = numbers(n * d, 1000).collect();
            let class: Vec<u32> = numbers(n, k as i64).map(|c| c as u32).collect();
            let (mut sums, mut counts, mut tens) = (vec![0; k * d], vec![0u32; k], vec![-1i64; k]);
            for (i, c) in class.iter().map(|c| *c as usize).enumerate() {
                (0..d).for_each(|j| sums[c * d + j] += x[i * d + j]);
                tens[c] = i64::from(counts[c]) * 10;
                counts[c] += 1;
            }
            for found in [
                gathered(k, (&x[..], [n, d]), &class),
                gathered_c(k, (&x[..], [n, d]), &class),
                gathered_lowered(k, (&x[..], [n, d]), &class),
            ] {
                let (s, c, f) = found.unwrap();
                assert_eq!((s.into_vec(), c, f), (sums.clone(), counts.clone(), tens.clone()), "{n} {k} {d}");
            }
        }
    });
}

#[test]
fn elements_are_changed_one_after_the_other() {
    everywhere(|| {
        for n in [0, 1, 2, 17, 70] {
            let x: Vec<i32> = numbers(n + 1, 1000).map(|v| v as i32).collect();
            let mut wanted = x.clone();
            for i in 0..n {
                if wanted[i] > wanted[i + 1] {
                    wanted.swap(i, i + 1);
                }
            }
            for found in [exchanged(&x), exchanged_c(&x), exchanged_lowered(&x)] {
                assert_eq!(found.unwrap(), wanted, "{n}");
            }
        }
        for (n, k) in [(0, 3), (5, 1), (60, 4), (100, 37)] {
            let from: Vec<u32> = numbers(n, k).map(|v| v as u32).collect();
            let to: Vec<u32> = numbers(2 * n, k).skip(n).map(|v| v as u32).collect();
            let x: Vec<i32> = (0..k as i32).map(|v| 5 * v + 1).collect();
            let (mut counted, mut moved) = (vec![0i32; k as usize], x.clone());
            for (a, b) in from.iter().map(|a| *a as usize).zip(to.iter().map(|b| *b as usize)) {
                counted[a] = counted[a].wrapping_mul(3).wrapping_add(1);
                counted[b] = counted[b].wrapping_mul(2).wrapping_sub(1);
                let (first, second) = (moved[a], moved[b]);
                moved[a] = second;
                moved[b] = moved[b].wrapping_add(first);
            }
            for found in [
                degrees(k as usize, &from, &to),
                degrees_c(k as usize, &from, &to),
                degrees_lowered(k as usize, &from, &to),
            ] {
                assert_eq!(found.unwrap(), counted, "{n} {k}");
            }
            for found in [rotated(&x, &from, &to), rotated_c(&x, &from, &to), rotated_lowered(&x, &from, &to)]
            {
                assert_eq!(found.unwrap(), moved, "{n} {k}");
            }
        }
    });
}

#[test]
fn what_has_a_name_is_read_before() {
    everywhere(|| {
        for (n, k) in [(0, 3), (5, 1), (60, 4), (100, 37)] {
            let at: Vec<u32> = numbers(n, k).map(|v| v as u32).collect();
            let to: Vec<u32> = numbers(2 * n, k).skip(n).map(|v| v as u32).collect();
            let x: Vec<i32> = numbers(k as usize, 1000).map(|v| v as i32).collect();
            let mut wanted = x.clone();
            for (i, j) in at.iter().map(|i| *i as usize).zip(to.iter().map(|j| *j as usize)) {
                if wanted[i] < wanted[j] {
                    let d = wanted[j].wrapping_sub(wanted[i]) / 2 + 1;
                    wanted[i] = wanted[i].wrapping_add(d);
                    wanted[j] = wanted[j].wrapping_mul(2).wrapping_sub(d);
                } else {
                    wanted.swap(i, j);
                }
            }
            for found in [rated(&x, &at, &to), rated_c(&x, &at, &to), rated_lowered(&x, &at, &to)] {
                assert_eq!(found.unwrap(), wanted, "{n} {k}");
            }
            let steps: Vec<i8> = numbers(n, 7).map(|v| v as i8 - 3).collect();
            let (mut counts, mut place) = (vec![0u32; k as usize], 0i32);
            for step in &steps {
                place += i32::from(*step);
                counts[place.clamp(0, k as i32 - 1) as usize] += 1;
            }
            for visits in [visits, visits_c, visits_lowered] {
                assert_eq!(visits(k as usize, &steps).unwrap(), (counts.clone(), place), "{n} {k}");
            }
        }
    });
}

#[test]
fn rows_are_turned_round_after_others_have_changed() {
    everywhere(|| {
        for (n, k, d) in [(0, 3, 2), (5, 1, 4), (20, 4, 1), (60, 4, 33)] {
            let at: Vec<u32> = numbers(n, k).map(|v| v as u32).collect();
            let to: Vec<u32> = numbers(2 * n, k).skip(n).map(|v| v as u32).collect();
            let x: Vec<i32> = (0..k as i32 * d as i32).collect();
            let mut wanted = x.clone();
            for (i, j) in at.iter().map(|i| *i as usize).zip(to.iter().map(|j| *j as usize)) {
                wanted[i * d..][..d].iter_mut().for_each(|v| *v += i as i32);
                wanted[j * d..][..d].reverse();
            }
            let x = (&x[..], [k as usize, d]);
            for found in [turned(x, &at, &to), turned_c(x, &at, &to), turned_lowered(x, &at, &to)] {
                assert_eq!(found.unwrap().into_vec(), wanted, "{n} {k} {d}");
            }
        }
    });
}

#[test]
fn numbers_are_counted() {
    everywhere(|| {
        for (n, k) in [(0, 3), (9, 0), (60, 4), (1000, 37)] {
            let x: Vec<u32> = numbers(n, 2 * k as i64 + 1).map(|v| v as u32).collect();
            let mut wanted = vec![0u32; k];
            x.iter().filter(|v| (**v as usize) < k).for_each(|v| wanted[*v as usize] += 1);
            for found in [numbered(k, &x), numbered_c(k, &x), numbered_lowered(k, &x)] {
                assert_eq!(found.unwrap(), wanted, "{n} {k}");
            }
        }
    });
}

#[test]
fn centres_count_what_is_nearest_to_them() {
    everywhere(|| {
        for [n, k] in [[0, 3], [1, 1], [7, 2], [33, 5], [300, 40], [1000, 17]] {
            let point = |i: usize| ((i * 37 % 101) as i32, (i * 53 % 89) as i32);
            let x: Vec<(i32, i32)> = (0..n).map(point).collect();
            let c: Vec<(i32, i32)> = (0..k).map(|i| point(i * 7 + 3)).collect();
            let (mut counts, mut sums) = (vec![0_u32; k], vec![0; k]);
            for p in &x {
                let far = |q: &(i32, i32)| (p.0 - q.0).pow(2) + (p.1 - q.1).pow(2);
                let at = (0..k).min_by_key(|at| far(&c[*at])).unwrap();
                counts[at] += 1;
                sums[at] += p.0;
            }
            for nearest in [nearest, nearest_lowered, nearest_c] {
                assert_eq!(nearest(&x, &c).unwrap(), (counts.clone(), sums.clone()), "{n} by {k}");
            }
        }
    });
}
