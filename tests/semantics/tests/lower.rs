//! `lower` keeps the meaning of every random program, and makes every choice.

use proptest::prelude::*;
use rise_build::dpia::functional::Target;
use rise_build::expr::{Kernel, Kind, MapForm, Primitive, ReduceForm, ScanForm, interpret, synthesize};
use rise_build::rewrite::lower;
use rise_semantics::values::{Numbers, arguments, same};
use rise_semantics::{Choices, program};

const SIZES: [[i128; 2]; 5] = [[0, 0], [1, 1], [3, 2], [7, 5], [0, 4]];

fn well_typed(kernel: &Kernel) {
    kernel.body.visit(&mut |expr| {
        if let Kind::Prim(primitive, args) = expr.kind() {
            assert_eq!(synthesize(primitive, args).as_ref(), Ok(expr.ty()), "{kernel}");
            let open = matches!(
                primitive,
                Primitive::Reduce(ReduceForm::Plain)
                    | Primitive::Scan(ScanForm::Plain)
                    | Primitive::DepMap(MapForm::Plain)
            );
            assert!(!open, "{primitive} is left open in {kernel}");
        }
    });
}

proptest! {
    #![proptest_config(rise_semantics::config(1000))]

    #[test]
    fn lower_keeps_the_meaning(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let kernel = program(&mut Choices::new(&bytes)).kernel;
        let lowered = lower(&kernel, Target::Rust);
        well_typed(&lowered);
        for sizes in SIZES {
            let args = arguments(&kernel, &sizes, &mut Numbers::new(7));
            let (expected, found) = (interpret(&kernel, &sizes, &args), interpret(&lowered, &sizes, &args));
            if let Ok(expected) = expected {
                let found = found.unwrap_or_else(|failure| panic!("{failure}\n{kernel}\n{lowered}"));
                assert!(same(&expected, &found), "{expected:?}\n{found:?}\n{kernel}\n{lowered}");
            }
        }
    }
}
