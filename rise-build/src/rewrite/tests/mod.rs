//! Strategies as users write them, on programs as users write them.

mod auto;
mod laws;
mod memory;
mod places;
mod schedules;
mod stops;
mod user_rules;
mod versions;

use proc_macro2::TokenStream;

use crate::diagnostics::Session;
use crate::dpia::functional::{self, Target};
use crate::expr::{Failure, Kernel, Literal, Value, interpret};
use crate::machine::{Asked, MACHINES, Machine};
use crate::nat::NatVar;
use crate::syntax::{self, ast};
use crate::types::{DataType, infer_kernel};

use super::trace::Trace;

/// What became of the only `compile` of a program, or the message.
struct Compiled {
    before: Kernel,
    after: Result<(Kernel, Trace), String>,
    target: Target,
}

fn compile(program: &str) -> Compiled {
    compile_for(program, Machine::BEST)
}

fn compile_for(program: &str, machine: &'static Machine) -> Compiled {
    let _session = Session::start();
    let tokens: TokenStream = program.parse().unwrap_or_else(|error| panic!("{error}"));
    let (module, wrong) = syntax::parse(tokens);
    assert!(wrong.is_empty(), "{wrong:?}");
    let kernel = module.items.iter().find_map(|item| match item {
        ast::Item::Kernel(kernel) if kernel.is_kernel() => Some(kernel),
        _ => None,
    });
    let before = infer_kernel(&module, kernel.expect("a kernel")).unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let compile = module.items.iter().find_map(|item| match item {
        ast::Item::Compile(compile) => Some(compile),
        _ => None,
    });
    let strategy = compile.and_then(|compile| compile.strategy.as_ref());
    let target =
        compile.and_then(|compile| Target::from_name(compile.target.name.as_str())).unwrap_or(Target::Rust);
    let after = super::apply(&before, strategy, &module, target, machine)
        .map_err(|wrong| wrong.iter().map(|wrong| wrong.headline()).collect::<Vec<_>>().join("\n"));
    Compiled { before, after, target }
}

/// The rewritten kernel, held against the interpreter at the sizes where its obligations hold.
fn rewritten(program: &str, sizes: &[&[i128]]) -> Kernel {
    let (best, asked) = rewritten_for(program, sizes, Machine::BEST);
    for other in MACHINES.iter().filter(|machine| !asked.is_same(Machine::BEST, machine)) {
        rewritten_for(program, sizes, other);
    }
    best
}

/// For one machine, and what was asked of it.
fn rewritten_for(program: &str, sizes: &[&[i128]], machine: &'static Machine) -> (Kernel, Asked) {
    let Compiled { before, after, target } = compile_for(program, machine);
    let (after, trace) = after.unwrap_or_else(|message| panic!("{message}\n{before}"));
    for sizes in sizes {
        let args: Vec<Value> =
            before.params.iter().map(|param| input(&param.ty, &before.nats, sizes)).collect();
        let expected = interpret(&before, sizes, &args);
        for step in &trace.steps {
            let kernel = Kernel { body: step.body.clone(), ..after.clone() };
            let found = interpret(&kernel, sizes, &args);
            if matches!(found, Err(Failure::Obligation(_))) {
                continue;
            }
            assert_eq!(expected, found, "at {sizes:?} after {}:\n{kernel}", step.name);
        }
    }
    if let Err(wrong) = functional::from_expr(&after, target) {
        panic!("{wrong:?}\n{after}");
    }
    (after, trace.asked)
}

fn refused(program: &str) -> String {
    match compile(program).after {
        Ok((kernel, _)) => panic!("the strategy succeeded:\n{kernel}"),
        Err(message) => message,
    }
}

/// Small integers, so that sums of floats are exact in any order.
fn input(ty: &DataType, nats: &[NatVar], sizes: &[i128]) -> Value {
    let len = |nat: &crate::nat::Nat| {
        let env = |var: &NatVar| nats.iter().position(|nat| nat == var).map(|at| sizes[at]);
        nat.eval(&env).expect("a size")
    };
    fn fill(ty: &DataType, len: &dyn Fn(&crate::nat::Nat) -> i128, next: &mut i128) -> Value {
        match ty {
            DataType::Array(n, element) => {
                Value::Array((0..len(n)).map(|_| fill(element, len, next)).collect())
            }
            DataType::Tuple(parts) => Value::Tuple(parts.iter().map(|part| fill(part, len, next)).collect()),
            DataType::Scalar(scalar) => {
                *next += 1;
                let value = (7 * *next + 3) % 17 - 8;
                Value::Scalar(match scalar.is_float() {
                    true => Literal::Float(value as f64, *scalar),
                    false => Literal::Int(value.abs(), *scalar),
                })
            }
            DataType::Idx(bound) => {
                *next += 1;
                Value::Nat((7 * *next + 3) % len(bound))
            }
            other => panic!("no input of type {other}"),
        }
    }
    fill(ty, &len, &mut 0)
}
