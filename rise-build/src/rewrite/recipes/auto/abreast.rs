//! Short rows go abreast, one in each lane of a vector, where functions of them are computed that take long.
//!
//! ```text
//! map f  →  concat (take (l − l%16) ≫ split 16 ≫ map (mapVec f) ≫ join)
//!                  (drop (l − 16) ≫ mapVec f ≫ toMem ≫ drop (16 − l%16))
//! ```
//!
//! In: a map over rows that lie apart, each of which is folded. Out: that, and for which sizes it is worth it. Short rows
//! leave lanes of their own empty, and a function of the one number that a fold gives takes as long as that of a
//! vector. Each row is folded in its own order. Elements are loaded and stored one by one, which costs less than half of
//! such a function. Windows that follow closely are left to compilers, which load them in whole vectors.

use crate::expr::{
    AddressSpace, Arg, Binary, Expr, MapForm, Param, Primitive, Unary, let_in, nat, refresh, refresh_lambda,
    to_mem,
};
use crate::names::Name;
use crate::nat::Nat;
use crate::rewrite::recipes::loops::natural_width;
use crate::rewrite::rules::generate::variables;
use crate::rewrite::rules::support::{
    Rewritten, fold, independent, len, make, make_map, map_over, plain_map, retyped,
};
use crate::types::Scalar;

use super::lanes::is_apart;
use super::strides::Known;
use super::{When, all_hold};

/// The longest rows. Longer ones fill vectors of their own, and are read and written faster in these.
const LONGEST: i64 = 48;

/// The same where the functions are roots and divisions alone.
const LONGEST_OF_ROOTS: i64 = 24;

/// The map with its rows abreast, and when that is worth it.
pub fn rows(expr: &Expr, known: &mut Known) -> Option<(Expr, When)> {
    let map = plain_map(expr).ok()?;
    let [row] = map.f.params.as_slice() else { return None };
    let body = &map.f.body;
    let longest = longest(body)?;
    if body.any(&|node| !goes_abreast(node)) {
        return None;
    }
    let mut folds = Vec::new();
    body.visit(&mut |node| folds.extend(fold(node).is_ok().then(|| node.clone())));
    let apart = |known: &mut Known| folds.iter().any(|fold| is_apart(fold, &row.name, known));
    if !known.under(map.f, map.xs, apart) {
        return None;
    }
    let close = |known: &mut Known| folds.iter().any(|fold| are_close(fold, &row.name, known));
    if !body.any(&is_elementary) && known.under(map.f, map.xs, close) {
        return None;
    }
    let width = Nat::lit(natural_width(expr));
    let (rows, inside) = (len(map.xs).ok()?, variables(map.f));
    let mut worth = vec![(width.clone(), rows.clone())];
    for length in lengths(body) {
        if !independent(&nat(length.clone()), &inside) {
            return None;
        }
        worth.push((length, Nat::lit(longest)));
    }
    match all_hold(worth) {
        When::Never => None,
        when => Some((abreast(expr, &rows, &width).ok()?, when)),
    }
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
    let is_loop = |node: &Expr| matches!(node.as_prim(), Some((Primitive::Map(_) | Primitive::Reduce(_), _)));
    let is_nest = |node: &Expr| match node.as_prim() {
        Some((_, [Arg::Fun(f), ..])) => is_loop(node) && f.body.any(&is_loop),
        _ => false,
    };
    match () {
        () if body.any(&is_elementary) => Some(LONGEST),
        () if body.any(&is_root) && !body.any(&is_nest) => Some(LONGEST_OF_ROOTS),
        () => None,
    }
}

/// A root or a division.
fn is_root(node: &Expr) -> bool {
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
        Scan(_) | Iterate(_) | Foreign(_) | Product(_) | Gather | Scatter | DepMap(_)
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
