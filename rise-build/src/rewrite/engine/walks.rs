//! Traversals: where a strategy acts.

use std::borrow::Cow;

use crate::expr::{Arg, Expr, Kind, Lambda};
use crate::rewrite::context::Reason;
use crate::rewrite::strategy::{Strategy, Walk};
use crate::rewrite::trace::Why;

use super::{Engine, Failure, Outcome};

/// How often `everywhere` walks over a term.
const PASSES: u32 = 256;

/// How many terms the program may have after a pass, and how many times as many as before all of them.
const MOST_NODES: usize = 10_000;
const MOST_GROWTH: usize = 8;

/// How many terms a program may have that is made of this one by repetition.
pub(super) fn most_nodes(expr: &Expr) -> usize {
    MOST_NODES.max(MOST_GROWTH * expr.nodes())
}

impl Engine {
    pub(super) fn walk(&mut self, walk: &Walk, inner: &Strategy, expr: &Expr) -> Outcome {
        let record = std::mem::replace(&mut self.at_root, false);
        let outcome = match walk {
            Walk::All => self.children(expr, usize::MAX, true, &mut |engine, child| engine.run(inner, child)),
            Walk::One => self.children(expr, 1, false, &mut |engine, child| engine.run(inner, child)),
            Walk::Some => {
                self.children(expr, usize::MAX, false, &mut |engine, child| engine.run(inner, child))
            }
            Walk::TopDown => self.top_down(expr, &mut |engine, node| engine.run(inner, node)),
            Walk::BottomUp => self.bottom_up(expr, &mut |engine, node| engine.run(inner, node)),
            Walk::AllTopDown => self.all_top_down(inner, expr),
            Walk::AllBottomUp => self.all_bottom_up(inner, expr),
            Walk::TryAll => Ok(self.every(expr, &mut |engine, node| engine.run(inner, node))),
            Walk::Everywhere => self.everywhere(inner, expr),
            Walk::Outermost(predicate) => {
                let none = || no_place(&predicate.text());
                self.top_down(expr, &mut |engine, node| match predicate.holds(node) {
                    true => engine.run(inner, node),
                    false => Err(none()),
                })
            }
            Walk::Innermost(predicate) => {
                let none = || no_place(&predicate.text());
                self.bottom_up(expr, &mut |engine, node| match predicate.holds(node) {
                    true => engine.run(inner, node),
                    false => Err(none()),
                })
            }
            Walk::Every(predicate) => Ok(self.every(expr, &mut |engine, node| match predicate.holds(node) {
                true => engine.run(inner, node),
                false => Err(no_place("")),
            })),
            Walk::Body | Walk::Function => self
                .child_where(expr, inner, |arg, is_let_body| is_let_body || matches!(arg, Some(Arg::Fun(_)))),
            Walk::Argument(position) => self.argument(expr, *position, inner),
            Walk::Position(number) => self.position(expr, &mut (*number + 1), inner),
        };
        self.at_root = record;
        outcome
    }

    /// The first place, outside in, where `f` succeeds.
    pub fn top_down(&mut self, expr: &Expr, f: &mut dyn FnMut(&mut Self, &Expr) -> Outcome) -> Outcome {
        let failure = match f(self, expr) {
            Ok(result) => return Ok(result),
            Err(failure) => failure,
        };
        self.children(expr, 1, false, &mut |engine, child| engine.top_down(child, f))
            .map_err(|inner| failure.best(inner))
    }

    /// The first place, inside out, where `f` succeeds.
    pub fn bottom_up(&mut self, expr: &Expr, f: &mut dyn FnMut(&mut Self, &Expr) -> Outcome) -> Outcome {
        match self.children(expr, 1, false, &mut |engine, child| engine.bottom_up(child, f)) {
            Ok(result) => Ok(result),
            Err(inner) => f(self, expr).map_err(|failure| failure.best(inner)),
        }
    }

    /// Every place, inside out, where `f` succeeds.
    pub fn every(&mut self, expr: &Expr, f: &mut dyn FnMut(&mut Self, &Expr) -> Outcome) -> Expr {
        let inside = self
            .children(expr, usize::MAX, false, &mut |engine, child| Ok(engine.every(child, f)))
            .unwrap_or_else(|_| expr.clone());
        f(self, &inside).unwrap_or(inside)
    }

    fn everywhere(&mut self, inner: &Strategy, expr: &Expr) -> Outcome {
        let mut current = expr.clone();
        let most = most_nodes(expr);
        for passes in 0..PASSES {
            let before = self.trace.rules;
            let next = self.every(&current, &mut |engine, node| engine.run(inner, node));
            if let Some(reason) = &self.context.exhausted {
                return Err(reason.clone().into());
            }
            if self.trace.rules == before || next.same(&current) {
                let why = if self.trace.rules == before { Why::Nowhere } else { Why::Unchanged };
                self.trace.stopped(|| format!("{} everywhere", inner.kind.name()), passes, why);
                return Ok(next);
            }
            if next.nodes() > most {
                break;
            }
            current = next;
        }
        self.exhaust(format!(
            "`{}` applies again and again to its own result; `@ every` goes over the places once",
            inner.kind.name()
        ))
    }

