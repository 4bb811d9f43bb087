//! The right side with what was found on the left.

use crate::expr::{
    Arg, Expr, Kind, Lambda, Param, Primitive, map_children, occurrences, refresh, substitute, substitute_nat,
};
use crate::nat::Nat;
use crate::rewrite::context::{Context, Reason};
use crate::rewrite::place::with_labels;
use crate::rewrite::rules::support::{again, beta_copy, bind};
use crate::types::{DataType, Rule, Unknown};

use super::matching::Found;

/// What the term becomes.
pub fn build(rule: &Rule, found: &Found, expr: &Expr, context: &mut Context) -> Result<Expr, Reason> {
    for obligation in &rule.declared {
        context.require(obligation.subst_all(&found.nats))?;
    }
    for needed in &rule.needed {
        context.require(needed.obligation.subst_all(&found.nats))?;
    }
    let sides =
        rule.at(&found.types).map_err(|_| Reason::refused("the rule has no meaning at these types"))?;
    let result = substitute_nat(&refresh(&sides.result), &found.nats);
    let result = with_functions(&result, &sides.functions, &found.functions);
    let result = sides.params.iter().zip(&found.values).fold(result, |result, (param, value)| {
        // A size in the parameter's type is one in the program now; what is bound has a name of its own each time.
        let own = Param::fresh(param.name.text(), value.ty().clone());
        let (result, param) = (substitute(&result, param, &own.expr()), own);
        match value.ty().is_small() || occurrences(&result, &param.name) <= 1 {
            true => bind(&param, value, result),
            false => substitute_copies(&result, &param, value),
        }
    });
    match same_shape(result.ty(), expr.ty()) {
        true => {
            let result = match result.ty() == expr.ty() {
                true => result,
                false => result.edit(|node| node.ty = expr.ty().clone()),
            };
            let is_place = matches!(result.kind(), Kind::Prim(..) | Kind::Let(..));
            Ok(if is_place { with_labels(result, &found.labels) } else { result })
        }
        false => Err(Reason::refused(format!("the result would have type {}", result.ty()))),
    }
}

/// The functions put in place of their names.
pub fn with_functions(expr: &Expr, unknown: &[Unknown], functions: &[Lambda]) -> Expr {
    let inside = map_children(expr, &mut |child| with_functions(child, unknown, functions));
    let Some((Primitive::Foreign(foreign), args)) = inside.as_prim() else { return inside };
    let Some(position) = unknown.iter().position(|function| function.name == foreign.name) else {
        return inside;
    };
    let values: Vec<Expr> = args.iter().filter_map(Arg::as_expr).cloned().collect();
    beta_copy(&functions[position], &values)
}

/// Every use gets a copy with binders of its own.
fn substitute_copies(expr: &Expr, param: &Param, value: &Expr) -> Expr {
    match expr.kind() {
        Kind::Var(name) if *name == param.name => again(value),
        _ if param.nat.is_some() => substitute(expr, param, value),
        _ => map_children(expr, &mut |child| substitute_copies(child, param, value)),
    }
}

/// Equal but for the form of sizes, which the rule's equations have made equal.
fn same_shape(a: &DataType, b: &DataType) -> bool {
    let zero = |_: &Nat| Nat::lit(0);
    a == b || a.map_nats(&zero) == b.map_nats(&zero)
}
