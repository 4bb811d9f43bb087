//! Line buffers: what a window slides over is computed once, shortly before it is needed.

use crate::expr::{Arg, Expr, Kind, MapForm, Primitive};
use crate::rewrite::context::{Context, Reason};
use crate::rewrite::engine::{Engine, Outcome};
use crate::rewrite::rules::lowering::{buffered, copying};
use crate::rewrite::rules::support::{Rewritten, plain_map};
use crate::rewrite::strategy::{Path, Value};

use super::support::{at, each};

/// `stream @ 'l`
pub fn stream(engine: &mut Engine, expr: &Expr, paths: &[Path], _: &[Value]) -> Outcome {
    each(paths, expr, |expr, path| at(engine, expr, path, "stream", streamed))
}

/// The map over windows of a buffer that keeps as many elements as a window has: in registers where these are
/// scalars and known in number, in memory otherwise.
fn streamed(node: &Expr, cx: &mut Context) -> Rewritten {
    let map = plain_map(node)?;
    let Some((Primitive::Slide(size, step), [Arg::Expr(xs)])) = map.xs.as_prim() else {
        return Err(Reason::mismatch("it does not work on windows, `slide(n, 1)`"));
    };
    if !step.is_one() {
        return Err(Reason::refused("its windows move by more than one element"));
    }
    let (load, from) = match plain_map(xs) {
        Ok(producer) => (producer.f.clone(), producer.xs.clone()),
        Err(_) => (copying(xs)?, xs.clone()),
    };
    let primitive = match load.body.ty().is_small() && size.as_const().is_some() {
        true => Primitive::RotateValues(size.clone()),
        false => Primitive::CircularBuffer(size.clone(), size.clone()),
    };
    let windows = buffered(primitive, load, &from, cx)?;
    let kind = Kind::Prim(Primitive::Map(MapForm::Seq), vec![map.f.clone().into(), windows.into()]);
    Ok(node.clone().with_kind(kind))
}
