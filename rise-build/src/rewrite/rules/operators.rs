//! What is known of the operators of folds: which they are, whether they commute, their neutral elements.

use crate::expr::{Arg, Binary, Expr, Lambda, Literal, Primitive, alpha_equal, free_names, literal, proj};
use crate::rewrite::context::{Context, Reason};
use crate::rewrite::user::{Property, declared};
use crate::types::{DataType, Scalar};

use super::support::{FoldView, Rewritten, make};

/// The operator, if the function is one applied to its parameters in order.
pub fn operator(f: &Lambda) -> Option<Binary> {
    let [a, b] = f.params.as_slice() else { return None };
    applied(&f.body, &a.expr(), &b.expr())
}

/// The operator that is applied to both, in any order where it commutes.
fn applied(body: &Expr, a: &Expr, b: &Expr) -> Option<Binary> {
    let (Primitive::Binary(op), [x, y]) = body.as_prim()? else { return None };
    let straight = is(x, a) && is(y, b);
    (straight || (op.is_commutative() && is(x, b) && is(y, a))).then_some(*op)
}

fn is(arg: &Arg, wanted: &Expr) -> bool {
    arg.as_expr().is_some_and(|arg| alpha_equal(arg, wanted))
}

/// The operators, component by component where the function takes tuples apart.
fn operators(f: &Lambda) -> Option<Vec<Binary>> {
    if let Some(op) = operator(f) {
        return Some(vec![op]);
    }
    let [a, b] = f.params.as_slice() else { return None };
    let (Primitive::Tuple, parts) = f.body.as_prim()? else { return None };
    if a.ty != b.ty || *f.body.ty() != a.ty {
        return None;
    }
    let part = |(at, part): (usize, &Arg)| applied(part.as_expr()?, &proj(at, a.expr()), &proj(at, b.expr()));
    parts.iter().enumerate().map(part).collect()
}

/// `(a ∘ b) ∘ c = a ∘ (b ∘ c)`, as numbers.
pub fn associates(op: Binary) -> bool {
    use Binary::{Add, And, Max, Min, Mul, Or, Xor};
    matches!(op, Add | Mul | Min | Max | And | Or | Xor)
}

/// Whether the operator is `a + g(b)` or `a · g(b)`, which does not associate: sums of parts would go through `g` as well.
pub fn maps_elements(f: &Lambda) -> bool {
    let [a, b] = f.params.as_slice() else { return false };
    let Some((Primitive::Binary(Binary::Add | Binary::Mul), [x, y])) = f.body.as_prim() else { return false };
    let of_element = |arg: &Arg| {
        let names = arg.as_expr().map(free_names).unwrap_or_default();
        names.contains(&b.name) && !names.contains(&a.name) && !is(arg, &b.expr())
    };
    (is(x, &a.expr()) && of_element(y)) || (is(y, &a.expr()) && of_element(x))
}

/// Whether the operator is known, or declared, to give the same however a fold is cut.
pub fn is_associative(f: &Lambda, cx: &mut Context) -> bool {
    operators(f).is_some_and(|ops| ops.into_iter().all(associates)) || declared(Property::Associative, f, cx)
}

/// Whether the operator is known to give the same for both orders of its arguments.
pub fn commutes(f: &Lambda) -> bool {
    operators(f).is_some_and(|ops| ops.iter().all(|op| op.is_commutative()))
}

/// Whether the operator is known, or declared, to give the same for both orders of its arguments.
pub fn is_commutative(f: &Lambda, cx: &mut Context) -> bool {
    commutes(f) || declared(Property::Commutative, f, cx)
}

/// What a fold whose elements are taken in another order demands.
pub fn commutative(f: &Lambda, cx: &mut Context) -> Result<(), Reason> {
    match is_commutative(f, cx) {
        true => Ok(()),
        false => Err(Reason::refused(
            "its operator is not known to be commutative; `#[commutative]` above a function `fn op(a: t, b: t) -> t` declares it",
        )),
    }
}

/// The neutral element of the fold's operator.
pub fn neutral(view: FoldView<'_>) -> Rewritten {
    each_component(view, &|op, scalar| neutral_of(op, scalar).ok_or(UNKNOWN))
}

/// What the operator leaves every accumulator as it is with, bit for bit.
pub fn right_neutral(view: FoldView<'_>) -> Rewritten {
    each_component(view, &|op, scalar| match (op, scalar.is_float()) {
        // 0.0 would turn −0.0 into 0.0, and an infinity a NaN into itself.
        (Binary::Add, true) => Ok(Literal::Float(-0.0, scalar)),
        (Binary::Min | Binary::Max, true) => {
            Err(Reason::refused("no value leaves a NaN as it is under `min` and `max`; use `peel`"))
        }
        _ => neutral_of(op, scalar).ok_or(UNKNOWN),
    })
}

const UNKNOWN: Reason =
    Reason { text: std::borrow::Cow::Borrowed("no neutral element of the operator is known"), matched: true };

/// A literal for the operator of each component.
fn each_component(
    view: FoldView<'_>,
    element: &dyn Fn(Binary, Scalar) -> Result<Literal, Reason>,
) -> Rewritten {
    let ops = operators(view.f).ok_or(UNKNOWN)?;
    let of = |op: &Binary, ty: &DataType| match ty {
        DataType::Scalar(scalar) => element(*op, *scalar).map(literal),
        _ => Err(UNKNOWN),
    };
    match view.start.ty() {
        DataType::Tuple(types) if types.len() == ops.len() => {
            let parts: Result<Vec<Expr>, Reason> =
                ops.iter().zip(types.iter()).map(|(op, ty)| of(op, ty)).collect();
            make(Primitive::Tuple, parts?)
        }
        ty => of(&ops[0], ty),
    }
}

/// Whether the value is the neutral element of the fold's operator.
pub fn starts_neutral(view: FoldView<'_>) -> Result<bool, Reason> {
    Ok(alpha_equal(view.start, &neutral(view)?))
}

fn neutral_of(op: Binary, scalar: Scalar) -> Option<Literal> {
    let (least, greatest) = extremes(scalar)?;
    Some(match op {
        Binary::Add | Binary::Or | Binary::Xor => Literal::zero(scalar),
        Binary::Mul => Literal::small(1, scalar),
        Binary::Min => greatest,
        Binary::Max => least,
        Binary::And if scalar == Scalar::Bool => Literal::Bool(true),
        Binary::And => match scalar.is_signed() {
            true => Literal::Int(-1, scalar),
            false => greatest,
        },
        _ => return None,
    })
}

/// The least and the greatest value of a type.
fn extremes(scalar: Scalar) -> Option<(Literal, Literal)> {
    let bits = scalar.bytes() * 8;
    Some(match scalar {
        Scalar::Bool => (Literal::Bool(false), Literal::Bool(true)),
        Scalar::F32 | Scalar::F64 => {
            (Literal::Float(f64::NEG_INFINITY, scalar), Literal::Float(f64::INFINITY, scalar))
        }
        _ if scalar.is_signed() => {
            let half = 1i128 << (bits - 1);
            (Literal::Int(-half, scalar), Literal::Int(half - 1, scalar))
        }
        _ => (Literal::Int(0, scalar), Literal::Int((1i128 << bits) - 1, scalar)),
    })
}
