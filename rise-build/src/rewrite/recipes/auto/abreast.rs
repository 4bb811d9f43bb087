//! Short rows go abreast, one in each lane of a vector, where functions of them are computed that take long. So do rows
//! of any length that are columns of what is stored.
//!
//! ```text
//! map f  →  concat (take (l − l%16) ≫ split 16 ≫ map (mapVec f) ≫ join)
//!                  (drop (l − 16) ≫ mapVec f ≫ toMem ≫ drop (16 − l%16))
//! ```
//!
//! In: a map over rows, each of which is folded. Out: that, and for which sizes it is worth it. Each row is folded in its
//! own order. Short rows that lie apart leave lanes of their own empty, and a function of the one number that a fold gives
//! takes as long as that of a vector. Their elements are loaded and stored one by one, which costs less than half of such
//! a function. Windows that follow closely are left to compilers, which load them in whole vectors. Of columns, each of
//! which becomes an array, neighbouring elements are loaded at once.

use crate::expr::{
    AddressSpace, Arg, Binary, Expr, MapForm, Param, Primitive, Unary, let_in, nat, refresh, refresh_lambda,
    to_mem,
};
use crate::names::Name;
use crate::nat::Nat;
use crate::rewrite::recipes::loops::natural_width;
use crate::rewrite::rules::generate::variables;
use crate::rewrite::rules::support::{
    MapView, Rewritten, fold, independent, len, make, make_map, map_over, plain_map, retyped,
};
use crate::types::Scalar;

use super::columns;
use super::lanes::is_apart;
use super::strides::{Known, Leaf, Stride};
use super::{When, all_hold};

/// The longest rows. Longer ones fill vectors of their own, and are read and written faster in these.
const LONGEST: i64 = 48;

/// The same where the functions are roots and divisions alone.
const LONGEST_OF_ROOTS: i64 = 24;

/// The same where each row becomes an array, whose elements are stored one by one.
const LONGEST_OF_ARRAYS: i64 = 4;

/// Columns that fill less than such a part of a vector are folded by shuffles, or one by one.
const PARTS: i64 = 4;

/// The map with its rows abreast, and when that is worth it.
pub fn rows(expr: &Expr, known: &mut Known) -> Option<(Expr, When)> {
    let map = plain_map(expr).ok()?;
    let [row] = map.f.params.as_slice() else { return None };
    let body = &map.f.body;
    if body.any(&|node| !goes_abreast(node)) {
        return None;
    }
    let lengths = lengths(body);
    let inside = variables(map.f);
    if lengths.iter().any(|length| !independent(&nat(length.clone()), &inside)) {
        return None;
    }
    let (width, rows) = (Nat::lit(natural_width(expr)), len(map.xs).ok()?);
    if are_columns(map, row, known) {
        let part = width.div(&Nat::lit(PARTS));
        return match all_hold([(part, rows)]) {
            When::Never => None,
            when => Some((side_by_side(map).ok()?, when)),
        };
    }
    let longest = longest_apart(map, row, known)?;
    let short = lengths.into_iter().map(|length| (length, Nat::lit(longest)));
    match all_hold(std::iter::once((width.clone(), rows.clone())).chain(short)) {
        When::Never => None,
        when => Some((abreast(expr, &rows, &width).ok()?, when)),
    }
}

/// All folds inside.
fn folds(body: &Expr) -> Vec<Expr> {
    let mut found = Vec::new();
    body.visit(&mut |node| found.extend(fold(node).is_ok().then(|| node.clone())));
    found
}

/// Whether the rows are columns, each of which is folded and becomes an array, and nothing else is read that lies apart
/// for neighbours.
fn are_columns(map: MapView<'_>, row: &Param, known: &mut Known) -> bool {
    let body = &map.f.body;
    let is_wide = body.ty().as_array().is_some_and(|(_, ty)| ty.scalar().is_some_and(|ty| ty.bytes() >= 4));
    let is_column = |known: &mut Known, found: &Expr| {
        fold(found).is_ok_and(|view| columns::is_apart(known, map, view.f, view.xs))
    };
    let reads = known.under(map.f, map.xs, |known| known.reads(body));
    let is_near = |leaf: &Leaf| leaf.along(&row.name) != Stride::Far;
    // A nest reads each number often, takes long for a single column, and has vectors of its own.
    is_wide
        && !body.any(&is_nest)
        && reads.leaves().iter().all(is_near)
        && folds(body).iter().any(|found| is_column(known, found))
}

/// How long rows that lie apart may be.
fn longest_apart(map: MapView<'_>, row: &Param, known: &mut Known) -> Option<i64> {
    let body = &map.f.body;
    let longest = longest(body)?;
    let folds = folds(body);
    let apart = |known: &mut Known| folds.iter().any(|fold| is_apart(fold, &row.name, known));
    if !known.under(map.f, map.xs, apart) {
        return None;
    }
    let close = |known: &mut Known| folds.iter().any(|fold| are_close(fold, &row.name, known));
    (body.any(&is_elementary) || !known.under(map.f, map.xs, close)).then_some(longest)
}

