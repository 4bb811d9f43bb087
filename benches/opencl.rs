//! `cargo bench -p rise-bench --bench opencl [-- word]`: the benchmarks of the papers on the first device, beside
//! kernels written by hand. Times are those of the device's own clock; a word chooses the benchmarks whose names
//! contain it, and `small` the sizes of the tests.

#![allow(clippy::print_stdout)]

use rise::opencl::Device;
use rise_opencl_tests::benchmarks::benchmarks;

const ROUNDS: usize = 3;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let small = words.iter().any(|word| word == "small");
    let words: Vec<&String> = words.iter().filter(|word| *word != "small").collect();
    let device = match Device::default() {
        Ok(device) => device,
        Err(error) => return println!("nothing is measured: {error}"),
    };
    println!("on {}: speed against the kernel written by hand, by events", device.name());
    let (mut product, mut count) = (1.0_f64, 0);
    for benchmark in benchmarks() {
        if !words.is_empty() && !words.iter().any(|word| benchmark.name.contains(word.as_str())) {
            continue;
        }
        let sizes = if small { benchmark.small } else { benchmark.large };
        match (benchmark.run)(&device, sizes, ROUNDS) {
            Ok(outcome) => {
                let ratio = outcome.by_hand as f64 / outcome.ours as f64;
                let [ours, by_hand] = [outcome.ours, outcome.by_hand].map(|time| time as f64 / 1e6);
                let (name, worst) = (benchmark.name, outcome.worst);
                let sizes = format!("{sizes:?}");
                println!(
                    "{name:<18} {sizes:<20} {ratio:>6.2}   {ours:>9.3} ms, by hand {by_hand:>9.3} ms, apart {worst:.0e}"
                );
                product *= ratio;
                count += 1;
            }
            Err(error) => println!("{:<18} {error}", benchmark.name),
        }
    }
    println!("geometric mean     {:.2}", product.powf(1.0 / f64::from(count.max(1))));
}
