//! Folds: splitting, tails, blocks, lanes.

use crate::expr::{
    AddressSpace, Binary, Expr, Kind, Lambda, Literal, MapForm, Param, Primitive, ReduceForm, literal,
};
use crate::nat::{Nat, Obligation};
use crate::rewrite::catalog::{Row, nat};
use crate::rewrite::context::{Context, Reason};
use crate::rewrite::place::{labelled_as, labelled_part};
use crate::types::{DataType, Scalar};

use super::row;
use super::split::{divides, main_part, plural};
use super::support::{
    FoldView, Rewritten, again, beta_copy, fold, fun1, len, make, make_fold, map_over, operands2, param2,
    sequential,
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
    row!("blockedReduce" ["splitStrategy", "blockReduction"] (Nat) "reduce op z → split n ≫ map (reduce op e) ≫ reduce op z" "Folds blocks of length n, which must divide the length, then their results; op is declared associative by `reduce`, and e must be a known neutral element of it." "xs |> reduce(add, 0.0)" => "xs |> split(32) |> map(|ys| ys |> reduce(add, 0.0)) |> reduce(add, 0.0)" |e, v, cx| {
        let n = nat(v, 0)?;
        divides(cx, &n, &len(associative(e)?.xs)?)?;
        blocks(associative(e)?, &n)
    }),
    row!("lanes" ["laneFold"] (Nat) "reduce op z → split n ≫ reduceSeq (map2 op) (all e) ≫ reduce op z" "Lane j folds elements j, j + n, …, then the lanes are folded: op must be known to be commutative and have a known neutral element e; n must divide the length." "xs |> reduce(add, 0.0)" => "xs |> split(16) |> reduceSeq(|accs, ys| zip(accs, ys) |> map(|(a, y)| a + y), generate(|i| 0.0)) |> reduce(add, 0.0)" |e, v, cx| {
        let n = nat(v, 0)?;
        divides(cx, &n, &len(fold(e)?.xs)?)?;
        lanes(e, &n, MapForm::Plain)
    }),
    row!("lanesPeel" [] (Nat) "reduce op z → take m ≫ lanes n, then drop m ≫ reduce op" "Lanes for the main part, then the remainder: right for all lengths." "xs |> reduce(add, 0.0)" => "xs |> drop(m) |> reduce(add, xs |> take(m) |> lanes)" |e, v, cx| lanes_peel(e, &nat(v, 0)?, MapForm::Plain, cx)),
    row!("laneBlocks" [] (Nat) "reduce op z → split (l/n) ≫ transpose ≫ reduceSeq (map2 op) (all e) ≫ reduce op z" "Lane j folds the j-th of n contiguous blocks in order, then the lanes in order: for operators that are only associative; n must divide the length and e be a known neutral element." "xs |> reduce(op, e)" => "xs |> split(n / 16) |> transpose |> reduceSeq(…) |> reduce(op, e)" |e, v, cx| {
        let n = nat(v, 0)?;
        let view = associative(e)?;
        let length = len(view.xs)?;
        divides(cx, &n, &length)?;
        cx.require(Obligation::Lt(Nat::lit(0), length.clone()))?;
        let blocks = make(Primitive::Split(length.exact_div(&n)), [view.xs.clone()])?;
        lane_fold(view, make(Primitive::Transpose, [blocks])?, MapForm::Plain)
    }),
    row!("startFirst" [] () "reduce op e xs → reduce op xs[0] (drop 1 xs)" "A reduction from a neutral element starts from the first element instead; the array must not be empty." "xs |> reduce(add, 0.0)" => "xs |> drop(1) |> reduce(add, xs[0])" |e, _, cx| {
        let view = associative(e)?;
        match (view.start.kind(), neutral(view)?.kind()) {
            (Kind::Literal(start), Kind::Literal(neutral)) if start == neutral => {}
            _ => return Err(Reason::refused("it does not start from the neutral element")),
        }
        cx.require(Obligation::Lt(Nat::lit(0), len(view.xs)?))?;
        let first = make(Primitive::Idx, [crate::expr::nat(Nat::lit(0)), view.xs.clone()])?;
        let rest = make(Primitive::Drop(Nat::lit(1)), [again(view.xs)])?;
        Ok(labelled_as(make_fold(view.form, view.f.clone(), first, rest)?, &[e]))
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

/// What the operator leaves every accumulator as it is with, bit for bit.
fn right_neutral(view: FoldView<'_>) -> Rewritten {
    let DataType::Scalar(scalar) = view.start.ty() else { return neutral(view) };
    match (operator(view), scalar.is_float()) {
        // 0.0 would turn −0.0 into 0.0, and an infinity a NaN into itself.
        (Some(Binary::Add), true) => Ok(literal(Literal::Float(-0.0, *scalar))),
        (Some(Binary::Min | Binary::Max), true) => {
            Err(Reason::refused("no value leaves a NaN as it is under `min` and `max`; use `peel`"))
        }
        _ => neutral(view),
    }
}

/// Folds blocks of `n` elements, then their results.
fn blocks(view: FoldView<'_>, n: &Nat) -> Rewritten {
    let neutral = neutral(view)?;
    let blocks = make(Primitive::Split(n.clone()), [view.xs.clone()])?;
    let partial = map_over(MapForm::Plain, &plural(&view.f.params[1]), blocks, |ys| {
        let inner = make_fold(ReduceForm::Plain, crate::expr::refresh_lambda(view.f), neutral, ys)?;
        Ok(labelled_part(inner, view.expr, "inner"))
    })?;
    let partial = labelled_part(partial, view.expr, "blocks");
    let whole = make_fold(ReduceForm::Plain, view.f.clone(), view.start.clone(), partial)?;
    Ok(labelled_part(whole, view.expr, "outer"))
}

/// The same for the main part, then the remainder.
pub fn block_reduce_peel(expr: &Expr, n: &Nat, cx: &mut Context) -> Rewritten {
    let view = associative(expr)?;
    let length = len(view.xs)?;
    cx.require(Obligation::Lt(Nat::lit(0), n.clone()))?;
    if cx.facts().proves_divides(n, &length) {
        return blocks(view, n);
    }
    let m = main_part(&length, n);
    let main = make(Primitive::Take(m.clone()), [view.xs.clone()])?;
    fold_rest(view, blocks(FoldView { xs: &main, ..view }, n)?, &m)
}

/// A fold whose operator is declared associative.
pub fn associative(expr: &Expr) -> Result<FoldView<'_>, Reason> {
    let view = fold(expr)?;
    match view.form {
        ReduceForm::Plain | ReduceForm::Par => Ok(view),
        _ => Err(Reason::refused(
            "`reduceSeq` runs in order; `reduce` declares its operator associative, and `blockReduce` cuts it so that it stays so",
        )),
    }
}

/// The operator, if the function is one applied to its parameters in order.
pub(in crate::rewrite) fn operator(view: FoldView<'_>) -> Option<Binary> {
    let [acc, x] = view.f.params.as_slice() else { return None };
    let (Primitive::Binary(op), args) = view.f.body.as_prim()? else { return None };
    let is = |position: usize, param: &Param| {
        args.get(position)
            .is_some_and(|arg| matches!(arg.expr().kind(), Kind::Var(name) if *name == param.name))
    };
    let straight = is(0, acc) && is(1, x);
    (straight || (op.is_commutative() && is(0, x) && is(1, acc))).then_some(*op)
}

/// The neutral element of the fold's operator.
pub fn neutral(view: FoldView<'_>) -> Rewritten {
    let unknown = || Reason::refused("no neutral element of the operator is known");
    let op = operator(view).ok_or_else(unknown)?;
    let DataType::Scalar(scalar) = view.start.ty() else { return Err(unknown()) };
    neutral_of(op, *scalar).map(literal).ok_or_else(unknown)
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

/// Whether the lanes may take every n-th element.
pub fn commutative(view: FoldView<'_>) -> Result<Binary, Reason> {
    match operator(view) {
        Some(op) if op.is_commutative() => Ok(op),
        _ => Err(Reason::refused("its operator is not known to be commutative")),
    }
}

/// Lane `j` folds elements `j`, `j + n`, …; the inner map has the form.
pub fn lanes(expr: &Expr, n: &Nat, form: MapForm) -> Rewritten {
    let view = associative(expr)?;
    commutative(view)?;
    let rows = make(Primitive::Split(n.clone()), [view.xs.clone()])?;
    lane_fold(view, rows, form)
}

/// The same for the main part, then the remainder.
pub fn lanes_peel(expr: &Expr, n: &Nat, form: MapForm, cx: &mut Context) -> Rewritten {
    let view = associative(expr)?;
    commutative(view)?;
    let length = len(view.xs)?;
    cx.require(Obligation::Lt(Nat::lit(0), n.clone()))?;
    if cx.facts().proves_divides(n, &length) {
        return lanes(expr, n, form);
    }
    let m = main_part(&length, n);
    let main = make(Primitive::Take(m.clone()), [view.xs.clone()])?;
    let rows = make(Primitive::Split(n.clone()), [main])?;
    let main = lane_fold(view, rows, form)?;
    fold_rest(view, main, &m)
}

/// The main part by `count` vectors of `n` accumulators, then the remainder.
pub fn lanes_many_peel(expr: &Expr, count: i64, n: i64, cx: &mut Context) -> Rewritten {
    let view = associative(expr)?;
    commutative(view)?;
    let length = len(view.xs)?;
    let block = Nat::lit(count * n);
    let whole = cx.facts().proves_divides(&block, &length);
    let m = main_part(&length, &block);
    let main = match whole {
        true => view.xs.clone(),
        false => make(Primitive::Take(m.clone()), [view.xs.clone()])?,
    };
    let blocks = make(Primitive::Split(block), [main])?;
    let folded = lanes_many(view, blocks, count, n)?;
    match whole {
        true => Ok(folded),
        false => fold_rest(view, folded, &m),
    }
}

fn lanes_many(view: FoldView<'_>, blocks: Expr, count: i64, n: i64) -> Rewritten {
    let neutral = neutral(view)?;
    let ty = view.start.ty().clone();
    let (count, n) = (Nat::lit(count), Nat::lit(n));
    let row = DataType::array(n.clone(), ty);
    let accs = Param::fresh("accs", DataType::array(count.clone(), row.clone()));
    let block = Param::fresh("xs", super::support::element(&blocks)?);
    let rows = make(Primitive::Split(n.clone()), [block.expr()])?;
    let step = map_over(MapForm::Unroll, "p", make(Primitive::Zip, [accs.expr(), rows])?, |p| {
        across(view, crate::expr::proj(0, p.clone()), crate::expr::proj(1, p))
    })?;
    let step = labelled_part(step, view.expr, "lanes");
    let start = all(&count, |_| all(&n, |_| Ok(neutral.clone())))?;
    let f = Lambda { nats: Vec::new(), params: vec![accs, block], body: step };
    let folded = make_fold(ReduceForm::Seq(AddressSpace::Private), f, start, blocks)?;
    let folded = labelled_part(folded, view.expr, "outer").with_origin(view.expr.origin());
    // The vectors first, then the lanes of what is left.
    let (acc, x) = (Param::fresh("acc", row.clone()), Param::fresh("x", row));
    let body = across(view, acc.expr(), x.expr())?;
    let f = Lambda { nats: Vec::new(), params: vec![acc, x], body };
    let start = all(&n, |_| Ok(neutral.clone()))?;
    let vector = make_fold(ReduceForm::Unroll(AddressSpace::Private), f, start, folded)?;
    let whole = make_fold(view.form, crate::expr::refresh_lambda(view.f), view.start.clone(), vector)?;
    Ok(labelled_part(whole, view.expr, "inner").with_origin(view.expr.origin()))
}

/// The operator lane by lane.
fn across(view: FoldView<'_>, a: Expr, b: Expr) -> Rewritten {
    map_over(MapForm::Vec, "p", make(Primitive::Zip, [a, b])?, |p| {
        Ok(beta_copy(view.f, &[crate::expr::proj(0, p.clone()), crate::expr::proj(1, p)]))
    })
}

/// A generated array.
fn all(n: &Nat, element: impl FnOnce(&Expr) -> Rewritten) -> Rewritten {
    let index = Param::fresh("i", DataType::Idx(n.clone()));
    let body = element(&index.expr())?;
    Ok(crate::expr::apply(Primitive::Generate, vec![fun1(index, body).into()])?)
}

/// Folds rows lane by lane, then the lanes in order.
fn lane_fold(view: FoldView<'_>, rows: Expr, form: MapForm) -> Rewritten {
    let neutral = neutral(view)?;
    let n = super::support::inner_len(&rows)?;
    let [acc, x] = param2(view.f)?;
    let accs = Param::fresh(&plural(acc), DataType::array(n.clone(), acc.ty.clone()));
    let row = Param::fresh(&plural(x), super::support::element(&rows)?);
    let both = make(Primitive::Zip, [accs.expr(), row.expr()])?;
    let step = map_over(form, "p", both, |p| {
        Ok(beta_copy(view.f, &[crate::expr::proj(0, p.clone()), crate::expr::proj(1, p)]))
    })?;
    let step = labelled_part(step, view.expr, "lanes");
    let start = Expr::new(
        Kind::Prim(
            Primitive::Generate,
            vec![fun1(Param::fresh("i", DataType::Idx(n.clone())), neutral).into()],
        ),
        accs.ty.clone(),
        view.expr.origin(),
    );
    let f = Lambda { nats: Vec::new(), params: vec![accs, row], body: step };
    let folded = make_fold(ReduceForm::Seq(AddressSpace::Private), f, start, rows)?;
    let folded = labelled_part(folded, view.expr, "outer").with_origin(view.expr.origin());
    let all = make_fold(view.form, crate::expr::refresh_lambda(view.f), view.start.clone(), folded)?;
    Ok(labelled_part(all, view.expr, "inner").with_origin(view.expr.origin()))
}
