//! Products with more steps than go in one block, convolutions by indices, and images whose rows are longer than bands of
//! columns; in Rust, C and OpenMP, lowered and not.

use rise::rise;
use rise_passes::levels::everywhere;

rise! {
    /// Rows of one matrix with rows of another one, and what is added to each column.
    pub fn long<n: Nat, k: Nat, m: Nat>(a: [[i32; k]; n], b: [[i32; k]; m], c: [i32; m]) -> [[i32; m]; n] {
        a |> map(|r| zip(b, c) |> map(|(q, c)| max(dot(r, q) + c, -50)))
    }
    compile long to rust with lower as long_lowered;
    compile long to c with auto as long_c;
    compile long to openmp with auto as long_openmp;

    /// The product alone, of columns with columns, the first of which lie across.
    pub fn across<n: Nat, k: Nat, m: Nat>(a: [[i32; n]; k], b: [[i32; m]; k]) -> [[i32; m]; n] {
        transpose(a) |> map(|r| transpose(b) |> map(|q| dot(r, q)))
    }
    compile across to rust with lower as across_lowered;
    compile across to openmp with auto as across_openmp;

    /// Filters of 3 by 3 over pixels with channels.
    pub fn pixels<o: Nat, c: Nat, h: Nat, w: Nat>(k: [[[[i32; c]; 3]; 3]; o], x: [[[i32; c]; w + 2]; h + 2])
        -> [[[i32; o]; w]; h]
    {
        generate(|i: Idx[h]| generate(|j: Idx[w]| generate(|o| sum(generate(|a: Idx[3]| sum(generate(|b: Idx[3]|
            sum(generate(|c: Idx[c]| k[o][a][b][c] * x[i + a][j + b][c])))))))))
    }
    compile pixels to rust with lower as pixels_lowered;
    compile pixels to openmp with auto as pixels_openmp;

    /// The same over planes.
    pub fn planes<o: Nat, c: Nat, h: Nat, w: Nat>(k: [[[[i32; 3]; 3]; c]; o], x: [[[i32; w + 2]; h + 2]; c])
        -> [[[i32; w]; h]; o]
    {
        generate(|o| generate(|i: Idx[h]| generate(|j: Idx[w]| sum(generate(|c: Idx[c]| sum(generate(|a: Idx[3]|
            sum(generate(|b: Idx[3]| k[o][c][a][b] * x[c][i + a][j + b])))))))))
    }
    compile planes to rust with lower as planes_lowered;
    compile planes to c with auto as planes_c;

    fn apart<n: Nat, m: Nat>(x: [[i32; m + 6]; n + 6]) -> [[i32; m]; n] {
        x |> map(|row| row |> slide(7, 1) |> map(sum)) |> slide(7, 1) |> map(|rows| transpose(rows) |> map(sum))
    }

    /// Sums of 7 by 7, of rows first.
    pub fn sums<h: Nat, w: Nat>(x: [[i32; w + 6]; h + 6]) -> [[i32; w]; h] { apart(x) }
    compile sums to rust with lower as sums_lowered;
    compile sums to openmp with auto as sums_openmp;

    /// What differs from them, added up around.
    pub fn contrast<h: Nat, w: Nat>(x: [[i32; w + 12]; h + 12]) -> [[i32; w]; h] {
        let middle = x |> drop(3) |> take(h + 6) |> map(|row| row |> drop(3) |> take(w + 6));
        apart(zip2D(middle, apart(x)) |> map2D(|(v, s)| max(49 * v - s, 0)))
    }
    compile contrast to rust with lower as contrast_lowered;
    compile contrast to c with auto as contrast_c;
}

fn numbers(n: usize, seed: usize) -> Vec<i32> {
    (0..n).map(|i| ((i * 37 + seed) % 19) as i32 - 9).collect()
}

#[test]
fn long_folds_go_in_blocks() {
    everywhere(|| {
        for (n, k, m) in
            [(1, 3073, 65), (7, 0, 5), (7, 1537, 130), (13, 3071, 70), (13, 3072, 17), (6, 5200, 64)]
        {
            let (a, b, c) = (numbers(n * k, 1), numbers(m * k, 2), numbers(m, 3));
            let of = |rows, columns, x| (x, [rows, columns]);
            let (a, b) = (of(n, k, &a[..]), of(m, k, &b[..]));
            let wanted = long_lowered(a, b, &c).unwrap();
            for f in [long, long_c, long_openmp] {
                assert_eq!(f(a, b, &c).unwrap(), wanted, "{n} by {k} by {m}");
            }
            let (a, b) = ((a.0, [k, n]), (b.0, [k, m]));
            let wanted = across_lowered(a, b).unwrap();
            for f in [across, across_openmp] {
                assert_eq!(f(a, b).unwrap(), wanted, "{n} by {k} by {m}");
            }
        }
    });
}

#[test]
fn convolutions_by_indices_are_products() {
    everywhere(|| {
        for [o, c, h, w] in [
            [1, 1, 1, 1],
            [3, 0, 2, 2],
            [5, 3, 0, 7],
            [17, 2, 3, 0],
            [2, 30, 2, 3],
            [13, 4, 3, 21],
            [70, 5, 2, 66],
        ] {
            let (k, x) = (numbers(o * c * 9, 1), numbers((h + 2) * (w + 2) * c, 2));
            let of_pixels = ((&k[..], [o, 3, 3, c]), (&x[..], [h + 2, w + 2, c]));
            let of_planes = ((&k[..], [o, c, 3, 3]), (&x[..], [c, h + 2, w + 2]));
            let wanted = pixels_lowered(of_pixels.0, of_pixels.1).unwrap();
            for f in [pixels, pixels_openmp] {
                assert_eq!(f(of_pixels.0, of_pixels.1).unwrap(), wanted, "{o} by {c}, {h} by {w}");
            }
            let wanted = planes_lowered(of_planes.0, of_planes.1).unwrap();
            for f in [planes, planes_c] {
                assert_eq!(f(of_planes.0, of_planes.1).unwrap(), wanted, "{o} by {c}, {h} by {w}");
            }
        }
    });
}

#[test]
fn rows_longer_than_bands_of_columns() {
    everywhere(|| {
        for (h, w) in [(1, 1), (40, 3), (97, 5), (130, 513), (40, 1535), (210, 1536), (99, 1090), (97, 2051)]
        {
            let x = numbers((h + 12) * (w + 12), h);
            let smaller = (&x[..(h + 6) * (w + 6)], [h + 6, w + 6]);
            let wanted = sums_lowered(smaller).unwrap();
            assert_eq!(sums(smaller).unwrap(), wanted, "{h} by {w}");
            assert_eq!(sums_openmp(smaller).unwrap(), wanted, "{h} by {w}");
            let larger = (&x[..], [h + 12, w + 12]);
            let wanted = contrast_lowered(larger).unwrap();
            assert_eq!(contrast(larger).unwrap(), wanted, "{h} by {w}");
            assert_eq!(contrast_c(larger).unwrap(), wanted, "{h} by {w}");
        }
    });
}
