//! `cargo run --release -p rise-bench --bin auto [-- word]`: each basic program under `auto` beside the best strategies
//! that we know for it, on one thread. A word chooses the programs whose names contain it.

#![allow(clippy::print_stdout, missing_docs)]

use rise::rise;
use rise_bench::timing::{Contender, compare};

rise! {
    use "../tests/cases/basics.rise";

    strategy in_vectors = vectorize(16) @ outermost(isMap) ; lower;
    strategy inner_vectors = vectorize(16) @ innermost(isMap) ; lower;
    strategy in_lanes = vectorize(64) @ outermost(isReduce) ; lower;

    compile scal to rust with in_vectors as scal_best;
    compile shifted_add to rust with in_vectors as shifted_add_best;
    compile reverse to rust with lower as reverse_best;
    compile transposed to rust with split(16) @ outermost(isMap) ; lower as transposed_best;
    compile dot_product to rust with in_lanes as dot_product_best;
    compile asum to rust with vectorize(64) @ innermost(isReduce) ; lower as asum_best;
    compile prefix_sums to rust with lower as prefix_sums_best;
    compile gemv to rust with in_lanes as gemv_best;
    compile binomial to rust with in_vectors as binomial_best;
    compile j2d5pt to rust with inner_vectors as j2d5pt_best;
    compile heat3d to rust with inner_vectors as heat3d_best;
    compile distances to rust with in_vectors as distances_best;
    compile distances_of_two to rust with in_vectors as distances_of_two_best;
    compile nearest_cluster to rust with in_vectors as nearest_cluster_best;
}

mod scheduled {
    rise::rise! {
        use "schedules.rise";

        compile product to rust with parallel_tiles as product_best;

        use "../tests/cases/schedules.rise";

        compile smooth to rust with in_two_passes as smooth_in_two_passes;
        compile smooth to rust with pass('x, 'dot) ; lower as smooth_in_one_pass;
        compile total to rust with in_two_stages as total_best;
    }
}

fn numbers(len: usize) -> Vec<f32> {
    (0..len).map(|i| ((7 * i + 3) % 17) as f32 - 8.0).collect()
}

struct Table {
    words: Vec<String>,
}

impl Table {
    /// One program: `auto` first, then the strategies.
    fn row(&self, name: &str, size: &str, contenders: Vec<Contender<'_>>) {
        if !self.words.is_empty() && !self.words.iter().any(|word| name.contains(word.as_str())) {
            return;
        }
        let rows = compare(contenders, 15);
        let best = rows[1..].iter().map(|row| row.first_over_this).fold(f64::INFINITY, f64::min);
        println!("{name}\t{size}\t{:.1}\t{best:.2}", rows[0].seconds * 1e6);
    }
}

/// `auto` and the strategies on the same arguments, each with memory of its own for the result.
macro_rules! beside {
    ($table:ident, $name:literal, $size:expr, $out:expr, |$c:ident| $auto:expr, $($best:expr),+) => {{
        let mut outs = vec![$out; 1 + [$(stringify!($best)),+].len()];
        let mut outs = outs.iter_mut();
        let mut next = || outs.next().expect("one for each");
        let mut contenders = Vec::new();
        let out = next();
        contenders.push(Contender::new("auto", move || {
            let $c = &mut *out;
            $auto.expect("the shapes agree");
        }));
        $(
            let out = next();
            contenders.push(Contender::new(stringify!($best), move || {
                let $c = &mut *out;
                $best.expect("the shapes agree");
            }));
        )+
        $table.row($name, $size, contenders);
    }};
}

fn main() {
    let table = Table { words: std::env::args().skip(1).collect() };
    println!("program\tsize\tauto, µs\tauto over the best strategy");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool of one thread");
    pool.install(|| {
        vectors(&table, 16384);
        vectors(&table, 1000);
        matrices(&table);
        images(&table);
    });
}

