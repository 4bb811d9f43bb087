//! What the build script tells cargo, and the files that it writes.

use std::fs;
use std::io;
use std::path::Path;

/// Writes a file unless it has that content already, so that nothing is rebuilt in vain.
pub fn write_if_changed(path: &Path, text: &str) -> io::Result<()> {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    fs::write(path, text)
}

/// An instruction to cargo.
#[allow(clippy::print_stdout)]
pub fn tell(key: &str, value: &str) {
    println!("cargo::{key}={value}");
}

/// A message that ends the build; cargo shows one line for each of its own.
pub fn fail(message: &str) {
    message.lines().for_each(|line| tell("error", line));
}

/// A message that does not.
pub fn warn(message: &str) {
    message.lines().for_each(|line| tell("warning", line));
}
