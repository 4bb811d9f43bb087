//! What users of the crate see from outside the workspace: builds and binaries.

mod binary;
mod packages;
mod parts;

use std::path::PathBuf;

use parts::Part;

const PARTS: [Part; 6] = [
    ("a strict crate of edition 2021", packages::edition_2021),
    ("a strict crate of edition 2024", packages::edition_2024),
    ("a clean release build takes at most 30 s", packages::clean_build),
    ("the dot product multiplies in full registers without calls on whole registers", binary::fused_loop),
    ("a user's dependencies are few", packages::dependencies),
    ("the quickstart needs nothing but the C library", binary::libraries),
];

fn main() {
    parts::run(&PARTS);
}

/// The workspace.
fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// A folder for files that tests make.
fn scratch(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Seconds of computation of all processes that this one started and that have ended.
fn seconds_of_children() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = text.rsplit(')').next().unwrap_or_default().split_whitespace();
    // Fields 16 and 17 of the file, of which the name in parentheses is the second; in hundredths of a second.
    fields.skip(13).take(2).filter_map(|field| field.parse::<f64>().ok()).sum::<f64>() / 100.0
}
