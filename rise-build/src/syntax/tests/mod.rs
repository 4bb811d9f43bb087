//! Tests of stage 1, over tables of snippets.

mod errors;
mod forms;
mod papers;
mod resilience;
mod roundtrip;
mod samples;

use super::ast::{Expr, Item, Kernel, Module, Strategy, Type};
use super::parse_str;
use crate::diagnostics::{Diagnostics, Session, to_text};

/// The module of a program without mistakes.
fn parsed(text: &str) -> Module {
    let _session = Session::start();
    let (module, diagnostics) = parse_str(text);
    assert!(diagnostics.is_empty(), "{text}\n{}", to_text(&diagnostics, "test", text));
    module
}

/// The messages of a program, as the command line prints them.
fn messages(text: &str) -> String {
    let _session = Session::start();
    let (_, diagnostics) = parse_str(text);
    to_text(&diagnostics, "t", text)
}

fn faults(text: &str) -> (Module, Diagnostics) {
    let _session = Session::start();
    parse_str(text)
}

fn kernel(module: Module) -> Kernel {
    module
        .items
        .into_iter()
        .find_map(|item| match item {
            Item::Kernel(kernel) => Some(kernel),
            _ => None,
        })
        .expect("a kernel")
}

fn expr(text: &str) -> Expr {
    kernel(parsed(&format!("fn f() {{ {text} }}"))).body
}

fn ty(text: &str) -> Type {
    kernel(parsed(&format!("fn f(x: {text}) {{ x }}"))).params.remove(0).ty.expect("a type")
}

fn strategy(text: &str) -> Strategy {
    match parsed(&format!("strategy s = {text};")).items.remove(0) {
        Item::Strategy(item) => item.body,
        other => panic!("{other:?}"),
    }
}
