//! `CC=clang cargo run --release -p rise-bench --bin languages [word]`: the same kernels under the same strategies in
//! Rust and in C, by the compiler that `CC` names; a word chooses the rows whose names contain it.

#![allow(clippy::print_stdout, missing_docs)]

use std::cell::RefCell;

use rise::rise;
use rise_bench::timing::{Contender, compare};

rise! {
    pub fn scal<n: Nat>(a: f32, x: [f32; n]) -> [f32; n] { x |> map(|x| a * x) }
    pub fn axpy<n: Nat>(a: f32, x: [f32; n], y: [f32; n]) -> [f32; n] { zip(x, y) |> map(|(x, y)| a * x + y) }
    pub fn dot<n: Nat>(x: [f32; n], y: [f32; n]) -> f32 { zip(x, y) |> map(mult) |> reduce(add, 0.0) }
    pub fn asum<n: Nat>(x: [f32; n]) -> f32 { x |> map(|x| abs(x)) |> reduce(add, 0.0) }
    pub fn prefix<n: Nat>(x: [i32; n]) -> [i32; n] { x |> scan(add, 0) }
    pub fn distances<n: Nat>(x: [f32; n], y: [f32; n]) -> [f32; n] {
        zip(x, y) |> map(|(x, y)| sqrt((0.5 - x) * (0.5 - x) + (2.0 - y) * (2.0 - y)))
    }
    pub fn gemv<n: Nat, m: Nat>(a: [[f32; m]; n], x: [f32; m]) -> [f32; n] {
        a |> map(|row| zip(row, x) |> map(mult) |> reduce(add, 0.0))
    }
    pub fn row_sums<n: Nat, m: Nat>(a: [[f32; m]; n]) -> [f32; n] { a |> map(|row| row |> reduce(add, 0.0)) }
    pub fn column_sums<n: Nat, m: Nat>(a: [[f32; m]; n]) -> [f32; m] {
        transpose(a) |> map(|column| column |> reduce(add, 0.0))
    }
    pub fn transposed<n: Nat, m: Nat>(a: [[f32; m]; n]) -> [[f32; n]; m] { transpose(a) }
    pub fn jacobi<h: Nat, w: Nat>(a: [[f32; w]; h]) -> [[f32; w]; h] where h >= 1, w >= 1 {
        a |> padClamp2D(1, 1) |> slide2D(3, 1) |> map2D(|n|
            (n[0][1] * 5.0 + n[1][0] * 12.0 + n[1][1] * 15.0 + n[1][2] * 12.0 + n[2][1] * 5.0) / 118.0)
    }

    fn sigmoid(x: f32) -> f32 { 1.0 / (1.0 + exp(-x)) }
    pub fn exponentials<n: Nat>(x: [f32; n]) -> [f32; n] { x |> map(exp) }
    pub fn exponentials_f64<n: Nat>(x: [f64; n]) -> [f64; n] { x |> map(exp) }
    pub fn logarithms<n: Nat>(x: [f32; n]) -> [f32; n] { x |> map(ln) }
    pub fn logarithms_f64<n: Nat>(x: [f64; n]) -> [f64; n] { x |> map(ln) }
    pub fn sines<n: Nat>(x: [f32; n]) -> [f32; n] { x |> map(sin) }
    pub fn cosines_f64<n: Nat>(x: [f64; n]) -> [f64; n] { x |> map(cos) }
    pub fn tangents<n: Nat>(x: [f32; n]) -> [f32; n] { x |> map(tan) }
    pub fn tanhs<n: Nat>(x: [f32; n]) -> [f32; n] { x |> map(tanh) }
    pub fn tanhs_f64<n: Nat>(x: [f64; n]) -> [f64; n] { x |> map(tanh) }
    pub fn powers<n: Nat>(x: [f32; n], y: [f32; n]) -> [f32; n] { zip(x, y) |> map(|(x, y)| pow(x, y)) }
    pub fn powers_f64<n: Nat>(x: [f64; n], y: [f64; n]) -> [f64; n] { zip(x, y) |> map(|(x, y)| pow(x, y)) }
    pub fn sigmoids<n: Nat>(x: [f32; n]) -> [f32; n] { x |> map(sigmoid) }
    pub fn softmax<n: Nat, m: Nat>(a: [[f32; m]; n]) -> [[f32; m]; n] where m >= 1 {
        a |> map(|row| {
            let greatest = row |> reduce(|a, b| max(a, b), row[0]);
            let powers = row |> map(|x| exp(x - greatest)) |> toMem;
            let total = sum(powers);
            powers |> map(|x| x / total)
        })
    }
    /// One step of a long short-term memory, with four matrices of weights: the cells.
    pub fn cells<n: Nat, m: Nat>(i: [[f32; m]; n], f: [[f32; m]; n], g: [[f32; m]; n], o: [[f32; m]; n], x: [f32; m], c: [f32; n])
        -> [(f32, f32); n]
    {
        zip(zip(zip(i, f), zip(g, o)), c) |> map(|(((i, f), (g, o)), c)| {
            let cell = sigmoid(dot(f, x)) * c + sigmoid(dot(i, x)) * tanh(dot(g, x));
            (cell, sigmoid(dot(o, x)) * tanh(cell))
        })
    }

    compile exponentials to c as exponentials_c;
    compile exponentials_f64 to c as exponentials_f64_c;
    compile logarithms to c as logarithms_c;
    compile logarithms_f64 to c as logarithms_f64_c;
    compile sines to c as sines_c;
    compile cosines_f64 to c as cosines_f64_c;
    compile tangents to c as tangents_c;
    compile tanhs to c as tanhs_c;
    compile tanhs_f64 to c as tanhs_f64_c;
    compile powers to c as powers_c;
    compile powers_f64 to c as powers_f64_c;
    compile sigmoids to c as sigmoids_c;
    compile softmax to c as softmax_c;
    compile cells to c as cells_c;
    compile exponentials to rust with lower as exponentials_lowered;
    compile exponentials to c with lower as exponentials_lowered_c;

    compile scal to c as scal_c;
    compile axpy to c as axpy_c;
    compile dot to c as dot_c;
    compile asum to c as asum_c;
    compile prefix to c as prefix_c;
    compile distances to c as distances_c;
    compile gemv to c as gemv_c;
    compile row_sums to c as row_sums_c;
    compile column_sums to c as column_sums_c;
    compile transposed to c as transposed_c;
    compile jacobi to c as jacobi_c;
    compile scal to rust with lower as scal_lowered;
    compile scal to c with lower as scal_lowered_c;
    compile dot to rust with lower as dot_lowered;
    compile dot to c with lower as dot_lowered_c;
    compile jacobi to rust with lower as jacobi_lowered;
    compile jacobi to c with lower as jacobi_lowered_c;
    compile gemv to rust with lower as gemv_lowered;
    compile gemv to c with lower as gemv_lowered_c;
}

