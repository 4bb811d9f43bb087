//! Calls into libraries: products of matrices by the crate `gemm` and by a function in C, and foreign functions of
//! scalars.

use std::ffi::c_int;
use std::sync::atomic::Ordering;

use rise::rise;
use rise_kernels as _;

mod own {
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// How often several squares were computed at once.
    pub static VECTORS: AtomicUsize = AtomicUsize::new(0);

    pub fn square4(x: [f32; 4]) -> [f32; 4] {
        VECTORS.fetch_add(1, Ordering::Relaxed);
        x.map(|x| x * x)
    }

    pub fn square(x: f32) -> f32 {
        x * x
    }

    pub fn half(x: f32) -> f32 {
        x * 0.5
    }

    pub fn half8(x: [f32; 8]) -> [f32; 8] {
        x.map(half)
    }
}

rise! {
    extern fn sgemm<n: Nat, m: Nat, k: Nat>(a: [[f32; k]; n], b: [[f32; m]; k]) -> [[f32; m]; n] = gemm::gemm, "own_sgemm";

    fn rows_by_columns<n: Nat, m: Nat, k: Nat>(a: [[f32; k]; n], b: [[f32; k]; m]) -> [[f32; m]; n] {
        a |> 'product: map(|row| b |> map(|col| zip(row, col) |> map(mult) |> reduce(add, 0.0)))
    }

    pub fn product<n: Nat, m: Nat, k: Nat>(a: [[f32; k]; n], b: [[f32; m]; k]) -> [[f32; m]; n] {
        rows_by_columns(a, transpose(b))
    }
    pub fn product_ta<n: Nat, m: Nat, k: Nat>(a: [[f32; n]; k], b: [[f32; m]; k]) -> [[f32; m]; n] {
        rows_by_columns(transpose(a), transpose(b))
    }
    pub fn product_tb<n: Nat, m: Nat, k: Nat>(a: [[f32; k]; n], b: [[f32; k]; m]) -> [[f32; m]; n] {
        rows_by_columns(a, b)
    }
    pub fn product_tatb<n: Nat, m: Nat, k: Nat>(a: [[f32; n]; k], b: [[f32; k]; m]) -> [[f32; m]; n] {
        rows_by_columns(transpose(a), b)
    }
    compile product to rust with call(sgemm) @ 'product ; lower;
    compile product_ta to rust with call(sgemm) @ 'product ; lower;
    compile product_tb to rust with call(sgemm) @ 'product ; lower;
    compile product_tatb to rust with call(sgemm) @ 'product ; lower;
    compile product to c with call(sgemm) @ 'product ; lower as product_c;
    compile product_ta to c with call(sgemm) @ 'product ; lower as product_ta_c;
    compile product_tb to c with call(sgemm) @ 'product ; lower as product_tb_c;
    compile product_tatb to c with call(sgemm) @ 'product ; lower as product_tatb_c;
    compile product to rust with lower as product_plain;
    compile product_ta to rust with lower as product_ta_plain;
    compile product_tb to rust with lower as product_tb_plain;
    compile product_tatb to rust with lower as product_tatb_plain;

    /// `α A B + C` for every pair of a batch; the second factor is computed.
    pub fn batch<s: Nat, n: Nat, m: Nat, k: Nat>(alpha: f32, a: [[[f32; k]; n]; s], b: [[[f32; m]; k]; s], c: [[f32; m]; n])
        -> [[[f32; m]; n]; s]
    {
        zip(a, b) |> 'batch: map(|(a, b)| {
            let doubled = b |> map2D(|x| x + x);
            zip2D(a |> 'product: map(|row| transpose(doubled) |> map(|col| zip(col, row) |> map(mult) |> reduce(add, 0.0))), c)
              |> map2D(|(x, y)| alpha * x + y)
        })
    }
    compile batch to rust with call(sgemm) @ 'product ; lower;
    compile batch to c with call(sgemm) @ 'product ; lower as batch_c;
    compile batch to openmp with call(sgemm) @ 'product ; mapPar @ 'batch ; lower as batch_openmp;
    compile batch to rust with lower as batch_plain;

    /// `α A B + β C` in one place.
    pub fn scaled<n: Nat, m: Nat, k: Nat>(alpha: f32, a: [[f32; k]; n], b: [[f32; m]; k], beta: f32, c: [[f32; m]; n])
        -> [[f32; m]; n]
    {
        zip(a, c) |> 'product: map(|(row, cs)| zip(transpose(b), cs) |> map(|(col, c)|
            alpha * (zip(row, col) |> map(mult) |> reduce(add, 0.0)) + beta * c))
    }
    compile scaled to rust with call(sgemm) @ 'product ; lower;
    compile scaled to c with call(sgemm) @ 'product ; lower as scaled_c;
    compile scaled to rust with lower as scaled_plain;

    /// Rows and weights that come as pairs, and something else than a product.
    pub fn weighted<n: Nat, m: Nat, k: Nat>(a: [[f32; k]; n], weights: [f32; n], b: [[f32; k]; m]) -> [[f32; m]; n] {
        zip(weights, a) |> 'product: map(|(w, row)| b |> map(|col|
            max(w + (zip(col, row) |> map(mult) |> reduce(add, 0.0)), 0.0)))
    }
    compile weighted to rust with call(sgemm) @ 'product ; lower;
    compile weighted to c with call(sgemm) @ 'product ; lower as weighted_c;
    compile weighted to rust with lower as weighted_plain;

    /// Transposed where it goes, and called by name.
    pub fn transposed<n: Nat, m: Nat, k: Nat>(a: [[f32; k]; n], b: [[f32; m]; k]) -> [[f32; n]; m] {
        sgemm(a, b) |> transpose
    }
    compile transposed to rust with lower;
    compile transposed to c with lower as transposed_c;

    extern fn square(x: f32) -> f32 = own::square, "own_square";
    extern fn mix(x: f64, y: i32) -> f64 = "own_mix";

    extern fn square(x: Simd<f32, 4>) -> Simd<f32, 4> = own::square4, "own_square4";
    extern fn mix(x: Simd<f64, 8>, y: Simd<i32, 8>) -> Simd<f64, 8> = "own_mix8";
    extern fn half(x: f32) -> f32 = own::half, "own_half";
    extern fn half(x: Simd<f32, 8>) -> Simd<f32, 8> = own::half8;

    pub fn squares<n: Nat>(x: [f32; n]) -> [f32; n] { x |> 'l: map(|x| square(x) + 1.0) }
    compile squares to rust with lower;
    compile squares to rust with vectorize(16) @ 'l ; lower as squares_lanes;
    compile squares to c with vectorize(8) @ 'l ; lower as squares_c;
    compile squares to openmp with mapPar @ 'l ; lower as squares_openmp;
    pub fn mixed<n: Nat>(x: [f64; n], y: [i32; n]) -> [f64; n] { zip(x, y) |> 'l: map(|(x, y)| mix(x, y)) }
    compile mixed to rust with lower;
    compile mixed to rust with vectorize(8) @ 'l ; lower as mixed_lanes;
    compile mixed to c with vectorize(16) @ 'l ; lower as mixed_lanes_c;
    extern fn noted(x: f32) -> f32 = "own_noted";
    pub fn all_noted<n: Nat>(x: [f32; n]) -> [f32; n] { x |> 'l: map(|x| noted(x)) }
    compile all_noted to openmp with mapPar @ 'l ; lower;
    pub fn halves<n: Nat>(x: [f32; n]) -> [f32; n] { x |> 'l: map(|x| half(x)) }
    compile halves to rust with vectorize(8) @ 'l ; lower;
    compile halves to c with vectorize(8) @ 'l ; lower as halves_c;
    compile mixed to c with lower as mixed_c;
}

fn floats(len: usize, from: usize) -> Vec<f32> {
    (from..from + len).map(|i| ((7 * i + 3) % 17) as f32 - 8.0).collect()
}

#[test]
fn products_of_all_transpositions() {
    for (n, m, k) in [
        (0, 3, 2),
        (3, 0, 2),
        (3, 2, 0),
        (1, 1, 1),
        (1, 5, 1),
        (5, 1, 1),
        (1, 1, 7),
        (1, 4, 6),
        (6, 1, 4),
        (31, 17, 23),
        (64, 65, 66),
    ] {
        let (a, b) = (floats(n * k, 0), floats(k * m, 5));
        macro_rules! same {
            ($plain:ident $rust:ident $c:ident $a:expr, $b:expr) => {{
                let plain = $plain((&a, $a), (&b, $b)).unwrap();
                assert_eq!(plain, $rust((&a, $a), (&b, $b)).unwrap(), "{n}x{k}x{m}");
                assert_eq!(plain, $c((&a, $a), (&b, $b)).unwrap(), "{n}x{k}x{m}");
            }};
        }
        same!(product_plain product product_c [n, k], [k, m]);
        same!(product_ta_plain product_ta product_ta_c [k, n], [k, m]);
        same!(product_tb_plain product_tb product_tb_c [n, k], [m, k]);
        same!(product_tatb_plain product_tatb product_tatb_c [k, n], [m, k]);
        let other = transposed((&a, [n, k]), (&b, [k, m])).unwrap();
        let expected = product_plain((&a, [n, k]), (&b, [k, m])).unwrap();
        for (i, j) in (0..n).flat_map(|i| (0..m).map(move |j| (i, j))) {
            assert_eq!(other.at([j, i]), expected.at([i, j]));
        }
        assert_eq!(other, transposed_c((&a, [n, k]), (&b, [k, m])).unwrap());
    }
}

#[test]
fn the_library_is_called() {
    unsafe extern "C" {
        static mut own_calls: c_int;
    }
    let (a, b) = (floats(6, 0), floats(6, 1));
    let before = unsafe { own_calls };
    product_c((&a, [2, 3]), (&b, [3, 2])).unwrap();
    assert!(unsafe { own_calls } > before);
}

#[test]
fn products_of_a_batch_with_a_computed_factor() {
    for (s, n, m, k) in [(3, 4, 5, 6), (0, 2, 2, 2), (2, 0, 3, 3), (2, 3, 3, 0), (40, 9, 8, 7)] {
        let (a, b, c) = (floats(s * n * k, 0), floats(s * k * m, 3), floats(n * m, 9));
        let args = || ((&a, [s, n, k]), (&b, [s, k, m]), (&c, [n, m]));
        let (x, y, z) = args();
        let plain = batch_plain(2.0, x, y, z).unwrap();
        for found in [batch(2.0, x, y, z), batch_c(2.0, x, y, z), batch_openmp(2.0, x, y, z)] {
            assert_eq!(plain, found.unwrap(), "{s}, {n}x{k}x{m}");
        }
    }
}

#[test]
fn products_with_which_more_is_done() {
    unsafe extern "C" {
        static mut own_calls: c_int;
    }
    for (n, m, k) in [(0, 3, 2), (3, 2, 0), (1, 1, 1), (31, 17, 23)] {
        let (a, b, c, w) = (floats(n * k, 0), floats(k * m, 5), floats(n * m, 2), floats(n, 3));
        let (a, b, t, c) = ((&a, [n, k]), (&b, [k, m]), (&b, [m, k]), (&c, [n, m]));
        let before = unsafe { own_calls };
        let plain = scaled_plain(2.0, a, b, 3.0, c).unwrap();
        assert_eq!(plain, scaled(2.0, a, b, 3.0, c).unwrap(), "{n}x{k}x{m}");
        assert_eq!(plain, scaled_c(2.0, a, b, 3.0, c).unwrap(), "{n}x{k}x{m}");
        let plain = weighted_plain(a, &w, t).unwrap();
        assert_eq!(plain, weighted(a, &w, t).unwrap(), "{n}x{k}x{m}");
        assert_eq!(plain, weighted_c(a, &w, t).unwrap(), "{n}x{k}x{m}");
        assert!(n * m * k == 0 || unsafe { own_calls } >= before + 2);
    }
}

#[test]
fn foreign_functions_of_vectors_in_both_worlds() {
    unsafe extern "C" {
        static mut own_vectors: c_int;
    }
    let x = floats(37, 0);
    let (in_rust, in_c) = (own::VECTORS.load(Ordering::Relaxed), unsafe { own_vectors });
    let expected: Vec<f32> = x.iter().map(|x| x * x + 1.0).collect();
    assert_eq!(squares_lanes(&x).unwrap(), expected);
    assert_eq!(squares_c(&x).unwrap(), expected);
    // Two vectors of 16 are eight of 4, and four of 8 as many.
    assert!(own::VECTORS.load(Ordering::Relaxed) - in_rust >= 8 && unsafe { own_vectors } - in_c >= 8);
    // A version in one world alone.
    let expected: Vec<f32> = x.iter().map(|x| x * 0.5).collect();
    assert_eq!(halves(&x).unwrap(), expected);
    assert_eq!(halves_c(&x).unwrap(), expected);
}

#[test]
fn foreign_functions_of_scalars_in_both_worlds() {
    for n in [0, 1, 7, 8, 100] {
        let x = floats(n, 0);
        let expected: Vec<f32> = x.iter().map(|x| x * x + 1.0).collect();
        assert_eq!(squares(&x).unwrap(), expected);
        assert_eq!(squares_c(&x).unwrap(), expected);
        assert_eq!(squares_openmp(&x).unwrap(), expected);
        let (x, y): (Vec<f64>, Vec<i32>) = (0..n as i32).map(|i| (f64::from(i) * 0.5, i - 3)).unzip();
        let expected: Vec<f64> = x.iter().zip(&y).map(|(x, y)| x + 2.0 * f64::from(*y)).collect();
        assert_eq!(mixed(&x, &y).unwrap(), expected);
        assert_eq!(mixed_c(&x, &y).unwrap(), expected);
        assert_eq!(mixed_lanes(&x, &y).unwrap(), expected);
        assert_eq!(mixed_lanes_c(&x, &y).unwrap(), expected);
    }
}

/// As many threads as the variable says, which is read once in a process.
#[test]
fn openmp_takes_the_threads_that_it_is_given() {
    unsafe extern "C" {
        static mut own_threads: c_int;
    }
    const THREADS: &str = "OMP_NUM_THREADS";
    const CHILD: &str = "RISE_TEST_COUNTS_THREADS";
    if std::env::var_os(CHILD).is_some() {
        all_noted(&vec![1.0; 100_000]).unwrap();
        let wanted = std::env::var(THREADS).unwrap();
        assert_eq!(unsafe { own_threads }.to_string(), wanted);
        return;
    }
    for threads in ["1", "3"] {
        let mut child = std::process::Command::new(std::env::current_exe().unwrap());
        child.args(["--exact", "openmp_takes_the_threads_that_it_is_given"]);
        let output = child.env(THREADS, threads).env(CHILD, "1").output().unwrap();
        assert!(output.status.success(), "{threads}: {}", String::from_utf8_lossy(&output.stdout));
    }
}
