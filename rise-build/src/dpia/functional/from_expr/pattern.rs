//! Patterns: maps, folds, scans, iteration, generation, line buffers.

use std::sync::Arc;

use crate::expr::{Arg, Expr, Lambda, Library, MapForm, Primitive, ReduceForm, ScanForm};
use crate::names::Name;
use crate::nat::Nat;

use super::super::{Access, Fun, Kind, LoopForm, Phrase};
use super::{Builder, Made, fun, phrase};

impl Builder {
    pub(super) fn map(&mut self, expr: &Expr, form: MapForm, args: &[Arg], access: Access) -> Made {
        let (lambda, array) = (fun(args), args[1].expr());
        let Some(loop_form) = loop_form(form) else { return self.plain_map(expr, lambda, array, access) };
        self.nest.push(loop_form);
        let function = self.function(lambda, Access::Write);
        self.nest.pop();
        let array = self.read(array);
        let kind = Kind::Map(loop_form, function?, Box::new(array?));
        match loop_form {
            LoopForm::Stream => Some(phrase(expr, kind, access)),
            _ => self.require(expr, kind, access),
        }
    }

    /// Read, a view. Written, it can only change the layout of elements that are written themselves.
    fn plain_map(&mut self, expr: &Expr, lambda: &Lambda, array: &Expr, access: Access) -> Made {
        if access == Access::Write {
            return self.layout_map(expr, lambda, array);
        }
        let function = self.function(lambda, Access::Read);
        let array = self.read(array);
        Some(phrase(expr, Kind::MapView(function?, Box::new(array?)), Access::Read))
    }

    fn layout_map(&mut self, expr: &Expr, lambda: &Lambda, array: &Expr) -> Made {
        if !(is_layout(lambda) && is_written(array, &self.written)) {
            return self.blame_map(expr);
        }
        self.written.push(lambda.params[0].name.clone());
        let function = self.function(lambda, Access::Write);
        self.written.pop();
        let array = self.write(array);
        Some(phrase(expr, Kind::MapView(function?, Box::new(array?)), Access::Write))
    }

    pub(super) fn dep_map(&mut self, expr: &Expr, form: MapForm, args: &[Arg], access: Access) -> Made {
        let Some(form) = loop_form(form) else { return self.blame_open(expr, "`depMapSeq`") };
        let function = self.function(fun(args), Access::Write);
        let array = self.read(args[1].expr());
        self.require(expr, Kind::DepMap(form, function?, Box::new(array?)), access)
    }

    /// Readable, and written without a copy.
    pub(super) fn reduce(&mut self, expr: &Expr, form: ReduceForm, args: &[Arg], access: Access) -> Made {
        let (form, space) = match form {
            ReduceForm::Plain => return self.blame_open(expr, "`reduceSeq`, `reducePar`"),
            ReduceForm::Par => return self.reduce_par(expr, args, access),
            ReduceForm::Seq(space) => (LoopForm::Seq, space),
            ReduceForm::Unroll(space) => (LoopForm::Unroll, space),
        };
        let (fun, start, array) = self.fold(args)?;
        let kind = Kind::Reduce { form, space, fun, start, array };
        Some(phrase(expr, kind, folded(expr, access)))
    }

    fn reduce_par(&mut self, expr: &Expr, args: &[Arg], access: Access) -> Made {
        let (fun, start, array) = self.fold(args)?;
        Some(phrase(expr, Kind::ReducePar(fun, start, array), folded(expr, access)))
    }

    pub(super) fn scan(&mut self, expr: &Expr, form: ScanForm, args: &[Arg], access: Access) -> Made {
        if form == ScanForm::Plain {
            return self.blame_open(expr, "`scanSeq`");
        }
        let (fun, start, array) = self.fold(args)?;
        self.require(expr, Kind::Scan(fun, start, array), access)
    }

    fn fold(&mut self, args: &[Arg]) -> Option<Fold> {
        let function = self.function(fun(args), Access::Write);
        let start = self.write(args[1].expr());
        let array = self.read(args[2].expr());
        Some((function?, Box::new(start?), Box::new(array?)))
    }

    /// Written by the library.
    pub(super) fn product(
        &mut self,
        expr: &Expr,
        library: &Arc<Library>,
        args: &[Arg],
        access: Access,
    ) -> Made {
        let factors = self.all(args, Access::Read)?;
        let factors = <[_; 2]>::try_from(factors).unwrap_or_else(|_| panic!("bug: two factors"));
        self.require(expr, Kind::Product(library.clone(), Box::new(factors)), access)
    }

    pub(super) fn iterate(&mut self, expr: &Expr, times: &Nat, args: &[Arg], access: Access) -> Made {
        let function = self.function(fun(args), Access::Write);
        let array = self.read(args[1].expr());
        self.require(expr, Kind::Iterate(times.clone(), function?, Box::new(array?)), access)
    }

