//! Innermost loops that write neighbouring scalars run in vectors, and outermost ones in parallel, with those inside of
//! them where they may be few.
//!
//! In: a lowered term. Out: the same with other forms of its sequential maps; nothing is reordered.

use crate::dpia::functional::Target;
use crate::expr::{AddressSpace, Arg, Binary, Expr, Kind, Lambda, MapForm, Param, Primitive};
use crate::names::Name;
use crate::nat::{Atom, Nat};
use crate::rewrite::context::{Context, Reason};
use crate::rewrite::predicate::computes;
use crate::rewrite::recipes::loops::natural_width;
use crate::rewrite::rules::support::{Rewritten, len, operands2, plain_map};
use crate::rewrite::rules::{lowering, split, vector};
use crate::types::{DataType, Scalar};

use super::abreast::is_elementary;
use super::before::around;
use super::lanes::{LONG, WRITTEN_OUT};
use super::nest::VECTOR_BYTES;
use super::strides::{FEW, Known, Leaf, Stride};

/// Elements of a row that one task computes.
const CHUNK: i64 = 1 << 14;

/// The same, where each takes a long loop.
const HEAVY: i64 = 256;

/// Columns of a piece, each of which becomes an array: a few vectors, since each goes down all rows by itself.
const COLUMNS: i64 = 32;

/// Iterations enough for all threads.
const MANY: i64 = 64;

/// Rows of fewer elements are short.
const SHORT: i64 = 16;

/// Folds of so many take long enough to be worth shuffles of what they begin with.
const STEPS: i64 = 8;

/// Vectorises everywhere inside.
pub fn everywhere(expr: &Expr, known: &mut Known, cx: &mut Context) -> Expr {
    let kind = match expr.kind() {
        Kind::Var(_) | Kind::Literal(_) | Kind::Nat(_) => return expr.clone(),
        Kind::Let(param, value, body) => {
            let reads = known.named(value);
            let value = everywhere(value, known, cx);
            // A short row behind what is computed for it alone is none of a long row.
            let body = known.with(param, reads, |known| match has_few(body) && is_row(body, known, cx) {
                true => body.clone(),
                false => everywhere(body, known, cx),
            });
            Kind::Let(param.clone(), value, body)
        }
        Kind::Prim(primitive, args) => {
            let is_row = is_row(expr, known, cx);
            let is_lanes = *primitive == Primitive::Map(MapForm::Vec);
            let xs = args.last().and_then(Arg::as_expr);
            let mut new = Vec::with_capacity(args.len());
            for arg in args {
                new.push(match arg {
                    Arg::Expr(inner) => Arg::Expr(everywhere(inner, known, cx)),
                    Arg::Fun(f) if is_row || is_lanes => Arg::Fun(f.clone()),
                    Arg::Fun(f) => {
                        let depth = cx.depth();
                        cx.enter(f);
                        let body = known.inside(primitive, f, xs, |known| everywhere(&f.body, known, cx));
                        cx.leave(depth);
                        Arg::Fun(Lambda { body, ..f.clone() })
                    }
                });
            }
            let new = expr.clone().with_kind(Kind::Prim(primitive.clone(), new));
            return if is_row { row(&new, cx).unwrap_or(new) } else { new };
        }
    };
    expr.clone().with_kind(kind)
}

/// Whether there are fewer elements than a vector has.
fn has_few(expr: &Expr) -> bool {
    expr.ty().as_array().is_some_and(|(len, _)| len.as_const().is_some_and(|len| len < 8))
}

/// Whether the term is a sequential map to scalars, or to few of them that take long, and none depends on far
/// elements, but before a long loop. What takes long is worth shuffles.
fn is_row(expr: &Expr, known: &mut Known, cx: &mut Context) -> bool {
    match expr.as_prim() {
        Some((Primitive::Map(MapForm::Seq), [Arg::Fun(f), Arg::Expr(xs)])) => {
            is_row_of(f, xs, known)
                || is_of_small(&f.body) && are_lanes(f, xs, known) && has_lanes(&f.body, cx)
        }
        _ => false,
    }
}

/// The same for the map of a function over an array, whatever the machine.
pub fn is_row_of(f: &Lambda, xs: &Expr, known: &mut Known) -> bool {
    // Compilers put more bytes in a vector than there are lanes.
    let are_few = are_few(f.body.ty(), &f.body);
    let is_wide = is_wide(f.body.ty()) || is_slow(f) && are_few && widest(&f.body) >= WIDE;
    let is_tuple = f.body.ty().as_tuple().is_some() && are_few;
    // Compilers multiply where they know by what is divided.
    (is_wide || is_tuple && is_heavy(&f.body))
        && (is_slow(f) || !f.body.any(&|node| divides(node) && is_by_literal(node)))
        && are_lanes(f, xs, known)
}

