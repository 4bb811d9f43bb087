//! Windows along columns, each of which is worked on by itself, are those of rows.
//!
//! ```text
//! T (map (λcolumn. map f (slide n s column)) (T x))  →  map (λrows. map f (T rows)) (slide n s x)
//! ```
//!
//! In: any term. Out: the same, where rows are read and written one after the other. Columns may be padded or cropped
//! before, which is then done to the rows.

use crate::expr::{Arg, Expr, Kind, MapForm, Param, Primitive, map_children};
use crate::rewrite::rules::support::{
    Rewritten, independent, make, make_map, map_over, operand, param1, plain_map, retyped,
};

/// All such columns inside.
pub fn everywhere(expr: &Expr) -> Expr {
    let inside = map_children(expr, &mut everywhere);
    by_rows(&inside).unwrap_or(inside)
}

fn by_rows(expr: &Expr) -> Option<Expr> {
    let transposed = |expr| operand(expr, |primitive| matches!(primitive, Primitive::Transpose)).ok();
    let columns = plain_map(transposed(expr)?).ok()?;
    let rows = transposed(columns.xs)?;
    let each = plain_map(&columns.f.body).ok()?;
    let column = param1(columns.f).ok()?;
    let (slide @ Primitive::Slide(..), [Arg::Expr(from)]) = each.xs.as_prim()? else { return None };
    if !independent(&each.f.body, columns.f) {
        return None;
    }
    let lines = make(slide.clone(), [instead(from, column, rows)?]).ok()?;
    let turned = || -> Rewritten {
        map_over(MapForm::Plain, "rows", lines, |rows| {
            make_map(MapForm::Plain, each.f.clone(), make(Primitive::Transpose, [rows])?)
        })
    };
    Some(retyped(turned().ok()?.with_origin(expr.origin()), expr.ty()))
}

/// What is made of a column, made of the rows.
fn instead(expr: &Expr, column: &Param, rows: &Expr) -> Option<Expr> {
    match expr.kind() {
        Kind::Var(name) if *name == column.name => Some(rows.clone()),
        Kind::Prim(primitive @ (Primitive::PadClamp(..) | Primitive::Take(_) | Primitive::Drop(_)), args) => {
            let inside = instead(args.first()?.as_expr()?, column, rows)?;
            make(primitive.clone(), [inside]).ok()
        }
        _ => None,
    }
}
