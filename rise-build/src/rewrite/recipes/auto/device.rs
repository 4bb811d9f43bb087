//! On a device the outermost maps run over all work-items, those directly inside them over a second dimension.
//!
//! In: any term. Out: the same, lowered, where those maps are shared out; what a work-item computes for itself is
//! private. Where a row needs memory of its own, a work-item computes the whole row.

use crate::dpia::functional::Target;
use crate::expr::{Arg, Expr, Kind, Lambda, MapForm, Primitive};
use crate::rewrite::lower::lower_body;
use crate::rewrite::rules::support::plain_map;

/// Maps of fewer elements do not get a dimension of their own.
const SHORT: i64 = 16;

/// Shares out the maps of what is written, and lowers the rest.
pub fn lowered(body: &Expr) -> Expr {
    let both = lower_body(&mapped(body, true), Target::OpenCl);
    let stores_rows = both.any(&|node| match node.as_prim() {
        Some((Primitive::Map(MapForm::Global(1)), args)) => {
            args[0].expr().any(&|inner| matches!(inner.as_prim(), Some((Primitive::ToMem(_), _))))
        }
        _ => false,
    });
    if stores_rows { lower_body(&mapped(body, false), Target::OpenCl) } else { both }
}

fn mapped(expr: &Expr, rows: bool) -> Expr {
    use Primitive::*;
    match expr.kind() {
        Kind::Let(param, value, body) => {
            expr.clone().with_kind(Kind::Let(param.clone(), value.clone(), mapped(body, rows)))
        }
        Kind::Prim(Map(MapForm::Plain), args) => shared_out(expr, args, rows),
        Kind::Prim(
            primitive @ (Join | Split(_) | Transpose | Concat | Tuple | Take(_) | Zip | Unzip),
            args,
        ) if !expr.ty().is_small() => {
            let args = args.iter().map(|arg| arg.with_expr(mapped(arg.expr(), rows)));
            expr.clone().with_kind(Kind::Prim(primitive.clone(), args.collect()))
        }
        _ => expr.clone(),
    }
}

/// Where `rows` are shared out too they get the first dimension, so that neighbours work on neighbouring elements.
fn shared_out(expr: &Expr, args: &[Arg], rows: bool) -> Expr {
    let [Arg::Fun(f), xs] = args else { return expr.clone() };
    let inner = plain_map(&f.body).ok().filter(|inner| {
        let length = inner.xs.ty().as_array().and_then(|(len, _)| len.as_const());
        rows && length.is_none_or(|length| length >= SHORT)
    });
    let with = |expr: &Expr, form: MapForm, args: Vec<Arg>| {
        expr.clone().with_kind(Kind::Prim(Primitive::Map(form), args))
    };
    match inner.and_then(|inner| inner.expr.as_prim()) {
        Some((_, inner)) => {
            let body = with(&f.body, MapForm::Global(0), inner.to_vec());
            let f = Arg::Fun(Lambda { body, ..f.clone() });
            with(expr, MapForm::Global(1), vec![f, xs.clone()])
        }
        None => with(expr, MapForm::Global(0), args.to_vec()),
    }
}
