//! Rows that go through several products, all of them through one after the other; in Rust, C and OpenMP, lowered and not.

use rise::rise;
use rise_passes::levels::everywhere;

rise! {
    /// Two layers.
    pub fn layers<n: Nat>(x: [[i32; 20]; n], u: [[i32; 20]; 24], w: [[i32; 24]; 9]) -> [[i32; 9]; n] {
        x |> map(|r| { let z = u |> map(|c| max(dot(c, r), 0)); w |> map(|c| dot(c, z) + sum(r)) })
    }
    compile layers to rust with lower as layers_lowered;
    compile layers to openmp with auto as layers_openmp;

    /// Rows of several matrices, each with columns of its own: what is between is stored for each matrix.
    pub fn heads<b: Nat, n: Nat, m: Nat>(q: [[[i32; 9]; n]; b], k: [[[i32; 9]; m]; b]) -> [[[i32; 9]; n]; b] {
        zip(q, k) |> map(|(q, k)| q |> map(|r| {
            let z = k |> map(|c| dot(c, r));
            let s = z |> reduce(max, 0);
            transpose(k) |> map(|c| dot(z, c) - s)
        }))
    }
    compile heads to rust with lower as heads_lowered;
    compile heads to c with auto as heads_c;

    /// A triangle, and what is beside each row.
    pub fn triangle<n: Nat>(x: [[i32; 8]; n], y: [[i32; 8]; n]) -> [[i32; 8]; n] {
        zip(zip(x, y), generate(|i: Idx[n]| i)) |> map(|((r, y), i)| {
            let z = zip(x, generate(|j: Idx[n]| j)) |> map(|(c, j)| if j <= i { dot(c, r) } else { 3 });
            zip(y, transpose(x) |> map(|c| dot(z, c))) |> map(|(y, v)| y - v)
        })
    }
    compile triangle to rust with lower as triangle_lowered;
    compile triangle to openmp with auto as triangle_openmp;
}

fn numbers(n: usize, seed: usize) -> Vec<i32> {
    (0..n).map(|i| ((i * 37 + seed) % 19) as i32 - 9).collect()
}

#[test]
fn all_rows_go_through_all_layers() {
    let (u, w) = (numbers(20 * 24, 1), numbers(24 * 9, 2));
    let (u, w) = ((&u[..], [24, 20]), (&w[..], [9, 24]));
    everywhere(|| {
        for n in [0, 1, 2, 3, 7, 12, 100, 601] {
            let x = numbers(20 * n, n);
            let x = (&x[..], [n, 20]);
            let wanted = layers_lowered(x, u, w).unwrap();
            for f in [layers, layers_openmp] {
                assert_eq!(f(x, u, w).unwrap(), wanted, "{n}");
            }
        }
    });
}

#[test]
fn rows_of_each_matrix_go_through_layers_of_their_own() {
    everywhere(|| {
        for (b, n, m) in
            [(0, 3, 3), (2, 0, 4), (1, 1, 1), (3, 2, 17), (2, 3, 1), (3, 7, 5), (2, 30, 33), (5, 70, 130)]
        {
            let (q, k) = (numbers(b * n * 9, 3), numbers(b * m * 9, 4));
            let (q, k) = ((&q[..], [b, n, 9]), (&k[..], [b, m, 9]));
            let wanted = heads_lowered(q, k).unwrap();
            for f in [heads, heads_c] {
                assert_eq!(f(q, k).unwrap(), wanted, "{b} by {n} and {m}");
            }
        }
    });
}

#[test]
fn triangles_are_those_of_whole_products() {
    everywhere(|| {
        for n in [0, 1, 2, 3, 13, 64, 201] {
            let (x, y) = (numbers(8 * n, 5), numbers(8 * n, 6));
            let (x, y) = ((&x[..], [n, 8]), (&y[..], [n, 8]));
            let wanted = triangle_lowered(x, y).unwrap();
            for f in [triangle, triangle_openmp] {
                assert_eq!(f(x, y).unwrap(), wanted, "{n}");
            }
        }
    });
}
