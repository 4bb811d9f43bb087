//! Packing: what a map works on is copied first, so that its elements lie side by side.
//!
//! ```text
//! map (λx. e)  →  map (λx. let p = copy of x, its first dimension innermost, in e with p in place of x)
//! ```
//!
//! In: a map over pieces of arrays of scalars, or pairs that hold such. Out: the same map with a copy in each
//! iteration; each row of the copy is written in vectors.

use crate::dpia::functional::Target;
use crate::expr::{
    AddressSpace, Expr, Lambda, Literal, MapForm, Param, Primitive, let_in, literal, proj, substitute, to_mem,
};
use crate::nat::Nat;
use crate::rewrite::context::Reason;
use crate::rewrite::engine::{Engine, Outcome};
use crate::rewrite::recipes::loops::natural_width;
use crate::rewrite::recipes::support::{at, each};
use crate::rewrite::rules::support::{
    Rewritten, again, any_map, component, len, make, make_map, map_over, operands2, retyped, tuple,
};
use crate::rewrite::strategy::{Path, Value};
use crate::types::DataType;

use super::lanes::generate;
use super::strides::{Known, Stride};

/// How many blocks are copied at once: a row of so many is a few lines of the cache.
const GROUP: i64 = 4;

/// `pack @ 'l`
pub fn pack(engine: &mut Engine, expr: &Expr, paths: &[Path], _: &[Value]) -> Outcome {
    each(paths, expr, |expr, path| {
        at(engine, expr, path, "pack", |node, cx| match cx.target {
            Target::OpenCl => Err(Reason::refused(
                "a device wants to know in which memory; `stage(Local)` copies for a group, `stage(Private)` for a work-item",
            )),
            _ => packed(node),
        })
    })
}

/// The map with the pieces that it works on copied.
pub fn packed(node: &Expr) -> Rewritten {
    let map = any_map(node)?;
    let [x] = map.f.params.as_slice() else {
        return Err(Reason::mismatch("its function takes several values"));
    };
    let mut panels = Vec::new();
    let leaves = Known::default().under(map.f, map.xs, |known| known.reads(&x.expr())).leaves();
    let close = leaves.iter().all(|leaf| leaf.first() == Stride::Next);
    let value = copied(x.expr(), &Nat::lit(0), close, &mut panels)?;
    if panels.is_empty() {
        return Err(Reason::refused("it works on no pieces of arrays of scalars"));
    }
    let body = substitute(&map.f.body, x, &retyped(value, &x.ty));
    let body = panels.into_iter().fold(body, |body, (panel, value)| let_in(panel, value, body));
    let new = make_map(map.form, Lambda { body, ..map.f.clone() }, map.xs.clone())?;
    Ok(new.with_labels(node.labels().to_vec()).with_origin(node.origin()))
}

/// What a function makes of a copy of so many elements more.
pub(super) fn padded(x: Expr, padding: &Nat, body: impl FnOnce(Expr) -> Rewritten) -> Rewritten {
    let mut panels = Vec::new();
    let body = body(copied(x, padding, false, &mut panels)?)?;
    Ok(panels.into_iter().fold(body, |body, (panel, value)| let_in(panel, value, body)))
}

/// What a function makes of a copy of the rows in blocks of so many, in each of which they lie side by side: first
/// the first elements of all rows of the block, then the second ones.
pub(super) fn in_blocks(rows: Expr, size: i64, body: impl FnOnce(Expr) -> Rewritten) -> Rewritten {
    let length = len(&rows)?;
    let whole = |size: i64| length.div(&Nat::lit(size)) * size;
    let (groups, blocks) = (whole(size * GROUP), whole(size));
    let part = |from: &Nat, to: &Nat| {
        let before = make(Primitive::Take(to.clone()), [again(&rows)])?;
        make(Primitive::Drop(from.clone()), [before])
    };
    let start = Nat::lit(0);
    let parts = [
        blocks_of(part(&start, &groups)?, size, GROUP)?,
        blocks_of(part(&groups, &blocks)?, size, 1)?,
        last_block(part(&blocks, &length)?, size)?,
    ];
    let [groups, blocks, last] = parts;
    let copy = make(Primitive::Concat, [groups, make(Primitive::Concat, [blocks, last])?])?;
    let copy_of = Param::fresh("blocks", copy.ty().clone());
    let back =
        map_over(MapForm::Plain, "block", copy_of.expr(), |block| make(Primitive::Transpose, [block]))?;
    let back = make(Primitive::Take(length), [make(Primitive::Join, [back])?])?;
    let body = body(retyped(back, rows.ty()))?;
    Ok(let_in(copy_of, to_mem(AddressSpace::Default, copy), body))
}

/// Whole blocks of so many rows, so many blocks at once.
fn blocks_of(rows: Expr, size: i64, at_once: i64) -> Rewritten {
    let groups = make(Primitive::Split(Nat::lit(size * at_once)), [rows])?;
    let groups = map_over(MapForm::Seq, "group", groups, |group| {
        let steps = map_over(MapForm::Seq, "step", make(Primitive::Transpose, [group])?, |step| {
            let pieces = make(Primitive::Split(Nat::lit(size)), [step])?;
            map_over(MapForm::Unroll, "piece", pieces, |piece| map_over(MapForm::Seq, "v", piece, Ok))
        })?;
        make(Primitive::Transpose, [steps])
    })?;
    make(Primitive::Join, [groups])
}

