//! Choosing how a pattern is carried out.

use crate::expr::{AddressSpace, Arg, Expr, Kind, Lambda, MapForm, Primitive, ReduceForm, ScanForm};
use crate::nat::{Nat, Obligation};
use crate::rewrite::catalog::{Row, nat};
use crate::rewrite::context::{Context, Reason};
use crate::rewrite::strategy::Value;

use super::folds::cut;
use super::row;
use super::support::{Rewritten, any_map, fold, len, make, plain_map};

/// The rules of this family.
pub const ROWS: &[Row] = &[
    row!("mapSeq" ["toMapSeq"] () "map f → mapSeq f" "A map becomes a loop." "xs |> map(f)" => "xs |> mapSeq(f)" |e, _, _| choose(e, MapForm::Seq)),
    row!("mapSeqUnroll" ["toMapSeqUnroll"] () "map f → mapSeqUnroll f" "A map of constant length is written out." "xs |> map(f)" => "xs |> mapSeqUnroll(f)" |e, _, _| choose_constant(e, MapForm::Unroll)),
    row!("mapVec" ["toMapVec"] () "map f → mapVec f" "A map of constant length becomes the lanes of one vector." "xs |> map(f)" => "xs |> mapVec(f)" |e, _, _| choose_constant(e, MapForm::Vec)),
    row!("mapPar" ["toMapPar"] () "map f → mapPar f" "A map becomes a parallel loop of the CPU." "xs |> map(f)" => "xs |> mapPar(f)" |e, _, _| choose(e, MapForm::Par)),
    row!("mapStream" ["toMapStream"] () "map f → mapStream f" "The results of a map are consumed one by one." "xs |> map(f)" => "xs |> mapStream(f)" |e, _, _| choose(e, MapForm::Stream)),
    row!("mapGlobal" ["toMapGlobal"] (Dimension) "map f → mapGlobal(d) f" "A map over all work-items of a dimension." "xs |> map(f)" => "xs |> mapGlobal(f)" |e, v, _| choose(e, MapForm::Global(dimension(v)?))),
    row!("mapWorkGroup" ["toMapWorkGroup"] (Dimension) "map f → mapWorkGroup(d) f" "A map over the work-groups of a dimension." "xs |> map(f)" => "xs |> mapWorkGroup(f)" |e, v, _| choose(e, MapForm::WorkGroup(dimension(v)?))),
    row!("mapLocal" ["toMapLocal"] (Dimension) "map f → mapLocal(d) f" "A map over the work-items of a group in a dimension." "xs |> map(f)" => "xs |> mapLocal(f)" |e, v, _| choose(e, MapForm::Local(dimension(v)?))),
    row!("reduceSeq" ["toReduceSeq"] (Space) "reduce f z → reduceSeq f z" "A reduction becomes a loop from left to right." "xs |> reduce(f, z)" => "xs |> reduceSeq(f, z)" |e, v, _| choose_fold(e, ReduceForm::Seq(space(v)))),
    row!("reduceSeqUnroll" ["toReduceSeqUnroll"] (Space) "reduce f z → reduceSeqUnroll f z" "A reduction of constant length is written out." "xs |> reduce(f, z)" => "xs |> reduceSeqUnroll(f, z)" |e, v, _| {
        constant(fold(e)?.xs)?;
        choose_fold(e, ReduceForm::Unroll(space(v)))
    }),
    row!("reducePar" ["toReducePar"] () "reduce f z → reducePar f z" "A reduction in parallel, in chunks that depend on the length alone; the chunks' results are folded in order." "xs |> reduce(f, z)" => "xs |> reducePar(f, z)" |e, _, cx| {
        cut(e, cx)?;
        choose_fold(e, ReduceForm::Par)
    }),
    row!("scanSeq" ["toScanSeq"] () "scan f z → scanSeq f z" "A scan becomes a loop from left to right." "xs |> scan(f, z)" => "xs |> scanSeq(f, z)" |e, _, _| match e.as_prim() {
        Some((Primitive::Scan(ScanForm::Plain), args)) => Ok(with(e, Primitive::Scan(ScanForm::Seq), args)),
        _ => Err(Reason::mismatch("it is no scan whose form is open")),
    }),
    row!("depMapSeq" ["toDepMapSeq"] () "depMap f → depMapSeq f" "A map over a dependent array becomes a loop." "xs |> depMap(f)" => "xs |> depMapSeq(f)" |e, _, _| dependent(e, MapForm::Seq)),
    row!("depMapPar" ["toDepMapPar"] () "depMap f → depMapPar f" "A map over a dependent array becomes a parallel loop." "xs |> depMap(f)" => "xs |> depMapPar(f)" |e, _, _| dependent(e, MapForm::Par)),
    row!("unroll" ["unrollLoop"] () "mapSeq f → mapSeqUnroll f; reduceSeq f z → reduceSeqUnroll f z" "A loop of constant length is written out." "xs |> reduceSeq(f, z)" => "xs |> reduceSeqUnroll(f, z)" |e, _, _| unroll(e)),
    row!("circularBuffer" ["toCircularBuffer"] () "slide n 1 → circularBuffer n n copy" "Windows along a stream keep their elements in memory; n is at least 1: proved, or an obligation." "xs |> slide(3, 1)" => "xs |> circularBuffer(3, 3, |x| x)" |e, _, cx| match e.as_prim() {
        Some((Primitive::Slide(size, step), [Arg::Expr(xs)])) if step.is_one() => {
            buffered(Primitive::CircularBuffer(size.clone(), size.clone()), copying(xs)?, xs, cx)
        }
        _ => Err(Reason::mismatch("it is no slide of step 1")),
    }),
    row!("rotateValues" ["toRotateValues"] () "slide n 1 → rotateValues n copy" "Windows along a stream move through registers; n is a constant." "xs |> slide(3, 1)" => "xs |> rotateValues(3, |x| x)" |e, _, cx| match e.as_prim() {
        Some((Primitive::Slide(size, step), [Arg::Expr(xs)])) if step.is_one() => {
            buffered(Primitive::RotateValues(size.clone()), copying(xs)?, xs, cx)
        }
        _ => Err(Reason::mismatch("it is no slide of step 1")),
    }),
];

