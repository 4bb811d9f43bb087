//! The benchmarks of the papers at small sizes: against the interpreter, and against kernels written by hand.

use rise::opencl::Device;
use rise_build::expr::interpret;
use rise_opencl_tests::benchmarks::{Benchmark, benchmarks};
use rise_opencl_tests::cases::cases;
use rise_opencl_tests::device;
use rise_opencl_tests::execute::{execute, planned};
use rise_opencl_tests::simulator;
use rise_opencl_tests::values::{close, small_arguments};

const PAPERS: &str = include_str!("../papers.rise");

/// Sizes in order of declaration; those that a kernel refuses are left out.
fn sizes(name: &str) -> Vec<Vec<i128>> {
    match name {
        "nbody_tiled" => vec![vec![128]],
        "molecules" => vec![vec![1, 0], vec![4, 3], vec![40, 7]],
        "kmeans" => vec![vec![34, 100, 5], vec![1, 3, 1], vec![0, 2, 2]],
        "convolution" => vec![vec![17, 17], vec![24, 9], vec![1, 1]],
        "mm_amd" => vec![vec![9, 16, 12], vec![1, 8, 4], vec![0, 8, 4]],
        "mm_nvidia" => vec![vec![16, 64, 128]],
        "sgemm" => vec![vec![13, 9, 7], vec![1, 1, 1], vec![2, 0, 3]],
        "mri_q" | "atax" | "gemv" | "gesummv" => vec![vec![37, 53], vec![1, 1], vec![3, 0], vec![0, 3]],
        _ => vec![vec![0], vec![1], vec![7], vec![100]],
    }
}

#[test]
fn small_sizes_are_right() {
    let Some(device) = device() else { return };
    small_sizes(device);
}

#[test]
fn no_benchmark_races_or_leaves_its_memory() {
    simulator::clean("under_oclgrind");
}

#[test]
#[ignore = "started by `no_benchmark_races_or_leaves_its_memory` with Oclgrind as the only device"]
fn under_oclgrind() {
    small_sizes(simulator::device());
}

fn small_sizes(device: Device) {
    for case in cases(PAPERS) {
        let plan = planned(&case.chosen).unwrap_or_else(|reason| panic!("{}: {reason}", case.name));
        for sizes in sizes(&case.name) {
            let args = small_arguments(&case.kernel, &sizes);
            let expected = interpret(&case.kernel, &sizes, &args)
                .unwrap_or_else(|wrong| panic!("{} at {sizes:?}: {wrong}", case.name));
            match execute(&plan, &sizes, &args, device) {
                Ok(found) if close(&expected, &found) => {}
                found => {
                    panic!("{} at {sizes:?}: {expected:?}, but found {found:?}\n{}", case.name, plan.program)
                }
            }
        }
    }
}

#[test]
fn results_are_those_of_kernels_written_by_hand() {
    let Some(device) = device() else { return };
    for Benchmark { name, small, run, .. } in benchmarks() {
        let found = run(&device, small, 1).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(found.worst <= 1e-3, "{name} differs by {}", found.worst);
    }
}