    /// Ends the strategy, which would not end itself.
    pub(super) fn exhaust(&mut self, why: impl Into<Cow<'static, str>>) -> Outcome {
        let reason = Reason::refused(why);
        self.context.exhausted = Some(reason.clone());
        Err(reason.into())
    }

    fn all_top_down(&mut self, inner: &Strategy, expr: &Expr) -> Outcome {
        let result = self.run(inner, expr)?;
        self.children(&result, usize::MAX, true, &mut |engine, child| engine.all_top_down(inner, child))
    }

    fn all_bottom_up(&mut self, inner: &Strategy, expr: &Expr) -> Outcome {
        let result =
            self.children(expr, usize::MAX, true, &mut |engine, child| engine.all_bottom_up(inner, child))?;
        self.run(inner, &result)
    }

    fn argument(&mut self, expr: &Expr, position: Option<usize>, inner: &Strategy) -> Outcome {
        let values = |expr: &Expr| {
            expr.as_prim().map_or(0, |(_, args)| args.iter().filter(|arg| arg.as_expr().is_some()).count())
        };
        let position = position.unwrap_or_else(|| values(expr).saturating_sub(1));
        let mut seen = 0;
        self.child_where(expr, inner, |arg, _| {
            let here = matches!(arg, Some(Arg::Expr(_))) && seen == position;
            seen += usize::from(matches!(arg, Some(Arg::Expr(_))));
            here
        })
    }

    fn position(&mut self, expr: &Expr, left: &mut usize, inner: &Strategy) -> Outcome {
        *left -= 1;
        if *left == 0 {
            return self.run(inner, expr);
        }
        self.children(expr, 1, false, &mut |engine, child| match *left {
            0 => Err(no_place("")),
            _ => engine.position(child, left, inner),
        })
    }

    /// The first child that the test accepts; it gets the argument, or whether it is a `let`'s body.
    fn child_where(
        &mut self,
        expr: &Expr,
        inner: &Strategy,
        mut test: impl FnMut(Option<&Arg>, bool) -> bool,
    ) -> Outcome {
        let accepted: Vec<bool> = match expr.kind() {
            Kind::Let(..) => vec![test(None, false), test(None, true)],
            Kind::Prim(_, args) => args.iter().map(|arg| test(Some(arg), false)).collect(),
            _ => Vec::new(),
        };
        let Some(wanted) = accepted.iter().position(|accepted| *accepted) else {
            return Err(Failure {
                at: Some(expr.clone()),
                ..Reason::mismatch("there is no such part here").into()
            });
        };
        let mut position = 0;
        self.children(expr, usize::MAX, true, &mut |engine, child| {
            position += 1;
            if position == wanted + 1 { engine.run(inner, child) } else { Ok(child.clone()) }
        })
    }

    /// Applies `f` to children, at most to `most` with success; all must succeed, or one.
    pub fn children(
        &mut self,
        expr: &Expr,
        most: usize,
        all: bool,
        f: &mut dyn FnMut(&mut Self, &Expr) -> Outcome,
    ) -> Outcome {
        let (mut done, mut failure, mut changed) = (0, None, false);
        let mut visit = |engine: &mut Self, child: &Expr| -> Result<Expr, Failure> {
            if done >= most {
                return Ok(child.clone());
            }
            engine.context.below += 1;
            let outcome = f(engine, child);
            engine.context.below -= 1;
            match outcome {
                Ok(new) => {
                    done += 1;
                    changed |= !new.same(child);
                    Ok(new)
                }
                Err(error) if all => Err(error),
                Err(error) => {
                    let known = failure.take();
                    failure = Some(known.map_or(error.clone(), |known: Failure| known.best(error)));
                    Ok(child.clone())
                }
            }
        };
        let kind = match expr.kind() {
            Kind::Var(_) | Kind::Literal(_) | Kind::Nat(_) => None,
            Kind::Let(param, value, body) => {
                let value = visit(self, value)?;
                let depth = self.context.depth();
                self.context.enter_param(param);
                let body = visit(self, body);
                self.context.leave(depth);
                Some(Kind::Let(param.clone(), value, body?))
            }
            Kind::Prim(primitive, args) => {
                let mut new = Vec::with_capacity(args.len());
                for arg in args {
                    let depth = self.context.depth();
                    if let Arg::Fun(lambda) = arg {
                        self.context.enter(lambda);
                    }
                    let child = visit(self, arg.expr());
                    self.context.leave(depth);
                    new.push(match arg {
                        Arg::Expr(_) => Arg::Expr(child?),
                        Arg::Fun(Lambda { nats, params, .. }) => {
                            Arg::Fun(Lambda { nats: nats.clone(), params: params.clone(), body: child? })
                        }
                    });
                }
                Some(Kind::Prim(primitive.clone(), new))
            }
        };
        match kind {
            _ if done == 0 && !all => Err(failure.unwrap_or_else(|| no_place(""))),
            Some(kind) if changed => Ok(expr.clone().with_kind(kind)),
            _ => Ok(expr.clone()),
        }
    }
}

fn no_place(predicate: &str) -> Failure {
    match predicate {
        "" => Reason::mismatch("there is no such place").into(),
        text => {
            Failure { rule: text.to_owned(), ..Reason::mismatch("there is no place where it holds").into() }
        }
    }
}