    pub(super) fn update(&mut self, expr: &Expr, args: &[Arg], access: Access) -> Made {
        let function = self.function(fun(args), Access::Write);
        let (index, array) = (args[1].expr(), args[2].expr());
        let index = self.read(index);
        // One after the other where the last one is written.
        let array = if array.is_updated() { self.write(array) } else { self.read(array) };
        self.require(expr, Kind::Update(function?, Box::new([index?, array?])), access)
    }

    /// Read, a view; written, a loop.
    pub(super) fn generate(&mut self, expr: &Expr, args: &[Arg], access: Access) -> Made {
        let function = self.function(fun(args), access)?;
        Some(phrase(expr, Kind::Generate(function), access))
    }

    pub(super) fn circular_buffer(
        &mut self,
        expr: &Expr,
        alloc: &Nat,
        size: &Nat,
        args: &[Arg],
        access: Access,
    ) -> Made {
        let load = self.function(fun(args), Access::Write);
        let array = self.read(args[1].expr());
        let kind = Kind::CircularBuffer(alloc.clone(), size.clone(), load?, Box::new(array?));
        self.offer(expr, kind, access)
    }

    pub(super) fn rotate_values(&mut self, expr: &Expr, size: &Nat, args: &[Arg], access: Access) -> Made {
        let write = self.function(fun(args), Access::Write);
        let array = self.read(args[1].expr());
        self.offer(expr, Kind::RotateValues(size.clone(), write?, Box::new(array?)), access)
    }
}

/// Step, start, array.
type Fold = (Fun, Box<Phrase>, Box<Phrase>);

/// A small result is read from its register.
fn folded(expr: &Expr, access: Access) -> Access {
    if expr.ty().is_small() { Access::Read } else { access }
}

fn loop_form(form: MapForm) -> Option<LoopForm> {
    Some(match form {
        MapForm::Plain => return None,
        MapForm::Seq => LoopForm::Seq,
        MapForm::Unroll => LoopForm::Unroll,
        MapForm::Vec => LoopForm::Vec,
        MapForm::Par => LoopForm::Par,
        MapForm::Stream => LoopForm::Stream,
        MapForm::Global(d) => LoopForm::Global(d),
        MapForm::WorkGroup(d) => LoopForm::WorkGroup(d),
        MapForm::Local(d) => LoopForm::Local(d),
    })
}

/// Whether a function moves its one parameter and does nothing else.
fn is_layout(lambda: &Lambda) -> bool {
    let [param] = lambda.params.as_slice() else { return false };
    let mut expr = &lambda.body;
    loop {
        match expr.kind() {
            crate::expr::Kind::Var(name) => return *name == param.name,
            crate::expr::Kind::Prim(primitive, args) => match (primitive, args.as_slice()) {
                (Primitive::Map(MapForm::Plain), [Arg::Fun(inner), array]) if is_layout(inner) => {
                    expr = array.expr();
                }
                (Primitive::Scatter, [_, array]) => expr = array.expr(),
                (Primitive::Unzip | Primitive::PadEmpty(_) | Primitive::DepJoin, [array]) => {
                    expr = array.expr();
                }
                (_, [array]) if primitive.rearranges() => expr = array.expr(),
                _ => return false,
            },
            _ => return false,
        }
    }
}

/// Whether a term has a part that has to be written, seen through layouts.
fn is_written(expr: &Expr, written: &[Name]) -> bool {
    let crate::expr::Kind::Prim(primitive, args) = expr.kind() else {
        return match expr.kind() {
            crate::expr::Kind::Let(_, _, body) => is_written(body, written),
            // The parameter of a layout around this one.
            crate::expr::Kind::Var(name) => written.contains(name),
            _ => false,
        };
    };
    match primitive {
        Primitive::Map(form) => *form != MapForm::Plain || is_written(args[1].expr(), written),
        Primitive::DepMap(_) | Primitive::Reduce(_) | Primitive::Scan(_) | Primitive::Iterate(_) => true,
        Primitive::Generate | Primitive::MakeArray | Primitive::Update => true,
        Primitive::Select => args[1..].iter().all(|arg| is_written(arg.expr(), written)),
        Primitive::Tuple => args.iter().all(|arg| is_written(arg.expr(), written)),
        Primitive::Zip
        | Primitive::Unzip
        | Primitive::Split(_)
        | Primitive::Join
        | Primitive::Transpose
        | Primitive::Take(_)
        | Primitive::Drop(_)
        | Primitive::Concat
        | Primitive::PadCst(..)
        | Primitive::PadEmpty(_)
        | Primitive::Scatter
        | Primitive::Reorder(..)
        | Primitive::AsVector(_)
        | Primitive::AsScalar
        | Primitive::DepZip
        | Primitive::DepJoin => args.last().is_some_and(|arg| is_written(arg.expr(), written)),
        _ => false,
    }
}
