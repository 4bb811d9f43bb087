//! Folds: splitting, tails, blocks, lanes.

use crate::expr::{AddressSpace, Arg, Expr, Lambda, MapForm, Param, Primitive, ReduceForm, to_mem};
use crate::nat::{Nat, Obligation};
use crate::rewrite::catalog::{Row, nat};
use crate::rewrite::context::{Context, Reason};
use crate::rewrite::place::{labelled_as, labelled_part};
use crate::rewrite::user::is_refuted;
use crate::types::DataType;

use super::operators::{
    associates, commutative, is_associative, maps_elements, neutral, operator, right_neutral, starts_neutral,
};
use super::row;
use super::split::{divides, main_part, plural};
use super::support::{
    FoldView, MapView, Rewritten, again, beta_copy, fold, fun1, is_path, len, make, make_fold, make_map,
    map_over, operands2, param1, param2, plain_map, sequential,
};

/// The rules of this family.
pub const ROWS: &[Row] = &[
    row!("splitFold" [] (Nat) "reduceSeq f z → split n ≫ reduceSeq (λacc ys. reduceSeq f acc ys) z" "Cuts a fold into pieces of length n, which must divide the length; each piece starts from the accumulator, so nothing is re-associated." "xs |> reduceSeq(f, z)" => "xs |> split(32) |> reduceSeq(|acc, ys| ys |> reduceSeq(f, acc), z)" |e, v, cx| split_fold(e, &nat(v, 0)?, cx)),
    row!("splitFoldPeel" [] (Nat) "reduceSeq f z → take m ≫ splitFold n, then drop m ≫ reduceSeq f" "Cuts a fold into pieces of length n and a remainder: right for all lengths, and exact." "xs |> reduceSeq(f, z)" => "xs |> drop(m) |> reduceSeq(f, xs |> take(m) |> split(32) |> reduceSeq(|acc, ys| ys |> reduceSeq(f, acc), z))" |e, v, cx| split_fold_peel(e, &nat(v, 0)?, cx)),
    row!("splitFoldPad" [] (Nat) "reduceSeq op z → padCst 0 r e ≫ splitFold n" "Cuts a fold into pieces of length n after padding it to a multiple with a known neutral element e of the operator: exact." "xs |> reduce(add, 0.0)" => "xs |> padCst(0, r, -0.0) |> split(32) |> reduceSeq(|acc, ys| ys |> reduce(add, acc), 0.0)" |e, v, cx| split_fold_pad(e, &nat(v, 0)?, cx)),
    row!("foldTail" ["reduceConcat"] () "concat xs ys ≫ reduceSeq f z → reduceSeq f (reduceSeq f z xs) ys" "A fold over two parts is two folds, one after the other." "concat(xs, ys) |> reduceSeq(f, z)" => "ys |> reduceSeq(f, xs |> reduceSeq(f, z))" |e, _, _| {
        let view = fold(e)?;
        let [xs, ys] = operands2(view.xs, |p| matches!(p, Primitive::Concat))?;
        let first = labelled_as(make_fold(view.form, view.f.clone(), view.start.clone(), xs.clone())?, &[e]);
        let second = make_fold(view.form, crate::expr::refresh_lambda(view.f), first, ys.clone())?;
        Ok(labelled_part(second, e, "rest"))
    }),
    row!("foldJoin" ["reduceJoin"] () "join ≫ reduceSeq f z → reduceSeq (λacc ys. reduceSeq f acc ys) z" "A fold over rows in turn." "xss |> join |> reduceSeq(f, z)" => "xss |> reduceSeq(|acc, xs| xs |> reduceSeq(f, acc), z)" |e, _, _| {
        let view = fold(e)?;
        let rows = super::support::operand(view.xs, |p| matches!(p, Primitive::Join))?;
        nested_fold(view, rows.clone())
    }),
    row!("blockedReduce" ["splitStrategy", "blockReduction"] (Nat) "reduce op z → split n ≫ map (reduce op e) ≫ reduce op z" "Folds blocks of length n, which must divide the length, then their results; op is declared associative by `reduce`, and e is its neutral element; where none is known each block starts from its first element." "xs |> reduce(add, 0.0)" => "xs |> split(32) |> map(|ys| ys |> reduce(add, 0.0)) |> reduce(add, 0.0)" |e, v, cx| {
        block_reduce(e, &nat(v, 0)?, cx)
    }),
    row!("lanes" ["laneFold"] (Nat) "reduce op z → split n ≫ reduceSeq (map2 op) (all e) ≫ reduce op z" "Lane j folds elements j, j + n, …, then the lanes are folded: op must be known or declared to be commutative, and n must divide the length; where no neutral element e is known the lanes start from the first n elements." "xs |> reduce(add, 0.0)" => "xs |> split(16) |> reduceSeq(|accs, ys| zip(accs, ys) |> map(|(a, y)| a + y), generate(|i| 0.0)) |> reduce(add, 0.0)" |e, v, cx| {
        let n = nat(v, 0)?;
        divides(cx, &n, &len(fold(e)?.xs)?)?;
        lanes(e, &n, MapForm::Plain, cx)
    }),
    row!("lanesPeel" [] (Nat) "reduce op z → take m ≫ lanes n, then drop m ≫ reduce op" "Lanes for the main part, then the remainder: right for all lengths." "xs |> reduce(add, 0.0)" => "xs |> drop(m) |> reduce(add, xs |> take(m) |> lanes)" |e, v, cx| lanes_peel(e, &nat(v, 0)?, MapForm::Plain, cx)),
    row!("laneBlocks" [] (Nat) "reduce op z → split (l/n) ≫ transpose ≫ reduceSeq (map2 op) (all e) ≫ reduce op z" "Lane j folds the j-th of n contiguous blocks in order, then the lanes in order: for operators that are only associative; n must divide the length, which must not be 0. Where no neutral element e is known each lane starts from the first of its elements." "xs |> reduce(op, e)" => "xs |> split(n / 16) |> transpose |> reduceSeq(…) |> reduce(op, e)" |e, v, cx| {
        let n = nat(v, 0)?;
        let view = cut(e, cx)?;
        let length = len(view.xs)?;
        divides(cx, &n, &length)?;
        cx.require(Obligation::Lt(Nat::lit(0), length.clone()))?;
        let blocks = make(Primitive::Split(length.exact_div(&n)), [view.xs.clone()])?;
        lane_fold(view, make(Primitive::Transpose, [blocks])?, MapForm::Plain, Rows::Some)
    }),
    row!("startFirst" [] () "reduce op e xs → reduce op xs[0] (drop 1 xs)" "A reduction from a neutral element starts from the first element instead; the array must not be empty." "xs |> reduce(add, 0.0)" => "xs |> drop(1) |> reduce(add, xs[0])" |e, _, cx| {
        let view = associative(e)?;
        if !starts_neutral(view)? {
            return Err(Reason::refused("it does not start from the neutral element"));
        }
        cx.require(Obligation::Lt(Nat::lit(0), len(view.xs)?))?;
        Ok(labelled_as(from_first(view, view.xs.clone())?, &[e]))
    }),
];

