//! A convolution with separable weights as two passes (RISE in MLIR, 5.3).
//!
//! ```text
//! slide2D ≫ map (map (λnbh. … dot (join w) (join nbh) …))
//!   → map (slide ≫ map (dot h)) ≫ slide ≫ map (T ≫ map (λcolumn. … dot v column …)), where w = v ⊗ h
//! ```
//!
//! Sums are re-associated. What the first pass gives is read through `slide`, so `lower` stores it.

use crate::expr::{
    Arg, Binary, Expr, Kind, Literal, MapForm, Primitive, binary, literal, map_children, occurrences, proj,
};
use crate::names::Label;
use crate::nat::Nat;
use crate::rewrite::context::Reason;
use crate::rewrite::engine::{Engine, Outcome};
use crate::rewrite::place::{labelled_as, labelled_part, names};
use crate::rewrite::rules::folds;
use crate::rewrite::rules::support::{
    FoldView, Rewritten, fold, make, make_fold, map_over, operand, operands2, param1, plain_map, retyped,
};
use crate::rewrite::strategy::{Applied, Path, Value};
use crate::types::{DataType, Scalar};

use super::support::{each, last};

/// `separate @ 'l`
pub fn separate(engine: &mut Engine, expr: &Expr, paths: &[Path], _: &[Value]) -> Outcome {
    each(paths, expr, |expr, path| {
        let label = last(path)?;
        let run = move |node: &Expr, _: &mut _| separated(node, &label);
        let rule = Applied { name: "separate".into(), run: std::rc::Rc::new(run) };
        let path = path.clone();
        engine.top_down(expr, &mut |engine, node| match names(node, &path) {
            true => engine.rule(&rule, node),
            false => Err(Reason::mismatch("the sum is not inside").into()),
        })
    })
}

const NO_NEST: Reason =
    Reason::mismatch("it is no `slide2D(…) |> map2D(…)` around a sum of products with weights");

/// The two passes of the nest that holds the labelled sum.
fn separated(node: &Expr, label: &Label) -> Rewritten {
    let outer = plain_map(node).map_err(|_| NO_NEST)?;
    let inner = plain_map(&outer.f.body).map_err(|_| NO_NEST)?;
    let windows = Windows::of(outer.xs).ok_or(NO_NEST)?;
    let neighbourhood = param1(inner.f)?;
    if !matches!(inner.xs.kind(), Kind::Var(name) if *name == param1(outer.f)?.name) {
        return Err(NO_NEST);
    }
    let sum = labelled(&inner.f.body, label).ok_or(NO_NEST)?;
    let view = fold(&sum)?;
    let weights = weights(view, &neighbourhood.expr())?;
    let [vertical, horizontal] = factors(&weights)?;
    let across = map_over(MapForm::Plain, "row", windows.image.clone(), |row| {
        let pieces = make(Primitive::Slide(windows.width.0.clone(), windows.width.1.clone()), [row])?;
        let row = map_over(MapForm::Plain, "w", pieces, |w| {
            let zero = literal(Literal::zero(weights.scalar));
            Ok(labelled_part(dot(view, &horizontal, w, zero)?, &sum, "inner"))
        })?;
        Ok(labelled_part(row, &sum, "row"))
    })?;
    let across = labelled_part(across, &sum, "rows");
    let lines = make(Primitive::Slide(windows.height.0.clone(), windows.height.1.clone()), [across])?;
    let whole = map_over(MapForm::Plain, "rows", lines, |rows| {
        let columns = make(Primitive::Transpose, [rows])?;
        let row = map_over(MapForm::Plain, "column", columns, |column| {
            let down = labelled_part(dot(view, &vertical, column, view.start.clone())?, &sum, "outer");
            let body = put(&inner.f.body, label, &down.with_origin(sum.origin()));
            match occurrences(&body, &neighbourhood.name) {
                0 => Ok(body),
                _ => Err(Reason::refused("the neighbourhood is used for more than the sum")),
            }
        })?;
        Ok(labelled_as(row, &[inner.expr]))
    })?;
    Ok(retyped(labelled_as(whole, &[node]), node.ty()))
}

/// What `slide2D` gives: the image, and size and step of windows in both directions.
struct Windows {
    image: Expr,
    height: (Nat, Nat),
    width: (Nat, Nat),
}

impl Windows {
    /// `slide(h) ≫ map (λrows. T (map (slide w) rows))`
    fn of(expr: &Expr) -> Option<Self> {
        let slide = |expr: &Expr| match expr.as_prim()? {
            (Primitive::Slide(size, step), [Arg::Expr(xs)]) => {
                Some((xs.clone(), (size.clone(), step.clone())))
            }
            _ => None,
        };
        let rows = plain_map(expr).ok()?;
        let (image, height) = slide(rows.xs)?;
        let each = plain_map(operand(&rows.f.body, |p| matches!(p, Primitive::Transpose)).ok()?).ok()?;
        let (_, width) = slide(&each.f.body)?;
        Some(Self { image, height, width })
    }
}

fn labelled(expr: &Expr, label: &Label) -> Option<Expr> {
    if expr.labels().contains(label) {
        return Some(expr.clone());
    }
    expr.children().into_iter().find_map(|child| labelled(child, label))
}