/// Whether the fold is that of a window that begins few elements behind the one before.
fn are_close(found: &Expr, row: &Name, known: &mut Known) -> bool {
    let Ok(view) = fold(found) else { return false };
    let leaves = known.folded(view.f, view.xs);
    leaves.iter().any(|leaf| leaf.dim(row).is_some_and(|dim| dim.is_close))
}

/// How long rows may be of which such a body is computed; `None` if it only adds and multiplies, or takes loops of loops
/// for little else.
fn longest(body: &Expr) -> Option<i64> {
    match () {
        () if body.any(&is_elementary) => Some(LONGEST),
        () if !body.any(&is_root) || body.any(&is_nest) => None,
        () if body.ty().as_array().is_some() => Some(LONGEST_OF_ARRAYS),
        () => Some(LONGEST_OF_ROOTS),
    }
}

/// A loop of loops.
pub fn is_nest(node: &Expr) -> bool {
    let is_loop = |node: &Expr| matches!(node.as_prim(), Some((Primitive::Map(_) | Primitive::Reduce(_), _)));
    match node.as_prim() {
        Some((_, [Arg::Fun(f), ..])) => is_loop(node) && f.body.any(&is_loop),
        _ => false,
    }
}

/// A root or a division.
pub fn is_root(node: &Expr) -> bool {
    let is_float = node.ty().scalar().is_some_and(Scalar::is_float);
    let slow = Primitive::Binary(Binary::Div);
    let is_slow = |primitive: &Primitive| {
        *primitive == slow || matches!(primitive, Primitive::Unary(Unary::Sqrt | Unary::Rsqrt))
    };
    is_float && node.as_prim().is_some_and(|(primitive, _)| is_slow(primitive))
}

/// A function that takes tens of instructions.
pub fn is_elementary(node: &Expr) -> bool {
    use Unary::{Cos, Exp, Ln, Sin, Tan, Tanh};
    match node.as_prim() {
        Some((Primitive::Unary(op), _)) => matches!(op, Exp | Ln | Sin | Cos | Tan | Tanh),
        Some((Primitive::Binary(op), _)) => *op == Binary::Pow,
        _ => false,
    }
}

/// Whether lanes can compute it side by side: loops of known length whose form is open.
fn goes_abreast(node: &Expr) -> bool {
    use Primitive::*;
    let Some((primitive, _)) = node.as_prim() else { return true };
    match primitive {
        Map(form) => *form == MapForm::Plain,
        Reduce(_) => fold(node).is_ok_and(|view| view.form == crate::expr::ReduceForm::Plain),
        ToMem(space) => *space == AddressSpace::Default,
        Scan(_) | Iterate(_) | Update | Foreign(_) | Product(_) | Gather | Scatter | DepMap(_)
        | CircularBuffer(..) | RotateValues(_) | AsVector(_) | AsScalar | VectorFromScalar(_) => false,
        _ => true,
    }
}

/// Of all loops.
fn lengths(body: &Expr) -> Vec<Nat> {
    let mut found: Vec<Nat> = Vec::new();
    body.visit(&mut |node| {
        let Some((Primitive::Map(_) | Primitive::Reduce(_), [.., Arg::Expr(xs)])) = node.as_prim() else {
            return;
        };
        found.extend(len(xs).ok().filter(|length| !found.contains(length)));
    });
    found
}

/// Columns in the lanes of vectors, of which loops make whole and shorter ones.
fn side_by_side(map: MapView<'_>) -> Rewritten {
    make_map(MapForm::Vec, refresh_lambda(map.f), map.xs.clone())
}

fn abreast(expr: &Expr, rows: &Nat, width: &Nat) -> Rewritten {
    let map = plain_map(expr)?;
    let lanes = |rows: Expr| make_map(MapForm::Vec, refresh_lambda(map.f), rows);
    let over = rows.rem(width);
    let whole = match over.is_zero() {
        true => map.xs.clone(),
        false => make(Primitive::Take(rows - &over), [map.xs.clone()])?,
    };
    let groups = make(Primitive::Split(width.clone()), [whole])?;
    let groups = make(Primitive::Join, [map_over(MapForm::Plain, "rows", groups, lanes)?])?;
    if over.is_zero() {
        return Ok(retyped(groups, expr.ty()));
    }
    let last = lanes(make(Primitive::Drop(rows - width), [refresh(map.xs)])?)?;
    let param = Param::fresh("last", last.ty().clone());
    let new = make(Primitive::Drop(width - &over), [param.expr()])?;
    let all = retyped(make(Primitive::Concat, [groups, new])?, expr.ty());
    Ok(let_in(param, to_mem(AddressSpace::Default, last), all))
}
