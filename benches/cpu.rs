//! `cargo bench -p rise-bench --bench cpu [-- word]`: kernels beside their peers on this CPU, as a table of
//! ratios, which is also written to `target/bench/cpu.tsv` and drawn in `target/bench/cpu.svg`. All kernels are
//! written naively and compiled by `auto`. A word chooses the workloads whose names contain it.

#![allow(clippy::print_stdout)]

mod streams;
mod windows;

use std::hint::black_box;
use std::path::Path;
use std::sync::Mutex;

use rise::rise;
use rise_bench::record::{self, Row};
use rise_bench::timing::{Contender, compare};
use rise_bench::{by_hand, ceilings, peers};

rise! {
    /// The matrix product as it is written in a book.
    pub fn product<n: Nat, k: Nat, m: Nat>(a: [[f32; k]; n], b: [[f32; m]; k]) -> [[f32; m]; n] {
        a |> map(|row| transpose(b) |> map(|column| zip(row, column) |> map(mult) |> reduce(add, 0.0)))
    }

    compile product to rust with lower as product_lowered;

    /// One tile of it, from panels that the first cache holds.
    pub fn panels(a: [[f32; 12]; 256], b: [[f32; 32]; 256]) -> [[f32; 32]; 12] {
        transpose(a) |> 'i: map(|row| transpose(b) |> 'j: map(|column|
            zip(row, column) |> map(mult) |> 'k: reduce(add, 0.0)))
    }

    strategy in_registers =
        fuse @ 'k ; mulAdd @ 'k ; split(16) @ 'j ; reorder(['k, 'i, 'j.outer, 'j.inner]) ;
        mapVec @ 'j.inner ; mapSeqUnroll @ 'i ; mapSeqUnroll @ 'j.outer ; lower;

    compile panels to rust with in_registers as panels_by_hand;

    /// Bᵀ instead of B.
    pub fn product_nt<n: Nat, k: Nat, m: Nat>(a: [[f32; k]; n], b: [[f32; k]; m]) -> [[f32; m]; n] {
        a |> map(|row| b |> map(|column| zip(row, column) |> map(mult) |> reduce(add, 0.0)))
    }

    /// Aᵀ instead of A.
    pub fn product_tn<n: Nat, k: Nat, m: Nat>(a: [[f32; n]; k], b: [[f32; m]; k]) -> [[f32; m]; n] {
        transpose(a) |> map(|row| transpose(b) |> map(|column| zip(row, column) |> map(mult) |> reduce(add, 0.0)))
    }

    /// The same over minimum and addition.
    pub fn shortest<n: Nat, k: Nat, m: Nat>(a: [[f32; k]; n], b: [[f32; m]; k]) -> [[f32; m]; n] {
        a |> map(|row| transpose(b) |> map(|column|
            zip(row, column) |> map(|(x, y)| x + y) |> reduce(min, 3.0e38)))
    }

    /// A layer: product, bias, and what is negative becomes 0.
    pub fn layer<n: Nat, k: Nat, m: Nat>(a: [[f32; k]; n], b: [[f32; m]; k], bias: [f32; m]) -> [[f32; m]; n] {
        a |> map(|row| zip(transpose(b), bias) |> map(|(column, c)|
            max((zip(row, column) |> map(mult) |> reduce(add, 0.0)) + c, 0.0)))
    }

    /// In another type.
    pub fn product_f64<n: Nat, k: Nat, m: Nat>(a: [[f64; k]; n], b: [[f64; m]; k]) -> [[f64; m]; n] {
        a |> map(|row| transpose(b) |> map(|column| zip(row, column) |> map(mult) |> reduce(add, 0.0)))
    }

    /// In another type.
    pub fn product_i32<n: Nat, k: Nat, m: Nat>(a: [[i32; k]; n], b: [[i32; m]; k]) -> [[i32; m]; n] {
        a |> map(|row| transpose(b) |> map(|column| zip(row, column) |> map(mult) |> reduce(add, 0)))
    }

    /// Several at once.
    pub fn products<s: Nat, n: Nat, k: Nat, m: Nat>(
        a: [[[f32; k]; n]; s], b: [[[f32; m]; k]; s]
    ) -> [[[f32; m]; n]; s] {
        zip(a, b) |> map(|(a, b)| a |> map(|row| transpose(b) |> map(|column|
            zip(row, column) |> map(mult) |> reduce(add, 0.0))))
    }

    /// A sum over two dimensions of what three and three share: `C_bij = Σ_kl A_bikl · B_klj`.
    pub fn contraction<s: Nat, n: Nat, k: Nat, l: Nat, m: Nat>(
        a: [[[[f32; l]; k]; n]; s], b: [[[f32; m]; l]; k]
    ) -> [[[f32; m]; n]; s] {
        a |> map(map(|x| transpose(join(b)) |> map(|column|
            zip(join(x), column) |> map(mult) |> reduce(add, 0.0))))
    }

    pub fn gemv<n: Nat, m: Nat>(a: [[f32; m]; n], x: [f32; m]) -> [f32; n] {
        a |> map(|row| zip(row, x) |> map(mult) |> reduce(add, 0.0))
    }
}

fn main() {
    if peers::ran_as_openblas_needs() {
        return;
    }
    let words: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let wanted = |name: &str| words.is_empty() || words.iter().any(|word| name.contains(word.as_str()));
    println!("{}; speed, and its ratio to that of each peer", record::machine());
    for single in [true, false] {
        let threads = usize::from(single);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool of threads");
        pool.install(|| run(&wanted, single));
    }
    let mut rows = ROWS.lock().expect("nobody panicked");
    let speedups = record::over_one_thread(&rows);
    speedups.iter().for_each(|row| println!("{}", row.text()));
    rows.extend(speedups);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/bench");
    record::write(&rows, &folder).expect("the folder can be written to");
}

/// All rows so far.
static ROWS: Mutex<Vec<Row>> = Mutex::new(Vec::new());

fn run(wanted: &dyn Fn(&str) -> bool, single: bool) {
    if wanted("product") {
        for shape in [[256; 3], [512; 3], [1024; 3], [1000; 3], [2048; 3], [127, 131, 129], [1, 784, 128]] {
            matrix_product("product", shape, single, 1.0, product_of_f32);
        }
    }
    if wanted("few rows") {
        // Columns that are read a few times, in the second cache and far away.
        for shape in [[6, 256, 128], [16, 256, 128], [16, 2048, 128], [1, 1024, 1024], [4, 4096, 4096]] {
            matrix_product("few rows", shape, single, 1.0, product_of_f32);
        }
    }
    if single && wanted("tiles") {
        // Nearly all of it multiplies with one panel, in the first cache and in the second.
        for shape in [[1200, 64, 128], [1200, 256, 128]] {
            matrix_product("tiles", shape, single, 1.0, product_of_f32);
        }
    }
    if single && wanted("micro-kernel") {
        micro_kernel();
    }
    if wanted("double") {
        for shape in [[512; 3], [1024; 3]] {
            matrix_product("double", shape, single, 2.0, product_of_f64);
        }
    }
    if single && wanted("next") {
        [256, 512, 1024, 2048].into_iter().for_each(next_size);
    }
    if single && wanted("naive") {
        for shape in [[256; 3], [1, 784, 128], [1024; 3]] {
            naive_product(shape);
        }
    }
    if wanted("contraction") {
        [512, 1024, 2048].into_iter().for_each(|n| contractions(n, single));
    }
    windows::run(wanted, single);
    if wanted("stream") {
        streams::all(single);
    }
    if wanted("gemv") {
        [512, 2048, 4096].into_iter().for_each(|n| matrix_vector(n, single));
    }
}

fn numbers<T: From<i8>>(len: usize) -> Vec<T> {
    (0..len).map(|i| T::from(((7 * i + 3) % 17) as i8 - 8)).collect()
}

/// One line for each peer; `amount` is the work of a call in operations or bytes.
fn report(
    name: &str,
    size: &str,
    single: bool,
    amount: f64,
    unit: &'static str,
    contenders: Vec<Contender<'_>>,
) {
    let rows = compare(contenders, 15);
    let speed = amount / rows[0].seconds * 1e-9;
    let threads = if single { "1" } else { "all" };
    for row in &rows[1..] {
        let (workload, size, peer, ratio) = (name.to_owned(), size.to_owned(), row.name, row.first_over_this);
        let row = Row { workload, size, threads, speed, unit, peer, ratio };
        record(row);
    }
}

fn record(row: Row) {
    println!("{}", row.text());
    ROWS.lock().expect("nobody panicked").push(row);
}

fn product_of_f32(a: &[f32], b: &[f32], [n, k, m]: [usize; 3], c: &mut [f32], _: bool) {
    product_into((c, [n, m]), (a, [n, k]), (b, [k, m])).expect("the shapes agree");
}

fn product_of_f64(a: &[f64], b: &[f64], [n, k, m]: [usize; 3], c: &mut [f64], _: bool) {
    product_f64_into((c, [n, m]), (a, [n, k]), (b, [k, m])).expect("the shapes agree");
}

/// As many operations, of `f32` that count so often, in registers.
fn in_registers<'a>(amount: f64, times: f64) -> Contender<'a> {
    Contender::new(ceilings::IN_REGISTERS, move || {
        black_box(ceilings::multiply_adds(times * amount));
    })
}

/// A product beside those of others, and beside multiply-adds of which so many `f32` are one of its numbers.
fn matrix_product<T: peers::Element + From<i8>>(
    name: &str,
    shape: [usize; 3],
    single: bool,
    times: f64,
    product: peers::Product<T>,
) {
    let [n, k, m] = shape;
    let (a, b) = (numbers::<T>(n * k), numbers::<T>(k * m));
    let outs = || numbers::<T>(n * m);
    let mut ours = outs();
    let amount = 2.0 * n as f64 * k as f64 * m as f64;
    let mut contenders = vec![Contender::new("rise", || product(&a, &b, shape, &mut ours, single))];
    if single {
        contenders.push(in_registers(amount, times));
    }
    for (name, product) in peers::products::<T>() {
        let (a, b) = (&a, &b);
        let mut c = outs();
        contenders.push(Contender::new(name, move || product(a, b, shape, &mut c, single)));
    }
    report(name, &format!("{n}x{k}x{m}"), single, amount, "GFLOP/s", contenders);
}

/// The tile of a product alone, by `auto` and by a strategy.
fn micro_kernel() {
    let numbers = |columns: usize| numbers::<f32>(256 * columns);
    let (a, b) = (numbers(12), numbers(32));
    let a: &[[f32; 12]; 256] = a.as_chunks().0.try_into().expect("256 rows");
    let b: &[[f32; 32]; 256] = b.as_chunks().0.try_into().expect("256 rows");
    let (mut ours, mut by_hand) = ([[0.0; 32]; 12], [[0.0; 32]; 12]);
    let amount = 2.0 * 12.0 * 32.0 * 256.0;
    let beside = |name, rise| {
        report(name, "12x256x32", true, amount, "GFLOP/s", vec![rise, in_registers(amount, 1.0)]);
    };
    let kernel = Contender::new("rise", || panels_into(&mut ours, a, b).expect("the shapes agree"));
    beside("micro-kernel", kernel);
    let kernel =
        Contender::new("rise", || panels_by_hand_into(&mut by_hand, a, b).expect("the shapes agree"));
    beside("micro-kernel, by strategy", kernel);
    assert_eq!(ours, by_hand);
}

/// The product of one size more beside itself, by the speed.
fn next_size(n: usize) {
    let amount = |n: usize| 2.0 * (n as f64).powi(3);
    let contender = |name, n: usize| {
        let (a, b, mut c) = (numbers(n * n), numbers(n * n), vec![0.0; n * n]);
        Contender::new(name, move || product_of_f32(&a, &b, [n; 3], &mut c, true))
    };
    let rows = compare(vec![contender("rise", n + 1), contender("rise, one less", n)], 15);
    let speed = amount(n + 1) / rows[0].seconds * 1e-9;
    let ratio = rows[1].first_over_this * amount(n + 1) / amount(n);
    let (workload, size) = ("next".to_owned(), (n + 1).to_string());
    record(Row { workload, size, threads: "1", speed, unit: "GFLOP/s", peer: rows[1].name, ratio });
}

/// P1: the lowered naive product against the same loops by hand.
fn naive_product([n, k, m]: [usize; 3]) {
    let (a, b) = (numbers(n * k), numbers(k * m));
    let outs = || vec![0.0; n * m];
    let (mut ours, mut theirs, mut unchecked) = (outs(), outs(), outs());
    let contenders = vec![
        Contender::new("rise lower", || {
            product_lowered_into((&mut ours, [n, m]), (&a, [n, k]), (&b, [k, m])).expect("the shapes agree");
        }),
        Contender::new("by hand", || by_hand::product(&a, &b, [n, k, m], &mut theirs)),
        Contender::new("by hand, nothing checked", || {
            by_hand::product_unchecked(&a, &b, [n, k, m], &mut unchecked);
        }),
    ];
    let (size, amount) = (format!("{n}x{k}x{m}"), 2.0 * (n * k * m) as f64);
    report("naive product", &size, true, amount, "GFLOP/s", contenders);
}

/// Other contractions beside the product, which has the same number of operations.
fn contractions(n: usize, single: bool) {
    let (a, b, bias) = (numbers(n * n), numbers(n * n), numbers::<f32>(n));
    let (whole_a, whole_b, mut whole) = (numbers::<i32>(n * n), numbers::<i32>(n * n), vec![0; n * n]);
    let amount = 2.0 * (n as f64).powi(3);
    let mut d = vec![0.0; n * n];
    let shape = [n, n];
    // The same numbers as several matrices, and as one more dimension.
    let (pieces, part) = (4, n / 4);
    let shallow = [pieces, n, part];
    type Run<'a> = Box<dyn FnMut(&mut Vec<f32>) + 'a>;
    let all: [(&str, Run<'_>); 7] = [
        ("product nt", Box::new(|c| product_nt_into((c, shape), (&a, shape), (&b, shape)).expect("shapes"))),
        ("product tn", Box::new(|c| product_tn_into((c, shape), (&a, shape), (&b, shape)).expect("shapes"))),
        ("min-plus", Box::new(|c| shortest_into((c, shape), (&a, shape), (&b, shape)).expect("shapes"))),
        ("layer", Box::new(|c| layer_into((c, shape), (&a, shape), (&b, shape), &bias).expect("shapes"))),
        (
            "product i32",
            Box::new(|_| {
                product_i32_into((&mut whole, shape), (&whole_a, shape), (&whole_b, shape)).expect("shapes");
            }),
        ),
        (
            "contraction bikl,klj",
            Box::new(|c| {
                let (out, left) = ([pieces, part, n], [pieces, part, 8, n / 8]);
                contraction_into((c, out), (&a, left), (&b, [8, n / 8, n])).expect("shapes");
            }),
        ),
        (
            // Each of the four has a quarter of the inner length: as much work in all.
            "products, four",
            Box::new(|c| {
                c.resize(pieces * n * n, 0.0);
                products_into((c, [pieces, n, n]), (&a, shallow), (&b, [pieces, part, n])).expect("shapes");
            }),
        ),
    ];
    for (name, mut run) in all {
        let mut c = vec![0.0; n * n];
        let contenders = vec![
            Contender::new("rise", || run(&mut c)),
            Contender::new("rise product", || {
                product_into((&mut d, shape), (&a, shape), (&b, shape)).expect("shapes");
            }),
        ];
        report(name, &n.to_string(), single, amount, "GFLOP/s", contenders);
    }
}

/// A matrix by a vector beside others' and a copy of the matrix, which moves twice the bytes.
fn matrix_vector(n: usize, single: bool) {
    let (a, x) = (numbers(n * n), numbers(n));
    let (mut row, mut to) = (vec![0.0; n], vec![0.0; n * n]);
    let mut rows = vec![
        Contender::new("rise", || gemv_into(&mut row, (&a, [n, n]), &x).expect("shapes")),
        Contender::new("copy", || to.copy_from_slice(black_box(&a))),
    ];
    for (name, by) in peers::matrix_vectors() {
        let (a, x, mut y) = (&a, &x, vec![0.0; n]);
        rows.push(Contender::new(name, move || by(a, x, [n, n], &mut y, single)));
    }
    report("gemv (half a copy's bytes)", &format!("{n}x{n}"), single, 4.0 * (n * n) as f64, "GB/s", rows);
}
