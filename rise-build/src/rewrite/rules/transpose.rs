//! Moving transposition, joining and splitting past maps and past each other.
//!
//! `T` transposes, `J` joins, `S` splits or slides, `*f` is `map f`.

use crate::expr::{Arg, Expr, Lambda, MapForm, Primitive};
use crate::rewrite::catalog::Row;
use crate::rewrite::context::Reason;

use super::row;
use super::support::{
    MapView, Rewritten, element, fun1, make, make_map, map_over, operand, param1, plain_map, retyped,
};

const fn is_t(p: &Primitive) -> bool {
    matches!(p, Primitive::Transpose)
}

const fn is_j(p: &Primitive) -> bool {
    matches!(p, Primitive::Join)
}

const fn is_s(p: &Primitive) -> bool {
    matches!(p, Primitive::Split(_) | Primitive::Slide(..))
}

/// The rules of this family.
pub const ROWS: &[Row] = &[
    row!("mapMapFBeforeTranspose" [] () "**f ≫ T → T ≫ **f" "A map of all elements does not care about their order." "xss |> map(|xs| xs |> map(f)) |> transpose" => "xss |> transpose |> map(|xs| xs |> map(f))" |e, _, _| {
        let inner = map_map(operand(e, is_t)?)?;
        nested(inner.1, make(Primitive::Transpose, [inner.0.xs.clone()])?)
    }),
    row!("transposeBeforeMapMapF" [] () "T ≫ **f → **f ≫ T" "A map of all elements does not care about their order." "xss |> transpose |> map(|xs| xs |> map(f))" => "xss |> map(|xs| xs |> map(f)) |> transpose" |e, _, _| {
        let (outer, f) = map_map(e)?;
        let xss = operand(outer.xs, is_t)?;
        make(Primitive::Transpose, [nested(f, xss.clone())?])
    }),
    row!("slideBeforeMapMapF" ["splitBeforeMapMapF"] () "S ≫ **f → *f ≫ S" "Cutting and then mapping all pieces is mapping and then cutting." "xs |> split(n) |> map(|ys| ys |> map(f))" => "xs |> map(f) |> split(n)" |e, _, _| {
        let (outer, f) = map_map(e)?;
        let xs = operand(outer.xs, is_s)?;
        rewrap(outer.xs, make_map(MapForm::Plain, f.clone(), xs.clone())?, e)
    }),
    row!("slideBeforeMap" ["splitBeforeMap"] () "*f ≫ S → S ≫ **f" "Mapping and then cutting is cutting and then mapping all pieces; with windows that overlap, work is repeated." "xs |> map(f) |> slide(3, 1)" => "xs |> slide(3, 1) |> map(|w| w |> map(f))" |e, _, _| {
        let map = plain_map(operand(e, is_s)?)?;
        let pieces = super::support::with_args(e, vec![map.xs.clone().into()])?;
        nested(map.f, pieces)
    }),
    row!("joinBeforeMapF" ["joinBeforeMap"] () "J ≫ *f → **f ≫ J" "Mapping all rows and joining is joining and mapping." "xss |> join |> map(f)" => "xss |> map(|xs| xs |> map(f)) |> join" |e, _, _| {
        let map = plain_map(e)?;
        let xss = operand(map.xs, is_j)?;
        Ok(retyped(make(Primitive::Join, [nested(map.f, xss.clone())?])?, e.ty()))
    }),
    row!("mapMapFBeforeJoin" [] () "**f ≫ J → J ≫ *f" "Mapping all rows and joining is joining and mapping." "xss |> map(|xs| xs |> map(f)) |> join" => "xss |> join |> map(f)" |e, _, _| {
        let (outer, f) = map_map(operand(e, is_j)?)?;
        Ok(retyped(make_map(MapForm::Plain, f.clone(), make(Primitive::Join, [outer.xs.clone()])?)?, e.ty()))
    }),
    row!("transposeBeforeSlide" ["transposeBeforeSplit"] () "T ≫ S → *S ≫ T ≫ *T" "Cutting rows of the transposed is cutting columns." "xss |> transpose |> slide(3, 1)" => "xss |> map(slide(3, 1)) |> transpose |> map(transpose)" |e, _, _| {
        let xss = operand(operand(e, is_s)?, is_t)?;
        let cut = map_over(MapForm::Plain, "xs", xss.clone(), |xs| rewrap_free(e, xs))?;
        let all = map_over(MapForm::Plain, "w", make(Primitive::Transpose, [cut])?, |w| make(Primitive::Transpose, [w]))?;
        Ok(retyped(all, e.ty()))
    }),
    row!("transposeBeforeMapSlide" ["transposeBeforeMapSplit"] () "T ≫ *S → S ≫ *T ≫ T" "Cutting columns of the transposed is cutting rows." "xss |> transpose |> map(slide(3, 1))" => "xss |> slide(3, 1) |> map(transpose) |> transpose" |e, _, _| {
        let (map, cut) = map_of(e, is_s)?;
        let xss = operand(map.xs, is_t)?;
        let pieces = rewrap_free(cut, xss.clone())?;
        let all = map_over(MapForm::Plain, "w", pieces, |w| make(Primitive::Transpose, [w]))?;
        Ok(retyped(make(Primitive::Transpose, [all])?, e.ty()))
    }),
    row!("mapSlideBeforeTranspose" ["mapSplitBeforeTranspose"] () "*S ≫ T → T ≫ S ≫ *T" "Cutting all rows and transposing is transposing and cutting." "xss |> map(slide(3, 1)) |> transpose" => "xss |> transpose |> slide(3, 1) |> map(transpose)" |e, _, _| {
        let (map, cut) = map_of(operand(e, is_t)?, is_s)?;
        let pieces = rewrap_free(cut, make(Primitive::Transpose, [map.xs.clone()])?)?;
        Ok(retyped(map_over(MapForm::Plain, "w", pieces, |w| make(Primitive::Transpose, [w]))?, e.ty()))
    }),
    row!("joinBeforeTranspose" [] () "J ≫ T → *T ≫ T ≫ *J" "Joining rows and transposing." "xsss |> join |> transpose" => "xsss |> map(transpose) |> transpose |> map(join)" |e, _, _| {
        let xsss = operand(operand(e, is_t)?, is_j)?;
        let columns = map_over(MapForm::Plain, "xss", xsss.clone(), |xss| make(Primitive::Transpose, [xss]))?;
        let turned = make(Primitive::Transpose, [columns])?;
        Ok(retyped(map_over(MapForm::Plain, "xss", turned, |xss| make(Primitive::Join, [xss]))?, e.ty()))
    }),
    row!("transposeBeforeMapJoin" [] () "T ≫ *J → *T ≫ J ≫ T" "Transposing and joining inside." "xsss |> transpose |> map(join)" => "xsss |> map(transpose) |> join |> transpose" |e, _, _| {
        let (map, _) = map_of(e, is_j)?;
        let xsss = operand(map.xs, is_t)?;
        let columns = map_over(MapForm::Plain, "xss", xsss.clone(), |xss| make(Primitive::Transpose, [xss]))?;
        Ok(retyped(make(Primitive::Transpose, [make(Primitive::Join, [columns])?])?, e.ty()))
    }),
    row!("mapTransposeBeforeJoin" [] () "*T ≫ J → T ≫ *J ≫ T" "Transposing inside and joining." "xsss |> map(transpose) |> join" => "xsss |> transpose |> map(join) |> transpose" |e, _, _| {
        let (map, _) = map_of(operand(e, is_j)?, is_t)?;
        let turned = make(Primitive::Transpose, [map.xs.clone()])?;
        let joined = map_over(MapForm::Plain, "xss", turned, |xss| make(Primitive::Join, [xss]))?;
        Ok(retyped(make(Primitive::Transpose, [joined])?, e.ty()))
    }),
    row!("mapJoinBeforeTranspose" [] () "*J ≫ T → T ≫ *T ≫ J" "Joining inside and transposing." "xsss |> map(join) |> transpose" => "xsss |> transpose |> map(transpose) |> join" |e, _, _| {
        let (map, _) = map_of(operand(e, is_t)?, is_j)?;
        let turned = make(Primitive::Transpose, [map.xs.clone()])?;
        let columns = map_over(MapForm::Plain, "xss", turned, |xss| make(Primitive::Transpose, [xss]))?;
        Ok(retyped(make(Primitive::Join, [columns])?, e.ty()))
    }),
    row!("joinBeforeJoin" [] () "J ≫ J → *J ≫ J" "Joining outside first or inside first." "xsss |> join |> join" => "xsss |> map(join) |> join" |e, _, _| {
        let xsss = operand(operand(e, is_j)?, is_j)?;
        let inside = map_over(MapForm::Plain, "xss", xsss.clone(), |xss| make(Primitive::Join, [xss]))?;
        Ok(retyped(make(Primitive::Join, [inside])?, e.ty()))
    }),
    row!("mapJoinBeforeJoin" [] () "*J ≫ J → J ≫ J" "Joining inside first or outside first." "xsss |> map(join) |> join" => "xsss |> join |> join" |e, _, _| {
        let (map, _) = map_of(operand(e, is_j)?, is_j)?;
        Ok(retyped(make(Primitive::Join, [make(Primitive::Join, [map.xs.clone()])?])?, e.ty()))
    }),
];