/// Rows that are less than a block as one, the rest of which is not written, if there are any.
fn last_block(rows: Expr, size: i64) -> Rewritten {
    let (length, size) = (len(&rows)?, Nat::lit(size));
    let steps = map_over(MapForm::Seq, "step", make(Primitive::Transpose, [rows])?, |step| {
        map_over(MapForm::Seq, "v", step, Ok)
    })?;
    let padding = length.ceil_div(&size) * &size - &length;
    let rows = make(Primitive::PadEmpty(padding), [make(Primitive::Transpose, [steps])?])?;
    let blocks = make(Primitive::Split(size), [rows])?;
    map_over(MapForm::Plain, "block", blocks, |block| make(Primitive::Transpose, [block]))
}

/// What a function makes of a copy of a value in which the elements of each array lie as they are numbered.
pub(super) fn in_order(x: &Expr) -> Rewritten {
    match x.ty() {
        DataType::Tuple(parts) => {
            let parts = (0..parts.len()).map(|part| in_order(&proj(part, x.clone())));
            make(Primitive::Tuple, parts.collect::<Result<Vec<_>, _>>()?)
        }
        ty => match depth(ty) {
            0 => Ok(x.clone()),
            dimensions => {
                Ok(to_mem(AddressSpace::Default, rows(x.clone(), dimensions - 1, None, &Nat::lit(0))?))
            }
        },
    }
}

/// The value, with so many elements more, as a view of its copy, and the copies.
fn copied(x: Expr, padding: &Nat, close: bool, panels: &mut Vec<(Param, Expr)>) -> Rewritten {
    if let DataType::Tuple(parts) = x.ty() {
        let part = |part| copied(component(part, &x), padding, close, panels);
        return Ok(tuple((0..parts.len()).map(part).collect::<Result<Vec<_>, _>>()?));
    }
    let Some((_, element)) = x.ty().as_array() else { return Ok(x) };
    if let DataType::Tuple(parts) = element {
        if parts.len() != 2 {
            return with_padding(x, padding);
        }
        let both = make(Primitive::Unzip, [x])?;
        let first = copied(proj(0, both.clone()), padding, close, panels)?;
        let second = copied(proj(1, both), padding, close, panels)?;
        return make(Primitive::Zip, [first, second]);
    }
    let depth = depth(element);
    if depth == 0 {
        return with_padding(x, padding);
    }
    let turned = inward(x, depth)?;
    let width = close.then(|| width(&turned, depth)).flatten();
    let copy = rows(turned, depth, width, padding)?;
    let panel = Param::fresh("panel", copy.ty().clone());
    let back = outward(panel.expr(), depth)?;
    panels.push((panel, to_mem(AddressSpace::Default, copy)));
    Ok(back)
}

/// Numbers are padded with zeros: on whatever lay in the memory, the processor might compute for long.
pub(super) fn with_padding(x: Expr, padding: &Nat) -> Rewritten {
    if let Ok([a, b]) = operands2(&x, |p| matches!(p, Primitive::Zip)) {
        return make(Primitive::Zip, [with_padding(a.clone(), padding)?, with_padding(b.clone(), padding)?]);
    }
    match x.ty().as_array().map(|(_, element)| element) {
        _ if padding.is_zero() => Ok(x),
        Some(DataType::Scalar(scalar)) => {
            let zero = literal(Literal::zero(*scalar));
            make(Primitive::PadCst(Nat::lit(0), padding.clone()), [zero, x])
        }
        _ => make(Primitive::PadEmpty(padding.clone()), [x]),
    }
}

/// How many dimensions an array of scalars has; 0 for anything else.
fn depth(ty: &DataType) -> usize {
    let (mut depth, mut ty) = (0, ty);
    while let Some((_, element)) = ty.as_array() {
        depth += 1;
        ty = element;
    }
    if matches!(ty, DataType::Scalar(_)) { depth } else { 0 }
}

/// The first dimension behind the `depth` next ones.
pub(super) fn inward(x: Expr, depth: usize) -> Rewritten {
    let turned = make(Primitive::Transpose, [x])?;
    if depth == 1 {
        Ok(turned)
    } else {
        map_over(MapForm::Plain, "row", turned, |row| inward(row, depth - 1))
    }
}

/// The reverse.
pub(super) fn outward(x: Expr, depth: usize) -> Rewritten {
    let rows =
        if depth == 1 { x } else { map_over(MapForm::Plain, "row", x, |row| outward(row, depth - 1))? };
    make(Primitive::Transpose, [rows])
}

/// The width of the vectors in rows of constant length, if they are made of such.
fn width(turned: &Expr, depth: usize) -> Option<i64> {
    let mut row = turned.ty();
    for _ in 0..depth {
        row = row.as_array()?.1;
    }
    let (len, _) = row.as_array()?;
    let width = natural_width(turned);
    len.as_const().filter(|len| len % width == 0 && *len <= 16 * width).map(|_| width)
}

/// A copy, row by row.
fn rows(x: Expr, depth: usize, width: Option<i64>, padding: &Nat) -> Rewritten {
    if depth > 0 {
        return map_over(MapForm::Seq, "row", x, |row| rows(row, depth - 1, width, padding));
    }
    let Some(width) = width else {
        let copy = |xs| map_over(MapForm::Seq, "v", xs, Ok);
        return match x.ty().as_array() {
            Some((_, DataType::Scalar(scalar))) if !padding.is_zero() => {
                let zeros = generate(padding.clone(), literal(Literal::zero(*scalar)));
                make(Primitive::Concat, [copy(x)?, copy(zeros)?])
            }
            _ => copy(x),
        };
    };
    let pieces = make(Primitive::Split(Nat::lit(width)), [x])?;
    let pieces = map_over(MapForm::Unroll, "piece", pieces, |piece| map_over(MapForm::Vec, "v", piece, Ok))?;
    make(Primitive::Join, [pieces])
}