fn nested_fold(view: FoldView<'_>, rows: Expr) -> Rewritten {
    let [acc, x] = param2(view.f)?;
    let outer_acc = Param::fresh(acc.name.text(), acc.ty.clone());
    let row = Param::fresh(&plural(x), super::support::element(&rows)?);
    let inner = make_fold(view.form, view.f.clone(), outer_acc.expr(), row.expr())?;
    let inner = labelled_part(inner, view.expr, "inner").with_origin(view.expr.origin());
    let f = Lambda { nats: Vec::new(), params: vec![outer_acc, row], body: inner };
    let outer = make_fold(sequential(view.form), f, view.start.clone(), rows)?;
    Ok(labelled_part(outer, view.expr, "outer").with_origin(view.expr.origin()))
}

/// Pieces of length `n`, each folded from the accumulator.
pub fn split_fold(expr: &Expr, n: &Nat, cx: &mut Context) -> Rewritten {
    let view = fold(expr)?;
    divides(cx, n, &len(view.xs)?)?;
    nested_fold(view, make(Primitive::Split(n.clone()), [view.xs.clone()])?)
}

/// Pieces of length `n` and a remainder; without one where `n` is known to divide.
pub fn split_fold_peel(expr: &Expr, n: &Nat, cx: &mut Context) -> Rewritten {
    let view = fold(expr)?;
    let length = len(view.xs)?;
    cx.require(Obligation::Lt(Nat::lit(0), n.clone()))?;
    if cx.facts().proves_divides(n, &length) {
        return split_fold(expr, n, cx);
    }
    let m = main_part(&length, n);
    let main = make(Primitive::Take(m.clone()), [view.xs.clone()])?;
    let pieces = make(Primitive::Split(n.clone()), [main])?;
    let main = nested_fold(view, pieces)?;
    fold_rest(view, main, &m)
}

