//! Random programs on the device, against the interpreter. `RISE_CASES` scales their number, and `RISE_SEED`
//! gives others.

use rise_build::dpia::functional::Target;
use rise_build::expr::{AddressSpace, interpret};
use rise_build::rewrite::lower;
use rise_opencl_tests::device;
use rise_opencl_tests::execute::{execute, planned};
use rise_semantics::forms::memory_in;
use rise_semantics::values::{Numbers, arguments, same};
use rise_semantics::{Choices, cases, program};

const SIZES: [[i128; 2]; 5] = [[0, 0], [1, 1], [3, 2], [7, 5], [0, 4]];

#[test]
fn lowered_programs_run() {
    let Some(device) = device() else { return };
    let seed = std::env::var("RISE_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let mut numbers = Numbers::new(seed);
    for _ in 0..cases(60) {
        let program = program(&mut Choices::new(&numbers.bytes()));
        let kernel = memory_in(&program.kernel, AddressSpace::Global);
        let lowered = lower(&kernel, Target::OpenCl);
        let plan = planned(&lowered).unwrap_or_else(|reason| panic!("{reason}\n{kernel}\n{lowered}"));
        for sizes in SIZES {
            let args = arguments(&kernel, &sizes, &mut Numbers::new(7));
            let Ok(expected) = interpret(&kernel, &sizes, &args) else { continue };
            match execute(&plan, &sizes, &args, device) {
                // Some end with a function that rounds as it likes.
                Ok(found) if !program.exact || same(&expected, &found) => {}
                found => panic!(
                    "{sizes:?}: {expected:?}, but found {found:?}\n{kernel}\n{lowered}\n{}",
                    plan.program
                ),
            }
        }
    }
}