/// The term with another one at the label.
fn put(expr: &Expr, label: &Label, new: &Expr) -> Expr {
    match expr.labels().contains(label) {
        true => new.clone(),
        false => map_children(expr, &mut |child| put(child, label, new)),
    }
}

/// Known weights, a row each.
struct Weights {
    scalar: Scalar,
    rows: Vec<Vec<f64>>,
}

/// The weights of `zip (join w) (join nbh) ≫ map mul ≫ reduce add`.
fn weights(view: FoldView<'_>, neighbourhood: &Expr) -> Result<Weights, Reason> {
    if folds::operator(view) != Some(Binary::Add) {
        return Err(Reason::refused("it is no sum"));
    }
    let products = plain_map(view.xs)
        .map_err(|_| Reason::refused("it is no sum of products; separate before fusing"))?;
    let Some((Primitive::Binary(Binary::Mul), [Arg::Expr(a), Arg::Expr(b)])) = products.f.body.as_prim()
    else {
        return Err(Reason::refused("it is no sum of products"));
    };
    let x = param1(products.f)?;
    let half = |e: &Expr| match e.as_prim() {
        Some((Primitive::Proj(at), [Arg::Expr(of)])) if matches!(of.kind(), Kind::Var(name) if *name == x.name) => {
            Some(*at)
        }
        _ => None,
    };
    if !matches!((half(a), half(b)), (Some(0), Some(1)) | (Some(1), Some(0))) {
        return Err(Reason::refused("it is no sum of products of weights and elements"));
    }
    let [first, second] = operands2(products.xs, |p| matches!(p, Primitive::Zip))?;
    let joined = |e: &Expr| operand(e, |p| matches!(p, Primitive::Join)).cloned();
    let (first, second) = (joined(first)?, joined(second)?);
    let is_nbh = |e: &Expr| crate::expr::alpha_equal(e, neighbourhood);
    let table = match (is_nbh(&first), is_nbh(&second)) {
        (true, false) => second,
        (false, true) => first,
        _ => return Err(Reason::refused("it does not multiply the neighbourhood by weights")),
    };
    let DataType::Scalar(scalar) = view.start.ty() else {
        return Err(Reason::refused("it is no sum of scalars"));
    };
    let unknown = || Reason::refused("the weights are not written out, so they may not be separable");
    let parts = |e: &Expr| -> Option<Vec<Expr>> {
        match e.as_prim()? {
            (Primitive::MakeArray, parts) => Some(parts.iter().map(|part| part.expr().clone()).collect()),
            _ => None,
        }
    };
    let value = |e: &Expr| match e.kind() {
        Kind::Literal(Literal::Float(value, _)) => Some(*value),
        Kind::Literal(Literal::Int(value, _)) => Some(*value as f64),
        _ => None,
    };
    let row = |e: &Expr| parts(e)?.iter().map(value).collect::<Option<Vec<f64>>>();
    let rows = parts(&table).ok_or_else(unknown)?.iter().map(row).collect::<Option<Vec<_>>>();
    Ok(Weights { scalar: *scalar, rows: rows.ok_or_else(unknown)? })
}

/// `v` and `h` with `w = v ⊗ h`, up to rounding.
fn factors(weights: &Weights) -> Result<[Expr; 2], Reason> {
    let rows = &weights.rows;
    let entries =
        || rows.iter().enumerate().flat_map(|(i, row)| row.iter().enumerate().map(move |(j, w)| (i, j, *w)));
    let pivot = entries().filter(|(.., w)| *w != 0.0).min_by(|a, b| a.2.abs().total_cmp(&b.2.abs()));
    let Some((p, q, scale)) = pivot else { return Err(Reason::refused("all weights are 0")) };
    let vertical: Vec<f64> = rows.iter().map(|row| row[q] / scale).collect();
    let horizontal = &rows[p];
    let largest = entries().map(|(.., w)| w.abs()).fold(0.0, f64::max);
    let slack = if weights.scalar.is_float() { 1e-6 * largest } else { 0.0 };
    for (i, j, w) in entries() {
        if (vertical[i] * horizontal[j] - w).abs() > slack || (slack == 0.0 && vertical[i].fract() != 0.0) {
            let text = format!("the weights are not separable: row {i} is no multiple of row {p}");
            return Err(Reason::refused(text));
        }
    }
    Ok([array(&vertical, weights.scalar)?, array(horizontal, weights.scalar)?])
}

fn array(values: &[f64], scalar: Scalar) -> Rewritten {
    let entry = |value: &f64| match scalar {
        Scalar::F32 => literal(Literal::Float(f64::from(*value as f32), scalar)),
        Scalar::F64 => literal(Literal::Float(*value, scalar)),
        _ => literal(Literal::Int(*value as i128, scalar)),
    };
    make(Primitive::MakeArray, values.iter().map(entry))
}

/// `zip w xs ≫ map mul ≫ reduce add start`
fn dot(view: FoldView<'_>, weights: &Expr, xs: Expr, start: Expr) -> Rewritten {
    let products = map_over(MapForm::Plain, "p", make(Primitive::Zip, [weights.clone(), xs])?, |p| {
        Ok(binary(Binary::Mul, proj(0, p.clone()), proj(1, p)))
    })?;
    make_fold(view.form, crate::expr::refresh_lambda(view.f), start, products)
}
