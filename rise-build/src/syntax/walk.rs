//! Visiting every expression below one, each before its parts.

use super::ast::{Expr, ExprKind};

/// Calls `visit` on the expression and on all below it.
pub(super) fn walk(expr: &Expr, visit: &mut impl FnMut(&Expr)) {
    visit(expr);
    match &expr.kind {
        ExprKind::Name(_) | ExprKind::Literal(_) | ExprKind::Type(_) | ExprKind::Error => {}
        ExprKind::Array(parts) | ExprKind::Tuple(parts) => walk_all(parts, visit),
        ExprKind::Call(func, args) => {
            walk(func, visit);
            walk_all(args, visit);
        }
        ExprKind::Member(value, _, args) => {
            walk(value, visit);
            walk_all(args.as_deref().unwrap_or_default(), visit);
        }
        ExprKind::Block(block) => {
            for binding in &block.lets {
                walk(&binding.value, visit);
            }
            walk(&block.value, visit);
        }
        ExprKind::If(condition, then, otherwise) => {
            walk(condition, visit);
            walk(then, visit);
            walk(otherwise, visit);
        }
        ExprKind::Pipe(a, b)
        | ExprKind::Compose(a, b)
        | ExprKind::Index(a, b)
        | ExprKind::Binary(_, _, a, b) => {
            walk(a, visit);
            walk(b, visit);
        }
        ExprKind::Repeat(inner, _)
        | ExprKind::Lambda(_, inner)
        | ExprKind::DepLambda(_, inner)
        | ExprKind::Instantiate(inner, _)
        | ExprKind::Field(inner, _)
        | ExprKind::Cast(inner, _)
        | ExprKind::Label(_, inner)
        | ExprKind::Unary(_, inner) => walk(inner, visit),
    }
}

fn walk_all(parts: &[Expr], visit: &mut impl FnMut(&Expr)) {
    for part in parts {
        walk(part, visit);
    }
}
