//! Moving windows, pieces, `take`, `drop` and padding past maps, zips and each other.

use crate::expr::{Arg, Expr, MapForm, Primitive};
use crate::nat::{Nat, Obligation};
use crate::rewrite::catalog::{Row, nat};
use crate::rewrite::context::Reason;
use crate::rewrite::place::labelled_as;

use super::row;
use super::support::{
    Rewritten, inner_len, len, make, make_map, map_over, operand, operands, operands2, plain_map, retyped,
};

/// The rules of this family.
pub const ROWS: &[Row] = &[
    row!("dropBeforeMap" [] () "*f ≫ drop n → drop n ≫ *f" "What is dropped is not computed." "xs |> map(f) |> drop(n)" => "xs |> drop(n) |> map(f)" |e, _, _| crop_before_map(e, |p| matches!(p, Primitive::Drop(_)))),
    row!("takeBeforeMap" [] () "*f ≫ take n → take n ≫ *f" "What is not taken is not computed." "xs |> map(f) |> take(n)" => "xs |> take(n) |> map(f)" |e, _, _| crop_before_map(e, |p| matches!(p, Primitive::Take(_)))),
    row!("takeAfterMap" [] () "take n ≫ *f → *f ≫ take n" "A map of all elements of which some are taken." "xs |> take(n) |> map(f)" => "xs |> map(f) |> take(n)" |e, _, _| {
        let map = plain_map(e)?;
        let xs = operand(map.xs, |p| matches!(p, Primitive::Take(_)))?;
        let all = labelled_as(make_map(MapForm::Plain, map.f.clone(), xs.clone())?, &[e]);
        like(map.xs, all, e)
    }),
    row!("takeInZip" [] () "take n (zip a b) → zip (take n a) (take n b)" "Taking pairs is taking of both." "zip(a, b) |> take(n)" => "zip(a |> take(n), b |> take(n))" |e, _, _| crop_in_zip(e, |p| matches!(p, Primitive::Take(_)))),
    row!("dropInZip" [] () "drop n (zip a b) → zip (drop n a) (drop n b)" "Dropping pairs is dropping of both." "zip(a, b) |> drop(n)" => "zip(a |> drop(n), b |> drop(n))" |e, _, _| crop_in_zip(e, |p| matches!(p, Primitive::Drop(_)))),
    row!("takeOutsideZip" [] () "zip (take n a) (take n b) → take n (zip a b)" "Taking of both is taking pairs; both must have the same length." "zip(a |> take(n), b |> take(n))" => "zip(a, b) |> take(n)" |e, _, cx| {
        let [a, b] = operands2(e, |p| matches!(p, Primitive::Zip))?;
        let (xs, ys) = (operand(a, |p| matches!(p, Primitive::Take(_)))?, operand(b, |p| matches!(p, Primitive::Take(_)))?);
        super::identity::equal(cx, &len(xs)?, &len(ys)?)?;
        like(a, make(Primitive::Zip, [xs.clone(), ys.clone()])?, e)
    }),
    row!("takeInSelect" ["dropInSelect"] () "take n (if c { a } else { b }) → if c { take n a } else { take n b }" "Taking or dropping in both branches." "(if c { a } else { b }) |> take(n)" => "if c { a |> take(n) } else { b |> take(n) }" |e, _, _| {
        let choice = operand(e, |p| matches!(p, Primitive::Take(_) | Primitive::Drop(_)))?;
        match operands(choice, |p| matches!(p, Primitive::Select))?.as_slice() {
            [c, a, b] => make(Primitive::Select, [(*c).clone(), like(e, (*a).clone(), e)?, like(e, (*b).clone(), e)?]),
            _ => Err(Reason::mismatch("it is another pattern")),
        }
    }),
    row!("dropBeforeTake" [] () "take (n + m) ≫ drop m → drop m ≫ take n" "Taking more and dropping is dropping and taking." "xs |> take(n + m) |> drop(m)" => "xs |> drop(m) |> take(n)" |e, _, _| match e.as_prim() {
        Some((Primitive::Drop(m), [Arg::Expr(inner)])) => match inner.as_prim() {
            Some((Primitive::Take(n), [Arg::Expr(xs)])) => {
                let rest = make(Primitive::Drop(m.clone()), [xs.clone()])?;
                Ok(retyped(make(Primitive::Take(n - m), [rest])?, e.ty()))
            }
            _ => Err(Reason::mismatch("it is no drop of a take")),
        },
        _ => Err(Reason::mismatch("it is no drop of a take")),
    }),
    row!("takeBeforeDrop" [] () "drop m ≫ take n → take (n + m) ≫ drop m" "Dropping and taking is taking more and dropping." "xs |> drop(m) |> take(n)" => "xs |> take(n + m) |> drop(m)" |e, _, _| match e.as_prim() {
        Some((Primitive::Take(n), [Arg::Expr(inner)])) => match inner.as_prim() {
            Some((Primitive::Drop(m), [Arg::Expr(xs)])) => {
                let more = make(Primitive::Take(n + m), [xs.clone()])?;
                Ok(retyped(make(Primitive::Drop(m.clone()), [more])?, e.ty()))
            }
            _ => Err(Reason::mismatch("it is no take of a drop")),
        },
        _ => Err(Reason::mismatch("it is no take of a drop")),
    }),
    row!("takeBeforeSlide" [] () "slide n m ≫ take t → take (m(t−1)+n) ≫ slide n m" "The first windows are those of the first elements; at least one window must be taken." "xs |> slide(3, 1) |> take(t)" => "xs |> take(t + 2) |> slide(3, 1)" |e, _, cx| match e.as_prim() {
        Some((Primitive::Take(t), [Arg::Expr(inner)])) => match inner.as_prim() {
            Some((Primitive::Slide(n, m), [Arg::Expr(xs)])) => {
                cx.require(Obligation::Lt(Nat::lit(0), t.clone()))?;
                let first = make(Primitive::Take(m * (t - 1) + n), [xs.clone()])?;
                Ok(retyped(make(Primitive::Slide(n.clone(), m.clone()), [first])?, e.ty()))
            }
            _ => Err(Reason::mismatch("it is no take of a slide")),
        },
        _ => Err(Reason::mismatch("it is no take of a slide")),
    }),
    row!("dropBeforeSlide" [] () "slide n m ≫ drop d → drop (d·m) ≫ slide n m" "The last windows are those of the last elements; at least one window must be left." "xs |> slide(3, 1) |> drop(d)" => "xs |> drop(d) |> slide(3, 1)" |e, _, cx| match e.as_prim() {
        Some((Primitive::Drop(d), [Arg::Expr(inner)])) => match inner.as_prim() {
            Some((Primitive::Slide(n, m), [Arg::Expr(xs)])) => {
                cx.require(Obligation::Lt(d.clone(), len(inner)?))?;
                let last = make(Primitive::Drop(d * m), [xs.clone()])?;
                Ok(retyped(make(Primitive::Slide(n.clone(), m.clone()), [last])?, e.ty()))
            }
            _ => Err(Reason::mismatch("it is no drop of a slide")),
        },
        _ => Err(Reason::mismatch("it is no drop of a slide")),
    }),
    row!("padEmptyBeforeMap" [] () "*f ≫ padEmpty n → padEmpty n ≫ *f" "Padding before the map; nobody looks at what is computed of the padding." "xs |> map(f) |> padEmpty(n)" => "xs |> padEmpty(n) |> map(f)" |e, _, _| {
        let inner = operand(e, |p| matches!(p, Primitive::PadEmpty(_)))?;
        super::support::may_be_undefined(plain_map(inner)?.xs)?;
        crop_before_map(e, |p| matches!(p, Primitive::PadEmpty(_)))
    }),
    row!("padEmptyBeforeTranspose" [] () "T ≫ padEmpty n → *(padEmpty n) ≫ T" "Padding columns is padding in every row." "xss |> transpose |> padEmpty(n)" => "xss |> map(padEmpty(n)) |> transpose" |e, _, _| {
        let xss = operand(operand(e, |p| matches!(p, Primitive::PadEmpty(_)))?, |p| matches!(p, Primitive::Transpose))?;
        let padded = map_over(MapForm::Plain, "xs", xss.clone(), |xs| like_free(e, xs))?;
        Ok(retyped(make(Primitive::Transpose, [padded])?, e.ty()))
    }),
    row!("padEmptyInsideZip" [] () "padEmpty n (zip a b) → zip (padEmpty n a) (padEmpty n b)" "Padding pairs is padding both." "zip(a, b) |> padEmpty(n)" => "zip(a |> padEmpty(n), b |> padEmpty(n))" |e, _, _| crop_in_zip(e, |p| matches!(p, Primitive::PadEmpty(_)))),
    row!("slideBeforeSplit" [] () "slide n s ≫ split k → slide (s·(k−1)+n) (s·k) ≫ *(slide n s)" "Pieces of k windows are windows of longer windows, for any step." "xs |> slide(3, 1) |> split(8)" => "xs |> slide(10, 8) |> map(slide(3, 1))" |e, _, cx| match e.as_prim() {
        Some((Primitive::Split(k), [Arg::Expr(inner)])) => {
            cx.require(Obligation::Lt(Nat::lit(0), k.clone()))?;
            widened(inner, k, k, e, cx)
        }
        _ => Err(Reason::mismatch("it is no split of a slide")),
    }),
    row!("slideBeforeSlide" [] () "slide n s ≫ slide m k → slide (s·(m−1)+n) (s·k) ≫ *(slide n s)" "Windows of windows are windows of longer windows, for any step." "xs |> slide(3, 1) |> slide(4, 2)" => "xs |> slide(6, 2) |> map(slide(3, 1))" |e, _, cx| match e.as_prim() {
        Some((Primitive::Slide(m, k), [Arg::Expr(inner)])) => {
            cx.require(Obligation::Lt(Nat::lit(0), m.clone()))?;
            widened(inner, m, k, e, cx)
        }
        _ => Err(Reason::mismatch("it is no slide of a slide")),
    }),
    row!("slideOverlap" ["overlappedTiling"] (Nat) "slide n s → slide u v ≫ *(slide n s) ≫ join, v = s·t, u = v + n − s" "Windows in overlapping tiles of t windows each; t must divide the number of windows." "xs |> slide(3, 1)" => "xs |> slide(10, 8) |> map(slide(3, 1)) |> join" |e, v, cx| match e.as_prim() {
        Some((Primitive::Slide(n, s), [Arg::Expr(xs)])) => {
            let t = nat(v, 0)?;
            super::split::divides(cx, &t, &len(e)?)?;
            let tiles = make(Primitive::Slide(s * &t + n - s, s * &t), [xs.clone()])?;
            let windows = map_over(MapForm::Plain, "tile", tiles, |tile| {
                Ok(retyped(make(Primitive::Slide(n.clone(), s.clone()), [tile])?, &windows_type(e, &t)?))
            })?;
            Ok(retyped(make(Primitive::Join, [windows])?, e.ty()))
        }
        _ => Err(Reason::mismatch("it is no slide")),
    }),
    row!("dropInSlide" [] () "slide n 1 ≫ *(drop l) … : *(drop l) ∘ slide (n+l) 1 ← slide n 1 ∘ drop l" "Windows of the elements behind the first l are the ends of longer windows; for step 1." "xs |> drop(l) |> slide(n, 1)" => "xs |> slide(n + l, 1) |> map(drop(l))" |e, _, _| match e.as_prim() {
        Some((Primitive::Slide(n, s), [Arg::Expr(inner)])) if s.is_one() => match inner.as_prim() {
            Some((Primitive::Drop(l), [Arg::Expr(xs)])) => {
                let longer = make(Primitive::Slide(n + l, s.clone()), [xs.clone()])?;
                let ends = map_over(MapForm::Plain, "w", longer, |w| make(Primitive::Drop(l.clone()), [w]))?;
                Ok(retyped(ends, e.ty()))
            }
            _ => Err(Reason::mismatch("it is no slide of a drop")),
        },
        _ => Err(Reason::mismatch("it is no slide of step 1")),
    }),
    row!("takeInSlide" [] () "slide n 1 ∘ take (l−r) → *(take n) ∘ slide (n+r) 1" "Windows of all elements but the last r are the beginnings of longer windows; for step 1." "xs |> take(l - r) |> slide(n, 1)" => "xs |> slide(n + r, 1) |> map(take(n))" |e, _, _| match e.as_prim() {
        Some((Primitive::Slide(n, s), [Arg::Expr(inner)])) if s.is_one() => match inner.as_prim() {
            Some((Primitive::Take(t), [Arg::Expr(xs)])) => {
                let r = len(xs)? - t;
                let longer = make(Primitive::Slide(n + r, s.clone()), [xs.clone()])?;
                let starts = map_over(MapForm::Plain, "w", longer, |w| make(Primitive::Take(n.clone()), [w]))?;
                Ok(retyped(starts, e.ty()))
            }
            _ => Err(Reason::mismatch("it is no slide of a take")),
        },
        _ => Err(Reason::mismatch("it is no slide of step 1")),
    }),
    row!("takeBeforeJoin" [] () "J ≫ take t → take ⌈t/m⌉ ≫ J ≫ take t" "Only the rows of which something is taken; m is the length of a row and must be positive." "xss |> join |> take(t)" => "xss |> take((t + m - 1) / m) |> join |> take(t)" |e, _, cx| match e.as_prim() {
        Some((Primitive::Take(t), [Arg::Expr(inner)])) => {
            let xss = operand(inner, |p| matches!(p, Primitive::Join))?;
            let m = inner_len(xss)?;
            cx.require(Obligation::Lt(Nat::lit(0), m.clone()))?;
            let rows = make(Primitive::Take(t.ceil_div(&m)), [xss.clone()])?;
            Ok(retyped(make(Primitive::Take(t.clone()), [make(Primitive::Join, [rows])?])?, e.ty()))
        }
        _ => Err(Reason::mismatch("it is no take of a join")),
    }),
    row!("dropBeforeJoin" [] () "J ≫ drop d → drop (d/m) ≫ J ≫ drop (d mod m)" "Whole rows first; m is the length of a row and must be positive." "xss |> join |> drop(d)" => "xss |> drop(d / m) |> join |> drop(d % m)" |e, _, cx| match e.as_prim() {
        Some((Primitive::Drop(d), [Arg::Expr(inner)])) => {
            let xss = operand(inner, |p| matches!(p, Primitive::Join))?;
            let m = inner_len(xss)?;
            cx.require(Obligation::Lt(Nat::lit(0), m.clone()))?;
            let rows = make(Primitive::Drop(d.div(&m)), [xss.clone()])?;
            Ok(retyped(make(Primitive::Drop(d.rem(&m)), [make(Primitive::Join, [rows])?])?, e.ty()))
        }
        _ => Err(Reason::mismatch("it is no drop of a join")),
    }),
    row!("removeTakeBeforePadEmpty" [] () "take n ≫ padEmpty m → padEmpty (m − (l − n)), where l − n ≤ m" "Elements without a defined value may as well be those that were cut off." "xs |> take(n) |> padEmpty(m)" => "xs |> padEmpty(m - (l - n))" |e, _, cx| match e.as_prim() {
        Some((Primitive::PadEmpty(m), [Arg::Expr(inner)])) => match inner.as_prim() {
            Some((Primitive::Take(n), [Arg::Expr(xs)])) => {
                let cut = len(xs)? - n;
                cx.require(Obligation::Le(cut.clone(), m.clone()))?;
                Ok(retyped(make(Primitive::PadEmpty(m - cut), [xs.clone()])?, e.ty()))
            }
            _ => Err(Reason::mismatch("it is no padEmpty of a take")),
        },
        _ => Err(Reason::mismatch("it is no padEmpty of a take")),
    }),
];

