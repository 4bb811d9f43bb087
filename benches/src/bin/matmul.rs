//! `cargo run --release -p rise-bench --bin matmul`: the schedules of TVM's tutorial on the matrix product, as
//! strategies, each checked against the product by hand and printed as a step of a ladder.

#![allow(clippy::print_stdout, missing_docs)]

use std::time::Instant;

use rise::rise;
use rise_bench::timing::{Contender, Measured, compare};
use rise_bench::{by_hand, peers};

rise! {
    pub fn product<n: Nat, k: Nat, m: Nat>(a: [[f32; k]; n], b: [[f32; m]; k]) -> [[f32; m]; n] {
        a |> 'i: map(|row| transpose(b) |> 'j: map(|column|
            zip(row, column) |> map(mult) |> 'k: reduceSeq(add, 0.0)))
    }

    strategy fused = fuse @ 'k ; mulAdd @ 'k;
    strategy blocks = fused ; tile(32, 32) @ ('i, 'j) ; split(4) @ 'k;
    strategy panels =
        fused ; split(8) @ 'i ; split(32, 16) @ 'j ;
        reorder(['j.outer, 'i.outer, 'k, 'i.inner, 'j.middle, 'j.inner]) ; mapVec @ 'j.inner;

    compile product to rust with fuse @ 'k ; lower as baseline;
    compile product to rust with
        blocks ; reorder(['i.outer, 'j.outer, 'k.outer, 'k.inner, 'i.inner, 'j.inner]) ; lower
        as blocking;
    compile product to rust with
        blocks ; reorder(['i.outer, 'j.outer, 'k.outer, 'k.inner, 'i.inner, 'j.inner]) ;
        mapVec @ 'j.inner ; lower
        as vectorised;
    compile product to rust with
        blocks ; reorder(['i.outer, 'j.outer, 'k.outer, 'i.inner, 'k.inner, 'j.inner]) ;
        mapVec @ 'j.inner ; lower
        as permuted;
    compile product to rust with panels ; pack @ 'j.outer ; lower as packed;
    compile product to rust with
        panels ; mapSeqUnroll @ 'i.inner ; mapSeqUnroll @ 'j.middle ; pack @ 'j.outer ; lower
        as blocked;
    compile product to rust with
        panels ; mapSeqUnroll @ 'i.inner ; mapSeqUnroll @ 'j.middle ; pack @ 'j.outer ;
        parallel @ 'j.outer ; lower
        as parallel;
}

/// The crates that every schedule is compared with.
const PEERS: [&str; 2] = ["gemm", "matrixmultiply"];

type Kernel = fn(&mut [f32], &[f32], &[f32], [usize; 3]);

macro_rules! ladder {
    ($($name:literal $into:ident),* $(,)?) => {
        [$(($name, (|c, a, b, [n, k, m]| {
            $into((c, [n, m]), (a, [n, k]), (b, [k, m])).expect("the shapes agree");
        }) as Kernel)),*]
    };
}

fn main() {
    let ladder = ladder![
        "baseline" baseline_into,
        "blocking" blocking_into,
        "vectorised" vectorised_into,
        "loop permutation" permuted_into,
        "array packing" packed_into,
        "cache blocks" blocked_into,
        "parallel" parallel_into,
        "auto" product_into,
    ];
    // With an argument, that size alone.
    let wanted = std::env::args().nth(1);
    for shape in [[1024; 3], [1000, 999, 1001]] {
        if wanted.as_ref().is_none_or(|wanted| shape[0].to_string() == *wanted) {
            climb(&ladder, shape);
        }
    }
}

fn numbers(len: usize) -> Vec<f32> {
    (0..len).map(|i| ((7 * i + 3) % 17) as f32 / 8.0 - 1.0).collect()
}

fn climb(ladder: &[(&'static str, Kernel)], shape: [usize; 3]) {
    let [n, k, m] = shape;
    let (a, b) = (numbers(n * k), numbers(k * m));
    let mut expected = vec![0.0; n * m];
    let start = Instant::now();
    by_hand::product(&a, &b, shape, &mut expected);
    // Where rows lie a power of two apart the plain loops take seconds.
    let rounds = if start.elapsed().as_secs_f64() > 1.5 { 1 } else { 3 };
    for (name, kernel) in ladder {
        let mut c = vec![0.0; n * m];
        kernel(&mut c, &a, &b, shape);
        let off = |(x, y): (&f32, &f32)| (x - y).abs() / (1.0 + y.abs());
        let worst = c.iter().zip(&expected).map(off).fold(0.0, f32::max);
        assert!(worst <= 1e-3, "{name} is off by {worst}");
    }
    println!("{n}x{k}x{m}");
    let operations = 2.0 * n as f64 * k as f64 * m as f64;
    let mut results = vec![vec![0.0; n * m]; ladder.len()];
    let mut by_hand_result = vec![0.0; n * m];
    let mut contenders: Vec<Contender<'_>> = vec![Contender::new("loops by hand", || {
        by_hand::product(&a, &b, shape, &mut by_hand_result);
    })];
    for ((name, kernel), c) in ladder.iter().zip(&mut results) {
        let (a, b) = (&a, &b);
        contenders.push(Contender::new(name, move || kernel(c, a, b, shape)));
    }
    for (name, product) in peers::products().into_iter().filter(|(name, _)| PEERS.contains(name)) {
        let (a, b) = (&a, &b);
        let mut c = vec![0.0; n * m];
        contenders.push(Contender::new(name, move || product(a, b, shape, &mut c, false)));
    }
    let rows = compare(contenders, rounds);
    let speed = |row: &Measured| operations / row.seconds * 1e-9;
    let others: Vec<&Measured> = rows.iter().filter(|row| PEERS.contains(&row.name)).collect();
    if others.is_empty() {
        println!("(with `--features peers` beside the crates gemm and matrixmultiply)");
    }
    let over: Vec<String> = others.iter().map(|row| format!("\tover {}", row.name)).collect();
    println!("schedule\tGFLOP/s\tover the one before\tover the loops by hand{}", over.concat());
    let mut before = None;
    for row in &rows {
        let step = before.map_or("-".into(), |before| format!("{:.2}", speed(row) / before));
        let by_hand = row.first_over_this.recip();
        let over: Vec<String> =
            others.iter().map(|other| format!("\t{:.2}", other.seconds / row.seconds)).collect();
        println!("{}\t{:.1}\t{step}\t{by_hand:.2}{}", row.name, speed(row), over.concat());
        before = Some(speed(row));
    }
}