/// Whether it is a quotient or a remainder of integers.
fn divides(node: &Expr) -> bool {
    matches!(node.as_prim(), Some((Primitive::Binary(Binary::Div | Binary::Rem), _)))
        && node.ty().scalar().is_some_and(|scalar| !scalar.is_float())
}

fn is_by_literal(node: &Expr) -> bool {
    let by = node.as_prim().and_then(|(_, args)| args.last()?.as_expr());
    by.is_some_and(|by| matches!(by.kind(), Kind::Literal(_)))
}

/// Whether it is a small number of nothing but such, and no quotient.
fn is_of_small(body: &Expr) -> bool {
    let small = body.ty().scalar().filter(|scalar| *scalar != Scalar::Bool);
    small.is_some_and(|scalar| scalar.bytes() < WIDE && scalar.bytes() == widest(body)) && !body.any(&divides)
}

/// Whether the machine has lanes for such, and masks that cost little where there are any. What vectors leave over is one
/// that overlaps them, where the compiler's loops leave over many elements.
fn has_lanes(body: &Expr, cx: &mut Context) -> bool {
    let all = |cx: &mut Context| {
        if makes_masks(body) { cx.machine().bytes == VECTOR_BYTES } else { cx.has_small() }
    };
    cx.target == Target::Rust && all(cx)
}

/// Whether there are truth values other than comparisons that choose between numbers as wide at once.
fn makes_masks(body: &Expr) -> bool {
    body.any(&|node| match node.as_prim() {
        Some((Primitive::Select, [Arg::Expr(by), ..])) => !compares(by, node.ty()),
        Some((Primitive::Cast(_), [Arg::Expr(of)])) => of.ty().scalar() == Some(Scalar::Bool),
        _ => false,
    })
}

/// Whether it is a comparison of numbers of the type.
fn compares(by: &Expr, ty: &DataType) -> bool {
    matches!(by.as_prim(), Some((Primitive::Compare(_), [Arg::Expr(a), _])) if a.ty() == ty)
}

/// Whether results take a long fold, or a function, each.
fn is_slow(f: &Lambda) -> bool {
    folds_at_least(&f.body, STEPS) || f.body.any(&is_elementary)
}

/// Whether lanes can compute the elements.
fn are_lanes(f: &Lambda, xs: &Expr, known: &mut Known) -> bool {
    let is_slow = is_slow(f);
    // Rows of three may be colours, which many pixels make a long row of.
    let is_short = xs.ty().as_array().is_none_or(|(len, _)| len.as_const().is_some_and(|len| len < 3));
    if is_short || !is_simple(&f.body) {
        return false;
    }
    let Some(x) = f.params.first() else { return false };
    // Lanes that are gathered cost little beside a long loop of their own.
    let is_long = is_long(&f.body);
    // Folds do not take it apart.
    let all = |known: &mut Known| known.under(f, xs, |known| known.reads(&f.body));
    let reads = known.gathering(is_long, |known| match is_heavy(&f.body) {
        true => all(known),
        false => known.in_rounds(all),
    });
    let leaves = reads.leaves();
    let inside = if is_long { variables(&f.body) } else { Vec::new() };
    let before =
        |leaf: &Leaf| !inside.is_empty() && inside.iter().all(|name| leaf.along(name) == Stride::Same);
    let shuffled =
        |leaf: &Leaf| leaf.dim(&x.name).is_some_and(|dim| is_slow && dim.is_shuffled || dim.is_uneven);
    leaves.iter().all(|leaf| leaf.along(&x.name) != Stride::Far || before(leaf) || shuffled(leaf))
}

/// Bytes of numbers that are no narrower than most of what they are computed of.
const WIDE: u32 = 4;

/// Whether the type is that of such numbers.
pub fn is_wide(ty: &DataType) -> bool {
    ty.scalar().is_some_and(|scalar| scalar.bytes() >= WIDE)
}

/// Whether the type is that of few such numbers, of truth values, which mostly come from such, or of narrower ones for
/// whose computation compilers find no lanes.
fn are_few(ty: &DataType, body: &Expr) -> bool {
    match ty {
        DataType::Tuple(parts) => parts.iter().all(|part| are_few(part, body)),
        DataType::Array(len, element) => {
            len.as_const().is_some_and(|len| len <= FEW) && are_few(element, body)
        }
        ty => is_wide(ty) || ty.scalar() == Some(Scalar::Bool) || ty.scalar().is_some() && takes_lanes(body),
    }
}