/// The layout at the root of `shape`, applied to another array; of the type of `whole`.
fn like(shape: &Expr, xs: Expr, whole: &Expr) -> Rewritten {
    Ok(retyped(like_free(shape, xs)?, whole.ty()))
}

fn like_free(shape: &Expr, xs: Expr) -> Rewritten {
    match shape.as_prim() {
        Some((primitive, [Arg::Expr(_)])) => make(primitive.clone(), [xs]),
        _ => Err(Reason::mismatch("it is another pattern")),
    }
}

fn crop_before_map(expr: &Expr, test: fn(&Primitive) -> bool) -> Rewritten {
    let inner = operand(expr, test)?;
    let map = plain_map(inner)?;
    let cropped = like_free(expr, map.xs.clone())?;
    Ok(labelled_as(make_map(MapForm::Plain, map.f.clone(), cropped)?, &[inner]))
}

fn crop_in_zip(expr: &Expr, test: fn(&Primitive) -> bool) -> Rewritten {
    let [a, b] = operands2(operand(expr, test)?, |p| matches!(p, Primitive::Zip))?;
    make(Primitive::Zip, [like_free(expr, a.clone())?, like_free(expr, b.clone())?])
}

/// Groups of `count` windows at distance `step` as windows of windows.
fn widened(
    slide: &Expr,
    count: &Nat,
    step: &Nat,
    whole: &Expr,
    _: &mut crate::rewrite::context::Context,
) -> Rewritten {
    match slide.as_prim() {
        Some((Primitive::Slide(n, s), [Arg::Expr(xs)])) => {
            let longer = make(Primitive::Slide(s * (count - 1) + n, s * step), [xs.clone()])?;
            let ty = windows_type(slide, count)?;
            let windows = map_over(MapForm::Plain, "w", longer, |w| {
                Ok(retyped(make(Primitive::Slide(n.clone(), s.clone()), [w])?, &ty))
            })?;
            Ok(retyped(windows, whole.ty()))
        }
        _ => Err(Reason::mismatch("it is no slide inside")),
    }
}

/// `count` windows like those of the slide.
fn windows_type(slide: &Expr, count: &Nat) -> Result<crate::types::DataType, Reason> {
    Ok(crate::types::DataType::array(count.clone(), super::support::element(slide)?))
}
