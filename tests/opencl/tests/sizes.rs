//! The basic programs at all sizes on a device, against references written from the formulas.

use rise_opencl_tests::{basics as kernels, device, inputs, integers};

#[path = "../../cases/checks.rs"]
mod checks;

#[test]
fn all_sizes_are_right() {
    if device().is_some() {
        checks::run();
    }
}

fn target() -> &'static str {
    "opencl"
}
