//! What users of the crate see from outside the workspace: builds, expansions and binaries.
//!
//! Each part prints its figures. Limits of time are those of an idle machine with two cores; they are stretched by
//! the load that the machine has besides.

mod binary;
mod expansion;
mod packages;

use std::path::PathBuf;
use std::time::Instant;

type Part = (&'static str, fn());

const PARTS: [Part; 10] = [
    ("expansion is the same to the byte in every process", expansion::deterministic),
    (
        "expansion takes at most 50 ms a kernel, 150 ms one that is written anew for each instruction set",
        expansion::quick,
    ),
    ("schedules expand in at most 50 ms, the largest in 150 ms", expansion::schedules),
    ("code grows linearly with composed clamps", expansion::linear),
    ("a strict crate of edition 2021", packages::edition_2021),
    ("a strict crate of edition 2024", packages::edition_2024),
    ("a clean release build takes at most 30 s", packages::clean_build),
    ("the dot product multiplies in full registers without calls on whole registers", binary::fused_loop),
    ("a user's dependencies are few", packages::dependencies),
    ("the quickstart needs nothing but the C library", binary::libraries),
];

fn main() {
    if expansion::is_child() {
        return expansion::print_all();
    }
    let only = std::env::args().nth(1).filter(|arg| !arg.starts_with('-'));
    let mut count = 0;
    for (name, part) in PARTS.iter().filter(|(name, _)| only.as_ref().is_none_or(|only| name.contains(only)))
    {
        println!("-- {name}");
        let start = Instant::now();
        part();
        println!("-- took {:.1} s", start.elapsed().as_secs_f64());
        count += 1;
    }
    println!("test result: ok. {count} passed");
}

/// The workspace.
fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// A folder for files that tests make.
fn scratch(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// A limit in seconds, stretched by how busy the machine is with other things.
fn stretched(seconds: f64) -> f64 {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load: f64 = load.split(' ').next().and_then(|text| text.parse().ok()).unwrap_or(0.0);
    let cores = std::thread::available_parallelism().map_or(2.0, |cores| cores.get() as f64);
    seconds * (1.0 + load / cores)
}

/// Seconds of computation of all processes that this one started and that have ended.
fn seconds_of_children() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = text.rsplit(')').next().unwrap_or_default().split_whitespace();
    // Fields 16 and 17 of the file, of which the name in parentheses is the second; in hundredths of a second.
    fields.skip(13).take(2).filter_map(|field| field.parse::<f64>().ok()).sum::<f64>() / 100.0
}
