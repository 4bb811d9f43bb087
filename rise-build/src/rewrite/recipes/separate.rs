//! A convolution with separable weights as two passes (RISE in MLIR, 5.3).
//!
//! ```text
//! slide2D ≫ map (map (λnbh. … dot (join w) (join nbh) …))
//!   → map (slide ≫ map (dot h)) ≫ slide ≫ map (T ≫ map (λcolumn. … dot v column …)), where w = v ⊗ h
//! ```
//!
//! Weights that are written out are taken apart here. Those of a parameter are taken apart when the kernel runs, after
//! its entry has checked that they are a column times a row. Sums are re-associated. What the first pass gives is read through `slide`, so `lower` stores it.

use crate::expr::{
    AddressSpace, Arg, Binary, Compare, Expr, Kind, Lambda, Literal, MapForm, Param, Primitive, ReduceForm,
    Unary, binary, call, lambda2, let_in, literal, map_children, map_with, occurrences, prim, proj, reduce,
    refresh_lambda, separable, to_mem,
};
use crate::names::Label;
use crate::nat::Nat;
use crate::rewrite::context::{Context, Reason};
use crate::rewrite::engine::{Engine, Outcome};
use crate::rewrite::place::{labelled_as, labelled_part, names};
use crate::rewrite::rules::lowering;
use crate::rewrite::rules::operators::operator;
use crate::rewrite::rules::support::{
    FoldView, MapView, Rewritten, element, fold, fun1, independent, len, make, make_fold, make_map, map_over,
    occurs, operand, operands2, param1, plain_map, retyped,
};
use crate::rewrite::strategy::{Applied, Path, Value};
use crate::types::{DataType, Scalar};

use super::support::{each, last};