/// Whether it takes a function or a loop of wide numbers for which compilers find no lanes.
pub fn takes_lanes(body: &Expr) -> bool {
    let is_slow = |node: &Expr| {
        let least = if node.ty().as_tuple().is_some() { WRITTEN_OUT + 1 } else { LONG };
        is_elementary(node) || folds(node, least)
    };
    widest(body) >= WIDE && body.any(&is_slow)
}

/// Bytes of the widest number that it computes.
fn widest(body: &Expr) -> u32 {
    let mut bytes = 0;
    body.visit(&mut |node| bytes = bytes.max(node.ty().scalar().map_or(0, Scalar::bytes)));
    bytes
}

/// What stands for elements inside.
fn variables(body: &Expr) -> Vec<Name> {
    let mut found = Vec::new();
    body.visit(&mut |node| {
        let args = node.as_prim().map_or(&[][..], |(_, args)| args);
        let functions = args.iter().filter_map(|arg| match arg {
            Arg::Fun(f) => Some(f),
            Arg::Expr(_) => None,
        });
        found.extend(functions.flat_map(|f| &f.params).map(|param| param.name.clone()));
    });
    found
}

/// Whether lanes can compute it side by side.
pub fn is_simple(body: &Expr) -> bool {
    !body.any(&|node| {
        matches!(
            node.as_prim(),
            Some((
                Primitive::ToMem(_)
                    | Primitive::Iterate(_)
                    | Primitive::Update
                    | Primitive::Scan(_)
                    | Primitive::Foreign(_)
                    | Primitive::AsVector(_)
                    | Primitive::AsScalar
                    | Primitive::VectorFromScalar(_)
                    | Primitive::Gather
                    | Primitive::CircularBuffer(..)
                    | Primitive::RotateValues(_)
                    | Primitive::DepMap(_)
                    | Primitive::Map(
                        MapForm::Vec | MapForm::Par | MapForm::Stream | MapForm::Seq | MapForm::Unroll
                    )
                    | Primitive::Reduce(crate::expr::ReduceForm::Par),
                _
            ))
        ) || matches!(node.as_prim(), Some((Primitive::Reduce(_), _)))
            && !is_laned(node.ty(), takes_lanes(node))
    })
}

/// Whether an accumulator of the type is a register a scalar, or a mask; `narrow` ones may lie beside such.
fn is_laned(ty: &DataType, narrow: bool) -> bool {
    let Some(parts) = ty.as_tuple() else { return true };
    parts.iter().all(|part| match part {
        DataType::Scalar(scalar) => narrow || scalar.bytes() >= WIDE || *scalar == Scalar::Bool,
        DataType::Tuple(_) => is_laned(part, narrow),
        _ => false,
    })
}

/// In vectors; the loops take care of what is left over.
fn row(expr: &Expr, cx: &mut Context) -> Rewritten {
    let (_, args) = expr.as_prim().unwrap_or((&Primitive::Join, &[]));
    let open = expr.clone().with_kind(Kind::Prim(Primitive::Map(MapForm::Plain), args.to_vec()));
    let width = Nat::lit(width(expr));
    let length = len(plain_map(&open)?.xs)?;
    if length.as_const().is_none() && cx.facts().proves_le(&length, &width) {
        return Err(Reason::refused("it fills one vector at most"));
    }
    match length.as_const().is_some() && cx.facts().proves_divides(&width, &length) {
        true => pieces(&split::split_map(&open, &width, cx)?),
        false => lowering::choose(&open, MapForm::Vec),
    }
}

/// Lanes for results that are narrower than what they are computed of: as many as a vector of that has.
fn width(expr: &Expr) -> i64 {
    let widest =
        expr.as_prim().and_then(|(_, args)| args.first()?.as_fun()).map_or(WIDE, |f| widest(&f.body));
    match expr.ty().as_array().and_then(|(_, result)| result.scalar()) {
        Some(scalar) if scalar.bytes() < widest.min(WIDE) => 64 / i64::from(widest),
        _ => natural_width(expr),
    }
}

/// `join` of vectors: the outer map is a loop.
fn pieces(split: &Expr) -> Rewritten {
    let split = vector::inner_form(split, MapForm::Vec)?;
    let Some((Primitive::Join, [Arg::Expr(outer)])) = split.as_prim() else { return Ok(split) };
    let outer = lowering::choose(outer, MapForm::Seq)?;
    Ok(split.clone().with_kind(Kind::Prim(Primitive::Join, vec![Arg::Expr(outer)])))
}