/// The fold of what is behind the first `m` elements, from the result of those.
fn fold_rest(view: FoldView<'_>, main: Expr, m: &Nat) -> Rewritten {
    let rest = make(Primitive::Drop(m.clone()), [again(view.xs)])?;
    let rest = make_fold(view.form, crate::expr::refresh_lambda(view.f), main, rest)?;
    Ok(labelled_part(rest, view.expr, "rest").with_origin(view.expr.origin()))
}

/// Pieces of length `n` of the array padded with what the operator does not notice.
pub fn split_fold_pad(expr: &Expr, n: &Nat, cx: &mut Context) -> Rewritten {
    let padded = padded(expr, n, cx)?;
    let view = fold(&padded)?;
    nested_fold(view, make(Primitive::Split(n.clone()), [view.xs.clone()])?)
}

/// The fold of the array padded to a multiple of `n` with the operator's neutral element.
pub fn padded(expr: &Expr, n: &Nat, cx: &mut Context) -> Rewritten {
    let view = fold(expr)?;
    let length = len(view.xs)?;
    cx.require(Obligation::Lt(Nat::lit(0), n.clone()))?;
    if cx.facts().proves_divides(n, &length) {
        return Ok(expr.clone());
    }
    let fill = right_neutral(view)?;
    let missing = length.ceil_div(n) * n - &length;
    let xs = make(Primitive::PadCst(Nat::lit(0), missing), [fill, view.xs.clone()])?;
    let whole = make_fold(view.form, view.f.clone(), view.start.clone(), xs)?;
    Ok(labelled_as(whole, &[expr]).with_origin(expr.origin()))
}

/// The fold of the elements behind the first one, which it starts from; there must be a first one.
fn from_first(view: FoldView<'_>, xs: Expr) -> Rewritten {
    let first = make(Primitive::Idx, [crate::expr::nat(Nat::lit(0)), xs.clone()])?;
    let rest = make(Primitive::Drop(Nat::lit(1)), [again(&xs)])?;
    make_fold(view.form, crate::expr::refresh_lambda(view.f), first, rest)
}

/// Folds blocks of `n` elements, which must divide the length, then their results.
pub fn block_reduce(expr: &Expr, n: &Nat, cx: &mut Context) -> Rewritten {
    let view = cut(expr, cx)?;
    divides(cx, n, &len(view.xs)?)?;
    blocks(view, n)
}

/// Folds blocks of `n` elements, then their results. A map that makes the elements goes into the blocks, so that
/// what is inside it can be reordered with the fold of a block.
fn blocks(view: FoldView<'_>, n: &Nat) -> Rewritten {
    let neutral = neutral(view);
    let made = plain_map(view.xs).ok();
    let source = made.map_or(view.xs, |made| made.xs);
    let blocks = make(Primitive::Split(n.clone()), [source.clone()])?;
    let partial = map_over(MapForm::Plain, &plural(&view.f.params[1]), blocks, |ys| {
        let ys = match made {
            Some(made) => mapped(made, ys)?,
            None => ys,
        };
        let inner = match neutral {
            Ok(neutral) => make_fold(ReduceForm::Plain, crate::expr::refresh_lambda(view.f), neutral, ys)?,
            Err(_) => from_first(FoldView { form: ReduceForm::Plain, ..view }, ys)?,
        };
        Ok(labelled_part(inner, view.expr, "inner"))
    })?;
    let partial = labelled_part(partial, view.expr, "blocks");
    let whole = make_fold(ReduceForm::Plain, view.f.clone(), view.start.clone(), partial)?;
    Ok(labelled_part(whole, view.expr, "outer"))
}

