//! Recipes for nests: interchange, sorting, tiling.

use crate::expr::{Arg, Expr, Kind, Lambda, Primitive};
use crate::names::Label;
use crate::nat::Nat;
use crate::rewrite::context::Reason;
use crate::rewrite::engine::{Engine, Failure, Outcome};
use crate::rewrite::place::{main_part, unknown};
use crate::rewrite::rules::support::fold;
use crate::rewrite::rules::{folds, nest};
use crate::rewrite::strategy::{Path, Value};

use super::loops::split_by;
use super::support::{Tail, at, last, nats, part, tail};

/// `swap @ ('i, 'j)`
pub fn interchange(engine: &mut Engine, expr: &Expr, paths: &[Path], _: &[Value]) -> Outcome {
    match paths {
        [outer, inner] => swap(engine, expr, outer, &last(inner)?),
        [outer] => at(engine, expr, outer, "swap", |node, cx| nest::swap(node, cx, &nest::is_loop)),
        _ => Err(Reason::refused("it takes two labels, the outer one and the inner one").into()),
    }
}

fn swap(engine: &mut Engine, expr: &Expr, outer: &Path, inner: &Label) -> Outcome {
    let label = inner.clone();
    at(engine, expr, outer, "swap", move |node, cx| {
        nest::swap(node, cx, &|inner| inner.labels().contains(&label))
    })
}

/// `reorder(['k, 'i, 'j])`
pub fn reorder(engine: &mut Engine, expr: &Expr, paths: &[Path], values: &[Value]) -> Outcome {
    let wanted = match values.iter().find_map(Value::as_labels) {
        Some(wanted) => wanted,
        None if paths.len() > 1 => paths,
        None => return Err(Reason::refused("it takes the labels of the nest in the new order").into()),
    };
    sort(engine, expr, wanted)
}

/// Swaps neighbours until the nest has the order.
pub fn sort(engine: &mut Engine, expr: &Expr, wanted: &[Path]) -> Outcome {
    let mut current = expr.clone();
    // Each pair is swapped at most once.
    for _ in 0..=wanted.len() * wanted.len() {
        let order = order(&current, wanted)?;
        let Some(at) = (1..order.len()).find(|at| order[at - 1] > order[*at]) else { return Ok(current) };
        let (outer, inner) = (&wanted[order[at - 1]], &wanted[order[at]]);
        current = swap(engine, &current, outer, &last(inner)?)?;
    }
    Err(Reason::refused("the nest does not come into this order").into())
}

/// The positions of the labels in `wanted`, from the outside to the inside of the nest.
fn order(expr: &Expr, wanted: &[Path]) -> Result<Vec<usize>, Failure> {
    let mut found = Vec::new();
    collect(expr, wanted, &mut found);
    match (0..wanted.len()).find(|position| !found.contains(position)) {
        Some(missing) => Err(unknown(expr, &wanted[missing])),
        None => Ok(found),
    }
}

fn collect(expr: &Expr, wanted: &[Path], found: &mut Vec<usize>) {
    if found.len() == wanted.len() || !expr.is_labelled() {
        return;
    }
    for (position, path) in wanted.iter().enumerate() {
        if path.labels.last().is_some_and(|label| expr.labels().contains(label)) && !found.contains(&position)
        {
            found.push(position);
        }
    }
    if nest::is_remainder(expr) {
        if let Some(main) = main_part(expr) {
            collect(&main, wanted, found);
        }
        return;
    }
    expr.any_child(&mut |child| {
        collect(child, wanted, found);
        false
    });
}

/// How many of the labels name folds.
fn folds_among(expr: &Expr, paths: &[Path]) -> usize {
    let is_fold = |path: &&Path| {
        path.labels
            .last()
            .is_some_and(|label| expr.any(&|node| node.labels().contains(label) && fold(node).is_ok()))
    };
    paths.iter().filter(is_fold).count()
}

/// Blocks of a fold that is tiled with another one: a fold that was split runs in order, a fold of blocks does not.
fn block_by(engine: &mut Engine, expr: &Expr, path: &Path, size: &Nat, tail: Tail) -> Outcome {
    let size = size.clone();
    at(engine, expr, path, "blockReduce", move |node, cx| match tail {
        Tail::Exact => folds::block_reduce(node, &size, cx),
        Tail::Peel => folds::block_reduce_peel(node, &size, cx),
        Tail::Shift => Err(Reason::refused("a fold would take elements twice; use `peel`")),
        Tail::Pad | Tail::Mask => folds::block_reduce_pad(node, &size, cx),
    })
}

/// The map with so many maps directly inside each other as a nest with a label for each: `'i`, `'i.level2`, `'i.level3`.
fn labelled_nest(
    engine: &mut Engine,
    expr: &Expr,
    outer: &Path,
    depth: usize,
) -> Result<(Expr, Vec<Path>), Failure> {
    fn level(number: usize) -> String {
        format!("level{number}")
    }
    fn inside(map: &Expr, label: &Label, levels: std::ops::Range<usize>) -> Result<Expr, Reason> {
        let Some((primitive @ Primitive::Map(_), [Arg::Fun(f), xs])) = map.as_prim() else {
            let text = format!("there are no {} maps directly inside each other", levels.end - 1);
            return Err(Reason::refused(text));
        };
        if levels.is_empty() {
            return Ok(map.clone());
        }
        let mut labels = f.body.labels().to_vec();
        labels.push(label.part(&level(levels.start)));
        let body = inside(&f.body.clone().with_labels(labels), label, levels.start + 1..levels.end)?;
        let f = Lambda { body, ..f.clone() };
        Ok(map.clone().with_kind(Kind::Prim(primitive.clone(), vec![Arg::Fun(f), xs.clone()])))
    }
    let label = last(outer)?;
    let nest = at(engine, expr, outer, "tile", move |node, _| inside(node, &label, 2..depth + 1))?;
    let levels = (2..=depth).map(|number| part(outer, &level(number)));
    Ok((nest, std::iter::once(outer.clone()).chain(levels).collect()))
}

/// `tile(a, b, …, tail = peel) @ ('i, 'j, …)`
pub fn tile(engine: &mut Engine, expr: &Expr, paths: &[Path], values: &[Value]) -> Outcome {
    let (sizes, tail) = (nats(values), tail(values));
    if let ([outer], 2..) = (paths, sizes.len()) {
        let (nest, paths) = labelled_nest(engine, expr, outer, sizes.len())?;
        return tile(engine, &nest, &paths, values);
    }
    if sizes.len() != paths.len() {
        let (labels, given) = (paths.len(), sizes.len());
        let are = if given == 1 { "is" } else { "are" };
        let text = format!("it takes one size for each of {labels} labels, here {are} {given}");
        return Err(Reason::refused(text).into());
    }
    let mut current = expr.clone();
    let nested = folds_among(expr, paths) > 1;
    for (path, size) in paths.iter().zip(&sizes) {
        current = match nested && folds_among(&current, std::slice::from_ref(path)) > 0 {
            true => block_by(engine, &current, path, size, tail)?,
            false => split_by(engine, &current, path, std::slice::from_ref(size), tail)?,
        };
    }
    let outer = paths.iter().map(|path| part(path, "outer"));
    let inner = paths.iter().map(|path| part(path, "inner"));
    let order: Vec<Path> = outer.chain(inner).collect();
    sort(engine, &current, &order)
}
