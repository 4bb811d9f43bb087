//! How often a variable's elements are looked at.

use crate::expr::{Arg, Expr, Kind, Primitive};
use crate::names::Name;

use super::Times;

/// How often one evaluation of `expr` looks at an element of the variable.
pub(in crate::rewrite) fn uses(expr: &Expr, name: &Name) -> Times {
    match expr.kind() {
        Kind::Var(other) => {
            if other == name {
                Times::Once
            } else {
                Times::Never
            }
        }
        Kind::Literal(_) | Kind::Nat(_) => Times::Never,
        Kind::Let(param, value, body) => {
            let inside = match uses(value, name) {
                Times::Never => Times::Never,
                // A small value is computed once, an array may be a view.
                times if param.ty.is_small() => times,
                times => times.times(uses(body, &param.name)),
            };
            inside.plus(uses(body, name))
        }
        Kind::Prim(Primitive::Select, args) => {
            let [condition, then, otherwise] = args.as_slice() else { return Times::Many };
            let branches = uses(then.expr(), name).max(uses(otherwise.expr(), name));
            uses(condition.expr(), name).plus(branches)
        }
        // A constant of each element takes no more than their number.
        Kind::Prim(Primitive::Map(_), args) if ignores(&args[0]) => {
            uses(args[0].expr(), name).times(Times::Many)
        }
        Kind::Prim(primitive, args) => {
            let of = |position: usize| {
                let times = uses(args[position].expr(), name);
                times.times(looks(primitive, args[position].as_fun().is_some(), position))
            };
            (0..args.len()).map(of).fold(Times::Never, Times::plus)
        }
    }
}

/// Whether a function does not look at its parameter.
fn ignores(function: &Arg) -> bool {
    let params = function.as_fun().map_or(&[][..], |f| &f.params);
    let [param] = params else { return false };
    uses(function.expr(), &param.name) == Times::Never
}

/// How often a primitive looks at an element of an argument, or runs a function.
fn looks(primitive: &Primitive, is_function: bool, position: usize) -> Times {
    match primitive {
        Primitive::Update => Times::Once,
        _ if is_function => Times::Many,
        Primitive::Slide(..) | Primitive::PadClamp(..) | Primitive::Iterate(_) => Times::Many,
        Primitive::PadCst(..) if position == 0 => Times::Many,
        Primitive::Gather if position == 1 => Times::Many,
        _ => Times::Once,
    }
}