/// The same map of another array.
fn mapped(map: MapView<'_>, xs: Expr) -> Rewritten {
    Ok(labelled_as(make_map(map.form, crate::expr::refresh_lambda(map.f), xs)?, &[map.expr]))
}

/// The same for the main part, then the remainder.
pub fn block_reduce_peel(expr: &Expr, n: &Nat, cx: &mut Context) -> Rewritten {
    let view = cut(expr, cx)?;
    let length = len(view.xs)?;
    cx.require(Obligation::Lt(Nat::lit(0), n.clone()))?;
    if cx.facts().proves_divides(n, &length) {
        return blocks(view, n);
    }
    let m = main_part(&length, n);
    let part = |primitive: Primitive, xs: &Expr| match plain_map(xs) {
        Ok(made) => mapped(made, make(primitive, [made.xs.clone()])?),
        Err(_) => make(primitive, [xs.clone()]),
    };
    let main = part(Primitive::Take(m.clone()), view.xs)?;
    let main = blocks(FoldView { xs: &main, ..view }, n)?;
    let rest = part(Primitive::Drop(m), &again(view.xs))?;
    let rest = make_fold(view.form, crate::expr::refresh_lambda(view.f), main, rest)?;
    Ok(labelled_part(rest, view.expr, "rest").with_origin(view.expr.origin()))
}

/// The same for the array padded to a multiple with what the operator does not notice. Where the elements are folds
/// by that operator their elements are padded, so that folds of blocks still stand directly inside each other.
pub fn block_reduce_pad(expr: &Expr, n: &Nat, cx: &mut Context) -> Rewritten {
    let view = cut(expr, cx)?;
    let nested = plain_map(view.xs).ok().filter(|rows| fold(&rows.f.body).is_ok());
    let pulled = match nested {
        Some(rows) => Some(pull_elements(view, rows)?),
        None => None,
    };
    let padded = padded(pulled.as_ref().unwrap_or(expr), n, cx)?;
    let padded = match nested {
        Some(_) => pad_rows(&padded)?,
        None => padded,
    };
    blocks(fold(&padded)?, n)
}

/// Folds of folds by one operator, what makes the innermost elements being a map of its own.
fn pull_elements(view: FoldView<'_>, rows: MapView<'_>) -> Rewritten {
    let Elements { value, fold_up } = elements(view, fold(&rows.f.body)?)?;
    let made = fun1(param1(rows.f)?.clone(), value);
    let source = match is_path(&made.body) {
        true => rows.xs.clone(),
        false => make_map(MapForm::Plain, made, rows.xs.clone())?,
    };
    let folded = map_over(MapForm::Plain, "row", source, fold_up)?;
    let folded = labelled_as(folded, &[rows.expr]).with_origin(rows.expr.origin());
    let whole = make_fold(view.form, view.f.clone(), view.start.clone(), folded)?;
    Ok(labelled_as(whole, &[view.expr]).with_origin(view.expr.origin()))
}

/// What a nest of folds folds.
struct Elements<'a> {
    /// An array of as many dimensions as there are folds.
    value: Expr,
    /// The folds of such an array.
    fold_up: Box<dyn FnOnce(Expr) -> Rewritten + 'a>,
}

