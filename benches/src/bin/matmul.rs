//! `cargo run --release -p rise-bench --bin matmul`: the schedules of TVM's tutorial on the matrix product, as
//! strategies, each checked against the product by hand and printed as a step of a ladder.

#![allow(clippy::print_stdout, missing_docs)]

use std::time::Instant;

use rise::rise;
use rise_bench::timing::{Contender, Measured, compare};
use rise_bench::{by_hand, peers};

rise! {
    use "schedules.rise";

    compile product to rust with plainly as baseline;
    compile product to rust with in_blocks as blocking;
    compile product to rust with in_vectors as vectorised;
    compile product to rust with permuted_loops as permuted;
    compile product to rust with packed_panels as packed;
    compile product to rust with register_tiles as blocked;
    compile product to rust with parallel_tiles as parallel;
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
    for (name, product) in peers::products::<f32>().into_iter().filter(|(name, _)| PEERS.contains(name)) {
        let (a, b) = (&a, &b);
        let mut c = vec![0.0; n * m];
        contenders.push(Contender::new(name, move || product(a, b, shape, &mut c, false)));
    }
    let rows = compare(contenders, rounds);
    let speed = |row: &Measured| operations / row.seconds * 1e-9;
    let others: Vec<&Measured> = rows.iter().filter(|row| PEERS.contains(&row.name)).collect();
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