fn vectors(table: &Table, n: usize) {
    let (x, y) = (numbers(n), numbers(n + 3));
    let integers: Vec<i32> = (0..n as i32).map(|i| (7 * i + 3) % 17 - 8).collect();
    let points: Vec<(f32, f32)> = x.iter().copied().zip(y.iter().copied()).collect();
    let size = n.to_string();
    let (x, y, integers, points) = (&x, &y, &integers, &points);
    let (f, i) = (vec![0.0f32; n], vec![0i32; n]);
    beside!(table, "O1 scal", &size, f.clone(), |c| scal_into(c, 2.0, x), scal_best_into(c, 2.0, x));
    beside!(
        table,
        "O2 shifted add",
        &size,
        f.clone(),
        |c| shifted_add_into(c, x, y),
        shifted_add_best_into(c, x, y)
    );
    beside!(
        table,
        "O3 reverse",
        &size,
        i.clone(),
        |c| reverse_into(c, integers),
        reverse_best_into(c, integers)
    );
    beside!(
        table,
        "O5 dot",
        &size,
        0.0f32,
        |c| dot_product_into(c, x, &y[..n]),
        dot_product_best_into(c, x, &y[..n])
    );
    let whole = &x[..n / 128 * 128];
    beside!(table, "O6 asum", &size, 0.0f32, |c| asum_into(c, whole), asum_best_into(c, whole));
    beside!(
        table,
        "O7 scan",
        &size,
        i.clone(),
        |c| prefix_sums_into(c, integers),
        prefix_sums_best_into(c, integers)
    );
    beside!(table, "O10 binomial", &size, f.clone(), |c| binomial_into(c, x), binomial_best_into(c, x));
    beside!(
        table,
        "O14 distances",
        &size,
        f.clone(),
        |c| distances_into(c, points, 1.0, 2.0),
        distances_best_into(c, points, 1.0, 2.0)
    );
    beside!(
        table,
        "O14 of two arrays",
        &size,
        f.clone(),
        |c| distances_of_two_into(c, x, &y[..n], 1.0, 2.0),
        distances_of_two_best_into(c, x, &y[..n], 1.0, 2.0)
    );
    beside!(
        table,
        "total in two stages",
        &size,
        0.0f32,
        |c| scheduled::total_into(c, x),
        scheduled::total_best_into(c, x)
    );
}

fn matrices(table: &Table) {
    let n = 512;
    let shape = [n, n];
    let (a, b, x) = (numbers(n * n), numbers(n * n), numbers(n));
    let size = format!("{n}x{n}");
    let (a, b, x) = (&a, &b, &x);
    let out = vec![0.0f32; n * n];
    beside!(
        table,
        "O4 transpose",
        &size,
        out.clone(),
        |c| transposed_into((c, shape), (a, shape)),
        transposed_best_into((c, shape), (a, shape))
    );
    beside!(
        table,
        "O8 gemv",
        &size,
        vec![0.0f32; n],
        |c| gemv_into(c, (a, shape), x, x, 2.0, 3.0),
        gemv_best_into(c, (a, shape), x, x, 2.0, 3.0)
    );
    beside!(
        table,
        "O9 product",
        &size,
        out.clone(),
        |c| scheduled::product_into((c, shape), (a, shape), (b, shape)),
        scheduled::product_best_into((c, shape), (a, shape), (b, shape))
    );
    let (p, f, k) = (1024, 34, 5);
    let (features, clusters) = (numbers(p * f), numbers(k * f));
    let (features, clusters) = ((&features, [f, p]), (&clusters, [k, f]));
    beside!(
        table,
        "O15 k-means",
        "1024, 5, 34",
        vec![0i32; p],
        |c| nearest_cluster_into(c, features, clusters),
        nearest_cluster_best_into(c, features, clusters)
    );
}

fn images(table: &Table) {
    for n in [130, 1024] {
        let (shape, size) = ([n, n], format!("{n}x{n}"));
        let a = &numbers(n * n);
        let out = vec![0.0f32; n * n];
        beside!(
            table,
            "O11 five points",
            &size,
            out.clone(),
            |c| j2d5pt_into((c, shape), (a, shape)),
            j2d5pt_best_into((c, shape), (a, shape))
        );
        beside!(
            table,
            "O12 convolution",
            &size,
            out.clone(),
            |c| scheduled::smooth_into((c, shape), (a, shape)),
            scheduled::smooth_in_two_passes_into((c, shape), (a, shape)),
            scheduled::smooth_in_one_pass_into((c, shape), (a, shape))
        );
    }
    let u = &numbers(64 * 64 * 64);
    let (from, to) = ([64; 3], [62; 3]);
    beside!(
        table,
        "O13 heat",
        "64x64x64",
        vec![0.0f32; 62 * 62 * 62],
        |c| heat3d_into((c, to), (u, from)),
        heat3d_best_into((c, to), (u, from))
    );
}
