//! Random programs on the device, against the interpreter: on one work-item, and in random mappings, some of them
//! under Oclgrind, which reports data races and accesses out of bounds. `RISE_CASES` scales their number, and
//! `RISE_SEED` gives others.

use rise::opencl::Device;
use rise_build::backend::opencl::Plan;
use rise_build::dpia::functional::Target;
use rise_build::expr::{AddressSpace, Kernel, MapForm, interpret};
use rise_build::machine::Machine;
use rise_build::mappings::{CONSTRAINTS, Mapping, Place, forms, mapped, places};
use rise_build::rewrite::strategy::{Strategy, StrategyKind};
use rise_build::rewrite::{self, lower};
use rise_opencl_tests::cases::{self as texts, Case};
use rise_opencl_tests::device;
use rise_opencl_tests::execute::{execute, planned};
use rise_opencl_tests::nests::nest;
use rise_opencl_tests::simulator;
use rise_semantics::forms::memory_in;
use rise_semantics::values::{Numbers, arguments, same};
use rise_semantics::{Choices, cases, program, seed};

const SIZES: [[i128; 2]; 5] = [[0, 0], [1, 1], [3, 2], [7, 5], [0, 4]];

#[test]
fn lowered_programs_run() {
    let Some(device) = device() else { return };
    let mut numbers = Numbers::new(seed());
    for _ in 0..cases(60) {
        let program = program(&mut Choices::new(&numbers.bytes()));
        let kernel = memory_in(&program.kernel, AddressSpace::Global);
        let lowered = lower(&kernel, Target::OpenCl);
        let plan = planned(&lowered).unwrap_or_else(|reason| panic!("{reason}\n{kernel}\n{lowered}"));
        runs((&kernel, &lowered), program.exact, &plan, &SIZES, device);
    }
}

/// The plan gives what the interpreter gives for the first of the kernels.
fn runs<const N: usize>(
    (kernel, chosen): (&Kernel, &Kernel),
    exact: bool,
    plan: &Plan,
    sizes: &[[i128; N]],
    device: Device,
) {
    for sizes in sizes {
        let args = arguments(kernel, sizes, &mut Numbers::new(7));
        let Ok(expected) = interpret(kernel, sizes, &args) else { continue };
        match execute(plan, sizes, &args, device) {
            // Some end with a function that rounds as it likes.
            Ok(found) if !exact || same(&expected, &found) => {}
            found => {
                panic!("{sizes:?}: {expected:?}, but found {found:?}\n{kernel}\n{chosen}\n{}", plan.program)
            }
        }
    }
}

#[test]
fn mapped_programs_run() {
    let Some(device) = device() else { return };
    run_mapped(cases(120), seed(), device);
    run_nests(cases(180), seed(), device);
}

#[test]
fn what_the_default_makes_runs() {
    let Some(device) = device() else { return };
    run_defaults(cases(60), seed(), &SIZES, device);
}

/// What the default strategy makes of so many programs.
fn run_defaults(count: u32, seed: u64, sizes: &[[i128; 2]], device: Device) {
    let mut numbers = Numbers::new(seed);
    let mut shared = 0;
    for _ in 0..count {
        let program = program(&mut Choices::new(&numbers.bytes()));
        let auto = Strategy::new(StrategyKind::Auto);
        let (chosen, _) = rewrite::run(&program.kernel, &auto, Target::OpenCl, Machine::BEST)
            .unwrap_or_else(|wrong| panic!("{}\n{}", wrong.reason, program.kernel));
        let plan = planned(&chosen).unwrap_or_else(|reason| panic!("{reason}\n{}\n{chosen}", program.kernel));
        runs((&program.kernel, &chosen), program.exact, &plan, sizes, device);
        shared += u32::from(plan.program.contains("get_global_id("));
    }
    assert!(shared > count / 10, "{shared} of {count}");
}

/// So many valid mappings with parallel loops.
fn run_mapped(count: u32, seed: u64, device: Device) {
    let mut numbers = Numbers::new(seed);
    let (mut accepted, mut refused, mut groups) = (0, 0, 0);
    while accepted < count {
        let program = program(&mut Choices::new(&numbers.bytes()));
        let places = places(&program.kernel);
        let mapping = random_mapping(&places, &mut numbers);
        if !mapping.0.iter().any(|form| matches!(form, MapForm::Global(_) | MapForm::Local(_))) {
            continue;
        }
        let chosen = lower(&mapped(&program.kernel, &mapping), Target::OpenCl);
        let Ok(plan) = planned(&chosen) else {
            refused += 1;
            continue;
        };
        runs((&program.kernel, &chosen), program.exact, &plan, &[[3, 2], [7, 5]], device);
        accepted += 1;
        groups += u32::from(mapping.0.iter().any(|form| matches!(form, MapForm::WorkGroup(_))));
    }
    println!("{accepted} mappings run, {groups} of them with work-groups; {refused} were refused");
}

/// So many valid mappings of nests, most of them with work-groups.
fn run_nests(count: u32, seed: u64, device: Device) {
    let mut numbers = Numbers::new(seed);
    let (mut accepted, mut refused, mut groups) = (0, 0, 0);
    while accepted < count {
        let Some(Case { kernel, .. }) = texts::cases(&nest(&mut numbers)).pop() else { continue };
        let mapping = random_mapping(&places(&kernel), &mut numbers);
        let in_groups = mapping.0.iter().any(|form| matches!(form, MapForm::WorkGroup(_)));
        if !in_groups && numbers.below(8) > 0 {
            continue;
        }
        let chosen = lower(&mapped(&kernel, &mapping), Target::OpenCl);
        let Ok(plan) = planned(&chosen) else {
            refused += 1;
            continue;
        };
        runs((&kernel, &chosen), true, &plan, &[[3, 2, 5], [2, 5, 1]], device);
        accepted += 1;
        groups += u32::from(in_groups);
    }
    println!("{accepted} nests run, {groups} of them with work-groups; {refused} were refused");
}

/// Forms that fit those around; work-items where there are groups.
fn random_mapping(places: &[Place], numbers: &mut Numbers) -> Mapping {
    let mut chosen: Vec<MapForm> = Vec::new();
    for place in places {
        let around: Vec<MapForm> = place.around.iter().map(|at| chosen[*at]).collect();
        let fits = |form: &MapForm| CONSTRAINTS.iter().all(|constraint| (constraint.holds)(*form, &around));
        let mut fitting: Vec<MapForm> = forms(place).into_iter().filter(fits).collect();
        let local: Vec<MapForm> =
            fitting.iter().copied().filter(|form| matches!(form, MapForm::Local(_))).collect();
        if !local.is_empty() && numbers.below(4) > 0 {
            fitting = local;
        }
        chosen.push(fitting[numbers.below(fitting.len() as u64) as usize]);
    }
    Mapping(chosen)
}

#[test]
fn no_mapping_races_or_leaves_its_memory() {
    let text = simulator::clean("under_oclgrind");
    assert!(text.is_empty() || text.contains("mappings run"), "{text}");
}

#[test]
#[ignore = "started by `no_mapping_races_or_leaves_its_memory` with Oclgrind as the only device"]
fn under_oclgrind() {
    let device = simulator::device();
    run_mapped(cases(15), seed() + 1, device);
    run_nests(cases(45), seed() + 1, device);
    run_defaults(cases(10), seed() + 1, &[[3, 2]], device);
}
