//! Tests in parts that run one after the other and print their figures.

use std::collections::BTreeMap;
use std::time::Instant;

/// A name and what is run.
pub type Part = (&'static str, fn());

/// Runs the parts whose names contain the first argument.
pub fn run(parts: &[Part]) {
    let only = std::env::args().nth(1).filter(|arg| !arg.starts_with('-'));
    let mut count = 0;
    for (name, part) in parts.iter().filter(|(name, _)| only.as_ref().is_none_or(|only| name.contains(only)))
    {
        println!("-- {name}");
        let start = Instant::now();
        part();
        println!("-- took {:.1} s", start.elapsed().as_secs_f64());
        count += 1;
    }
    println!("test result: ok. {count} passed");
}

/// Seconds that [`computation`] takes, unoptimised, on machines for which limits of time are made: those on which the
/// matrix product expands in some 130 ms. It took 12 to 15 ms where that took 410 to 460, which would be 4 ms.
const USUAL: f64 = 0.005;

/// How many times as long as there everything takes here, and at least 1: other machines on the same host are busy, too,
/// and that does not show as load.
pub fn slowness() -> f64 {
    let fastest = (0..9).map(|_| computation()).fold(f64::INFINITY, f64::min);
    (fastest / USUAL).max(1.0)
}

/// Seconds of some work with many small allocations, as compilers do.
fn computation() -> f64 {
    let start = Instant::now();
    let mut texts: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    for n in 0..20_000u64 {
        texts.entry(n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 52).or_default().push(n.to_string());
    }
    let letters: usize = texts.values().flatten().map(String::len).sum();
    assert_eq!(letters, 88_890, "all numbers are there");
    start.elapsed().as_secs_f64()
}
