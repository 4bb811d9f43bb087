//! What is folded in each iteration of a loop, though the loop binds nothing of it, is folded once, before the loop.
//!
//! ```text
//! map (λv. v / sum row) row  →  let t = sum row in map (λv. v / t) row
//! ```
//!
//! In: any term. Out: the same, where values without arrays that take folds have left the loops that they do not depend
//! on, if they have a value where no loop runs. (Lowering stores what is invariant as well, but folds in vectors are
//! made of many loops.)

use crate::expr::{Arg, Expr, Kind, Lambda, Param, Primitive, let_in, map_children, substitute};
use crate::nat::Facts;
use crate::rewrite::rules::support::independent;
use crate::rewrite::total::{inside, is_total};

/// All such values inside.
pub fn everywhere(expr: &Expr, facts: &Facts) -> Expr {
    let Some((primitive, args)) = expr.as_prim() else {
        return map_children(expr, &mut |child| everywhere(child, facts));
    };
    let xs = args.last().and_then(Arg::as_expr);
    let mut values = Vec::new();
    let args = args.iter().map(|arg| match arg {
        Arg::Expr(operand) => Arg::Expr(everywhere(operand, facts)),
        Arg::Fun(f) => {
            let body = everywhere(&f.body, &inside(f, xs, facts));
            let mut leaving = Leaving { f, bound: Vec::new(), facts, values: &mut values };
            Arg::Fun(Lambda { body: leaving.expr(&body), ..f.clone() })
        }
    });
    let kind = Kind::Prim(primitive.clone(), args.collect());
    let rest = expr.clone().with_kind(kind);
    values.into_iter().rev().fold(rest, |rest, (param, value)| let_in(param, value, rest))
}

/// Values that leave a function.
struct Leaving<'a> {
    f: &'a Lambda,
    /// What is bound inside, around this place.
    bound: Vec<Param>,
    facts: &'a Facts,
    values: &'a mut Vec<(Param, Expr)>,
}

impl Leaving<'_> {
    fn expr(&mut self, expr: &Expr) -> Expr {
        if self.leaves(expr) {
            let param = Param::fresh("t", expr.ty().clone());
            self.values.push((param.clone(), expr.clone()));
            return param.expr();
        }
        match expr.kind() {
            Kind::Let(param, value, body) => {
                let value = self.expr(value);
                if matches!(value.kind(), Kind::Var(_)) {
                    return self.expr(&substitute(body, param, &value));
                }
                self.bound.push(param.clone());
                let body = self.expr(body);
                self.bound.pop();
                expr.clone().with_kind(Kind::Let(param.clone(), value, body))
            }
            // Nothing leaves a branch; what leaves a loop inside has left it already.
            Kind::Prim(primitive, args) => {
                let args = args.iter().enumerate().map(|(position, arg)| match arg {
                    Arg::Expr(_) if *primitive == Primitive::Select && position > 0 => arg.clone(),
                    Arg::Expr(operand) => Arg::Expr(self.expr(operand)),
                    Arg::Fun(_) => arg.clone(),
                });
                let kind = Kind::Prim(primitive.clone(), args.collect());
                expr.clone().with_kind(kind)
            }
            _ => expr.clone(),
        }
    }

    fn leaves(&self, expr: &Expr) -> bool {
        let is_fold = |node: &Expr| matches!(node.as_prim(), Some((Primitive::Reduce(_), _)));
        if !expr.ty().is_small() || !expr.any(&is_fold) {
            return false;
        }
        let params = self.f.params.iter().chain(&self.bound).cloned().collect();
        let binders = Lambda { nats: self.f.nats.clone(), params, body: expr.clone() };
        independent(expr, &binders) && is_total(expr, self.facts)
    }
}
