//! Which loop runs how.

use crate::dpia::functional::Target;
use crate::expr::{Arg, Expr, Kind, Lambda, MapForm, Primitive, ReduceForm};
use crate::names::Name;
use crate::nat::Nat;
use crate::rewrite::context::Context;
use crate::rewrite::rules::folds;
use crate::rewrite::rules::support::fold;
use crate::types::{DataType, Scalar};

use super::super::loops::vectorize_node;
use super::super::support::Tail;
use super::stride::{Reads, reads};

/// Bytes of a vector.
const VECTOR: i64 = 64;

/// Vectors of accumulators of a reduction.
const ACCUMULATORS: i64 = 4;

/// Elements of a block of a reduction in parallel.
const BLOCK: i64 = 1 << 16;

/// A loop of at most so many iterations is no work to share.
const SHORT: i64 = 32;

/// The walk over a lowered program.
pub(super) struct Auto<'a> {
    context: &'a mut Context,
    /// What variables around are, as far as they name arrays.
    known: Vec<(Name, Expr)>,
}

impl<'a> Auto<'a> {
    pub(super) fn new(context: &'a mut Context) -> Self {
        Auto { context, known: Vec::new() }
    }

    fn is_parallel(&self) -> bool {
        matches!(self.context.target, Target::Rust | Target::OpenMp)
    }

    /// Chooses for everything in a value that is written, `depth` loops inside.
    pub(super) fn written(&mut self, expr: &Expr, depth: usize) -> Expr {
        match expr.kind() {
            Kind::Var(_) | Kind::Literal(_) | Kind::Nat(_) => expr.clone(),
            Kind::Let(param, value, body) => {
                let value = self.written(value, depth);
                if !value.ty().is_small() && !matches!(value.kind(), Kind::Prim(Primitive::ToMem(_), _)) {
                    self.known.push((param.name.clone(), value.clone()));
                }
                let body = self.written(body, depth);
                expr.clone().with_kind(Kind::Let(param.clone(), value, body))
            }
            Kind::Prim(Primitive::Map(MapForm::Seq), args) => match args.as_slice() {
                [Arg::Fun(f), Arg::Expr(xs)] => self.map(expr, f, xs, depth),
                _ => expr.clone(),
            },
            Kind::Prim(Primitive::Reduce(ReduceForm::Plain), _) if expr.ty().is_small() => {
                self.reduction(expr, depth)
            }
            Kind::Prim(primitive, args) => {
                let loops = usize::from(args.iter().any(|arg| matches!(arg, Arg::Fun(_))));
                let args =
                    args.iter().map(|arg| arg.with_expr(self.written(arg.expr(), depth + loops))).collect();
                expr.clone().with_kind(Kind::Prim(primitive.clone(), args))
            }
        }
    }

    fn map(&mut self, expr: &Expr, f: &Lambda, xs: &Expr, depth: usize) -> Expr {
        let xs = &self.written(xs, depth + 1);
        let short = len(xs).is_some_and(|len| len <= SHORT);
        let form = if depth == 0 && !short && self.is_parallel() { MapForm::Par } else { MapForm::Seq };
        let inner = if short { depth } else { depth + 1 };
        if f.body.ty().is_small()
            && self.in_vectors(f, xs)
            && let Some(vector) = self.vector_map(expr, f, xs, form)
        {
            return vector;
        }
        let body = self.written(&f.body, inner);
        let f = Lambda { body, ..f.clone() };
        with(expr, Primitive::Map(form), vec![Arg::Fun(f), Arg::Expr(xs.clone())])
    }

    /// Whether the loop is best run in vectors.
    fn in_vectors(&self, f: &Lambda, xs: &Expr) -> bool {
        if !is_vector_body(&f.body) || len(xs).is_some_and(|len| len < width(&f.body)) {
            return false;
        }
        let Reads { next, far, .. } = reads(f, xs, &self.known);
        match long_reduction(&f.body) {
            // A reduction that itself reads in order is the better choice, if it may be reordered.
            Some(inner) if far > 0 => !self.folds_in_vectors(inner) && next > far,
            _ => far <= next,
        }
    }

