//! Recipes for one pattern: splitting, parallel and vector execution, unrolling, fusing.

use crate::dpia::functional::Target;
use crate::expr::{Expr, MapForm, Primitive, ReduceForm};
use crate::nat::Nat;
use crate::rewrite::context::{Context, Reason};
use crate::rewrite::engine::{Engine, Outcome};
use crate::rewrite::rules::support::{fold, len, plain_map};
use crate::rewrite::rules::{folds, fusion, lowering, split as splits, vector};
use crate::rewrite::strategy::{Path, Value};
use crate::types::{DataType, Scalar};

use super::support::{Tail, at, each, last, nats, one_nat, part, rename, tail};

/// `split(b, …, tail = peel) @ 'l`
pub fn split(engine: &mut Engine, expr: &Expr, paths: &[Path], values: &[Value]) -> Outcome {
    let (sizes, tail) = (nats(values), tail(values));
    if sizes.is_empty() {
        return Err(Reason::refused("it takes the sizes of the pieces").into());
    }
    each(paths, expr, |expr, path| split_by(engine, expr, path, &sizes, tail))
}

/// Splits by several sizes, the largest first: `'l.outer`, `'l.middle` …, `'l.inner`.
pub fn split_by(engine: &mut Engine, expr: &Expr, path: &Path, sizes: &[Nat], tail: Tail) -> Outcome {
    let mut current = expr.clone();
    let mut place = path.clone();
    for (position, size) in sizes.iter().enumerate() {
        let size = size.clone();
        current = at(engine, &current, &place, "split", move |node, cx| split_node(node, &size, tail, cx))?;
        if position > 0 {
            let (whole, inner) = (last(path)?, last(&place)?);
            let middle = match (sizes.len(), position) {
                (2, _) => whole.part("middle"),
                _ => whole.part(&format!("middle{position}")),
            };
            let names = [(inner.part("outer"), middle), (inner.part("inner"), whole.part("inner"))];
            current = rename(&current, &names);
        }
        place = part(path, "inner");
    }
    Ok(current)
}

fn split_node(node: &Expr, size: &Nat, tail: Tail, cx: &mut Context) -> Result<Expr, Reason> {
    if fold(node).is_ok() {
        return match tail {
            Tail::Exact => folds::split_fold(node, size, cx),
            Tail::Peel => folds::split_fold_peel(node, size, cx),
            Tail::Pad | Tail::Mask => folds::split_fold_pad(node, size, cx),
            Tail::Shift => Err(Reason::refused("a fold would take elements twice; use `peel`")),
        };
    }
    match tail {
        Tail::Exact => splits::split_map(node, size, cx),
        Tail::Peel => splits::split_peel(node, size, cx),
        Tail::Pad => splits::split_pad(node, size, cx),
        Tail::Mask => splits::split_mask(node, size, cx),
        Tail::Shift => splits::split_shift(node, size, cx),
    }
}

/// `parallel @ 'l`
pub fn parallel(engine: &mut Engine, expr: &Expr, paths: &[Path], _: &[Value]) -> Outcome {
    each(paths, expr, |expr, path| {
        at(engine, expr, path, "parallel", |node, cx| {
            if fold(node).is_ok() {
                let view = folds::cut(node, cx)?;
                // Chunks are contiguous and their results are folded in order, so that associativity suffices.
                if view.form != ReduceForm::Plain {
                    return Err(Reason::refused("it is chosen to run in parallel already"));
                }
                let (_, args) = node.as_prim().ok_or(Reason::mismatch("it is no reduction"))?;
                let kind = crate::expr::Kind::Prim(Primitive::Reduce(ReduceForm::Par), args.to_vec());
                return Ok(node.clone().with_kind(kind));
            }
            let form = match cx.target {
                Target::OpenCl => MapForm::Global(0),
                _ => MapForm::Par,
            };
            lowering::choose(node, form)
        })
    })
}

/// `vectorize(w, tail = peel) @ 'l`
pub fn vectorize(engine: &mut Engine, expr: &Expr, paths: &[Path], values: &[Value]) -> Outcome {
    let tail = tail(values);
    let width = width(values);
    each(paths, expr, |expr, path| {
        let width = width.clone();
        at(engine, expr, path, "vectorize", move |node, cx| {
            let width = match &width {
                Some(width) => width.clone(),
                None => Nat::lit(natural_width(node)),
            };
            vectorize_node(node, &width, tail, cx)
        })
    })
}

/// The width among the arguments; none means one that fits the type.
fn width(values: &[Value]) -> Option<Nat> {
    nats(values).first().cloned()
}

/// How many of the widest of the result's scalars fill 64 bytes; truth values mostly come from numbers of four bytes.
pub fn natural_width(node: &Expr) -> i64 {
    fn bytes(ty: &DataType) -> u32 {
        match ty {
            DataType::Array(_, element) => bytes(element),
            DataType::Tuple(parts) => parts.iter().map(bytes).max().unwrap_or(4),
            other => other.scalar().filter(|scalar| *scalar != Scalar::Bool).map_or(4, Scalar::bytes),
        }
    }
    64 / i64::from(bytes(node.ty()))
}

