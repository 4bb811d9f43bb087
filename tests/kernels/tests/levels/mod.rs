//! All instruction sets that the CPU has.

use rise_runtime::dispatch::{Level, force};

/// Runs a test on each of them.
pub fn everywhere(mut test: impl FnMut()) {
    for level in Level::ALL.into_iter().filter(|level| level.is_supported()) {
        force(Some(level)).unwrap();
        test();
    }
    force(None).unwrap();
}