/// The elements of folds directly inside each other, all by the operator of `outer` and from its neutral element.
fn elements<'a>(outer: FoldView<'a>, inner: FoldView<'a>) -> Result<Elements<'a>, Reason> {
    let one_operator = operator(outer.f).is_some() && operator(outer.f) == operator(inner.f);
    if !one_operator || inner.form != ReduceForm::Plain || !starts_neutral(inner)? {
        return Err(Reason::refused(
            "what it folds are results of folds, and only those of `reduce` by the same operator from its neutral element are padded; use `peel`",
        ));
    }
    let again = move |xs: Expr| {
        let whole = make_fold(inner.form, crate::expr::refresh_lambda(inner.f), inner.start.clone(), xs)?;
        Ok(labelled_as(whole, &[inner.expr]).with_origin(inner.expr.origin()))
    };
    let Some((rows, deeper)) =
        plain_map(inner.xs).ok().and_then(|rows| Some((rows, fold(&rows.f.body).ok()?)))
    else {
        return Ok(Elements { value: inner.xs.clone(), fold_up: Box::new(again) });
    };
    let Elements { value, fold_up } = elements(outer, deeper)?;
    let value = match is_path(&value) {
        true => rows.xs.clone(),
        false => make_map(MapForm::Plain, fun1(param1(rows.f)?.clone(), value), rows.xs.clone())?,
    };
    let fold_up = Box::new(move |xs: Expr| {
        let folded = map_over(MapForm::Plain, "row", xs, fold_up)?;
        again(labelled_as(folded, &[rows.expr]).with_origin(rows.expr.origin()))
    });
    Ok(Elements { value, fold_up })
}

/// `map (fold) ≫ padCst 0 r e → padCst 0 r (all e) ≫ map (fold)`, for folds that give `e` for an array of `e`.
fn pad_rows(expr: &Expr) -> Rewritten {
    let view = fold(expr)?;
    let Some((primitive @ Primitive::PadCst(..), [fill, Arg::Expr(folded)])) = view.xs.as_prim() else {
        return Ok(expr.clone());
    };
    let rows = plain_map(folded)?;
    let fill = filled(&super::support::element(rows.xs)?, fill.expr())?;
    let xs = make(primitive.clone(), [fill, rows.xs.clone()])?;
    let folded =
        labelled_as(make_map(rows.form, rows.f.clone(), xs)?, &[folded]).with_origin(folded.origin());
    let whole = make_fold(view.form, view.f.clone(), view.start.clone(), folded)?;
    Ok(labelled_as(whole, &[expr]).with_origin(expr.origin()))
}

/// An array with the value everywhere.
fn filled(ty: &DataType, value: &Expr) -> Rewritten {
    match ty.as_array() {
        Some((n, element)) => all(n, |_| filled(element, value)),
        None => Ok(value.clone()),
    }
}

/// A fold whose operator is declared associative.
pub fn associative(expr: &Expr) -> Result<FoldView<'_>, Reason> {
    let view = fold(expr)?;
    match view.form {
        ReduceForm::Plain | ReduceForm::Par => match operator(view.f) {
            Some(op) if !associates(op) => Err(Reason::refused(
                "its operator is known not to be associative, though `reduce` declares it so; `reduceSeq` runs in order",
            )),
            _ if maps_elements(view.f) => Err(Reason::refused(
                "its operator is known not to be associative, though `reduce` declares it so: `a + g(b)` is written `map(g) |> reduce(add, z)`; `reduceSeq` runs in order",
            )),
            _ => Ok(view),
        },
        _ => Err(Reason::refused(
            "`reduceSeq` runs in order, and so does what `fuse` makes of a `reduce`; a `reduce` declares its operator associative, and `blockReduce` cuts it so that it stays so",
        )),
    }
}

/// A fold that may be cut: its operator is declared associative, and no numbers say that it is not.
pub fn cut<'a>(expr: &'a Expr, cx: &mut Context) -> Result<FoldView<'a>, Reason> {
    let view = associative(expr)?;
    if !is_associative(view.f, cx) && is_refuted(view.f) {
        return Err(Reason::refused(
            "its operator is not associative, as some numbers show, though `reduce` declares it so; `reduceSeq` runs in order",
        ));
    }
    Ok(view)
}

/// Lane `j` folds elements `j`, `j + n`, …; the inner map has the form.
pub fn lanes(expr: &Expr, n: &Nat, form: MapForm, cx: &mut Context) -> Rewritten {
    let view = associative(expr)?;
    commutative(view.f, cx)?;
    let rows = make(Primitive::Split(n.clone()), [view.xs.clone()])?;
    lane_fold(view, rows, form, Rows::of(&len(view.xs)?, cx))
}