    fn vector_map(&mut self, expr: &Expr, f: &Lambda, xs: &Expr, form: MapForm) -> Option<Expr> {
        let open =
            with(expr, Primitive::Map(MapForm::Plain), vec![Arg::Fun(unrolled(f)), Arg::Expr(xs.clone())]);
        let node = vectorize_node(&open, &Nat::lit(width(&f.body)), Tail::Peel, self.context).ok()?;
        Some(outer_form(&node, form))
    }

    /// Whether the reduction may be reordered and reads in order.
    fn folds_in_vectors(&self, expr: &Expr) -> bool {
        let Ok(view) = folds::associative(expr) else { return false };
        let reads = reads(view.f, view.xs, &self.known);
        folds::commutative(view).is_ok()
            && folds::neutral(view).is_ok()
            && is_vector_read(view.xs)
            && matches!(expr.ty(), DataType::Scalar(scalar) if *scalar != Scalar::Bool)
            && !len(view.xs).is_some_and(|len| len < width(expr))
            && reads.far == 0
            && element_reads(view.xs, &self.known).is_none_or(|reads| reads.far == 0)
    }

    fn reduction(&mut self, expr: &Expr, depth: usize) -> Expr {
        let Ok(view) = fold(expr) else { return expr.clone() };
        let args = vec![
            Arg::Fun(Lambda { body: self.written(&view.f.body, depth + 1), ..view.f.clone() }),
            Arg::Expr(self.written(view.start, depth)),
            Arg::Expr(self.written(view.xs, depth + 1)),
        ];
        let expr = with(expr, Primitive::Reduce(ReduceForm::Plain), args);
        if !self.folds_in_vectors(&expr) {
            return expr;
        }
        let long = !fold(&expr).ok().and_then(|view| len(view.xs)).is_some_and(|len| len <= BLOCK);
        if depth == 0 && long && self.is_parallel() {
            return self.blocks(&expr).unwrap_or(expr);
        }
        self.lanes(&expr).unwrap_or(expr)
    }

    /// Several vectors of accumulators for the main part, one for what is left, then single elements.
    fn lanes(&mut self, expr: &Expr) -> Option<Expr> {
        let width = width(expr);
        let wide = folds::lanes_many_peel(expr, ACCUMULATORS, width, self.context).ok()?;
        if wide
            .as_prim()
            .is_none_or(|(primitive, _)| !matches!(primitive, Primitive::Reduce(ReduceForm::Plain)))
        {
            return Some(wide);
        }
        folds::lanes_peel(&wide, &Nat::lit(width), MapForm::Vec, self.context).ok().or(Some(wide))
    }

    fn blocks(&mut self, expr: &Expr) -> Option<Expr> {
        let blocked = folds::block_reduce_peel(expr, &Nat::lit(BLOCK), self.context).ok()?;
        let rest = fold(&blocked).ok()?;
        let main = fold(rest.start).ok()?;
        let Some((Primitive::Map(_), [Arg::Fun(f), Arg::Expr(pieces)])) = main.xs.as_prim() else {
            return Some(blocked);
        };
        let f = Lambda { body: self.lanes(&f.body)?, ..f.clone() };
        let partial =
            with(main.xs, Primitive::Map(MapForm::Par), vec![Arg::Fun(f), Arg::Expr(pieces.clone())]);
        let partial = crate::expr::to_mem(crate::expr::AddressSpace::Default, partial);
        let main = with(
            rest.start,
            Primitive::Reduce(main.form),
            vec![Arg::Fun(main.f.clone()), Arg::Expr(main.start.clone()), Arg::Expr(partial)],
        );
        let whole = with(
            &blocked,
            Primitive::Reduce(rest.form),
            vec![Arg::Fun(rest.f.clone()), Arg::Expr(main), Arg::Expr(rest.xs.clone())],
        );
        self.lanes(&whole).or(Some(whole))
    }
}

fn with(expr: &Expr, primitive: Primitive, args: Vec<Arg>) -> Expr {
    expr.clone().with_kind(Kind::Prim(primitive, args))
}

/// The form for the loop over the pieces of a split map, if it was split.
fn outer_form(node: &Expr, form: MapForm) -> Expr {
    match node.as_prim() {
        Some((primitive @ (Primitive::Concat | Primitive::Join | Primitive::Take(_)), args)) => {
            let mut args = args.to_vec();
            args[0] = Arg::Expr(outer_form(args[0].expr(), form));
            with(node, primitive.clone(), args)
        }
        Some((Primitive::Map(MapForm::Plain), args)) => with(node, Primitive::Map(form), args.to_vec()),
        _ => node.clone(),
    }
}

