//! Tests in parts that run one after the other and print their figures.

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
