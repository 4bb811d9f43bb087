//! Folds that change one element of their accumulator, in Rust on all instruction sets and in C, beside loops by hand.

mod levels;

use levels::everywhere;
use rise::rise;
use rise_kernels as _;

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