/// The length, if it is a constant.
fn len(xs: &Expr) -> Option<i64> {
    xs.ty().as_array().and_then(|(len, _)| len.as_const())
}

/// How many elements fill a vector, by the largest scalar that the body computes with.
fn width(body: &Expr) -> i64 {
    let largest = std::cell::Cell::new(1u32);
    let see = |ty: &DataType| {
        if let DataType::Scalar(scalar) = ty {
            largest.set(largest.get().max(scalar.bytes()));
        }
    };
    body.visit(&mut |node| see(node.ty()));
    VECTOR / i64::from(largest.get())
}

/// Whether every operation of a loop's body has a vector form.
fn is_vector_body(body: &Expr) -> bool {
    use Primitive::*;
    let is_scalar = |expr: &Expr| match expr.ty() {
        DataType::Tuple(parts) => parts.iter().all(DataType::is_small),
        ty => ty.is_small() && !matches!(ty, DataType::Vector(..)),
    };
    let bad = |node: &Expr| match node.kind() {
        Kind::Let(_, value, _) => !is_scalar(value),
        Kind::Prim(primitive, args) => match primitive {
            ToMem(_) | Iterate(_) | Scan(_) | Foreign(_) | Scatter | CircularBuffer(..) | RotateValues(_)
            | DepMap(_) | AsVector(_) | AsScalar | VectorFromScalar(_) | PadEmpty(_) | MakeArray => true,
            Map(form) => *form != MapForm::Plain,
            Reduce(_) => !is_scalar(node),
            Select => !is_scalar(node) || args.iter().any(|arg| has_loop(arg.expr())),
            _ => false,
        },
        _ => false,
    };
    is_scalar(body)
        && !matches!(body.ty(), DataType::Scalar(Scalar::Bool) | DataType::Nat | DataType::Idx(_))
        && !body.any(&bad)
}

fn has_loop(expr: &Expr) -> bool {
    expr.any(&|node| matches!(node.kind(), Kind::Prim(Primitive::Reduce(_), _)))
}

/// Whether the elements of an array can be read as vectors.
fn is_vector_read(xs: &Expr) -> bool {
    !xs.any(&|node| {
        use Primitive::*;
        match node.kind() {
            Kind::Let(..) => true,
            Kind::Prim(primitive, _) => match primitive {
                ToMem(_) | Iterate(_) | Scan(_) | Foreign(_) | Scatter | CircularBuffer(..)
                | RotateValues(_) | DepMap(_) | AsVector(_) | AsScalar | VectorFromScalar(_)
                | PadEmpty(_) | Reduce(_) | Select => true,
                Map(form) => *form != MapForm::Plain,
                _ => false,
            },
            _ => false,
        }
    })
}

/// What the elements themselves read, where they are computed by a map.
fn element_reads(xs: &Expr, known: &[(Name, Expr)]) -> Option<Reads> {
    match xs.as_prim() {
        Some((Primitive::Map(_), [Arg::Fun(f), Arg::Expr(inner)])) => Some(reads(f, inner, known)),
        _ => None,
    }
}

/// A reduction inside that is not known to be short.
fn long_reduction(body: &Expr) -> Option<&Expr> {
    if let Ok(view) = fold(body)
        && !len(view.xs).is_some_and(|len| len <= SHORT)
    {
        return Some(body);
    }
    body.children().into_iter().find_map(long_reduction)
}

/// The function with its short reductions written out.
fn unrolled(f: &Lambda) -> Lambda {
    fn go(expr: &Expr) -> Expr {
        let inside = crate::expr::map_children(expr, &mut |child| go(child));
        match fold(&inside) {
            Ok(view)
                if matches!(view.form, ReduceForm::Plain) && len(view.xs).is_some_and(|len| len <= SHORT) =>
            {
                let form = ReduceForm::Unroll(crate::expr::AddressSpace::Default);
                let (_, args) = inside.as_prim().unwrap_or((&Primitive::Join, &[]));
                with(&inside, Primitive::Reduce(form), args.to_vec())
            }
            _ => inside,
        }
    }
    Lambda { body: go(&f.body), ..f.clone() }
}