/// One map or reduction in vectors.
pub fn vectorize_node(node: &Expr, width: &Nat, tail: Tail, cx: &mut Context) -> Result<Expr, Reason> {
    if !DataType::is_width(width) {
        return Err(Reason::refused(vector::NO_WIDTH));
    }
    if fold(node).is_ok() {
        return match tail {
            Tail::Exact => {
                splits::divides(cx, width, &len(fold(node)?.xs)?)?;
                folds::lanes(node, width, MapForm::Vec, cx)
            }
            Tail::Shift => Err(Reason::refused("a fold would take elements twice; use `peel`")),
            Tail::Pad | Tail::Mask => folds::lanes(&folds::padded(node, width, cx)?, width, MapForm::Vec, cx),
            Tail::Peel => folds::lanes_peel(node, width, MapForm::Vec, cx),
        };
    }
    let map = plain_map(node)?;
    if len(map.xs)? == *width {
        return lowering::choose(node, MapForm::Vec);
    }
    if tail == Tail::Exact {
        return vector::vectorize_exact(node, width, cx);
    }
    let split = split_node(node, width, tail, cx)?;
    let main = on_split(&split, |split| vector::inner_form(split, MapForm::Vec))?;
    match tail {
        Tail::Shift => splits::on_shifted(&main, |last| lowering::choose(last, MapForm::Vec)),
        _ => Ok(main),
    }
}

/// The main part of what a split has made.
pub fn on_split(expr: &Expr, f: impl FnOnce(&Expr) -> Result<Expr, Reason>) -> Result<Expr, Reason> {
    match expr.as_prim() {
        Some((primitive @ (Primitive::Concat | Primitive::Take(_)), args)) => {
            let mut args = args.to_vec();
            let main = f(args[0].expr())?;
            args[0] = main.into();
            Ok(expr.clone().with_kind(crate::expr::Kind::Prim(primitive.clone(), args)))
        }
        _ => f(expr),
    }
}

/// `unrollBy(n) @ 'l`
pub fn unroll_by(engine: &mut Engine, expr: &Expr, paths: &[Path], values: &[Value]) -> Outcome {
    let size = one_nat(values, "the number of copies")?;
    each(paths, expr, |expr, path| {
        let split = split_by(engine, expr, path, std::slice::from_ref(&size), Tail::Peel)?;
        at(engine, &split, &part(path, "inner"), "unroll", |node, cx| {
            let row = crate::rewrite::catalog::lookup("unroll").ok_or(Reason::mismatch("no such rule"))?;
            (row.apply)(node, &[], cx)
        })
    })
}

/// `fuse @ 'l`
pub fn fuse(engine: &mut Engine, expr: &Expr, paths: &[Path], _: &[Value]) -> Outcome {
    each(paths, expr, |expr, path| {
        at(engine, expr, path, "fuse", |node, _| {
            let mut current = fuse_once(node)?;
            while let Ok(next) = fuse_once(&current) {
                current = next;
            }
            Ok(current)
        })
    })
}

/// One producer into its consumer.
pub fn fuse_once(node: &Expr) -> Result<Expr, Reason> {
    match node.as_prim() {
        Some((Primitive::Map(_) | Primitive::Generate, _)) => fusion::fuse_maps(node),
        Some((Primitive::Scan(_), _)) => fusion::fuse_scan(node),
        _ => fusion::fuse_fold(node),
    }
}

/// `blockReduce(n) @ 'l`
pub fn block_reduce(engine: &mut Engine, expr: &Expr, paths: &[Path], values: &[Value]) -> Outcome {
    let size = one_nat(values, "the length of a block")?;
    each(paths, expr, |expr, path| {
        let size = size.clone();
        at(engine, expr, path, "blockReduce", move |node, cx| folds::block_reduce_peel(node, &size, cx))
    })
}

const NO_SUM_OF_A_PRODUCT: &str = "there is no sum of a product of floats inside: `fuse` makes one of a map and a fold; those of integers are not contracted";

/// `contractAll @ 'l`
pub fn contract_all(engine: &mut Engine, expr: &Expr, paths: &[Path], _: &[Value]) -> Outcome {
    each(paths, expr, |expr, path| {
        engine.at_path(expr, path, &mut |engine, node| {
            let before = engine.trace.rules;
            let rule = crate::rewrite::catalog::lookup("mulAdd").map(|row| row.with(Vec::new()));
            let Some(rule) = rule else { return Ok(node.clone()) };
            let result = engine.every(node, &mut |engine, node| engine.rule(&rule, node));
            match engine.trace.rules == before {
                true => Err(Reason::refused(NO_SUM_OF_A_PRODUCT).into()),
                false => Ok(result),
            }
        })
    })
}