/// `map (map f)`: the outer map and `f`.
fn map_map(expr: &Expr) -> Result<(MapView<'_>, &Lambda), Reason> {
    let outer = plain_map(expr)?;
    let x = param1(outer.f)?;
    let inner = plain_map(&outer.f.body)?;
    match inner.xs.kind() {
        crate::expr::Kind::Var(name)
            if *name == x.name && super::support::independent(&inner.f.body, outer.f) =>
        {
            Ok((outer, inner.f))
        }
        _ => Err(Reason::mismatch("it is no map of a map")),
    }
}

/// `map p` for a layout `p`: the map and the layout's application.
fn map_of(expr: &Expr, test: fn(&Primitive) -> bool) -> Result<(MapView<'_>, &Expr), Reason> {
    let map = plain_map(expr)?;
    let x = param1(map.f)?;
    match operand(&map.f.body, test)?.kind() {
        crate::expr::Kind::Var(name) if *name == x.name => Ok((map, &map.f.body)),
        _ => Err(Reason::mismatch("it is no map of this layout alone")),
    }
}

/// `map (map f) xss`
fn nested(f: &Lambda, xss: Expr) -> Rewritten {
    let row = element(&xss)?;
    let param = crate::expr::Param::fresh("xs", row);
    let inner = make_map(MapForm::Plain, f.clone(), param.expr())?;
    make_map(MapForm::Plain, fun1(param, inner), xss)
}

/// The layout of `like`, applied to another array of the same length.
fn rewrap(like: &Expr, xs: Expr, whole: &Expr) -> Rewritten {
    Ok(retyped(rewrap_free(like, xs)?, whole.ty()))
}

/// The layout of `like`, applied to another array.
fn rewrap_free(like: &Expr, xs: Expr) -> Rewritten {
    match like.as_prim() {
        Some((primitive, [Arg::Expr(_)])) => make(primitive.clone(), [xs]),
        _ => Err(Reason::mismatch("it is another pattern")),
    }
}
