//! Children, free names and occurrences: the only recursion scheme of the functional language.
//!
//! Children stand in one order: the arguments from left to right, a function's body where the function
//! stands, and for `let` the value before the body.

use crate::names::Name;

use super::term::{Arg, Expr, Kind, Lambda};

impl Expr {
    /// The direct sub-expressions in order; bodies of functions count.
    pub fn children(&self) -> Vec<&Expr> {
        match self.kind() {
            Kind::Var(_) | Kind::Literal(_) | Kind::Nat(_) => Vec::new(),
            Kind::Let(_, value, body) => vec![value, body],
            Kind::Prim(_, args) => args.iter().map(Arg::expr).collect(),
        }
    }

    /// Visits every sub-expression, outside in, left to right.
    pub fn visit(&self, f: &mut dyn FnMut(&Expr)) {
        f(self);
        self.any_child(&mut |child| {
            child.visit(f);
            false
        });
    }

    /// Whether terms nest deeper than that.
    pub fn is_deeper_than(&self, levels: usize) -> bool {
        let Some(levels) = levels.checked_sub(1) else { return true };
        self.children().into_iter().any(|child| child.is_deeper_than(levels))
    }

    /// How many terms there are, this one included.
    pub fn nodes(&self) -> usize {
        1 + self.children().into_iter().map(Expr::nodes).sum::<usize>()
    }

    /// Whether `f` holds anywhere inside.
    pub fn any(&self, f: &dyn Fn(&Expr) -> bool) -> bool {
        f(self) || self.any_child(&mut |child| child.any(f))
    }

    /// Whether `f` holds for a direct sub-expression; those after it are not asked.
    pub fn any_child(&self, f: &mut dyn FnMut(&Expr) -> bool) -> bool {
        match self.kind() {
            Kind::Var(_) | Kind::Literal(_) | Kind::Nat(_) => false,
            Kind::Let(_, value, body) => f(value) || f(body),
            Kind::Prim(_, args) => {
                for arg in args {
                    if f(arg.expr()) {
                        return true;
                    }
                }
                false
            }
        }
    }
}

impl Arg {
    /// The value, or the function's body.
    pub fn expr(&self) -> &Expr {
        match self {
            Arg::Expr(expr) => expr,
            Arg::Fun(lambda) => &lambda.body,
        }
    }

    /// The same argument around another value or body.
    #[must_use]
    pub fn with_expr(&self, expr: Expr) -> Arg {
        match self {
            Arg::Expr(_) => Arg::Expr(expr),
            Arg::Fun(lambda) => {
                Arg::Fun(Lambda { nats: lambda.nats.clone(), params: lambda.params.clone(), body: expr })
            }
        }
    }
}

/// The expression with `f` applied to each direct child; shared if no child changed.
pub fn map_children(expr: &Expr, f: &mut dyn FnMut(&Expr) -> Expr) -> Expr {
    match expr.kind() {
        Kind::Var(_) | Kind::Literal(_) | Kind::Nat(_) => expr.clone(),
        Kind::Let(param, value, body) => {
            let (new_value, new_body) = (f(value), f(body));
            if new_value.same(value) && new_body.same(body) {
                return expr.clone();
            }
            expr.clone().with_kind(Kind::Let(param.clone(), new_value, new_body))
        }
        Kind::Prim(primitive, args) => {
            let mut changed = false;
            let args = args
                .iter()
                .map(|arg| {
                    let new = f(arg.expr());
                    if new.same(arg.expr()) {
                        return arg.clone();
                    }
                    changed = true;
                    arg.with_expr(new)
                })
                .collect();
            if changed { expr.clone().with_kind(Kind::Prim(primitive.clone(), args)) } else { expr.clone() }
        }
    }
}

/// The free value variables, in order of first occurrence. Index variables that occur in naturals are
/// not among them.
pub fn free_names(expr: &Expr) -> Vec<Name> {
    let mut free = Vec::new();
    collect_free(expr, &mut Vec::new(), &mut free);
    free
}

fn collect_free(expr: &Expr, bound: &mut Vec<Name>, free: &mut Vec<Name>) {
    match expr.kind() {
        Kind::Var(name) => {
            if !bound.contains(name) && !free.contains(name) {
                free.push(name.clone());
            }
        }
        Kind::Literal(_) | Kind::Nat(_) => {}
        Kind::Let(param, value, body) => {
            collect_free(value, bound, free);
            bound.push(param.name.clone());
            collect_free(body, bound, free);
            bound.pop();
        }
        Kind::Prim(_, args) => {
            for arg in args {
                let depth = bound.len();
                if let Arg::Fun(lambda) = arg {
                    bound.extend(lambda.params.iter().map(|param| param.name.clone()));
                }
                collect_free(arg.expr(), bound, free);
                bound.truncate(depth);
            }
        }
    }
}

/// How often a variable occurs.
pub fn occurrences(expr: &Expr, name: &Name) -> usize {
    match expr.kind() {
        Kind::Var(other) => usize::from(other == name),
        _ => expr.children().into_iter().map(|child| occurrences(child, name)).sum(),
    }
}
