//! Strategies for devices: the kernels have the form that was asked for, and give what the interpreter gives.

use rise::opencl::Device;
use rise_build::expr::interpret;
use rise_opencl_tests::cases::{Case, cases};
use rise_opencl_tests::execute::{execute, planned};
use rise_opencl_tests::values::{close, small_arguments};
use rise_opencl_tests::{device, simulator};

const STRATEGIES: &str = include_str!("../strategies.rise");

/// Sizes in order of declaration, and what stands in the kernel and what does not.
fn expected(name: &str) -> (&[&[i128]], &[&str], &[&str]) {
    match name {
        "stencil" => (&[&[64], &[128], &[192]], &["local float", "barrier(CLK_LOCAL_MEM_FENCE)"], &[]),
        "turned" => {
            (&[&[16, 16], &[48, 32], &[0, 16]], &["local float", "barrier(CLK_LOCAL_MEM_FENCE)"], &[])
        }
        "local_tiles" => (
            &[&[16, 16, 8], &[32, 48, 24], &[16, 16, 0]],
            &["local float", "barrier(CLK_LOCAL_MEM_FENCE)", "float accum;"],
            &["accum["],
        ),
        "register_tiles" => {
            (&[&[4, 4, 1], &[12, 8, 7], &[4, 0, 3]], &["float accum15"], &["accum[", "local "])
        }
        "two_stages" => (&[&[0], &[256], &[1024]], &["kernel void two_stages_2"], &["barrier"]),
        "vectors" => (&[&[0], &[4], &[100]], &["const global float4 *restrict x"], &["vload4", "vstore4"]),
        "any_size" => (
            &[&[1, 1], &[3, 8], &[8, 16], &[17, 9]],
            &["local float", "barrier(CLK_LOCAL_MEM_FENCE)", "if ("],
            &["any_size_2"],
        ),
        other => panic!("what is expected of `{other}`?"),
    }
}

#[test]
fn kernels_have_the_form_that_was_asked_for() {
    for case in cases(STRATEGIES) {
        let program =
            planned(&case.chosen).unwrap_or_else(|reason| panic!("{reason}\n{}", case.chosen)).program;
        let (_, there, not_there) = expected(&case.name);
        assert!(there.iter().all(|text| program.contains(text)), "{program}");
        assert!(!not_there.iter().any(|text| program.contains(text)), "{program}");
    }
}

#[test]
fn results_are_right() {
    let Some(device) = device() else { return };
    run(device);
}

#[test]
fn no_strategy_races_or_leaves_its_memory() {
    simulator::clean("under_oclgrind");
}

#[test]
#[ignore = "started by `no_strategy_races_or_leaves_its_memory` with Oclgrind as the only device"]
fn under_oclgrind() {
    run(simulator::device());
}

fn run(device: Device) {
    for Case { name, kernel, chosen } in cases(STRATEGIES) {
        let plan = planned(&chosen).unwrap_or_else(|reason| panic!("{name}: {reason}"));
        for sizes in expected(&name).0 {
            let args = small_arguments(&kernel, sizes);
            let expected = interpret(&kernel, sizes, &args).unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
            match execute(&plan, sizes, &args, device) {
                Ok(found) if close(&expected, &found) => {}
                found => panic!("{name} at {sizes:?}: {expected:?}, but found {found:?}\n{}", plan.program),
            }
        }
    }
}
