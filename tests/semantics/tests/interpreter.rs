//! Every random program is well typed and has a value at all sizes.

use proptest::prelude::*;
use rise_build::expr::{Failure, Kind, interpret, synthesize};
use rise_semantics::values::{Numbers, arguments};
use rise_semantics::{Choices, program};

/// Sizes that programs run at.
const SIZES: [[i128; 2]; 5] = [[0, 0], [1, 1], [3, 2], [7, 5], [0, 4]];

proptest! {
    #![proptest_config(rise_semantics::config(1000))]

    #[test]
    fn programs_have_values(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let program = program(&mut Choices::new(&bytes));
        program.kernel.body.visit(&mut |expr| {
            if let Kind::Prim(primitive, args) = expr.kind() {
                assert_eq!(synthesize(primitive, args).as_ref(), Ok(expr.ty()));
            }
        });
        for sizes in SIZES {
            let args = arguments(&program.kernel, &sizes, &mut Numbers::new(7));
            match interpret(&program.kernel, &sizes, &args) {
                Ok(_) | Err(Failure::Range(_)) => {}
                Err(failure) => panic!("{failure}\n{}", program.kernel),
            }
        }
    }
}