mod schedules {
    rise::rise! {
        use "schedules.rise";

        compile product to rust with plainly as baseline;
        compile product to c with plainly as baseline_c;
        compile product to rust with in_blocks as blocking;
        compile product to c with in_blocks as blocking_c;
        compile product to rust with in_vectors as vectorised;
        compile product to c with in_vectors as vectorised_c;
        compile product to rust with permuted_loops as permuted;
        compile product to c with permuted_loops as permuted_c;
        compile product to rust with packed_panels as packed;
        compile product to c with packed_panels as packed_c;
        compile product to rust with register_tiles as blocked;
        compile product to c with register_tiles as blocked_c;
        compile product to rust with parallel_tiles as parallel;
        compile product to openmp with parallel_tiles as parallel_openmp;
        compile product to c with auto as product_c;
    }
}

fn numbers(len: usize) -> Vec<f32> {
    (0..len).map(|i| ((7 * i + 3) % 3) as f32 - 1.0).collect()
}

fn square(n: usize) -> rise::Array<f32, 2> {
    rise::Array::filled([n, n], 0.0).expect("there is memory")
}

fn chosen(name: &str) -> bool {
    std::env::args().nth(1).is_none_or(|word| name.contains(&word))
}

/// Our speed in C over that in Rust.
macro_rules! row {
    ($rounds:expr, $size:expr, $out:expr, $rust:expr, $c:expr, ($($arg:expr),*)) => {
        if chosen(stringify!($rust)) {
            let of = $size;
            let mut expected = $out;
            $rust(&mut expected, $($arg),*).expect("the shapes agree");
            // Both write the same memory, since much depends on where it lies.
            let out = RefCell::new($out);
            $c(&mut *out.borrow_mut(), $($arg),*).expect("the shapes agree");
            assert_eq!(expected, *out.borrow(), "sums of few ones are exact");
            let rows = compare(vec![
                Contender::new("C", || $c(&mut *out.borrow_mut(), $($arg),*).expect("the shapes agree")),
                Contender::new("Rust", || $rust(&mut *out.borrow_mut(), $($arg),*).expect("the shapes agree")),
            ], $rounds);
            println!("{:<24}\t{of}\t{:.3} µs\t{:.3} µs\t{:.2}",
                stringify!($rust).trim_end_matches("_into"), rows[1].seconds * 1e6, rows[0].seconds * 1e6,
                rows[1].first_over_this);
        }
    };
}