/// `separate @ 'l`
pub fn separate(engine: &mut Engine, expr: &Expr, paths: &[Path], _: &[Value]) -> Outcome {
    each(paths, expr, |expr, path| {
        let label = last(path)?;
        let run = move |node: &Expr, cx: &mut Context| separated(node, &label, cx);
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
fn separated(node: &Expr, label: &Label, cx: &mut Context) -> Rewritten {
    let convolution = Convolution::of(node, label)?;
    let factors = Factors::of(&convolution.weights, cx)?;
    let passes = convolution.across_first(&factors)?;
    Ok(factors.bound(passes))
}

/// A nest around a labelled sum of products of weights and neighbourhoods.
pub(super) struct Convolution<'a> {
    node: &'a Expr,
    label: &'a Label,
    inner: MapView<'a>,
    neighbourhood: &'a Param,
    windows: Windows,
    sum: Expr,
    weights: Expr,
}

impl<'a> Convolution<'a> {
    pub(super) fn of(node: &'a Expr, label: &'a Label) -> Result<Self, Reason> {
        let outer = plain_map(node).map_err(|_| NO_NEST)?;
        let inner = plain_map(&outer.f.body).map_err(|_| NO_NEST)?;
        let windows = Windows::of(outer.xs).ok_or(NO_NEST)?;
        let neighbourhood = param1(inner.f)?;
        if !inner.xs.is_named(&param1(outer.f)?.name) {
            return Err(NO_NEST);
        }
        if !independent(&inner.f.body, outer.f) {
            return Err(Reason::refused("an element is made of other windows of its row as well"));
        }
        let sum = labelled(&inner.f.body, label).ok_or(NO_NEST)?;
        let weights = weights(fold(&sum)?, &neighbourhood.expr())?;
        Ok(Self { node, label, inner, neighbourhood, windows, sum, weights })
    }

    /// The weights, where they are exactly a column times a row, and that of scalars of so many bytes at least.
    pub(super) fn exact_factors(&self, bytes: u32) -> Option<Factors> {
        let scalar = matrix_of(self.weights.ty()).filter(|scalar| scalar.bytes() >= bytes)?;
        let (column, row) = separable::exact_factors(&written(&self.weights)?, scalar)?;
        Factors::written(&column, &row, scalar).ok()
    }

    /// Along the rows first.
    fn across_first(&self, factors: &Factors) -> Rewritten {
        let Windows { image, height, width } = &self.windows;
        let view = fold(&self.sum)?;
        let across = map_over(MapForm::Plain, "row", image.clone(), |row| {
            let pieces = make(Primitive::Slide(width.0.clone(), width.1.clone()), [row])?;
            let row = map_over(MapForm::Plain, "w", pieces, |w| {
                Ok(labelled_part(dot(view, &factors.horizontal, w, factors.zero())?, &self.sum, "inner"))
            })?;
            Ok(labelled_part(row, &self.sum, "row"))
        })?;
        let across = labelled_part(across, &self.sum, "rows");
        let lines = make(Primitive::Slide(height.0.clone(), height.1.clone()), [across])?;
        self.rows(lines, |rows| {
            let columns = make(Primitive::Transpose, [rows])?;
            self.elements("column", columns, |column| {
                Ok(labelled_part(
                    dot(view, &factors.vertical, column, view.start.clone())?,
                    &self.sum,
                    "outer",
                ))
            })
        })
    }

    /// Down the columns first: each row of the result is made of one row of sums, which is stored meanwhile.
    pub(super) fn down_first(&self, factors: &Factors) -> Rewritten {
        let (image, border) = without_border(&self.windows.image);
        let Windows { height, width, .. } = &self.windows;
        let view = fold(&self.sum)?;
        let lines = make(Primitive::Slide(height.0.clone(), height.1.clone()), [image])?;
        self.rows(lines, |rows| {
            let sums = map_over(MapForm::Plain, "column", make(Primitive::Transpose, [rows])?, |column| {
                written_out(dot(view, &factors.vertical, column, factors.zero())?)
            })?;
            let sums = to_mem(AddressSpace::Default, sums);
            let sums = border.into_iter().try_fold(sums, |sums, border| make(border, [sums]))?;
            let pieces = make(Primitive::Slide(width.0.clone(), width.1.clone()), [sums])?;
            self.elements("w", pieces, |w| {
                written_out(dot(view, &factors.horizontal, w, view.start.clone())?)
            })
        })
    }

    /// The rows of the result.
    fn rows(&self, lines: Expr, row: impl FnOnce(Expr) -> Rewritten) -> Rewritten {
        let whole =
            map_over(MapForm::Plain, "rows", lines, |rows| Ok(labelled_as(row(rows)?, &[self.inner.expr])))?;
        Ok(retyped(labelled_as(whole, &[self.node]), self.node.ty()))
    }

    /// The elements of a row, with sums over the last pieces.
    fn elements(&self, text: &str, pieces: Expr, sum: impl FnOnce(Expr) -> Rewritten) -> Rewritten {
        map_over(MapForm::Plain, text, pieces, |piece| {
            let sum = sum(piece)?.with_origin(self.sum.origin());
            let body = put(&self.inner.f.body, self.label, &sum);
            match occurrences(&body, &self.neighbourhood.name) {
                0 => Ok(body),
                _ => Err(Reason::refused("the neighbourhood is used for more than the sum")),
            }
        })
    }
}

/// Longer sums are loops.
const LONGEST: i64 = 9;

fn written_out(sum: Expr) -> Rewritten {
    let is_long = len(fold(&sum)?.xs)?.as_const().is_none_or(|len| len > LONGEST);
    if is_long { Ok(sum) } else { lowering::unroll(&sum) }
}

/// The image without what its rows are padded with by elements of their own, and that padding, which may as well follow
/// sums down the columns.
fn without_border(image: &Expr) -> (Expr, Option<Primitive>) {
    if let Ok(rows) = plain_map(image)
        && let (Some((border @ Primitive::PadClamp(..), [Arg::Expr(row)])), Ok(x)) =
            (rows.f.body.as_prim(), param1(rows.f))
        && row.is_named(&x.name)
    {
        return (rows.xs.clone(), Some(border.clone()));
    }
    if let Some((pad @ Primitive::PadClamp(..), [Arg::Expr(inner)])) = image.as_prim()
        && let (inner, Some(border)) = without_border(inner)
        && let Ok(image) = make(pad.clone(), [inner])
    {
        return (image, Some(border));
    }
    (image.clone(), None)
}

/// What `slide2D` gives: the image, and size and step of windows in both directions.
pub(super) struct Windows {
    pub image: Expr,
    pub height: (Nat, Nat),
    pub width: (Nat, Nat),
}

impl Windows {
    /// `slide(h) ≫ map (λrows. T (map (f ≫ slide w) rows))`, which are windows of `map f` of the image.
    pub(super) fn of(expr: &Expr) -> Option<Self> {
        let slide = |expr: &Expr| match expr.as_prim()? {
            (Primitive::Slide(size, step), [Arg::Expr(xs)]) => {
                Some((xs.clone(), (size.clone(), step.clone())))
            }
            _ => None,
        };
        let rows = plain_map(expr).ok()?;
        let (image, height) = slide(rows.xs)?;
        let each = plain_map(operand(&rows.f.body, |p| matches!(p, Primitive::Transpose)).ok()?).ok()?;
        let (window, row) = (param1(rows.f).ok()?, param1(each.f).ok()?);
        if !each.xs.is_named(&window.name) || occurs(&each.f.body, window) {
            return None;
        }
        let (slid, width) = slide(&each.f.body)?;
        let image = match slid.is_named(&row.name) {
            true => image,
            // What is made of each row of a window is made of each row of the image.
            false => {
                let made = Lambda { body: slid, ..each.f.clone() };
                make_map(MapForm::Plain, refresh_lambda(&made), image).ok()?
            }
        };
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

/// The matrix `w` of `zip (join w) (join nbh) ≫ map mul ≫ reduce add`.
fn weights(view: FoldView<'_>, neighbourhood: &Expr) -> Result<Expr, Reason> {
    if operator(view.f) != Some(Binary::Add) {
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
        Some((Primitive::Proj(at), [Arg::Expr(of)])) if of.is_named(&x.name) => Some(*at),
        _ => None,
    };
    if !matches!((half(a), half(b)), (Some(0), Some(1)) | (Some(1), Some(0))) {
        return Err(Reason::refused("it is no sum of products of weights and elements"));
    }
    let [first, second] = operands2(products.xs, |p| matches!(p, Primitive::Zip))?;
    let joined = |e: &Expr| operand(e, |p| matches!(p, Primitive::Join)).cloned();
    let (first, second) = (joined(first)?, joined(second)?);
    let is_nbh = |e: &Expr| crate::expr::alpha_equal(e, neighbourhood);
    match (is_nbh(&first), is_nbh(&second)) {
        (true, false) => Ok(second),
        (false, true) => Ok(first),
        _ => Err(Reason::refused("it does not multiply the neighbourhood by weights")),
    }
}

/// A column and a row whose outer product the weights are.
pub(super) struct Factors {
    scalar: Scalar,
    vertical: Expr,
    horizontal: Expr,
    /// What the kernel computes before it uses them.
    bindings: Vec<(Param, Expr)>,
}

impl Factors {
    fn of(weights: &Expr, cx: &mut Context) -> Result<Self, Reason> {
        let Some(scalar) = matrix_of(weights.ty()) else {
            return Err(Reason::refused("the weights are no matrix of scalars"));
        };
        match written(weights) {
            Some(rows) => Self::known(&rows, scalar),
            None if scalar.is_float() => {
                cx.require_separable(weights)?;
                Self::computed(weights, scalar)
            }
            None => Err(Reason::refused(
                "integers as weights must be written out, since their factors may be none",
            )),
        }
    }

    fn known(rows: &[Vec<f64>], scalar: Scalar) -> Result<Self, Reason> {
        let (column, row) = separable::factors(rows, scalar).map_err(|misfit| {
            let (i, p) = (misfit.row, misfit.pivot);
            Reason::refused(format!("the weights are not separable: row {i} is no multiple of row {p}"))
        })?;
        Self::written(&column, &row, scalar)
    }

    fn written(column: &[f64], row: &[f64], scalar: Scalar) -> Result<Self, Reason> {
        let [vertical, horizontal] = [array(column, scalar)?, array(row, scalar)?];
        Ok(Self { scalar, vertical, horizontal, bindings: Vec::new() })
    }

    fn zero(&self) -> Expr {
        literal(Literal::zero(self.scalar))
    }

    /// Rows and columns of the weights.
    pub(super) fn sizes(&self) -> Option<[i64; 2]> {
        let size = |factor: &Expr| len(factor).ok()?.as_const();
        Some([size(&self.vertical)?, size(&self.horizontal)?])
    }

    /// The row `h` with the largest entry, over that entry, and each row's multiple of it, `⟨row, h⟩ / ⟨h, h⟩`.
    fn computed(weights: &Expr, scalar: Scalar) -> Result<Self, Reason> {
        let zero = literal(Literal::zero(scalar));
        let largest = largest_row(weights, &zero)?;
        let row_type = largest.ty().clone();
        let best = Param::fresh("best", row_type.clone());
        let scale = Param::fresh("scale", zero.ty().clone());
        let h = Param::fresh("h", row_type);
        let norm = Param::fresh("norm", zero.ty().clone());
        let scaled = map_with(MapForm::Plain, "w", best.expr(), |w| binary(Binary::Div, w, scale.expr()));
        let share = |row: Expr| -> Rewritten {
            Ok(or_zero(
                &norm.expr(),
                binary(Binary::Div, sum_of_products(row, h.expr(), &zero)?, norm.expr()),
                &zero,
            ))
        };
        let v = map_over(MapForm::Plain, "row", weights.clone(), share)?;
        let vertical = Param::fresh("v", v.ty().clone());
        let size = magnitude(best.expr(), &zero);
        let one = literal(Literal::small(1, scalar));
        let scale_or_one = call(Primitive::Select, [is_positive(&size, &zero), size, one]);
        let norm_value = sum_of_products(h.expr(), h.expr(), &zero)?;
        let stored = |value| to_mem(AddressSpace::Default, value);
        let (vertical_use, horizontal) = (vertical.expr(), h.expr());
        let bindings = vec![
            (best, stored(largest)),
            (scale, scale_or_one),
            (h, stored(scaled)),
            (norm, norm_value),
            (vertical, stored(v)),
        ];
        Ok(Self { scalar, vertical: vertical_use, horizontal, bindings })
    }

    /// The term where the factors are known.
    fn bound(self, body: Expr) -> Expr {
        self.bindings.into_iter().rev().fold(body, |body, (param, value)| let_in(param, value, body))
    }
}

fn matrix_of(ty: &DataType) -> Option<Scalar> {
    let (_, row) = ty.as_array()?;
    match row.as_array()?.1 {
        DataType::Scalar(scalar) => Some(*scalar),
        _ => None,
    }
}

/// The weights where they are written out, a row each.
fn written(weights: &Expr) -> Option<Vec<Vec<f64>>> {
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
    parts(weights)?.iter().map(|row| parts(row)?.iter().map(value).collect()).collect()
}

fn is_positive(value: &Expr, zero: &Expr) -> Expr {
    call(Primitive::Compare(Compare::Lt), [zero.clone(), value.clone()])
}

/// The quotient where the divisor is positive.
fn or_zero(divisor: &Expr, quotient: Expr, zero: &Expr) -> Expr {
    call(Primitive::Select, [is_positive(divisor, zero), quotient, zero.clone()])
}

/// The largest magnitude of a row.
fn magnitude(row: Expr, zero: &Expr) -> Expr {
    let step = lambda2(["largest", "w"], [zero.ty().clone(), zero.ty().clone()], |largest, w| {
        binary(Binary::Max, largest, call(Primitive::Unary(Unary::Abs), [w]))
    });
    reduce(SEQUENTIAL, step, zero.clone(), row)
}

/// The row with the largest magnitude; zeros if there is none.
fn largest_row(weights: &Expr, zero: &Expr) -> Rewritten {
    let row = element(weights)?;
    let step = lambda2(["best", "row"], [row.clone(), row.clone()], |best, row| {
        let more = call(
            Primitive::Compare(Compare::Lt),
            [magnitude(best.clone(), zero), magnitude(row.clone(), zero)],
        );
        call(Primitive::Select, [more, row, best])
    });
    let len = row.as_array().map(|(len, _)| len.clone()).ok_or(NO_NEST)?;
    let index = Param::fresh("i", DataType::Idx(len));
    let zeros = prim(Primitive::Generate, vec![fun1(index, zero.clone()).into()]);
    Ok(reduce(SEQUENTIAL, step, zeros, weights.clone()))
}

fn sum_of_products(a: Expr, b: Expr, zero: &Expr) -> Rewritten {
    let pairs = make(Primitive::Zip, [a, b])?;
    let pair = element(&pairs)?;
    let step = lambda2(["sum", "p"], [zero.ty().clone(), pair], |sum, p| {
        binary(Binary::Add, sum, binary(Binary::Mul, proj(0, p.clone()), proj(1, p)))
    });
    Ok(reduce(SEQUENTIAL, step, zero.clone(), pairs))
}

const SEQUENTIAL: ReduceForm = ReduceForm::Seq(AddressSpace::Default);

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
