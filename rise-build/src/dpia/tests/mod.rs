//! Both stages on small kernels.

mod access;
mod in_place;
mod listing;
mod mapping;

use crate::dpia::functional::{Target, from_expr};
use crate::dpia::imperative;
use crate::expr::*;
use crate::nat::{Nat, NatVar};
use crate::types::{DataType, Scalar};

fn f32() -> DataType {
    DataType::Scalar(Scalar::F32)
}

/// `xs: [f32; n]`
fn vector(text: &str, n: &NatVar) -> Param {
    Param::fresh(text, DataType::array(Nat::var(n), f32()))
}

/// `xss: [[f32; m]; n]`
fn matrix(text: &str, n: &NatVar, m: &NatVar) -> Param {
    Param::fresh(text, DataType::array(Nat::var(n), DataType::array(Nat::var(m), f32())))
}

fn doubled(x: Expr) -> Expr {
    binary(Binary::Add, x.clone(), x)
}

fn zero() -> Expr {
    literal(Literal::zero(Scalar::F32))
}

fn kernel(nats: &[&NatVar], params: &[&Param], body: Expr) -> Kernel {
    Kernel::new(
        "kernel",
        nats.iter().map(|nat| (*nat).clone()).collect(),
        params.iter().map(|param| (*param).clone()).collect(),
        body,
    )
}

/// Messages and helps of stage 4.
fn errors(kernel: &Kernel, target: Target) -> Vec<String> {
    match from_expr(kernel, target) {
        Ok(_) => Vec::new(),
        Err(errors) => {
            errors.into_iter().map(|error| format!("{}; {}", error.message, error.helps.join("; "))).collect()
        }
    }
}

/// The commands of a kernel for a CPU.
fn commands(kernel: &Kernel) -> String {
    let phrase = from_expr(kernel, Target::Rust).unwrap_or_else(|errors| panic!("{errors:?}"));
    let commands = imperative::translate(&phrase);
    assert_eq!(imperative::check(&commands), [""; 0]);
    commands.to_string()
}
