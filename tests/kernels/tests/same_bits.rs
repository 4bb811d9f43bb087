//! Rust, C and OpenMP give the same bits on every instruction set.
//!
//! With whole numbers all sums are exact, so strategies that re-associate count too; with other numbers C does
//! exactly what Rust does in the same order.

mod levels;

use rise_kernels::basics::*;
use rise_runtime::dispatch::level;

/// What can be compared bit by bit.
trait Bits {
    fn bits(&self) -> Vec<u32>;
}

impl Bits for f32 {
    fn bits(&self) -> Vec<u32> {
        vec![self.to_bits()]
    }
}

impl Bits for Vec<f32> {
    fn bits(&self) -> Vec<u32> {
        self.iter().map(|x| x.to_bits()).collect()
    }
}

impl Bits for Vec<i32> {
    fn bits(&self) -> Vec<u32> {
        self.iter().map(|x| *x as u32).collect()
    }
}

impl<const R: usize> Bits for rise::Array<f32, R> {
    fn bits(&self) -> Vec<u32> {
        self.iter().map(|x| x.to_bits()).collect()
    }
}

macro_rules! same {
    ($whole:expr, $rust:ident, $c:ident, $openmp:ident($($arg:expr),*)) => {{
        let rust = $rust($($arg),*).unwrap().bits();
        let place = concat!(stringify!($rust), "(", stringify!($($arg),*), ")");
        assert_eq!(rust, $c($($arg),*).unwrap().bits(), "{place} in C");
        if $whole {
            assert_eq!(rust, $openmp($($arg),*).unwrap().bits(), "{place} with OpenMP");
        }
    }};
}

/// Small whole numbers, or others.
fn floats(whole: bool, len: usize, from: usize) -> Vec<f32> {
    let whole_number = |i: usize| ((7 * i + 3) % 17) as f32 - 8.0;
    (from..from + len).map(|i| if whole { whole_number(i) } else { (whole_number(i) * 0.7).sin() }).collect()
}

fn integers(len: usize) -> Vec<i32> {
    (0..len).map(|i| ((7 * i + 3) % 17) as i32 - 8).collect()
}

fn vectors(whole: bool, lengths: &[usize]) {
    for n in lengths.iter().copied() {
        let (x, y) = (floats(whole, n, 0), floats(whole, n + 3, 5));
        same!(whole, scal, scal_c, scal_openmp(3.0, &x));
        same!(whole, shifted_add, shifted_add_c, shifted_add_openmp(&x, &y));
        same!(whole, dot_product, dot_product_c, dot_product_openmp(&x, &y[..n]));
        if n > 0 {
            same!(whole, binomial, binomial_c, binomial_openmp(&x));
        }
        same!(whole, distances_of_two, distances_of_two_c, distances_of_two_openmp(&x, &y[..n], 0.5, 2.0));
        let points: Vec<(f32, f32)> = x.iter().copied().zip(y.iter().copied()).collect();
        same!(whole, distances, distances_c, distances_openmp(&points, 0.5, 2.0));
        let i = integers(n);
        same!(true, reverse, reverse_c, reverse_openmp(&i));
        same!(true, reverse_written, reverse_written_c, reverse_written_openmp(&i));
        same!(true, prefix_sums, prefix_sums_c, prefix_sums_openmp(&i));
        same!(true, prefix_sums_from_5, prefix_sums_from_5_c, prefix_sums_from_5_openmp(&i));
    }
}

fn divided(whole: bool) {
    for (n, s) in [(128, 4), (12, 3), (0, 3), (35, 7), (7, 1)] {
        let i = integers(n);
        same!(true, strided, strided_c, strided_openmp(s, &i));
        same!(true, strided_back, strided_back_c, strided_back_openmp(s, &i));
    }
    for n in [0, 2048, 8192] {
        let x = floats(whole, n, 3);
        same!(whole, asum, asum_c, asum_openmp(&x));
    }
    assert!(asum_c(&[0.0; 100]).is_err() && strided_openmp(5, &integers(12)).is_err());
}

fn matrices(whole: bool, shapes: &[(usize, usize)]) {
    for (m, n) in shapes.iter().copied() {
        let (a, x, y) = (floats(whole, m * n, 0), floats(whole, n, 4), floats(whole, m, 9));
        same!(whole, gemv, gemv_c, gemv_openmp((&a, [m, n]), &x, &y, 2.0, 3.0));
        same!(whole, transposed, transposed_c, transposed_openmp((&a, [m, n])));
        same!(whole, transposed_written, transposed_written_c, transposed_written_openmp((&a, [m, n])));
        if m > 0 && n > 0 {
            grid(whole, &a, [m, n]);
        }
    }
}

fn grid(whole: bool, a: &[f32], shape: [usize; 2]) {
    same!(whole, j2d5pt, j2d5pt_c, j2d5pt_openmp((a, shape)));
    same!(whole, binomial2D, binomial2D_c, binomial2D_openmp((a, shape)));
    same!(whole, binomial2D_factorised, binomial2D_factorised_c, binomial2D_factorised_openmp((a, shape)));
    same!(whole, binomial2D_separated, binomial2D_separated_c, binomial2D_separated_openmp((a, shape)));
}

fn solids(whole: bool, products: &[[usize; 3]], solids: &[[usize; 3]]) {
    for [o, n, m] in products.iter().copied() {
        let (at, b) = (floats(whole, o * n, 0), floats(whole, o * m, 6));
        same!(whole, matmul, matmul_c, matmul_openmp((&at, [o, n]), (&b, [o, m])));
        same!(true, nearest_cluster, nearest_cluster_c, nearest_cluster_openmp((&at, [o, n]), (&b, [m, o])));
    }
    for shape in solids.iter().copied() {
        let u = floats(whole, shape.iter().product(), 0);
        same!(whole, heat3d, heat3d_c, heat3d_openmp((&u, shape)));
    }
}

/// Everything on every instruction set that the CPU has, with whole numbers and with others.
fn everywhere(run: impl Fn(bool)) {
    levels::everywhere(|| {
        assert_eq!(scal_c_variant().unwrap(), level().unwrap().name());
        [true, false].into_iter().for_each(&run);
    });
}

#[test]
fn rust_c_and_openmp_agree_on_every_instruction_set() {
    everywhere(|whole| {
        vectors(whole, &[0, 1, 2, 3, 5, 7, 8, 31, 512, 1000, 1001, 1021, 1024, 20_001]);
        divided(whole);
        matrices(whole, &[(128, 128), (100, 37), (1, 1), (3, 0), (0, 3), (9, 6), (41, 33), (3, 3), (20, 80)]);
        let products = [[64, 80, 70], [1, 1, 1], [17, 13, 29], [0, 2, 3], [5, 0, 3], [1, 3, 1]];
        solids(whole, &products, &[[3, 3, 3], [8, 9, 10], [20, 21, 22]]);
    });
}

/// The large ones, left out where each access is watched.
#[test]
fn they_agree_at_large_sizes() {
    everywhere(|whole| {
        vectors(whole, &[16_384, 1_048_583]);
        matrices(whole, &[(37, 53), (130, 70), (512, 256), (1024, 1024), (513, 1025)]);
        solids(whole, &[[64, 128, 128], [34, 1024, 5], [256, 255, 257]], &[[64, 64, 64]]);
        let (n, a) = (4096, floats(whole, 4096 * 4096, 0));
        same!(whole, j2d5pt, j2d5pt_c, j2d5pt_openmp((&a, [n, n])));
    });
}
