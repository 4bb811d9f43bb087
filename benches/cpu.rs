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

    pub fn gemv<n: Nat, m: Nat>(a: [[f32; m]; n], x: [f32; m]) -> [f32; n] {
        a |> map(|row| zip(row, x) |> map(mult) |> reduce(add, 0.0))
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let wanted = |name: &str| words.is_empty() || words.iter().any(|word| name.contains(word.as_str()));
    println!("{}; speed, and its ratio to that of each peer", record::machine());
    for single in [true, false] {
        let threads = usize::from(single);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool of threads");
        pool.install(|| run(&wanted, single));
    }
    let rows = ROWS.lock().expect("nobody panicked");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/bench");
    record::write(&rows, &folder).expect("the folder can be written to");
}

/// All rows so far.
static ROWS: Mutex<Vec<Row>> = Mutex::new(Vec::new());

fn run(wanted: &dyn Fn(&str) -> bool, single: bool) {
    if wanted("product") {
        for shape in [[256; 3], [512; 3], [1024; 3], [1000; 3], [2048; 3], [127, 131, 129], [1, 784, 128]] {
            matrix_product(shape, single);
        }
    }
    if single && wanted("naive") {
        for shape in [[256; 3], [1, 784, 128], [1024; 3]] {
            naive_product(shape);
        }
    }
    if wanted("contraction") {
        contractions(512, single);
    }
    windows::run(wanted, single);
    if wanted("stream") {
        streams::all(single);
    }
    if wanted("gemv") {
        [512, 2048, 4096].into_iter().for_each(|n| matrix_vector(n, single));
    }
}

fn numbers(len: usize) -> Vec<f32> {
    (0..len).map(|i| ((7 * i + 3) % 17) as f32 - 8.0).collect()
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
        println!("{}", row.text());
        ROWS.lock().expect("nobody panicked").push(row);
    }
}

fn matrix_product(shape: [usize; 3], single: bool) {
    let [n, k, m] = shape;
    let (a, b) = (numbers(n * k), numbers(k * m));
    let mut ours = vec![0.0; n * m];
    let amount = 2.0 * n as f64 * k as f64 * m as f64;
    let mut contenders = vec![Contender::new("rise", || {
        product_into((&mut ours, [n, m]), (&a, [n, k]), (&b, [k, m])).expect("the shapes agree");
    })];
    if single {
        // As many operations as the product, in registers.
        let calls = (amount / ceilings::OPERATIONS).ceil() as usize;
        contenders.push(Contender::new("multiply-adds in registers", move || {
            (0..calls).for_each(|_| {
                black_box(ceilings::multiply_adds());
            });
        }));
    }
    for (name, product) in peers::products() {
        let (a, b) = (&a, &b);
        let mut c = vec![0.0; n * m];
        contenders.push(Contender::new(name, move || product(a, b, shape, &mut c, single)));
    }
    report("product", &format!("{n}x{k}x{m}"), single, amount, "GFLOP/s", contenders);
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
    let (a, b, bias) = (numbers(n * n), numbers(n * n), numbers(n));
    let amount = 2.0 * (n as f64).powi(3);
    let outs = || vec![0.0; n * n];
    let (mut c, mut d) = (outs(), outs());
    let shape = [n, n];
    type Run<'a> = Box<dyn FnMut(&mut Vec<f32>) + 'a>;
    let all: [(&str, Run<'_>); 4] = [
        ("product nt", Box::new(|c| product_nt_into((c, shape), (&a, shape), (&b, shape)).expect("shapes"))),
        ("product tn", Box::new(|c| product_tn_into((c, shape), (&a, shape), (&b, shape)).expect("shapes"))),
        ("min-plus", Box::new(|c| shortest_into((c, shape), (&a, shape), (&b, shape)).expect("shapes"))),
        ("layer", Box::new(|c| layer_into((c, shape), (&a, shape), (&b, shape), &bias).expect("shapes"))),
    ];
    for (name, mut run) in all {
        let contenders = vec![
            Contender::new("rise", || run(&mut c)),
            Contender::new("rise product", || {
                product_into((&mut d, shape), (&a, shape), (&b, shape)).expect("shapes");
            }),
        ];
        report(name, &n.to_string(), single, amount, "GFLOP/s", contenders);
    }
}

/// A matrix by a vector beside a copy of the matrix, which moves twice the bytes.
fn matrix_vector(n: usize, single: bool) {
    let (a, x) = (numbers(n * n), numbers(n));
    let (mut row, mut to) = (vec![0.0; n], vec![0.0; n * n]);
    let rows = vec![
        Contender::new("rise", || gemv_into(&mut row, (&a, [n, n]), &x).expect("shapes")),
        Contender::new("copy", || to.copy_from_slice(black_box(&a))),
    ];
    report("gemv (half a copy's bytes)", &format!("{n}x{n}"), single, 4.0 * (n * n) as f64, "GB/s", rows);
}
