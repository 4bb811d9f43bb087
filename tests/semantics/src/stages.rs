//! From a lowered program to its loops, as after each pass.

use rise_build::dpia::functional::{Target, from_expr};
use rise_build::dpia::imperative::translate;
use rise_build::expr::{Expr, Kernel, Primitive, Value};
use rise_build::loops::passes::{Options, PASSES};
use rise_build::loops::{self, Fault, check, execute};

use crate::values::rebuilt;

/// Shows `see` the loops of a lowered program before any pass and after each; whether there are loops: a stage before
/// may refuse the program, or a pass what it would become.
pub fn each_stage(lowered: &Kernel, options: &Options, see: &mut dyn FnMut(&str, &loops::Kernel)) -> bool {
    let Ok(functional) = from_expr(lowered, Target::Rust) else { return false };
    let commands = translate(&functional);
    let mut loops = told(lowered, || loops::lower(&commands));
    see("lower", &loops);
    for pass in PASSES {
        if told(lowered, || (pass.run)(&mut loops, options)).is_err() {
            return false;
        }
        see(pass.name, &loops);
    }
    true
}

/// What loops compute, which must be well-formed.
pub fn run(kernel: &Kernel, loops: &loops::Kernel, sizes: &[i128], args: &[Value]) -> Result<Value, Fault> {
    let report = check(loops);
    assert!(report.wrong.is_empty(), "{:#?}\n{kernel}\n{loops}", report.wrong);
    execute(loops, sizes, args).map(|found| rebuilt(kernel.body.ty(), found))
}

/// The same; nothing if they copy elements that are not defined.
pub fn result(kernel: &Kernel, loops: &loops::Kernel, sizes: &[i128], args: &[Value]) -> Option<Value> {
    match run(kernel, loops, sizes, args) {
        Ok(found) => Some(found),
        Err(fault)
            if fault.to_string().contains("is read before it is written") && has_gaps(&kernel.body) =>
        {
            None
        }
        Err(fault) => panic!("{fault}\nsizes {sizes:?}\n{kernel}\n{loops}"),
    }
}

fn has_gaps(body: &Expr) -> bool {
    body.any(&|node| matches!(node.as_prim(), Some((Primitive::PadEmpty(_) | Primitive::Scatter, _))))
}

/// What a stage makes; the program is shown if it panics.
fn told<T>(kernel: &Kernel, stage: impl FnOnce() -> T) -> T {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(stage)).unwrap_or_else(|_| panic!("{kernel}"))
}
