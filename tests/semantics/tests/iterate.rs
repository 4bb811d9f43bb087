//! `iterate` for any number of steps, known or not, with lengths that shrink or stay.

use rise_build::diagnostics::Origin;
use rise_build::dpia::functional::{Target, from_expr};
use rise_build::dpia::imperative::{self, translate};
use rise_build::expr::*;
use rise_build::nat::{Nat, NatVar};
use rise_build::types::{DataType, Scalar};
use rise_semantics::imperative::{complete, execute};
use rise_semantics::values::{Numbers, arguments, same};

fn f32() -> DataType {
    DataType::Scalar(Scalar::F32)
}

/// `iterate(k, f)` over `[f32; m * b ^ k]`, where `f` combines groups of `b`.
fn kernel(k: &NatVar, m: &NatVar, times: Nat, factor: i64) -> Kernel {
    let len = Nat::var(m) * Nat::lit(factor).pow(&times);
    let xs = Param::fresh("xs", DataType::array(len, f32()));
    let l = NatVar::new("l");
    let long = Param::fresh("long", DataType::array(Nat::var(&l) * Nat::lit(factor), f32()));
    let first = Expr::new(Kind::Nat(Nat::lit(0)), DataType::Idx(Nat::lit(factor)), Origin::NONE);
    let body = map_with(MapForm::Seq, "group", split(Nat::lit(factor), long.expr()), |group| {
        let start = call(Primitive::Idx, [first, group.clone()]);
        let sum = lambda2(["a", "b"], [f32(), f32()], |a, b| binary(Binary::Add, a, b));
        reduce(ReduceForm::Seq(AddressSpace::Private), sum, start, group)
    });
    let fun = Lambda { nats: vec![l], params: vec![long], body };
    let body = prim(Primitive::Iterate(times), vec![fun.into(), xs.expr().into()]);
    Kernel::new("iterated", vec![k.clone(), m.clone()], vec![xs], body)
}

fn check(kernel: &Kernel, sizes: [i128; 2]) {
    let phrase = from_expr(kernel, Target::Rust).unwrap_or_else(|errors| panic!("{errors:?}"));
    let commands = translate(&phrase);
    assert_eq!(imperative::check(&commands), [""; 0], "{commands}");
    let args = arguments(kernel, &sizes, &mut Numbers::new(5));
    let expected = interpret(kernel, &sizes, &args).unwrap_or_else(|failure| panic!("{failure}\n{kernel}"));
    let found = execute(&commands, kernel.body.ty(), &sizes, &args);
    assert!(
        same(&expected, &found) && complete(&expected, &found),
        "{sizes:?}\n{expected:?}\n{found:?}\n{commands}"
    );
}

#[test]
fn a_known_number_of_steps() {
    let (k, m) = (NatVar::new("k"), NatVar::new("m"));
    for times in 0..7 {
        for factor in 1..4 {
            for length in [0, 1, 3] {
                check(&kernel(&k, &m, Nat::lit(times), factor), [0, length]);
            }
        }
    }
}

#[test]
fn an_unknown_number_of_steps() {
    let (k, m) = (NatVar::new("k"), NatVar::new("m"));
    for times in 0..5 {
        for factor in 1..4 {
            for length in [0, 1, 3] {
                check(&kernel(&k, &m, Nat::var(&k), factor), [times, length]);
            }
        }
    }
}

#[test]
fn steps_that_keep_the_length_use_the_output() {
    let (k, m) = (NatVar::new("k"), NatVar::new("m"));
    let phrase = from_expr(&kernel(&k, &m, Nat::lit(6), 1), Target::Rust).unwrap_or_else(|_| panic!("typed"));
    let text = translate(&phrase).to_string();
    assert_eq!(text.matches("new(Default").count(), 1, "{text}");
}