fn with(expr: &Expr, primitive: Primitive, args: &[Arg]) -> Expr {
    expr.clone().with_kind(Kind::Prim(primitive, args.to_vec()))
}

/// A map in the form; also used by recipes.
pub fn choose(expr: &Expr, form: MapForm) -> Rewritten {
    plain_map(expr)?;
    let (_, args) = expr.as_prim().unwrap_or((&Primitive::Join, &[]));
    Ok(with(expr, Primitive::Map(form), args))
}

fn dependent(expr: &Expr, form: MapForm) -> Rewritten {
    match expr.as_prim() {
        Some((Primitive::DepMap(MapForm::Plain), args)) => Ok(with(expr, Primitive::DepMap(form), args)),
        _ => Err(Reason::mismatch("it is no depMap whose form is open")),
    }
}

fn choose_constant(expr: &Expr, form: MapForm) -> Rewritten {
    constant(plain_map(expr)?.xs)?;
    choose(expr, form)
}

fn choose_fold(expr: &Expr, form: ReduceForm) -> Rewritten {
    let view = fold(expr)?;
    if view.form != ReduceForm::Plain {
        return Err(Reason::mismatch("it is a reduction whose form was chosen before"));
    }
    let (_, args) = expr.as_prim().unwrap_or((&Primitive::Join, &[]));
    Ok(with(expr, Primitive::Reduce(form), args))
}

fn constant(xs: &Expr) -> Result<(), Reason> {
    match len(xs)?.as_const() {
        Some(_) => Ok(()),
        None => Err(Reason::refused(format!("the length {} is no constant", len(xs)?))),
    }
}

/// A map or a fold of constant length written out.
pub fn unroll(expr: &Expr) -> Rewritten {
    if let Ok(map) = any_map(expr) {
        constant(map.xs)?;
        let (_, args) = expr.as_prim().unwrap_or((&Primitive::Join, &[]));
        return match map.form {
            MapForm::Plain | MapForm::Seq => Ok(with(expr, Primitive::Map(MapForm::Unroll), args)),
            _ => Err(Reason::mismatch("it is no sequential loop")),
        };
    }
    let view = fold(expr)?;
    constant(view.xs)?;
    let (_, args) = expr.as_prim().unwrap_or((&Primitive::Join, &[]));
    let space = match view.form {
        ReduceForm::Plain => AddressSpace::Default,
        ReduceForm::Seq(space) => space,
        _ => return Err(Reason::mismatch("it is no sequential loop")),
    };
    Ok(with(expr, Primitive::Reduce(ReduceForm::Unroll(space)), args))
}

/// The windows of a primitive that keeps the elements of one.
pub fn buffered(primitive: Primitive, load: Lambda, xs: &Expr, cx: &mut Context) -> Rewritten {
    match &primitive {
        Primitive::RotateValues(size) if size.as_const().is_none() => {
            return Err(Reason::refused(format!(
                "registers are as many as a window, whose length {size} is no constant"
            )));
        }
        Primitive::RotateValues(size) | Primitive::CircularBuffer(_, size) => {
            cx.require(Obligation::Le(Nat::lit(1), size.clone()))?;
        }
        _ => {}
    }
    Ok(crate::expr::apply(primitive, vec![load.into(), xs.clone().into()])?)
}

/// The function that copies an element.
pub fn copying(xs: &Expr) -> Result<Lambda, Reason> {
    Ok(crate::expr::lambda("x", super::support::element(xs)?, crate::rewrite::lower::copy))
}

/// The dimension, 0 where none is given.
fn dimension(values: &[Value]) -> Result<u8, Reason> {
    if values.is_empty() {
        return Ok(0);
    }
    match nat(values, 0)?.as_const() {
        Some(d @ 0..=2) => Ok(d as u8),
        _ => Err(Reason::refused("a dimension is 0, 1 or 2")),
    }
}

/// The address space, the default one where none is given.
pub fn space(values: &[Value]) -> AddressSpace {
    match values.first().and_then(Value::as_word) {
        Some("Global") => AddressSpace::Global,
        Some("Local") => AddressSpace::Local,
        Some("Private") => AddressSpace::Private,
        _ => AddressSpace::Default,
    }
}

/// `toMem(xs)` in a space.
pub fn to_memory(space: AddressSpace, xs: Expr) -> Rewritten {
    make(Primitive::ToMem(space), [xs])
}
