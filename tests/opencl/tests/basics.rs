//! The basic programs on the device in several mappings, against the interpreter.

use rise::opencl::Device;
use rise_build::expr::interpret;
use rise_opencl_tests::cases::{Case, cases, kernel_names};
use rise_opencl_tests::device;
use rise_opencl_tests::execute::{execute, planned};
use rise_opencl_tests::simulator;
use rise_opencl_tests::values::{close, small_arguments};

const BASICS: &str = include_str!("../../cases/basics.rise");

/// One work-item, what the default does, and the outermost map over all work-items.
const STRATEGIES: [&str; 3] = ["lower", "auto", "try(mapGlobal @ outermost(isMap)) ; lower"];

#[test]
fn the_basics_run() {
    let Some(device) = device() else { return };
    basics(device, sizes);
}

#[test]
fn no_basic_races_or_leaves_its_memory() {
    simulator::clean("under_oclgrind");
}

#[test]
#[ignore = "started by `no_basic_races_or_leaves_its_memory` with Oclgrind as the only device"]
fn under_oclgrind() {
    basics(simulator::device(), |count| match count {
        1 => vec![vec![0], vec![7], vec![128]],
        2 => vec![vec![3, 7], vec![4, 12], vec![12, 1]],
        _ => vec![vec![3, 4, 9], vec![5, 3, 4]],
    });
}

/// All kernels in all strategies, at sizes that the number of natural parameters tells.
fn basics(device: Device, sizes: fn(usize) -> Vec<Vec<i128>>) {
    for strategy in STRATEGIES {
        let compile = |name: &&str| format!("compile {name} to opencl with {strategy};\n");
        let compilations: String = kernel_names(BASICS).iter().map(compile).collect();
        for case in cases(&(BASICS.to_owned() + &compilations)) {
            run(&case, strategy, &sizes(case.kernel.nats.len()), device);
        }
    }
}

fn run(case: &Case, strategy: &str, sizes: &[Vec<i128>], device: Device) {
    let plan = match planned(&case.chosen) {
        Ok(plan) => plan,
        Err(reason) if case.name == "strided_back" && reason.contains("indices might repeat") => return,
        Err(reason) => panic!("{} with {strategy}: {reason}\n{}", case.name, case.chosen),
    };
    for sizes in sizes {
        let args = small_arguments(&case.kernel, sizes);
        // Without a value the sizes break what the kernel demands of them.
        let Ok(expected) = interpret(&case.kernel, sizes, &args) else { continue };
        match execute(&plan, sizes, &args, device) {
            Ok(found) if close(&expected, &found) => {}
            found => panic!(
                "{} with {strategy} at {sizes:?}: {expected:?}, but found {found:?}\n{}\n{}",
                case.name, case.chosen, plan.program
            ),
        }
    }
}

/// All combinations of some sizes.
fn sizes(count: usize) -> Vec<Vec<i128>> {
    let some: &[i128] = match count {
        1 => &[0, 1, 2, 3, 5, 128, 1000],
        2 => &[0, 1, 3, 7, 12, 37],
        _ => &[0, 1, 3, 4, 9],
    };
    (0..count).fold(vec![Vec::new()], |all, _| {
        let longer = |sizes: Vec<i128>| some.iter().map(move |size| [&sizes[..], &[*size]].concat());
        all.into_iter().flat_map(longer).collect()
    })
}
