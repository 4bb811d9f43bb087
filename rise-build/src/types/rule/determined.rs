//! What the left side of a rule tells: every value and function must be found by it, and the naturals that it
//! leaves open become arguments.

use crate::diagnostics::{Diagnostic, Diagnostics, Origin};
use crate::expr::{Arg, Expr, Kind, Param, Primitive, free_names};
use crate::nat::{Nat, NatVar, Solution, solve};
use crate::syntax::ast;
use crate::types::ty::Ty;
use crate::types::{DataType, Scalar};

use super::{Header, Rule, Sides};

impl Rule {
    /// Every parameter must be determined by the left side.
    pub(super) fn check_use(&mut self, header: &Header, item: &ast::Rule, diagnostics: &mut Diagnostics) {
        let types = vec![DataType::Scalar(Scalar::I32); self.types.len()];
        let sides = match self.at(&types) {
            Ok(sides) => sides,
            Err(wrong) => return diagnostics.append(wrong),
        };
        let mut hidden = Diagnostics::new();
        let mut unused = |origin: Origin, name: &str| {
            let message = format!("the left side of `{}` does not mention `{name}`", item.name);
            diagnostics.push(
                Diagnostic::error(origin, message)
                    .help("a rule is found by its left side, so that side has all values and functions"),
            );
        };
        let names = free_names(&sides.pattern);
        for (param, (_, origin)) in sides.params.iter().zip(&header.params) {
            let in_nats = || param.nat.as_ref().is_some_and(|nat| mentions(&sides.pattern, nat));
            if !names.contains(&param.name) && !in_nats() {
                unused(*origin, param.name.text());
            }
        }
        for (fun, origin) in &header.functions {
            let is_it = |node: &Expr| matches!(node.as_prim(), Some((Primitive::Foreign(other), _)) if other.name == fun.name);
            if !sides.pattern.any(&is_it) {
                unused(*origin, &fun.name);
            } else if !applied_to_variables(&sides.pattern, &fun.name, &mut Vec::new()) {
                let message = format!("the left side does not tell what `{}` is", fun.name);
                let help =
                    format!("apply it to variables that the left side binds: `map(|x| {}(x))`", fun.name);
                hidden.push(Diagnostic::error(*origin, message).help(help));
            }
        }
        for (position, (name, origin)) in header.types.iter().enumerate() {
            let in_params = header.params.iter().map(|(param, _)| &param.ty);
            let in_functions =
                header.functions.iter().flat_map(|(fun, _)| fun.params.iter().chain([&fun.result]));
            if !in_params.chain(in_functions).any(|ty| says(ty, position)) {
                unused(*origin, name);
            }
        }
        diagnostics.append(hidden);
        self.arguments = undetermined(&self.nats, &sides);
        for (nat, origin) in &header.nats {
            let needed = self.declared.iter().any(|declared| declared.vars().contains(nat));
            let in_types = sides.params.iter().any(|param| type_mentions(&param.ty, nat));
            if !needed && !in_types && !mentions(&sides.pattern, nat) && !mentions(&sides.result, nat) {
                diagnostics.push(Diagnostic::error(*origin, format!("`{nat}` is not used")));
            }
        }
    }
}

/// The naturals that must be given, in order of declaration, so that the left side determines the others.
fn undetermined(nats: &[NatVar], sides: &Sides) -> Vec<NatVar> {
    let mut known: Vec<Nat> = Vec::new();
    sides.params.iter().for_each(|param| type_nats(&param.ty, &mut known));
    for fun in &sides.functions {
        fun.params.iter().chain([&fun.result]).for_each(|ty| type_nats(ty, &mut known));
    }
    sides.pattern.visit(&mut |node| {
        if let Kind::Prim(primitive, _) = node.kind() {
            primitive_nats(primitive, &mut known);
        }
    });
    let (mut open, mut arguments): (Vec<NatVar>, Vec<NatVar>) = (nats.to_vec(), Vec::new());
    while !open.is_empty() {
        let solved = known.iter().find_map(|nat| {
            let value = Nat::var(&NatVar::new("value"));
            match solve(nat, &value, &|var| open.contains(var) && nat.mentions(var)) {
                Solution::Solved(var, value, _) if !open.iter().any(|other| value.mentions(other)) => {
                    Some(var)
                }
                _ => None,
            }
        });
        let next = solved.unwrap_or_else(|| {
            arguments.push(open[0].clone());
            open[0].clone()
        });
        open.retain(|var| *var != next);
    }
    arguments
}

