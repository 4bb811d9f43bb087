//! How often a variable's elements are looked at.

use crate::expr::{Arg, Expr, Kind, Param, Primitive};
use crate::names::Name;
use crate::rewrite::ways::{components, path};
use crate::types::DataType;

use super::Times;

/// How often one evaluation of `expr` looks at an element of the variable.
pub(in crate::rewrite) fn uses(expr: &Expr, name: &Name) -> Times {
    looks_at(expr, name, &[])
}

/// The same of that array at which it looks most often, of those that are components of the variable.
pub(super) fn uses_of_arrays(expr: &Expr, variable: &Param) -> Times {
    let ways = components(expr, &variable.name);
    let is_array = |way: &[usize]| !way.iter().fold(&variable.ty, component).is_small();
    let is_inner = |way: &[usize]| ways.iter().all(|other| other == way || !other.starts_with(way));
    let arrays = ways.iter().filter(|way| is_array(way) && is_inner(way));
    arrays.map(|way| looks_at(expr, &variable.name, way)).max().unwrap_or(Times::Never)
}

/// The type of a component of a tuple.
fn component<'t>(ty: &'t DataType, position: &usize) -> &'t DataType {
    match ty {
        DataType::Tuple(parts) => parts.get(*position).unwrap_or(ty),
        _ => ty,
    }
}

/// How often one evaluation of `expr` looks at an element of that component, which is the variable itself at the end of no
/// way.
fn looks_at(expr: &Expr, name: &Name, at: &[usize]) -> Times {
    if let Some((other, way)) = path(expr) {
        let is_part = other == name && (way.starts_with(at) || at.starts_with(&way));
        return if is_part { Times::Once } else { Times::Never };
    }
    match expr.kind() {
        Kind::Var(_) | Kind::Literal(_) | Kind::Nat(_) => Times::Never,
        Kind::Let(param, value, body) => {
            let inside = match looks_at(value, name, at) {
                Times::Never => Times::Never,
                // A small value is computed once, an array may be a view.
                times if param.ty.is_small() => times,
                times => times.times(uses(body, &param.name)),
            };
            inside.plus(looks_at(body, name, at))
        }
        Kind::Prim(Primitive::Select, args) => {
            let [condition, then, otherwise] = args.as_slice() else { return Times::Many };
            let branches = looks_at(then.expr(), name, at).max(looks_at(otherwise.expr(), name, at));
            looks_at(condition.expr(), name, at).plus(branches)
        }
        // A constant of each element takes no more than their number.
        Kind::Prim(Primitive::Map(_), args) if ignores(&args[0]) => {
            looks_at(args[0].expr(), name, at).times(Times::Many)
        }
        Kind::Prim(primitive, args) => {
            let of = |position: usize| {
                let times = looks_at(args[position].expr(), name, at);
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
