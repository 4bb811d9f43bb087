//! What is written: maps become loops, layouts of what is written stay layouts, views are copied.

use crate::expr::{Arg, Expr, Kind, Lambda, MapForm, Primitive, ReduceForm, ScanForm};
use crate::names::Name;
use crate::rewrite::rules::generate::over_indices;

use super::mirror::{is_unrolled, is_written, written_like};
use super::read::rebuild;
use super::source::Source;
use super::{Choices, Lower, Times};

impl Lower {
    /// Lowers a value that is written to memory.
    pub(super) fn write(&mut self, expr: &Expr) -> Expr {
        if expr.ty().is_small() {
            return self.read_small(expr);
        }
        match expr.kind() {
            Kind::Var(_) | Kind::Literal(_) | Kind::Nat(_) => self.copy(expr.clone()),
            Kind::Let(param, value, body) if self.choices == Choices::Inside => {
                let body = self.write(body);
                expr.clone().with_kind(Kind::Let(param.clone(), value.clone(), body))
            }
            Kind::Let(param, value, body) => {
                self.binding(expr, param, value, body, |lower, body| lower.write(body))
            }
            Kind::Prim(Primitive::Map(MapForm::Plain) | Primitive::Generate, _)
                if self.is_invariant(expr) && self.source(expr).is_computed() =>
            {
                let stored = self.store(expr);
                self.copy(stored)
            }
            Kind::Prim(primitive, args) => self.write_prim(expr, primitive, args),
        }
    }

    /// The same for a value whose memory was chosen: it stays where it is.
    pub(super) fn write_here(&mut self, expr: &Expr) -> Expr {
        match expr.kind() {
            Kind::Prim(primitive, args) if !expr.ty().is_small() => self.write_prim(expr, primitive, args),
            _ => self.write(expr),
        }
    }

    fn write_prim(&mut self, expr: &Expr, primitive: &Primitive, args: &[Arg]) -> Expr {
        use Primitive::*;
        match (primitive, args) {
            (Map(form), [Arg::Fun(f), Arg::Expr(xs)]) => self.write_map(expr, *form, f, xs),
            (DepMap(form), [Arg::Fun(f), Arg::Expr(xs)]) => {
                let (f, xs) = self.write_loop(*form, f, xs);
                with_primitive(expr, DepMap(self.loop_form(*form)), vec![f, xs])
            }
            (Reduce(_), _) => {
                let folded = self.fold_array(expr);
                match step(&folded) {
                    Some(step) if self.makes_choices() && is_unrolled(step) => {
                        written_like(step, folded.clone())
                    }
                    _ => folded,
                }
            }
            (Scan(form), [Arg::Fun(f), Arg::Expr(start), Arg::Expr(xs)]) => {
                let args = self.write_fold(f, start, xs, *form != ScanForm::Plain);
                with_primitive(expr, Scan(self.scan_form(*form)), args)
            }
            (Iterate(_), [Arg::Fun(f), Arg::Expr(xs)]) => {
                let xs = self.read(xs, Times::Many, false);
                let f = self.function(f, (None, None), &[Source::Stored], |lower, body| lower.write(body));
                rebuild(expr, vec![Arg::Fun(f), Arg::Expr(xs)])
            }
            (Generate, [Arg::Fun(f)]) => {
                let f = self.written(f, (None, None), &[Source::Stored]);
                let loops = rebuild(expr, vec![Arg::Fun(f)]);
                over_indices(&loops, self.loop_form(MapForm::Plain)).unwrap_or_else(|_| self.copy(loops))
            }
            (Product(_), factors) => {
                let factors = factors.iter().map(|factor| self.factor(factor.expr()).into());
                let factors = factors.collect();
                rebuild(expr, factors)
            }
            (Update, [Arg::Fun(f), Arg::Expr(index), Arg::Expr(xs)]) => {
                let index = self.read_small(index);
                let xs = match xs.is_updated() {
                    true => self.write(xs),
                    false => self.read(xs, Times::Once, false),
                };
                let source = self.source(&xs);
                let f = self.function(f, (None, Some(&xs)), &[source], |lower, body| lower.write(body));
                rebuild(expr, vec![Arg::Fun(f), index.into(), xs.into()])
            }
            (Scatter, [indices, values]) => {
                let indices = self.read(indices.expr(), Times::Once, false);
                rebuild(expr, vec![indices.into(), self.write(values.expr()).into()])
            }
            (Select, [condition, then, otherwise]) => {
                let condition = self.read_small(condition.expr());
                let then = self.branch(|lower| lower.write(then.expr()));
                let otherwise = self.branch(|lower| lower.write(otherwise.expr()));
                rebuild(expr, vec![condition.into(), then.into(), otherwise.into()])
            }
            (Tuple | MakeArray | Concat | PadEmpty(_), _) => self.write_all(expr, args),
            (Take(_) | Drop(_), [joined])
                if joins(joined.expr())
                    && is_made_of_pieces(joined.expr())
                    && self.writes_itself(joined.expr()) =>
            {
                self.write_all(expr, args)
            }
            (
                Zip | Unzip | Split(_) | Join | Transpose | Reorder(..) | AsVector(_) | AsScalar
                | Partition(..) | DepZip | DepJoin,
                _,
            ) if self.writes_itself(expr) => self.write_all(expr, args),
            _ => {
                let read = self.read(expr, Times::Once, false);
                self.copy(read)
            }
        }
    }