fn main() {
    println!("{}, compiled by {}", rise_bench::record::machine(), env!("BENCH_CC"));
    println!("kernel\tsize\tRust\tC\tspeed of C over Rust");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool of threads");
    pool.install(|| {
        for len in [1 << 10, 1 << 14, 1 << 18, 1 << 22] {
            vectors(len);
        }
        for len in [1000, 100_000] {
            elementary(len);
        }
        for n in [128, 512, 2048] {
            matrices(n);
        }
        products(512);
        products(500);
    });
    let n = 1024;
    let (a, b) = (numbers(n * n), numbers(n * n));
    let (a, b) = ((&a, [n, n]), (&b, [n, n]));
    row!(9, n, square(n), schedules::parallel_into, schedules::parallel_openmp_into, (a, b));
}

fn vectors(len: usize) {
    let (x, y) = (numbers(len), numbers(len));
    let whole: Vec<i32> = x.iter().map(|x| *x as i32).collect();
    let out = || vec![0.0_f32; len];
    row!(25, len, out(), scal_into, scal_c_into, (2.0, &x));
    row!(25, len, out(), scal_lowered_into, scal_lowered_c_into, (2.0, &x));
    row!(25, len, out(), axpy_into, axpy_c_into, (2.0, &x, &y));
    row!(25, len, 0.0, dot_into, dot_c_into, (&x, &y));
    row!(25, len, 0.0, dot_lowered_into, dot_lowered_c_into, (&x, &y));
    row!(25, len, 0.0, asum_into, asum_c_into, (&x));
    row!(25, len, vec![0; len], prefix_into, prefix_c_into, (&whole));
    row!(25, len, out(), distances_into, distances_c_into, (&x, &y));
}

fn elementary(len: usize) {
    let x: Vec<f32> = (0..len).map(|i| (i * 7919 % 1000) as f32 * 0.017 + 0.01).collect();
    let y: Vec<f32> = x.iter().map(|x| x * 0.3 - 2.0).collect();
    let (z, w): (Vec<f64>, Vec<f64>) = x.iter().zip(&y).map(|(x, y)| (f64::from(*x), f64::from(*y))).unzip();
    let (out, out_f64) = (|| vec![0.0_f32; len], || vec![0.0_f64; len]);
    row!(25, len, out(), exponentials_into, exponentials_c_into, (&y));
    row!(25, len, out(), exponentials_lowered_into, exponentials_lowered_c_into, (&y));
    row!(25, len, out_f64(), exponentials_f64_into, exponentials_f64_c_into, (&w));
    row!(25, len, out(), logarithms_into, logarithms_c_into, (&x));
    row!(25, len, out_f64(), logarithms_f64_into, logarithms_f64_c_into, (&z));
    row!(25, len, out(), sines_into, sines_c_into, (&x));
    row!(25, len, out_f64(), cosines_f64_into, cosines_f64_c_into, (&z));
    row!(25, len, out(), tangents_into, tangents_c_into, (&x));
    row!(25, len, out(), tanhs_into, tanhs_c_into, (&y));
    row!(25, len, out_f64(), tanhs_f64_into, tanhs_f64_c_into, (&w));
    row!(25, len, out(), powers_into, powers_c_into, (&x, &y));
    row!(25, len, out_f64(), powers_f64_into, powers_f64_c_into, (&z, &w));
    row!(25, len, out(), sigmoids_into, sigmoids_c_into, (&y));
}

fn matrices(n: usize) {
    let (a, x) = (numbers(n * n), numbers(n));
    let a = (&a, [n, n]);
    let row = || vec![0.0_f32; n];
    row!(25, n, row(), gemv_into, gemv_c_into, (a, &x));
    row!(25, n, row(), gemv_lowered_into, gemv_lowered_c_into, (a, &x));
    row!(25, n, row(), row_sums_into, row_sums_c_into, (a));
    row!(25, n, row(), column_sums_into, column_sums_c_into, (a));
    row!(25, n, square(n), transposed_into, transposed_c_into, (a));
    row!(25, n, square(n), softmax_into, softmax_c_into, (a));
    row!(25, n, vec![(0.0, 0.0); n], cells_into, cells_c_into, (a, a, a, a, &x, &x));
    row!(25, n, square(n), jacobi_into, jacobi_c_into, (a));
    row!(25, n, square(n), jacobi_lowered_into, jacobi_lowered_c_into, (a));
}

fn products(n: usize) {
    use schedules::*;
    let (a, b) = (numbers(n * n), numbers(n * n));
    let (a, b) = ((&a, [n, n]), (&b, [n, n]));
    row!(9, n, square(n), baseline_into, baseline_c_into, (a, b));
    row!(9, n, square(n), blocking_into, blocking_c_into, (a, b));
    row!(9, n, square(n), vectorised_into, vectorised_c_into, (a, b));
    row!(9, n, square(n), permuted_into, permuted_c_into, (a, b));
    row!(9, n, square(n), packed_into, packed_c_into, (a, b));
    row!(9, n, square(n), blocked_into, blocked_c_into, (a, b));
    row!(9, n, square(n), product_into, product_c_into, (a, b));
}
