//! Rules that bring in or take away what does nothing.

use crate::expr::{Arg, Expr, Kind, MapForm, Primitive};
use crate::nat::Nat;
use crate::rewrite::catalog::Row;
use crate::rewrite::context::Reason;

use super::row;
use super::support::{
    Rewritten, any_map, beta_copy, bind, component, inner_len, len, make, map_over, operand, operands2,
    retyped,
};

/// The rules of this family.
pub const ROWS: &[Row] = &[
    row!("mapIdentity" ["removeMapIdentity"] () "map (λx. x) → id" "A map of the identity does nothing." "xs |> map(|x| x)" => "xs" |e, _, _| {
        let map = any_map(e)?;
        match (map.f.body.kind(), map.f.params.as_slice()) {
            (Kind::Var(name), [param]) if *name == param.name => Ok(map.xs.clone()),
            _ => Err(Reason::mismatch("its function is not the identity")),
        }
    }),
    row!("mapIdentityAfter" ["idAfter", "liftId"] () "xs → map (λx. x) xs" "Every array is its own map of the identity." "xs" => "xs |> map(|x| x)" |e, _, _| {
        len(e)?;
        map_over(MapForm::Plain, "x", e.clone(), Ok)
    }),
    row!("transposePairAfter" ["createTransposePair"] () "xss → T (T xss)" "Transposing twice does nothing." "xss" => "xss |> transpose |> transpose" |e, _, _| {
        inner_len(e)?;
        make(Primitive::Transpose, [make(Primitive::Transpose, [e.clone()])?])
    }),
    row!("removeTransposePair" [] () "T ≫ T → id" "Transposing twice does nothing." "xss |> transpose |> transpose" => "xss" |e, _, _| {
        let inner = operand(e, |p| matches!(p, Primitive::Transpose))?;
        Ok(retyped(operand(inner, |p| matches!(p, Primitive::Transpose))?.clone(), e.ty()))
    }),
    row!("takeAll" [] () "take n → id, for length n" "All elements are the array." "xs |> take(n)" => "xs" |e, _, cx| {
        let xs = operand(e, |p| matches!(p, Primitive::Take(_)))?;
        equal(cx, &len(e)?, &len(xs)?)?;
        Ok(retyped(xs.clone(), e.ty()))
    }),
    row!("dropNothing" [] () "drop 0 → id" "Dropping nothing does nothing." "xs |> drop(0)" => "xs" |e, _, _| {
        Ok(retyped(operand(e, |p| matches!(p, Primitive::Drop(n) if n.is_zero()))?.clone(), e.ty()))
    }),
    row!("padEmptyNothing" [] () "padEmpty 0 → id" "Padding by nothing does nothing." "xs |> padEmpty(0)" => "xs" |e, _, _| {
        Ok(retyped(operand(e, |p| matches!(p, Primitive::PadEmpty(n) if n.is_zero()))?.clone(), e.ty()))
    }),
    row!("slideAfter" [] () "xs → join (slide 1 1 xs)" "Windows of length 1 are the elements; the array must not be empty." "xs" => "xs |> slide(1, 1) |> join" |e, _, cx| {
        nonempty(cx, &len(e)?)?;
        Ok(retyped(make(Primitive::Join, [windows(e)?])?, e.ty()))
    }),
    row!("slideAfter2" [] () "xs → map (idx 0) (slide 1 1 xs)" "Windows of length 1 are the elements; the array must not be empty." "xs" => "xs |> slide(1, 1) |> map(|w| w[0])" |e, _, cx| {
        nonempty(cx, &len(e)?)?;
        let first = map_over(MapForm::Plain, "w", windows(e)?, |w| {
            make(Primitive::Idx, [index(0, 1), w])
        })?;
        Ok(retyped(first, e.ty()))
    }),
    row!("asScalarAsVector" ["asScalarAsVectorId"] () "asScalar ≫ asVector n → id, for vectors of n" "Taking vectors apart and putting them together does nothing." "xs |> asScalar |> asVector(4)" => "xs" |e, _, _| {
        let scalars = operand(e, |p| matches!(p, Primitive::AsVector(_)))?;
        let vectors = operand(scalars, |p| matches!(p, Primitive::AsScalar))?;
        match vectors.ty() == e.ty() {
            true => Ok(vectors.clone()),
            false => Err(Reason::refused("the vectors have different lengths")),
        }
    }),
    row!("projection" ["fstReduction", "sndReduction"] () "(a, b).0 → a" "A component of a tuple that is written out is its expression." "(a, b).0" => "a" |e, _, _| match e.as_prim() {
        Some((Primitive::Proj(position), [Arg::Expr(tuple)])) if matches!(tuple.kind(), Kind::Prim(Primitive::Tuple, _)) => {
            Ok(component(*position, tuple))
        }
        _ => Err(Reason::mismatch("it is no component of a tuple that is written out")),
    }),
    row!("idxMakeArray" ["idxReduction"] () "[a, b][i] → b, for a constant i" "An element of an array that is written out is its expression." "[a, b][1]" => "b" |e, _, _| {
        let [at, array] = operands2(e, |p| matches!(p, Primitive::Idx))?;
        let Kind::Prim(Primitive::MakeArray, parts) = array.kind() else {
            return Err(Reason::mismatch("the array is not written out"));
        };
        let Kind::Nat(at) = at.kind() else { return Err(Reason::mismatch("the index is no constant")) };
        let position = at.as_const().and_then(|at| usize::try_from(at).ok());
        match position.and_then(|position| parts.get(position)) {
            Some(part) => Ok(part.expr().clone()),
            None => Err(Reason::mismatch("the index is no constant")),
        }
    }),
    row!("idxMap" [] () "(map f xs)[i] → f xs[i]" "One element of a map is the function of one element." "(xs |> map(f))[i]" => "f(xs[i])" |e, _, _| {
        let [at, array] = operands2(e, |p| matches!(p, Primitive::Idx))?;
        let map = any_map(array)?;
        Ok(beta_copy(map.f, &[make(Primitive::Idx, [at.clone(), map.xs.clone()])?]))
    }),
    row!("idxGenerate" [] () "(generate f)[i] → f i" "One element of a generated array is the function of the index." "generate(f)[i]" => "f(i)" |e, _, _| {
        let [at, array] = operands2(e, |p| matches!(p, Primitive::Idx))?;
        match array.as_prim() {
            Some((Primitive::Generate, [Arg::Fun(f)])) => Ok(beta_copy(f, std::slice::from_ref(at))),
            _ => Err(Reason::mismatch("the array is not generated")),
        }
    }),
    row!("inlineLet" ["betaReduction", "gentleBetaReduction"] () "let x = v; e → e[x := v], where x is used at most once an evaluation" "A binding that shares nothing disappears." "{ let x = v; x + 1.0 }" => "v + 1.0" |e, _, _| match e.kind() {
        Kind::Let(param, value, body) => {
            let inlined = bind(param, value, body.clone());
            match inlined.kind() {
                Kind::Let(again, ..) if again.name == param.name => Err(Reason::refused("the value is used more than once")),
                _ => Ok(inlined),
            }
        }
        _ => Err(Reason::mismatch("it is no let")),
    }),
    row!("selectSame" [] () "if c { a } else { a } → a" "A choice between equal things is no choice." "if c { a } else { a }" => "a" |e, _, _| {
        match super::support::operands(e, |p| matches!(p, Primitive::Select))?.as_slice() {
            [_, a, b] if crate::expr::alpha_equal(a, b) => Ok((*a).clone()),
            _ => Err(Reason::mismatch("the branches differ")),
        }
    }),
];

fn windows(xs: &Expr) -> Rewritten {
    make(Primitive::Slide(Nat::lit(1), Nat::lit(1)), [xs.clone()])
}

fn nonempty(cx: &mut crate::rewrite::context::Context, length: &Nat) -> Result<(), Reason> {
    cx.require(crate::nat::Obligation::Lt(Nat::lit(0), length.clone()))
}

/// Demands that two lengths are equal.
pub fn equal(cx: &mut crate::rewrite::context::Context, a: &Nat, b: &Nat) -> Result<(), Reason> {
    match a == b || cx.facts().proves_eq(a, b) {
        true => Ok(()),
        false => Err(Reason::refused(format!("{a} and {b} are not known to be equal"))),
    }
}

/// A constant index.
pub fn index(at: i64, bound: i64) -> Expr {
    let ty = crate::types::DataType::Idx(Nat::lit(bound));
    Expr::new(Kind::Nat(Nat::lit(at)), ty, crate::diagnostics::Origin::NONE)
}
