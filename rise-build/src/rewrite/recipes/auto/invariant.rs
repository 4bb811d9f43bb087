//! What is folded in each iteration of a loop, or is a function, though the loop binds nothing of it, is computed once,
//! before the loop.
//!
//! ```text
//! map (λv. v / sum row) row  →  let t = sum row in map (λv. v / t) row
//! ```
//!
//! In: any term. Out: the same, where values without arrays that take folds or functions have left the loops that they do
//! not depend on. What has a value only because the loop runs is computed only if it does. A fold leaves a branch as well if
//! it has no more elements than the loop, which then has nothing in it that vectors cannot do. (Lowering stores what is
//! invariant as well, but folds in vectors are made of many loops, and of a function compilers do not know that it may leave
//! one.)

use crate::expr::{
    Arg, Expr, Kind, Lambda, Literal, Param, Primitive, let_in, literal, map_children, substitute,
};
use crate::nat::{Facts, Nat, Obligation};
use crate::rewrite::engine::holds;
use crate::rewrite::rules::support::{independent, len, make, map_operands, tuple};
use crate::rewrite::total::{inside, is_total};
use crate::types::DataType;

use super::abreast::is_elementary;

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
            let times = times(expr, primitive, xs);
            let mut leaving =
                Leaving { f, times, bound: Vec::new(), is_branch: false, facts, values: &mut values };
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
    /// How often it runs.
    times: Option<Nat>,
    /// What is bound inside, around this place.
    bound: Vec<Param>,
    /// Whether this place is reached only sometimes.
    is_branch: bool,
    facts: &'a Facts,
    values: &'a mut Vec<(Param, Expr)>,
}

impl Leaving<'_> {
    fn expr(&mut self, expr: &Expr) -> Expr {
        if let Some(value) = self.before(expr) {
            let param = Param::fresh("t", expr.ty().clone());
            self.values.push((param.clone(), value));
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
            Kind::Prim(Primitive::Select, args) => {
                let condition = self.expr(args[0].expr());
                let is_branch = std::mem::replace(&mut self.is_branch, true);
                let branches = args[1..].iter().map(|branch| self.expr(branch.expr()).into());
                let args = std::iter::once(condition.into()).chain(branches).collect();
                self.is_branch = is_branch;
                expr.clone().with_kind(Kind::Prim(Primitive::Select, args))
            }
            // What leaves a loop inside has left it already.
            _ => map_operands(expr, &mut |operand| self.expr(operand)),
        }
    }

    /// Whether all that takes long in it is a fold of no more elements than the loop has.
    fn is_short(&self, expr: &Expr) -> bool {
        let is_fold = |node: &Expr| matches!(node.as_prim(), Some((Primitive::Reduce(_), _)));
        let fits = |fold: &Expr| {
            let count = fold.as_prim().and_then(|(_, args)| len(args.last()?.as_expr()?).ok());
            let times = self.times.as_ref();
            count.zip(times).is_some_and(|(count, times)| self.facts.proves_le(&count, times))
        };
        let mut folds = 0;
        let is_long = expr.any(&|node| is_elementary(node) || is_fold(node) && !fits(node));
        expr.visit(&mut |node| folds += usize::from(is_fold(node)));
        folds == 1 && !is_long
    }

    /// The value before the loop, if it leaves: where the loop does not run, any if it has none.
    fn before(&self, expr: &Expr) -> Option<Expr> {
        let takes_long =
            |node: &Expr| matches!(node.as_prim(), Some((Primitive::Reduce(_), _))) || is_elementary(node);
        if !expr.ty().is_small() || !expr.any(&takes_long) {
            return None;
        }
        let params = self.f.params.iter().chain(&self.bound).cloned().collect();
        let binders = Lambda { nats: self.f.nats.clone(), params, body: expr.clone() };
        if !independent(expr, &binders) {
            return None;
        }
        if is_total(expr, self.facts) && (!self.is_branch || self.is_short(expr)) {
            return Some(expr.clone());
        }
        if self.is_branch {
            return None;
        }
        let runs = holds(&Obligation::Le(Nat::lit(1), self.times.clone()?));
        let guarded = make(Primitive::Select, [runs, expr.clone(), zero(expr.ty())?]).ok()?;
        is_total(&guarded, self.facts).then_some(guarded)
    }
}

/// How often the function of a primitive runs.
fn times(expr: &Expr, primitive: &Primitive, xs: Option<&Expr>) -> Option<Nat> {
    match primitive {
        Primitive::Generate => len(expr).ok(),
        Primitive::Map(_) | Primitive::Reduce(_) | Primitive::Scan(_) => len(xs?).ok(),
        _ => None,
    }
}

/// Zero in all components.
fn zero(ty: &DataType) -> Option<Expr> {
    match ty {
        DataType::Scalar(scalar) => Some(literal(Literal::zero(*scalar))),
        DataType::Tuple(parts) => Some(tuple(parts.iter().map(zero).collect::<Option<Vec<_>>>()?)),
        _ => None,
    }
}