fn type_nats(ty: &DataType, into: &mut Vec<Nat>) {
    match ty {
        DataType::Scalar(_) | DataType::Nat | DataType::Vector(..) => {}
        DataType::Idx(n) => into.push(n.clone()),
        DataType::Array(n, t) | DataType::DepArray(n, _, t) => {
            into.push(n.clone());
            type_nats(t, into);
        }
        DataType::Tuple(parts) => parts.iter().for_each(|part| type_nats(part, into)),
    }
}

/// The naturals in a primitive.
pub(crate) fn primitive_nats(primitive: &Primitive, into: &mut Vec<Nat>) {
    let found = std::cell::RefCell::new(Vec::new());
    let _ = primitive.map_nats(&|nat| {
        found.borrow_mut().push(nat.clone());
        nat.clone()
    });
    into.append(&mut found.borrow_mut());
}

fn mentions(expr: &Expr, nat: &NatVar) -> bool {
    expr.any(&|node| {
        let mut nats = Vec::new();
        match node.kind() {
            Kind::Nat(nat) => nats.push(nat.clone()),
            Kind::Prim(primitive, _) => primitive_nats(primitive, &mut nats),
            _ => {}
        }
        nats.iter().any(|found| found.mentions(nat)) || type_mentions(node.ty(), nat)
    })
}

fn type_mentions(ty: &DataType, nat: &NatVar) -> bool {
    let mut nats = Vec::new();
    type_nats(ty, &mut nats);
    nats.iter().any(|found| found.mentions(nat))
}

/// Whether the type parameter occurs.
fn says(ty: &Ty, position: usize) -> bool {
    match ty {
        Ty::Given(_, other) => *other == position,
        Ty::Array(_, t) | Ty::DepArray(_, _, t) | Ty::Vector(t, _) => says(t, position),
        Ty::Tuple(parts) => parts.iter().any(|part| says(part, position)),
        _ => false,
    }
}

/// Whether the function is applied to different variables that functions of the side bind, or to different
/// components of them: only so can it be read off a program.
fn applied_to_variables(side: &Expr, function: &str, bound: &mut Vec<Param>) -> bool {
    match side.kind() {
        Kind::Var(_) | Kind::Literal(_) | Kind::Nat(_) => false,
        Kind::Let(param, value, body) => {
            applied_to_variables(value, function, bound) || {
                bound.push(param.clone());
                let found = applied_to_variables(body, function, bound);
                bound.pop();
                found
            }
        }
        Kind::Prim(primitive, args) => {
            if let Primitive::Foreign(foreign) = primitive
                && foreign.name == function
            {
                let paths: Option<Vec<_>> = args.iter().map(|arg| path(arg.as_expr()?, bound)).collect();
                if paths.is_some_and(|paths| apart(&paths)) {
                    return true;
                }
            }
            args.iter().any(|arg| match arg {
                Arg::Expr(arg) => applied_to_variables(arg, function, bound),
                Arg::Fun(lambda) => {
                    let depth = bound.len();
                    bound.extend(lambda.params.iter().cloned());
                    let found = applied_to_variables(&lambda.body, function, bound);
                    bound.truncate(depth);
                    found
                }
            })
        }
    }
}

/// The bound variable that the term is.
pub(crate) fn variable(expr: &Expr, bound: &[Param]) -> Option<usize> {
    path(expr, bound).and_then(|(at, components)| components.is_empty().then_some(at))
}

/// The bound variable of which the term is a component of components, none for the variable itself.
pub(crate) fn path(expr: &Expr, bound: &[Param]) -> Option<(usize, Vec<usize>)> {
    match expr.kind() {
        Kind::Var(name) => Some((bound.iter().rposition(|param| param.name == *name)?, Vec::new())),
        Kind::Nat(nat) => {
            let is_it = |param: &Param| param.nat.is_some() && param.nat.as_ref() == nat.as_var();
            Some((bound.iter().rposition(is_it)?, Vec::new()))
        }
        Kind::Prim(Primitive::Proj(position), args) => {
            let (at, mut components) = path(args.first()?.as_expr()?, bound)?;
            components.push(*position);
            Some((at, components))
        }
        _ => None,
    }
}

/// Whether no path is a part of another one.
pub(crate) fn apart(paths: &[(usize, Vec<usize>)]) -> bool {
    let overlap = |a: &(usize, Vec<usize>), b: &(usize, Vec<usize>)| {
        a.0 == b.0 && (a.1.starts_with(&b.1) || b.1.starts_with(&a.1))
    };
    (1..paths.len()).all(|at| !paths[..at].iter().any(|other| overlap(other, &paths[at])))
}