/// The outermost loops in parallel.
pub fn parallel(expr: &Expr, cx: &mut Context) -> Expr {
    if !matches!(cx.target, Target::Rust | Target::OpenMp) {
        return expr.clone();
    }
    spine(expr, cx)
}

fn spine(expr: &Expr, cx: &mut Context) -> Expr {
    use Primitive::*;
    match expr.kind() {
        Kind::Let(param, value, body) => {
            let value = spine(value, cx);
            expr.clone().with_kind(Kind::Let(param.clone(), value, spine(body, cx)))
        }
        Kind::Prim(Map(MapForm::Seq), args)
            if !args[0].expr().ty().is_small() || is_heavy(args[0].expr()) =>
        {
            expr.clone().with_kind(Kind::Prim(Map(MapForm::Par), nested(args, cx)))
        }
        Kind::Prim(DepMap(MapForm::Seq), args) => {
            expr.clone().with_kind(Kind::Prim(DepMap(MapForm::Par), nested(args, cx)))
        }
        Kind::Prim(Map(form @ (MapForm::Vec | MapForm::Seq)), args) => match stored(expr) {
            Some((values, expr)) => spine(&around(values, expr), cx),
            None => chunks(expr, args, *form, cx).unwrap_or_else(|_| expr.clone()),
        },
        Kind::Prim(
            primitive @ (Join | Split(_) | Transpose | Concat | Tuple | Take(_) | ToMem(_) | Zip | Unzip
            | DepJoin | Select | Unary(_) | Binary(_) | MulAdd | Fma | Cast(_)),
            args,
        ) => {
            let args = args.iter().map(|arg| match arg {
                Arg::Expr(inner) => Arg::Expr(spine(inner, cx)),
                Arg::Fun(f) => Arg::Fun(f.clone()),
            });
            expr.clone().with_kind(Kind::Prim(primitive.clone(), args.collect()))
        }
        // Each step by itself.
        Kind::Prim(Iterate(times), args) => {
            let args = args.iter().map(|arg| match arg {
                Arg::Expr(inner) => Arg::Expr(spine(inner, cx)),
                Arg::Fun(f) => {
                    let depth = cx.depth();
                    cx.enter(f);
                    let body = spine(&f.body, cx);
                    cx.leave(depth);
                    Arg::Fun(Lambda { body, ..f.clone() })
                }
            });
            let args = args.collect();
            expr.clone().with_kind(Kind::Prim(Iterate(times.clone()), args))
        }
        // Layouts of rows.
        Kind::Prim(Map(MapForm::Plain), args) => match args.as_slice() {
            [f, Arg::Expr(xs)] => {
                let xs = Arg::Expr(spine(xs, cx));
                expr.clone().with_kind(Kind::Prim(Map(MapForm::Plain), vec![f.clone(), xs]))
            }
            _ => expr.clone(),
        },
        _ => expr.clone(),
    }
}

/// What the operand of a map stores, and the map of that: pieces of a row read it, and none computes it again.
fn stored(expr: &Expr) -> Option<(Vec<(Param, Expr)>, Expr)> {
    let (primitive, [f, Arg::Expr(xs)]) = expr.as_prim()? else { return None };
    let mut values = Vec::new();
    let xs = named(xs, &mut values);
    let kind = Kind::Prim(primitive.clone(), vec![f.clone(), xs.into()]);
    (!values.is_empty()).then(|| (values, expr.clone().with_kind(kind)))
}

/// The operand with names for what it stores outside functions.
fn named(expr: &Expr, values: &mut Vec<(Param, Expr)>) -> Expr {
    match expr.as_prim() {
        Some((Primitive::ToMem(AddressSpace::Default), _)) => {
            let param = Param::fresh("stored", expr.ty().clone());
            let name = param.expr();
            values.push((param, expr.clone()));
            name
        }
        Some((primitive, args)) if primitive.is_view() => {
            let args = args.iter().map(|arg| match arg {
                Arg::Expr(inner) => Arg::Expr(named(inner, values)),
                Arg::Fun(f) => Arg::Fun(f.clone()),
            });
            expr.clone().with_kind(Kind::Prim(primitive.clone(), args.collect()))
        }
        _ => expr.clone(),
    }
}

