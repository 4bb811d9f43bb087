//! What windows whose length is a size read of borders is stored.
//!
//! ```text
//! padClamp l r ≫ slide k s  →  λxs. slide k s (toMem (concat (xs[0], …) (concat xs (xs[n − 1], …)))), where k is no constant
//! ```
//!
//! In: any term. Out: the same, where such windows slide over memory. Loops over windows of known length are peeled
//! where they reach into the border; of others each window has a loop of its own, of which any part may lie there.

use crate::expr::{AddressSpace, Arg, Expr, Lambda, MapForm, Param, Primitive, apply, let_in, nat, to_mem};
use crate::nat::{Facts, Nat};
use crate::rewrite::rules::support::{
    again, beta_copy, fun1, len, make, make_map, operand, plain_map, with_args,
};
use crate::rewrite::total::is_total;
use crate::types::DataType;

/// The windows over memory, if they slide over what is padded.
pub fn stored(expr: &Expr, facts: &Facts) -> Option<Expr> {
    let xs = operand(expr, |p| matches!(p, Primitive::Slide(size, _) if size.as_const().is_none())).ok()?;
    let (slide, _) = expr.as_prim()?;
    let whole = in_parts(xs)?;
    // Where there are no windows nothing need be there that could be padded.
    if !is_total(&whole, facts) {
        return None;
    }
    let padded = Param::fresh("padded", whole.ty().clone());
    let windows = make(slide.clone(), [padded.expr()]).ok()?;
    Some(let_in(padded, to_mem(AddressSpace::Default, whole), windows))
}

/// The array, if it or others in it are padded, with borders and what lies between them in place of the padding.
fn in_parts(xs: &Expr) -> Option<Expr> {
    let (primitive, args) = xs.as_prim()?;
    match (primitive, args) {
        (Primitive::PadClamp(left, right), [Arg::Expr(row)]) => {
            let row = in_parts(row).unwrap_or_else(|| row.clone());
            let last = len(&row).ok()? - 1;
            bordered([left, right], [element(&row, &Nat::lit(0))?, element(&row, &last)?], &row)
        }
        (Primitive::PadCst(left, right), [Arg::Expr(fill), Arg::Expr(row)]) => {
            let row = in_parts(row).unwrap_or_else(|| row.clone());
            bordered([left, right], [fill.clone(), again(fill)], &row)
        }
        (Primitive::Map(MapForm::Plain), [Arg::Fun(f), Arg::Expr(rows)]) => match in_parts(&f.body) {
            Some(body) => make_map(MapForm::Plain, Lambda { body, ..f.clone() }, rows.clone()).ok(),
            None => with_last(xs, in_parts(rows)?),
        },
        (primitive, [Arg::Expr(rows)]) if primitive.rearranges() => with_last(xs, in_parts(rows)?),
        _ => None,
    }
}

/// An element, computed by itself.
fn element(xs: &Expr, index: &Nat) -> Option<Expr> {
    match plain_map(xs) {
        Ok(map) => Some(beta_copy(map.f, &[element(map.xs, index)?])),
        Err(_) => make(Primitive::Idx, [nat(index.clone()), again(xs)]).ok(),
    }
}

/// The row between so many copies of both values.
fn bordered(lengths: [&Nat; 2], [first, last]: [Expr; 2], row: &Expr) -> Option<Expr> {
    let border = |length: &Nat, value: Expr| {
        let index = Param::fresh("i", DataType::Idx(length.clone()));
        apply(Primitive::Generate, vec![fun1(index, value).into()]).ok()
    };
    let rest = make(Primitive::Concat, [row.clone(), border(lengths[1], last)?]).ok()?;
    make(Primitive::Concat, [border(lengths[0], first)?, rest]).ok()
}

/// The same of another array.
fn with_last(expr: &Expr, xs: Expr) -> Option<Expr> {
    let (_, args) = expr.as_prim()?;
    let mut args = args.to_vec();
    *args.last_mut()? = xs.into();
    with_args(expr, args).ok()
}
