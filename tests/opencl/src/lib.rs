//! Kernels for OpenCL, and random programs on devices.

pub mod basics;
pub mod benchmarks;
mod bytes;
pub mod cases;
pub mod execute;
pub mod integer_types;
pub mod kernels;
pub mod nests;
pub mod papers;
pub mod simulator;
pub mod values;

/// The `i`-th test input: a small integer, so that sums are exact in `f32`.
pub fn input(i: usize) -> i32 {
    ((7 * i + 3) % 17) as i32 - 8
}

/// A vector of test inputs that starts at the `from`-th one.
pub fn inputs(len: usize, from: usize) -> Vec<f32> {
    (from..from + len).map(|i| input(i) as f32).collect()
}

/// The same as `i32`.
pub fn integers(len: usize, from: usize) -> Vec<i32> {
    (from..from + len).map(input).collect()
}

/// Whether there is a device; says loudly if not.
///
/// # Panics
///
/// Without a device, where `RISE_TEST_ALL` is set.
pub fn device() -> Option<rise::opencl::Device> {
    match rise::opencl::Device::default() {
        Ok(device) => Some(device),
        Err(error) => {
            assert!(std::env::var_os("RISE_TEST_ALL").is_none(), "{error}");
            eprintln!("WARNING: NOT TESTED, {error}");
            None
        }
    }
}
