//! Products of what is stored are made where windows look at them: a fold of products takes each in the instruction
//! that adds it, and nothing lies in memory in between.
//!
//! ```text
//! slide n 1 (*(λ(a, b). a · b) xs)  →  *(*(λ(a, b). a · b)) (slide n 1 xs)
//! ```
//!
//! In: any term. Out: the same, where windows are short and look at one multiplication of floats, no matter how deep it
//! lies. Clamped borders of products are those of what is multiplied.

use crate::expr::{Arg, Binary, Expr, Kind, MapForm, Primitive, map_children, substitute};
use crate::names::Name;
use crate::rewrite::rules::fusion::fuse_maps;
use crate::rewrite::rules::support::{again, is_path, make, make_map, map_over, plain_map};
use crate::types::DataType;

/// The longest windows that do so.
const LONGEST: i64 = 5;

/// All such windows inside.
pub fn everywhere(expr: &Expr) -> Expr {
    if let Kind::Let(param, value, body) = expr.kind()
        && is_product(value)
        && is_in_windows(body, &param.name)
    {
        return everywhere(&substitute(body, param, &again(value)));
    }
    let expr = map_children(expr, &mut everywhere);
    if let Some((primitive, [Arg::Expr(products)])) = expr.as_prim()
        && is_product(products)
        && let Some(new) = before(products, primitive)
    {
        return new;
    }
    match plain_map(&expr) {
        Ok(map) if is_product(map.xs) && map.f.body.any(&is_windows) => match fuse_maps(&expr) {
            Ok(fused) => everywhere(&fused),
            Err(_) => expr,
        },
        _ => expr,
    }
}

/// The map of an array behind windows or a border of it.
fn before(products: &Expr, primitive: &Primitive) -> Option<Expr> {
    let map = plain_map(products).ok()?;
    let array = || make(primitive.clone(), [map.xs.clone()]).ok();
    let new = match primitive {
        Primitive::PadClamp(..) => make_map(MapForm::Plain, map.f.clone(), array()?),
        Primitive::Slide(size, step)
            if step.is_one() && size.as_const().is_some_and(|size| size <= LONGEST) =>
        {
            let of_window = |window| make_map(MapForm::Plain, map.f.clone(), window);
            map_over(MapForm::Plain, "window", array()?, of_window)
        }
        _ => return None,
    };
    new.ok()
}

/// Whether the elements of an array, no matter how deep they lie, are products of what others hold.
fn is_product(expr: &Expr) -> bool {
    let is_element = |body: &Expr| match (body.as_prim(), body.ty()) {
        (Some((Primitive::Binary(Binary::Mul), args)), DataType::Scalar(scalar)) => {
            scalar.is_float() && args.iter().all(|factor| is_path(factor.expr()))
        }
        _ => false,
    };
    plain_map(expr).is_ok_and(|map| is_view(map.xs) && (is_element(&map.f.body) || is_product(&map.f.body)))
}

/// Whether an array is others in another shape.
fn is_view(expr: &Expr) -> bool {
    match expr.as_prim() {
        Some((Primitive::Map(MapForm::Plain), [Arg::Fun(f), Arg::Expr(xs)])) => {
            is_view(&f.body) && is_view(xs)
        }
        Some((primitive, args)) if primitive.is_view() => args.iter().all(|arg| is_view(arg.expr())),
        _ => is_path(expr),
    }
}

/// Whether they are windows, or a border for them.
fn is_windows(node: &Expr) -> bool {
    matches!(node.as_prim(), Some((Primitive::Slide(..) | Primitive::PadClamp(..), _)))
}

/// Whether the array is read by windows alone, or its rows are.
fn is_in_windows(expr: &Expr, array: &Name) -> bool {
    let is_array = |xs: &Expr| matches!(xs.kind(), Kind::Var(name) if name == array);
    match (expr.kind(), expr.as_prim()) {
        (Kind::Var(_), _) => !is_array(expr),
        (_, Some((_, [Arg::Expr(xs)]))) if is_windows(expr) && is_array(xs) => true,
        (_, Some((Primitive::Map(MapForm::Plain), [Arg::Fun(f), Arg::Expr(xs)]))) if is_array(xs) => {
            is_windows(&f.body) && is_in_windows(&f.body, array)
        }
        _ => !expr.any_child(&mut |child| !is_in_windows(child, array)),
    }
}
