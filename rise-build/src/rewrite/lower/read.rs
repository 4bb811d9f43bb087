//! What is read: views stay views, everything else gets memory.

use crate::expr::{Arg, Expr, Kind, Lambda, MapForm, Primitive, ReduceForm};

use super::scope::{Scope, ScopeKind};
use super::source::Source;
use super::uses::uses_of_arrays;
use super::{Choices, Lower, Times};

impl Lower {
    /// Lowers a value whose elements are read `times`, by an implementation form that was chosen before
    /// (`by_choice`) or by one that is chosen here.
    pub(super) fn read(&mut self, expr: &Expr, times: Times, by_choice: bool) -> Expr {
        if self.choices == Choices::Inside {
            return expr.clone();
        }
        if expr.ty().is_small() {
            return self.read_small(expr);
        }
        match expr.kind() {
            Kind::Var(_) | Kind::Literal(_) | Kind::Nat(_) => expr.clone(),
            Kind::Let(param, value, body) => {
                self.binding(expr, param, value, body, |lower, body| lower.read(body, times, by_choice))
            }
            Kind::Prim(primitive, args) => {
                let open = matches!(
                    primitive,
                    Primitive::Map(MapForm::Plain) | Primitive::Generate | Primitive::MakeArray
                );
                if open
                    && (times == Times::Many || self.is_invariant(expr))
                    && self.source(expr).is_computed()
                {
                    return self.store(expr);
                }
                let lowered = self.read_prim(expr, primitive, args, times, by_choice);
                if repeats_setup(&lowered) { self.store(expr) } else { lowered }
            }
        }
    }

    fn read_prim(
        &mut self,
        expr: &Expr,
        primitive: &Primitive,
        args: &[Arg],
        times: Times,
        by_choice: bool,
    ) -> Expr {
        use Primitive::*;
        match (primitive, args) {
            (Map(MapForm::Plain | MapForm::Stream), [Arg::Fun(f), Arg::Expr(xs)]) => {
                self.read_map(expr, f, xs, times, by_choice)
            }
            (Map(_) | Scan(crate::expr::ScanForm::Seq) | DepMap(_), _)
                if by_choice && is_chosen(primitive) =>
            {
                self.write(expr)
            }
            (Reduce(_), _) if by_choice => self.fold_array(expr),
            (
                Map(_) | DepMap(_) | Reduce(_) | Scan(_) | Iterate(_) | Scatter | Update | PadEmpty(_)
                | Product(_),
                _,
            ) => self.store(expr),
            // Who reads need not ask in which of two memories an element lies.
            (Concat, parts) if !by_choice && parts.iter().all(|part| is_put_into_memory(part.expr())) => {
                self.store(expr)
            }
            (Generate, [Arg::Fun(f)]) => {
                let f = self.function(f, (None, None), &[Source::Stored], |lower, body| {
                    lower.read(body, Times::Once, false)
                });
                rebuild(expr, vec![Arg::Fun(f)])
            }
            (ToMem(_), [value]) => rebuild(expr, vec![Arg::Expr(self.write_here(value.expr()))]),
            (CircularBuffer(..) | RotateValues(_), [Arg::Fun(f), Arg::Expr(xs)]) => {
                let xs = self.read(xs, Times::Once, true);
                let source = self.source(&xs);
                let f = self.function(f, (None, Some(&xs)), &[source], |lower, body| lower.write(body));
                rebuild(expr, vec![Arg::Fun(f), Arg::Expr(xs)])
            }
            (Select, [condition, then, otherwise]) => {
                let condition = self.operand(condition.expr());
                let then = self.branch(|lower| lower.read(then.expr(), times, by_choice));
                let otherwise = self.branch(|lower| lower.read(otherwise.expr(), times, by_choice));
                rebuild(expr, vec![condition.into(), then.into(), otherwise.into()])
            }
            (Proj(position), [tuple]) => self.read_component(expr, *position, tuple.expr(), times, by_choice),
            _ => {
                let args = args.iter().enumerate().map(|(position, arg)| {
                    let times = times.max(looks(primitive, position));
                    match arg.expr().ty().is_small() && !matches!(primitive, Tuple | MakeArray) {
                        true => Arg::Expr(self.operand(arg.expr())),
                        false => Arg::Expr(self.read(arg.expr(), times, by_choice)),
                    }
                });
                let args = args.collect();
                rebuild(expr, args)
            }
        }
    }

    fn read_map(&mut self, expr: &Expr, f: &Lambda, xs: &Expr, times: Times, by_choice: bool) -> Expr {
        let passed = match self.source(expr).is_computed() {
            true => Times::Once,
            false => times,
        };
        let inside = f.params.first().map_or(Times::Once, |param| match param.ty.is_small() {
            true => Times::Once,
            // What is small is computed once.
            false => uses_of_arrays(&f.body, param).max(Times::Once),
        });
        let xs = self.read(xs, passed.max(inside), by_choice);
        let source = self.source(&xs);
        let f =
            self.function(f, (None, Some(&xs)), &[source], |lower, body| lower.read(body, passed, by_choice));
        rebuild(expr, vec![Arg::Fun(f), Arg::Expr(xs)])
    }

    /// A component; of a tuple that is written out, its expression.
    fn read_component(
        &mut self,
        expr: &Expr,
        position: usize,
        tuple: &Expr,
        times: Times,
        by_choice: bool,
    ) -> Expr {
        if let Kind::Prim(Primitive::Tuple, parts) = tuple.kind() {
            return self.read(parts[position].expr(), times, by_choice);
        }
        let tuple = self.read(tuple, times, by_choice);
        match tuple.kind() {
            Kind::Prim(Primitive::Tuple, parts) => parts[position].expr().clone(),
            _ => rebuild(expr, vec![Arg::Expr(tuple)]),
        }
    }

