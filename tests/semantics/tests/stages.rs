//! Every random program goes through all stages.

use proptest::prelude::*;
use rise_build::dpia::functional::{Target, from_expr};
use rise_build::dpia::imperative::translate;
use rise_build::rewrite::lower;
use rise_semantics::{Choices, program};

proptest! {
    #![proptest_config(rise_semantics::config(1000))]

    #[test]
    fn lowered_programs_become_loops(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let kernel = program(&mut Choices::new(&bytes)).kernel;
        let lowered = lower(&kernel, Target::Rust);
        let functional = match from_expr(&lowered, Target::Rust) {
            Ok(functional) => functional,
            Err(diagnostics) => panic!("{:?}\n{kernel}\n{lowered}", diagnostics.iter().collect::<Vec<_>>()),
        };
        translate(&functional);
    }
}