/// The same for the main part, then the remainder.
pub fn lanes_peel(expr: &Expr, n: &Nat, form: MapForm, cx: &mut Context) -> Rewritten {
    let view = associative(expr)?;
    commutative(view.f, cx)?;
    let length = len(view.xs)?;
    cx.require(Obligation::Lt(Nat::lit(0), n.clone()))?;
    if cx.facts().proves_divides(n, &length) {
        return lanes(expr, n, form, cx);
    }
    let m = main_part(&length, n);
    let main = make(Primitive::Take(m.clone()), [view.xs.clone()])?;
    let rows = make(Primitive::Split(n.clone()), [main])?;
    let main = lane_fold(view, rows, form, Rows::of(&m, cx))?;
    fold_rest(view, main, &m)
}

/// A generated array.
fn all(n: &Nat, element: impl FnOnce(&Expr) -> Rewritten) -> Rewritten {
    let index = Param::fresh("i", DataType::Idx(n.clone()));
    let body = element(&index.expr())?;
    Ok(crate::expr::apply(Primitive::Generate, vec![fun1(index, body).into()])?)
}

/// How many rows there are to fold lane by lane.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rows {
    /// At least one.
    Some,
    /// None, perhaps.
    Any,
}

impl Rows {
    /// Rows that make up an array of that length.
    fn of(length: &Nat, cx: &Context) -> Self {
        match Obligation::Lt(Nat::lit(0), length.clone()).prove(&cx.facts()) {
            true => Rows::Some,
            false => Rows::Any,
        }
    }
}

/// Folds rows lane by lane, then the lanes in order.
fn lane_fold(view: FoldView<'_>, rows: Expr, form: MapForm, count: Rows) -> Rewritten {
    let n = super::support::inner_len(&rows)?;
    let (start, rows, used) = match neutral(view) {
        Ok(neutral) => (all(&n, |_| Ok(neutral))?, rows, None),
        Err(_) => first_row(view, rows, &n, count)?,
    };
    let [acc, x] = param2(view.f)?;
    let accs = Param::fresh(&plural(acc), start.ty().clone());
    let row = Param::fresh(&plural(x), super::support::element(&rows)?);
    let both = make(Primitive::Zip, [accs.expr(), row.expr()])?;
    let step = map_over(form, "p", both, |p| {
        Ok(beta_copy(view.f, &[crate::expr::proj(0, p.clone()), crate::expr::proj(1, p)]))
    })?;
    let step = labelled_part(step, view.expr, "lanes");
    let f = Lambda { nats: Vec::new(), params: vec![accs, row], body: step };
    let folded = make_fold(ReduceForm::Seq(AddressSpace::Private), f, start, rows)?;
    let folded = labelled_part(folded, view.expr, "outer").with_origin(view.expr.origin());
    let folded = match used {
        Some(used) => make(Primitive::Take(used), [to_mem(AddressSpace::Private, folded)])?,
        None => folded,
    };
    let all = make_fold(view.form, crate::expr::refresh_lambda(view.f), view.start.clone(), folded)?;
    Ok(labelled_part(all, view.expr, "inner").with_origin(view.expr.origin()))
}

/// The first row for the lanes to start from, the other rows, and how many lanes hold elements: none where there
/// is no row, and then it does not matter what they start from.
fn first_row(
    view: FoldView<'_>,
    rows: Expr,
    n: &Nat,
    count: Rows,
) -> Result<(Expr, Expr, Option<Nat>), Reason> {
    if count == Rows::Some {
        let first = make(Primitive::Idx, [crate::expr::nat(Nat::lit(0)), rows.clone()])?;
        return Ok((first, make(Primitive::Drop(Nat::lit(1)), [again(&rows)])?, None));
    }
    let some = len(&rows)?.min(Nat::lit(1));
    let used = &some * n;
    let first = make(Primitive::Take(some.clone()), [rows.clone()])?;
    let first = make(Primitive::Join, [first])?;
    let first = make(Primitive::PadCst(Nat::lit(0), n - &used), [again(view.start), first])?;
    let others = make(Primitive::Drop(some), [again(&rows)])?;
    Ok((first, others, Some(used)))
}