    /// A matrix in memory, at most transposed; what is computed, or lies there in another order, gets memory.
    fn factor(&mut self, expr: &Expr) -> Expr {
        match expr.as_prim() {
            _ if !self.makes_choices() => expr.clone(),
            Some((Primitive::Transpose, [inner])) => {
                let inner = self.factor(inner.expr());
                rebuild(expr, vec![inner.into()])
            }
            Some((Primitive::ToMem(_), _)) => self.read(expr, Times::Many, false),
            Some((Primitive::Idx | Primitive::Take(_) | Primitive::Drop(_), _)) | None => {
                match self.source(expr).is_computed() {
                    true => self.store(expr),
                    false => self.read(expr, Times::Many, false),
                }
            }
            Some(_) => self.store(expr),
        }
    }

    fn write_all(&mut self, expr: &Expr, args: &[Arg]) -> Expr {
        let args = args.iter().map(|arg| Arg::Expr(self.write(arg.expr()))).collect();
        rebuild(expr, args)
    }

    fn write_map(&mut self, expr: &Expr, form: MapForm, f: &Lambda, xs: &Expr) -> Expr {
        let is_layout = is_layout(f) || crops_joined(f, xs);
        if form == MapForm::Plain && is_layout && self.writes_itself(xs) {
            return rebuild(expr, vec![Arg::Fun(f.clone()), Arg::Expr(self.write(xs))]);
        }
        let (f, xs) = self.write_loop(form, f, xs);
        with_primitive(expr, Primitive::Map(self.loop_form(form)), vec![f, xs])
    }

    fn write_loop(&mut self, form: MapForm, f: &Lambda, xs: &Expr) -> (Arg, Arg) {
        let xs = self.read(xs, Times::Once, form != MapForm::Plain);
        let source = self.source(&xs);
        let f = self.written(f, (Some(form), Some(&xs)), &[source]);
        (Arg::Fun(f), Arg::Expr(xs))
    }

    /// The function of what is written for each element.
    fn written(
        &mut self,
        f: &Lambda,
        (form, xs): (Option<MapForm>, Option<&Expr>),
        sources: &[Source],
    ) -> Lambda {
        if self.makes_choices() {
            return self.function(f, (form, xs), sources, |lower, body| lower.write(body));
        }
        let outside = std::mem::replace(&mut self.choices, Choices::Inside);
        let body =
            if form.is_none_or(|form| form == MapForm::Plain) { self.write(&f.body) } else { f.body.clone() };
        self.choices = outside;
        Lambda { body, ..f.clone() }
    }

    /// A fold whose accumulator is an array: readable where it stands.
    pub(super) fn fold_array(&mut self, expr: &Expr) -> Expr {
        let Some((Primitive::Reduce(form), [Arg::Fun(f), Arg::Expr(start), Arg::Expr(xs)])) = expr.as_prim()
        else {
            return expr.clone();
        };
        let mut args = self.write_fold(f, start, xs, *form != ReduceForm::Plain);
        let step = args[0].expr().clone();
        if self.makes_choices() && is_unrolled(&step) && !is_written(start) {
            args[1] = Arg::Expr(written_like(&step, self.read(start, Times::Once, true)));
        }
        with_primitive(expr, Primitive::Reduce(self.reduce_form(*form)), args)
    }