    /// Lowers a value without arrays: it is computed where it stands.
    pub(super) fn read_small(&mut self, expr: &Expr) -> Expr {
        if self.choices == Choices::Inside {
            return expr.clone();
        }
        match expr.kind() {
            Kind::Var(_) | Kind::Literal(_) | Kind::Nat(_) => expr.clone(),
            Kind::Let(param, value, body) => {
                self.binding(expr, param, value, body, |lower, body| lower.read_small(body))
            }
            Kind::Prim(Primitive::Reduce(form), args) => match args.as_slice() {
                [Arg::Fun(f), Arg::Expr(start), Arg::Expr(xs)] => {
                    if *form == ReduceForm::Plain && self.is_invariant(expr) {
                        return self.share(expr);
                    }
                    self.read_reduce(expr, *form, f, start, xs)
                }
                _ => expr.clone(),
            },
            Kind::Prim(Primitive::Select, args) => {
                let condition = self.read_small(args[0].expr());
                let then = self.branch(|lower| lower.read_small(args[1].expr()));
                let otherwise = self.branch(|lower| lower.read_small(args[2].expr()));
                rebuild(expr, vec![condition.into(), then.into(), otherwise.into()])
            }
            Kind::Prim(Primitive::Proj(position), args) => {
                self.read_component(expr, *position, args[0].expr(), Times::Once, false)
            }
            Kind::Prim(_, args) => {
                let args =
                    args.iter().map(|arg| Arg::Expr(self.read(arg.expr(), Times::Once, false))).collect();
                rebuild(expr, args)
            }
        }
    }

    fn read_reduce(&mut self, expr: &Expr, form: ReduceForm, f: &Lambda, start: &Expr, xs: &Expr) -> Expr {
        let xs = self.read(xs, Times::Once, form != ReduceForm::Plain);
        let start = self.read_small(start);
        let source = self.source(&xs);
        let f = self
            .function(f, (None, Some(&xs)), &[Source::Stored, source], |lower, body| lower.read_small(body));
        let args = vec![Arg::Fun(f), Arg::Expr(start), Arg::Expr(xs)];
        expr.clone().with_kind(Kind::Prim(Primitive::Reduce(self.reduce_form(form)), args))
    }

    /// A small operand of an array's view, as something that costs nothing to evaluate at each access.
    pub(super) fn operand(&mut self, expr: &Expr) -> Expr {
        if self.source(expr).is_computed() { self.share(expr) } else { self.read_small(expr) }
    }

    /// Lowers a branch: nothing moves out of it.
    pub(super) fn branch(&mut self, inner: impl FnOnce(&mut Self) -> Expr) -> Expr {
        self.within(Scope::new(ScopeKind::Barrier), inner)
    }
}

/// The same primitive with other arguments.
pub(super) fn rebuild(expr: &Expr, args: Vec<Arg>) -> Expr {
    match expr.kind() {
        Kind::Prim(primitive, old) => {
            let same = |(a, b): (&Arg, &Arg)| a.expr().same(b.expr()) && a.as_fun().is_none();
            match old.iter().zip(&args).all(same) {
                true => expr.clone(),
                false => expr.clone().with_kind(Kind::Prim(primitive.clone(), args)),
            }
        }
        _ => expr.clone(),
    }
}

/// An implementation form that somebody chose.
pub(super) fn is_chosen(primitive: &Primitive) -> bool {
    match primitive {
        Primitive::Map(form) | Primitive::DepMap(form) => *form != MapForm::Plain,
        Primitive::Scan(form) => *form != crate::expr::ScanForm::Plain,
        _ => false,
    }
}

fn looks(primitive: &Primitive, position: usize) -> Times {
    match (primitive, position) {
        (Primitive::Slide(..) | Primitive::PadClamp(..), _) => Times::Many,
        (Primitive::Gather, 1) | (Primitive::PadCst(..), 0) => Times::Many,
        _ => Times::Once,
    }
}

/// Whether it is a view of what has to be in memory as a whole before it is read.
fn is_put_into_memory(expr: &Expr) -> bool {
    use Primitive::*;
    match expr.as_prim() {
        Some((Reduce(_) | Scan(_) | Iterate(_) | Scatter | Update | Product(_), _)) => true,
        Some((Map(MapForm::Plain), [Arg::Fun(f), _])) => is_put_into_memory(&f.body),
        Some((Join | Transpose | Split(_) | Concat, parts)) => {
            parts.iter().all(|part| is_put_into_memory(part.expr()))
        }
        _ => false,
    }
}

/// Whether an access to an element of a lowered array would repeat work that belongs to several of them.
fn repeats_setup(expr: &Expr) -> bool {
    match expr.kind() {
        Kind::Prim(Primitive::Map(MapForm::Plain) | Primitive::Generate, args) => has_setup(args[0].expr()),
        Kind::Prim(Primitive::Select, args) => args[1..].iter().any(|arg| has_setup(arg.expr())),
        _ => false,
    }
}

/// Whether making the view takes commands.
fn has_setup(expr: &Expr) -> bool {
    match expr.kind() {
        _ if expr.ty().is_small() => false,
        Kind::Var(_) | Kind::Literal(_) | Kind::Nat(_) => false,
        Kind::Let(_, value, body) => value.ty().is_small() || has_setup(value) || has_setup(body),
        Kind::Prim(Primitive::ToMem(_) | Primitive::CircularBuffer(..) | Primitive::RotateValues(_), _) => {
            true
        }
        Kind::Prim(_, args) => args.iter().filter_map(Arg::as_expr).any(has_setup),
    }
}
