//! Loops mean what the program means, before and after every pass.

use proptest::prelude::*;
use rise_build::dpia::functional::{Target, from_expr};
use rise_build::dpia::imperative::translate;
use rise_build::expr::{
    self, AddressSpace, Expr, MapForm, Primitive, ReduceForm, interpret, map_children, substitute_nat,
};
use rise_build::loops;
use rise_build::loops::passes::{Options, PASSES};
use rise_build::nat::Nat;
use rise_build::rewrite::lower;
use rise_semantics::stages::run;
use rise_semantics::values::{Numbers, arguments, same};
use rise_semantics::{Choices, program};

const SIZES: [[i128; 2]; 5] = [[0, 0], [1, 1], [3, 2], [7, 5], [0, 4]];

proptest! {
    #![proptest_config(rise_semantics::config(1000))]

    #[test]
    fn loops_keep_the_meaning(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let kernel = program(&mut Choices::new(&bytes)).kernel;
        let lowered = lower(&kernel, Target::Rust);
        let Ok(functional) = from_expr(&lowered, Target::Rust) else { return Ok(()) };
        let imperative = translate(&functional);
        let mut loops = loops::lower(&imperative);
        compare("lower", &kernel, &loops, &SIZES);
        for pass in PASSES {
            let before = loops.clone();
            (pass.run)(&mut loops, &Options::CPU).unwrap();
            let run = || compare(pass.name, &kernel, &loops, &SIZES);
            assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_ok(), "{}\n{before}\n{loops}\n{kernel}", pass.name);
        }
    }

    #[test]
    fn passes_keep_the_meaning_of_vectors(
        bytes in prop::collection::vec(any::<u8>(), 0..400),
        forms in prop::collection::vec(0_u8..6, 1..20),
        sizes in (0_usize..5, 0_usize..5),
    ) {
        const WIDTHS: [i128; 5] = [1, 2, 4, 8, 3];
        let sizes = [WIDTHS[sizes.0], WIDTHS[sizes.1]];
        let kernel = specialize(&program(&mut Choices::new(&bytes)).kernel, &sizes);
        let mut lowered = lower(&kernel, Target::Rust);
        lowered.body = reform(&lowered.body, &mut forms.iter().cycle());
        let Ok(functional) = from_expr(&lowered, Target::Rust) else { return Ok(()) };
        let mut loops = loops::lower(&translate(&functional));
        let sizes = [sizes];
        compare("lower", &kernel, &loops, &sizes);
        for pass in PASSES {
            let before = loops.clone();
            if (pass.run)(&mut loops, &Options::CPU).is_err() {
                return Ok(());
            }
            let run = || compare(pass.name, &kernel, &loops, &sizes);
            assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_ok(), "{}\n{before}\n{loops}\n{kernel}", pass.name);
        }
    }
}

/// Whether loops are well-formed, and give what the interpreter gives.
fn compare(stage: &str, kernel: &expr::Kernel, loops: &loops::Kernel, all_sizes: &[[i128; 2]]) {
    for sizes in all_sizes {
        let args = arguments(kernel, sizes, &mut Numbers::new(7));
        let Ok(expected) = interpret(kernel, sizes, &args) else { continue };
        let found = run(kernel, loops, sizes, &args);
        let found =
            found.unwrap_or_else(|fault| panic!("{stage}: {fault}\nsizes {sizes:?}\n{kernel}\n{loops}"));
        let equal = same(&expected, &found);
        assert!(equal, "{stage}: sizes {sizes:?}\n{expected:?}\n{found:?}\n{kernel}\n{loops}");
    }
}

/// Gives sequential loops other forms.
fn reform(expr: &Expr, forms: &mut dyn Iterator<Item = &u8>) -> Expr {
    let expr = map_children(expr, &mut |child| reform(child, forms));
    expr.edit(|node| {
        let expr::Kind::Prim(primitive, _) = &mut node.kind else { return };
        match primitive {
            Primitive::Map(form @ MapForm::Seq) => {
                *form = match forms.next() {
                    Some(0 | 1) => MapForm::Vec,
                    Some(2) => MapForm::Unroll,
                    Some(3) => MapForm::Par,
                    _ => MapForm::Seq,
                };
            }
            Primitive::Reduce(form @ ReduceForm::Seq(AddressSpace::Default)) => {
                if let Some(0) = forms.next() {
                    *form = ReduceForm::Unroll(AddressSpace::Default);
                }
            }
            _ => {}
        }
    })
}

/// Puts numbers for the sizes.
fn specialize(kernel: &expr::Kernel, sizes: &[i128]) -> expr::Kernel {
    let mut kernel = kernel.clone();
    for (var, size) in kernel.nats.clone().iter().zip(sizes) {
        let size = Nat::lit(*size as i64);
        kernel.body = substitute_nat(&kernel.body, &[(var.clone(), size.clone())]);
        for param in &mut kernel.params {
            param.ty = param.ty.subst(var, &size);
        }
    }
    kernel
}