    fn write_fold(&mut self, f: &Lambda, start: &Expr, xs: &Expr, by_choice: bool) -> Vec<Arg> {
        let xs = self.read(xs, Times::Once, by_choice);
        let start = if self.makes_choices() { self.write(start) } else { start.clone() };
        let source = self.source(&xs);
        let f =
            self.function(f, (None, Some(&xs)), &[Source::Stored, source], |lower, body| lower.write(body));
        vec![Arg::Fun(f), Arg::Expr(start), Arg::Expr(xs)]
    }

    /// Whether writing the value takes more than copying a readable one.
    pub(super) fn writes_itself(&self, expr: &Expr) -> bool {
        use Primitive::*;
        match expr.kind() {
            Kind::Var(_) | Kind::Literal(_) | Kind::Nat(_) => false,
            Kind::Let(_, _, body) => self.writes_itself(body),
            Kind::Prim(primitive, args) => match primitive {
                Map(MapForm::Plain) => {
                    let xs = args[1].expr();
                    let is_layout = |f: &Lambda| is_layout(f) || crops_joined(f, xs);
                    !args[0].as_fun().is_some_and(is_layout) || self.writes_itself(xs)
                }
                Take(_) | Drop(_) => {
                    let joined = args[0].expr();
                    joins(joined) && is_made_of_pieces(joined) && self.writes_itself(joined)
                }
                Map(_) | DepMap(_) | Reduce(_) | Scan(_) | Iterate(_) | Generate | MakeArray | Scatter
                | Update | PadEmpty(_) | Concat | Select => !expr.ty().is_small(),
                Unzip | Split(_) | Join | Transpose | Reorder(..) | AsVector(_) | AsScalar
                | Partition(..) | DepJoin => self.writes_itself(args[0].expr()),
                Zip | DepZip | Tuple => args.iter().any(|arg| self.writes_itself(arg.expr())),
                _ => false,
            },
        }
    }
}

/// The body of a fold's function.
fn step(fold: &Expr) -> Option<&Expr> {
    match fold.as_prim() {
        Some((Primitive::Reduce(_), args)) => args.first().map(Arg::expr),
        _ => None,
    }
}

fn with_primitive(expr: &Expr, primitive: Primitive, args: Vec<Arg>) -> Expr {
    expr.clone().with_kind(Kind::Prim(primitive, args))
}

/// A function that does nothing but change the layout of its argument, in a way that can be written through.
fn is_layout(lambda: &Lambda) -> bool {
    match lambda.params.as_slice() {
        [param] => !param.ty.is_small() && is_layout_of(&lambda.body, &param.name),
        _ => false,
    }
}

fn is_layout_of(expr: &Expr, name: &Name) -> bool {
    use Primitive::*;
    match expr.kind() {
        Kind::Var(other) => other == name,
        Kind::Prim(Split(_) | Join | Transpose | Reorder(..) | AsVector(_) | AsScalar, args) => {
            is_layout_of(args[0].expr(), name)
        }
        Kind::Prim(Map(MapForm::Plain), args) => {
            args[0].as_fun().is_some_and(is_layout) && is_layout_of(args[1].expr(), name)
        }
        _ => false,
    }
}

/// Whether the value is made of pieces that are joined: what is cropped of it is computed with its piece.
fn joins(expr: &Expr) -> bool {
    matches!(expr.as_prim(), Some((Primitive::Join, _)))
}

/// Whether loops behind layouts make the value.
fn is_made_of_pieces(expr: &Expr) -> bool {
    use Primitive::{Drop, Join, Map, Split, Take, Transpose};
    match expr.as_prim() {
        Some((Map(MapForm::Plain), [Arg::Fun(f), Arg::Expr(xs)])) => !is_layout(f) || is_made_of_pieces(xs),
        Some((Map(_), _)) => true,
        Some((Join | Split(_) | Transpose | Take(_) | Drop(_), args)) => is_made_of_pieces(args[0].expr()),
        _ => false,
    }
}

/// A function that crops each element of an array, where these are made of pieces.
fn crops_joined(lambda: &Lambda, xs: &Expr) -> bool {
    let joined = match xs.as_prim() {
        Some((Primitive::Map(MapForm::Plain), [Arg::Fun(f), _])) => is_layout(f) && joins(&f.body),
        _ => false,
    };
    match (lambda.params.as_slice(), lambda.body.as_prim()) {
        ([param], Some((Primitive::Take(_) | Primitive::Drop(_), [array]))) => match array.expr().kind() {
            Kind::Var(name) => *name == param.name && joined,
            _ => joins(array.expr()) && is_layout_of(array.expr(), &param.name),
        },
        _ => false,
    }
}
