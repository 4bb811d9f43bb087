//! What the host decides, and what kernels never see of it.

use super::*;
use crate::expr::Compare;
use crate::loops::{Stmt, Value};
use crate::pipeline::units;

/// The loops of a function, none of which is shared out.
fn kernel(function: &str) -> Kernel {
    let source = format!("pub fn kernel{function} compile kernel to c with lower;");
    let tokens: proc_macro2::TokenStream = source.parse().unwrap();
    let mut units = units(tokens, &|_| Err("no files here".into()));
    units.compiled.remove(0).loops.best().clone()
}

#[test]
fn what_the_device_is_asked_for_is_decided_by_the_host_where_nothing_is_shared_out_too() {
    let mut kernel = kernel("<n: Nat>(x: [f32; n]) -> [f32; n] { x |> map(|v| v + 1.0) }");
    let body = std::mem::take(&mut kernel.body);
    let in_step = Value::CompareNat(Compare::Le, Nat::lit(2), Nat::var(&NatVar::in_step()));
    kernel.body = vec![Stmt::If(in_step, body.clone(), body)];
    let plan = plan(&kernel).unwrap();
    assert!(!plan.program.contains("inStep"), "{}", plan.program);
    assert!(plan.launches.len() == 2 && matches!(plan.steps.as_slice(), [Step::If(..)]));
}