/// The loops of an iteration run in parallel as well where it stores something in memory first, which takes long, and
/// where there may be fewer iterations than threads; so do those of what is stored before all iterations.
fn nested(args: &[Arg], cx: &mut Context) -> Vec<Arg> {
    let mut args = args.to_vec();
    let [f, Arg::Expr(xs)] = args.as_mut_slice() else { return args };
    let are_few = len(xs).is_ok_and(|len| len.as_const().is_none_or(|len| len < MANY));
    *xs = spine(xs, cx);
    if let Arg::Fun(f) = f {
        match f.body.kind() {
            Kind::Let(param, value, body)
                if matches!(value.as_prim(), Some((Primitive::ToMem(AddressSpace::Default), _))) =>
            {
                let kind = Kind::Let(param.clone(), value.clone(), spine(body, cx));
                f.body = f.body.clone().with_kind(kind);
            }
            _ if are_few => f.body = rows(&f.body, cx),
            _ => {}
        }
    }
    args
}

/// The loops over rows in an iteration.
fn rows(expr: &Expr, cx: &mut Context) -> Expr {
    match expr.as_prim() {
        Some((Primitive::Map(MapForm::Seq), args)) if is_of_rows(args[0].expr()) => spine(expr, cx),
        Some((primitive, args)) if primitive.is_view() || *primitive == Primitive::Select => {
            let args = args.iter().map(|arg| match arg {
                Arg::Expr(inner) => Arg::Expr(rows(inner, cx)),
                Arg::Fun(f) => Arg::Fun(f.clone()),
            });
            expr.clone().with_kind(Kind::Prim(primitive.clone(), args.collect()))
        }
        _ => expr.clone(),
    }
}

/// Whether an element is a row that is computed and may be long, or takes a loop. What is only moved goes in squares.
fn is_of_rows(element: &Expr) -> bool {
    let is_long = |len: &Nat| len.as_const().is_none_or(|len| len >= SHORT);
    let is_row = || element.ty().as_array().is_some_and(|(len, _)| is_long(len));
    let is_computed =
        || element.any(&|node| node.as_prim().is_some_and(|(primitive, _)| computes(primitive)));
    is_heavy(element) || (is_row() && is_computed())
}

/// Long pieces of a row in parallel, then what is left over; each piece in the given form.
fn chunks(expr: &Expr, args: &[Arg], form: MapForm, cx: &mut Context) -> Rewritten {
    let open = expr.clone().with_kind(Kind::Prim(Primitive::Map(MapForm::Plain), args.to_vec()));
    let size = match args[0].expr() {
        element if form == MapForm::Vec && element.ty().as_array().is_some() => COLUMNS,
        element if is_long(element) => HEAVY,
        _ => CHUNK,
    };
    if most(&len(plain_map(&open)?.xs)?).is_some_and(|len| len < 2 * size) {
        return Err(Reason::refused("it is short"));
    }
    let required = cx.required.len();
    let split = split::split_peel(&open, &Nat::lit(size), cx);
    if cx.required.len() > required {
        cx.required.truncate(required);
        return Err(Reason::refused("nothing is asked of the caller"));
    }
    let split = split?;
    let parallel = |split: &Expr| -> Rewritten {
        let split = vector::inner_form(split, form)?;
        let Some((Primitive::Join, [Arg::Expr(outer)])) = split.as_prim() else { return Ok(split) };
        let outer = lowering::choose(outer, MapForm::Par)?;
        Ok(split.clone().with_kind(Kind::Prim(Primitive::Join, vec![Arg::Expr(outer)])))
    };
    match operands2(&split, |p| matches!(p, Primitive::Concat)) {
        Ok([main, rest]) => {
            let args = vec![Arg::Expr(parallel(main)?), Arg::Expr(lowering::choose(rest, form)?)];
            Ok(split.clone().with_kind(Kind::Prim(Primitive::Concat, args)))
        }
        Err(_) => parallel(&split),
    }
}

/// The most that a number can be, if it shows: a remainder is less than what it was divided by.
fn most(length: &Nat) -> Option<i64> {
    match length.as_atom() {
        Some(Atom::Mod(_, by)) => Some(by.as_const()? - 1),
        _ => length.as_const(),
    }
}

/// Whether an element takes a loop.
fn is_heavy(element: &Expr) -> bool {
    element.any(&|node| matches!(node.as_prim(), Some((Primitive::Reduce(_), _))))
}

/// Whether that loop may be a long one.
fn is_long(element: &Expr) -> bool {
    folds_at_least(element, LONG)
}

/// Whether it may fold so many.
fn folds_at_least(element: &Expr, least: i64) -> bool {
    element.any(&|node| folds(node, least))
}

/// Whether it is a fold that may be of so many.
fn folds(node: &Expr, least: i64) -> bool {
    match node.as_prim() {
        Some((Primitive::Reduce(_), [.., Arg::Expr(xs)])) => {
            len(xs).is_ok_and(|len| len.as_const().is_none_or(|len| len >= least))
        }
        _ => false,
    }
}
