//! Functional and imperative DPIA keep the meaning of every random program that was lowered.

use proptest::prelude::*;
use rise_build::dpia::functional::{self, Target, from_expr};
use rise_build::dpia::imperative::{self, translate};
use rise_build::expr::{Kernel, interpret};
use rise_build::rewrite::lower;
use rise_semantics::forms::{other_loops, parallel_reductions};
use rise_semantics::imperative::{complete, execute};
use rise_semantics::values::{Numbers, arguments, same};
use rise_semantics::{Choices, program};

const SIZES: [[i128; 2]; 5] = [[0, 0], [1, 1], [3, 2], [7, 5], [0, 4]];

/// Holds the translation of `chosen` against the meaning of `kernel`.
fn check(kernel: &Kernel, chosen: &Kernel) {
    let phrase =
        from_expr(chosen, Target::Rust).unwrap_or_else(|errors| panic!("{errors:#?}\n{kernel}\n{chosen}"));
    assert_eq!(functional::check(&phrase), [""; 0], "{phrase}");
    let commands = translate(&phrase);
    assert_eq!(imperative::check(&commands), [""; 0], "{commands}");
    for sizes in SIZES {
        let args = arguments(kernel, &sizes, &mut Numbers::new(7));
        if let Ok(expected) = interpret(kernel, &sizes, &args) {
            let found = execute(&commands, kernel.body.ty(), &sizes, &args);
            let fine = same(&expected, &found) && complete(&expected, &found);
            assert!(fine, "{expected:?}\n{found:?}\n{kernel}\n{chosen}\n{commands}");
        }
    }
}

proptest! {
    #![proptest_config(rise_semantics::config(1000))]

    #[test]
    fn translation_keeps_the_meaning(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let kernel = program(&mut Choices::new(&bytes)).kernel;
        check(&kernel, &lower(&kernel, Target::Rust));
    }

    #[test]
    fn every_form_keeps_the_meaning(
        bytes in prop::collection::vec(any::<u8>(), 0..400),
        forms in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        let kernel = program(&mut Choices::new(&bytes)).kernel;
        let mut choices = Choices::new(&forms);
        let lowered = lower(&parallel_reductions(&kernel, &mut choices), Target::Rust);
        check(&kernel, &other_loops(&lowered, &mut choices));
    }
}
