//! `cargo run --release -p rise-bench --bin separable`: a convolution in one pass and in two (RISE in MLIR, 5.3), by
//! the same program under two strategies, on one thread.

#![allow(clippy::print_stdout, missing_docs)]

use rise::rise;
use rise_bench::timing::{Contender, compare};

rise! {
    pub fn convolution<h: Nat, w: Nat>(image: [[f32; w]; h]) -> [[f32; w]; h] where w >= 1, h >= 1 {
        image |> padClamp2D(1, 1) |> slide2D(3, 1) |> 'y: map(|row| row |> 'x: map(|nbh|
            zip(join([[1.0, 2.0, 1.0], [2.0, 4.0, 2.0], [1.0, 2.0, 1.0]]), join(nbh))
                |> map(|(a, b)| a * b) |> 'dot: reduce(add, 0.0)))
    }

    strategy pass('map, 'sum) = fuse @ 'sum ; unroll @ 'sum ; vectorize(16) @ 'map;

    compile convolution to rust with pass('x, 'dot) ; lower as direct;
    compile convolution to rust with
        separate @ 'dot ; pass('x, 'dot.outer) ; pass('dot.row, 'dot.inner) ; stream @ 'y ; lower
        as separated;
}

fn main() {
    println!("pixels\tone pass, ms\ttwo passes, ms\tratio");
    for size in [512, 1024, 2048, 4096] {
        let image: Vec<f32> = (0..size * size).map(|i| ((7 * i + 3) % 17) as f32 - 8.0).collect();
        let (mut one, mut two) = (vec![0.0; image.len()], vec![0.0; image.len()]);
        let shape = [size, size];
        direct_into((&mut one, shape), (&image, shape)).expect("the shapes agree");
        separated_into((&mut two, shape), (&image, shape)).expect("the shapes agree");
        assert_eq!(one, two, "sums of small integers are exact");
        let rows = compare(
            vec![
                Contender::new("two passes", || {
                    separated_into((&mut two, shape), (&image, shape)).expect("the shapes agree");
                }),
                Contender::new("one pass", || {
                    direct_into((&mut one, shape), (&image, shape)).expect("the shapes agree");
                }),
            ],
            15,
        );
        let milliseconds = |at: usize| rows[at].seconds * 1e3;
        println!(
            "{size}x{size}\t{:.3}\t{:.3}\t{:.2}",
            milliseconds(1),
            milliseconds(0),
            rows[1].first_over_this
        );
    }
}
