//! Vectors: maps of constant length as lanes, arrays of scalars as arrays of vectors.

use crate::expr::{Arg, Expr, Kind, MapForm, Primitive};
use crate::nat::Nat;
use crate::rewrite::catalog::{Row, nat};
use crate::rewrite::context::{Context, Reason};
use crate::rewrite::strategy::Value;
use crate::types::DataType;

use super::row;
use super::support::{Rewritten, len, make, operand, plain_map, retyped};

/// The rules of this family.
pub const ROWS: &[Row] = &[
    row!("vectorizeMap" ["vectorizeExact"] (Nat) "map f → split n ≫ map (mapVec f) ≫ join" "Pieces of n elements are computed as the lanes of a vector; n must divide the length." "xs |> map(f)" => "xs |> split(16) |> map(|ys| ys |> mapVec(f)) |> join" |e, v, cx| vectorize_exact(e, &nat(v, 0)?, cx)),
    row!("vectorAfter" ["asVectorAfter", "alignedAfter"] (Nat) "xs → asScalar (asVector n xs)" "Scalars as vectors and back; n must divide the length." "xs" => "xs |> asVector(4) |> asScalar" |e, v, cx| {
        let n = lanes(v)?;
        super::split::divides(cx, &Nat::from(n), &len(e)?)?;
        Ok(retyped(make(Primitive::AsScalar, [make(Primitive::AsVector(n), [e.clone()])?])?, e.ty()))
    }),
    row!("roundUpAfter" [] (Nat) "xs → take l (asScalar (asVector n (padEmpty ((n − l mod n) mod n) xs)))" "Scalars as vectors and back, padded to whole vectors." "xs" => "xs |> padEmpty(r) |> asVector(4) |> asScalar |> take(n)" |e, v, _| {
        let n = lanes(v)?;
        let (length, width) = (len(e)?, Nat::from(n));
        let whole = length.ceil_div(&width) * &width;
        let padded = make(Primitive::PadEmpty(whole - &length), [e.clone()])?;
        let back = make(Primitive::AsScalar, [make(Primitive::AsVector(n), [padded])?])?;
        Ok(retyped(make(Primitive::Take(length), [back])?, e.ty()))
    }),
    row!("padEmptyBeforeAsScalar" [] () "asScalar ≫ padEmpty (p·v) → padEmpty p ≫ asScalar" "Padding by whole vectors." "xs |> asScalar |> padEmpty(8)" => "xs |> padEmpty(2) |> asScalar" |e, _, cx| match e.as_prim() {
        Some((Primitive::PadEmpty(r), [Arg::Expr(inner)])) => {
            let xs = operand(inner, |p| matches!(p, Primitive::AsScalar))?;
            let v = width(xs)?;
            super::split::divides(cx, &v, r)?;
            Ok(retyped(make(Primitive::AsScalar, [make(Primitive::PadEmpty(r.exact_div(&v)), [xs.clone()])?])?, e.ty()))
        }
        _ => Err(Reason::mismatch("it is no padEmpty of an asScalar")),
    }),
    row!("padEmptyBeforeAsVector" [] () "asVector v ≫ padEmpty p → padEmpty (p·v) ≫ asVector v" "Padding by whole vectors." "xs |> asVector(4) |> padEmpty(2)" => "xs |> padEmpty(8) |> asVector(4)" |e, _, _| match e.as_prim() {
        Some((Primitive::PadEmpty(p), [Arg::Expr(inner)])) => match inner.as_prim() {
            Some((Primitive::AsVector(v), [Arg::Expr(xs)])) => {
                let padded = make(Primitive::PadEmpty(p * Nat::from(*v)), [xs.clone()])?;
                Ok(retyped(make(Primitive::AsVector(*v), [padded])?, e.ty()))
            }
            _ => Err(Reason::mismatch("it is no padEmpty of an asVector")),
        },
        _ => Err(Reason::mismatch("it is no padEmpty of an asVector")),
    }),
];

fn lanes(values: &[Value]) -> Result<u32, Reason> {
    match nat(values, 0)?.as_const().and_then(|n| u32::try_from(n).ok()) {
        Some(n) if DataType::is_width(&Nat::from(n)) => Ok(n),
        _ => Err(Reason::refused(NO_WIDTH)),
    }
}

/// Why there are no such vectors.
pub const NO_WIDTH: &str = "a vector has 1, 2, 4, 8, 16, 32 or 64 elements";

fn width(xs: &Expr) -> Result<Nat, Reason> {
    match super::support::element(xs)? {
        crate::types::DataType::Vector(_, lanes) => Ok(Nat::from(lanes)),
        _ => Err(Reason::mismatch("it is no array of vectors")),
    }
}

/// `map f → split n ≫ map (mapVec f) ≫ join`
pub fn vectorize_exact(expr: &Expr, n: &Nat, cx: &mut Context) -> Rewritten {
    if !DataType::is_width(n) {
        return Err(Reason::refused(NO_WIDTH));
    }
    plain_map(expr)?;
    let split = super::split::split_map(expr, n, cx)?;
    inner_form(&split, MapForm::Vec)
}

/// The innermost map of `split n ≫ map (map f) ≫ join` in another form.
pub fn inner_form(split: &Expr, form: MapForm) -> Rewritten {
    let outer = operand(split, |p| matches!(p, Primitive::Join))?;
    let Some((Primitive::Map(outer_form), [Arg::Fun(f), xs])) = outer.as_prim() else {
        return Err(Reason::mismatch("it is no split map"));
    };
    let mut f = f.clone();
    f.body = super::lowering::choose(&f.body, form)?;
    let outer =
        outer.clone().with_kind(Kind::Prim(Primitive::Map(*outer_form), vec![Arg::Fun(f), xs.clone()]));
    Ok(split.clone().with_kind(Kind::Prim(Primitive::Join, vec![Arg::Expr(outer)])))
}
