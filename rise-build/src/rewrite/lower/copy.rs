//! Copies: the loops that write a readable value.

use crate::expr::{Arg, Expr, Kind, Lambda, MapForm, Param, Primitive, call, let_in, map_with, prim, proj};
use crate::nat::{Nat, NatVar};
use crate::types::DataType;

/// A value that is written, element by element, from one that is read.
pub fn copy(expr: Expr) -> Expr {
    copy_by(MapForm::Seq, expr)
}

/// The same by maps of that form.
pub(super) fn copy_by(form: MapForm, expr: Expr) -> Expr {
    let copy = |expr: Expr| copy_by(form, expr);
    match expr.ty().clone() {
        ty if ty.is_small() => expr,
        DataType::Array(..) => map_with(form, "x", expr, copy),
        DataType::DepArray(_, var, element) => {
            let position = NatVar::new(var.text());
            let param = Param::fresh("x", element.subst(&var, &Nat::var(&position)));
            let body = copy(param.expr());
            let lambda = Lambda { nats: vec![position], params: vec![param], body };
            prim(Primitive::DepMap(MapForm::Seq), vec![Arg::Fun(lambda), Arg::Expr(expr)])
        }
        DataType::Tuple(parts) => named(expr, |tuple| {
            call(Primitive::Tuple, (0..parts.len()).map(|position| copy(proj(position, tuple.clone()))))
        }),
        _ => expr,
    }
}

/// `body` of a name for the expression, unless it is as short as a name itself.
fn named(expr: Expr, body: impl FnOnce(&Expr) -> Expr) -> Expr {
    if is_path(&expr) {
        return body(&expr);
    }
    let param = Param::fresh("c", expr.ty().clone());
    let body = body(&param.expr());
    let_in(param, expr, body)
}

fn is_path(expr: &Expr) -> bool {
    match expr.kind() {
        Kind::Var(_) | Kind::Literal(_) | Kind::Nat(_) => true,
        Kind::Prim(Primitive::Proj(_), args) => is_path(args[0].expr()),
        _ => false,
    }
}
