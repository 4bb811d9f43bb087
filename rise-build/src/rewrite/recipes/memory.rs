//! Recipes for memory.

use crate::expr::{Arg, Expr, Kind, Lambda, Param, Primitive, alpha_equal, let_in, substitute, to_mem};
use crate::names::Label;
use crate::nat::Facts;
use crate::rewrite::context::Reason;
use crate::rewrite::engine::{Engine, Outcome};
use crate::rewrite::lower::copy;
use crate::rewrite::rules::lowering::space;
use crate::rewrite::rules::support::{fun1, independent};
use crate::rewrite::strategy::{Path, Value};
use crate::rewrite::total::may_leave;

use super::support::{each, last};

/// `storeIn(Private, at = 'm) @ 'l`
pub fn store_in(engine: &mut Engine, expr: &Expr, paths: &[Path], values: &[Value]) -> Outcome {
    let at = values.iter().find_map(Value::as_option).and_then(|path| path.labels.last().cloned());
    each(paths, expr, |expr, path| {
        let mut store = Store {
            what: last(path)?,
            at: at.clone(),
            is_inside: false,
            space: space(values),
            facts: engine.context.facts(),
        };
        let (result, bindings) = store.expr(expr)?;
        if let Some(at) = at.as_ref().filter(|_| !store.is_inside) {
            return Err(Reason::refused(format!("`{at}` is not around `{}`", store.what)).into());
        }
        engine.trace.rules += 1;
        Ok(settle(result, bindings, |_| false).0)
    })
}

struct Store {
    what: Label,
    at: Option<Label>,
    /// Whether the value was found inside a function of what has that label.
    is_inside: bool,
    space: crate::expr::AddressSpace,
    facts: Facts,
}

/// A name and its value.
type Binding = (Param, Expr);

/// A term, and the bindings that have not found their places yet.
type Moved = (Expr, Vec<Binding>);

impl Store {
    /// The term with the value replaced by a name wherever it stands.
    fn expr(&mut self, expr: &Expr) -> Result<Moved, Reason> {
        if expr.labels().contains(&self.what) {
            return self.value(expr);
        }
        match expr.kind() {
            Kind::Var(_) | Kind::Literal(_) | Kind::Nat(_) => Ok((expr.clone(), Vec::new())),
            Kind::Let(param, value, body) => {
                let (value, mut bindings) = self.expr(value)?;
                let (body, inner) = self.expr(body)?;
                let settled =
                    settle(body, inner, |bound| independent(bound, &fun1(param.clone(), bound.clone())));
                let body = joined(settled, &mut bindings);
                Ok((expr.clone().with_kind(Kind::Let(param.clone(), value, body)), bindings))
            }
            Kind::Prim(primitive, args) => self.prim(expr, primitive, args),
        }
    }

    fn prim(&mut self, expr: &Expr, primitive: &Primitive, args: &[Arg]) -> Result<Moved, Reason> {
        let here = self.at.as_ref().is_some_and(|at| expr.labels().contains(at));
        self.is_inside |= here && self.is_around(args);
        let mut bindings = Vec::new();
        let mut new = Vec::with_capacity(args.len());
        for (position, arg) in args.iter().enumerate() {
            let (inner, found) = self.expr(arg.expr())?;
            let settled = match arg {
                // Nothing moves out of a branch.
                Arg::Expr(_) if matches!(primitive, Primitive::Select) && position > 0 => {
                    settle(inner, found, |_| false)
                }
                Arg::Expr(_) => (inner, found),
                Arg::Fun(f) => settle(inner, found, |bound| {
                    !here
                        && independent(bound, f)
                        && may_leave(bound, args[args.len() - 1].expr(), &self.facts).is_ok()
                }),
            };
            let inner = joined(settled, &mut bindings);
            new.push(match arg {
                Arg::Expr(_) => Arg::Expr(inner),
                Arg::Fun(f) => Arg::Fun(Lambda { body: inner, ..f.clone() }),
            });
        }
        Ok((expr.clone().with_kind(Kind::Prim(primitive.clone(), new)), bindings))
    }

    fn is_around(&self, args: &[Arg]) -> bool {
        args.iter().any(|arg| match arg {
            Arg::Fun(f) => f.body.any(&|node| node.labels().contains(&self.what)),
            Arg::Expr(_) => false,
        })
    }

    fn value(&self, expr: &Expr) -> Result<Moved, Reason> {
        if expr.ty().is_small() {
            return Err(Reason::refused("a value without arrays is shared by `let`, not by memory"));
        }
        let is_computed = expr.as_prim().is_some_and(|(primitive, _)| {
            matches!(
                primitive,
                Primitive::Map(_) | Primitive::Reduce(_) | Primitive::Scan(_) | Primitive::Iterate(_)
            )
        });
        let value = if is_computed { expr.clone() } else { copy(expr.clone()) };
        let param = Param::fresh(self.what.text().split('.').next().unwrap_or("m"), expr.ty().clone());
        Ok((param.expr(), vec![(param, to_mem(self.space, value))]))
    }
}

/// Binds here what may not move on.
fn settle(body: Expr, bindings: Vec<Binding>, may_move: impl Fn(&Expr) -> bool) -> Moved {
    let (outer, here): (Vec<_>, Vec<_>) = bindings.into_iter().partition(|(_, value)| may_move(value));
    (here.into_iter().fold(body, |body, (param, value)| let_in(param, value, body)), outer)
}

/// The term, whose bindings join those of its neighbours: of equal values, as those of a loop and of its remainder are,
/// one is stored.
fn joined((mut term, found): Moved, bindings: &mut Vec<Binding>) -> Expr {
    for (param, value) in found {
        match bindings.iter().find(|(_, other)| alpha_equal(other, &value)) {
            Some((first, _)) => term = substitute(&term, &param, &first.expr()),
            None => bindings.push((param, value)),
        }
    }
    term
}
