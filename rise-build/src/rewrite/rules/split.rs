//! Splitting maps, and what is left over.

use crate::expr::{Expr, MapForm, Primitive};
use crate::nat::{Nat, Obligation};
use crate::rewrite::catalog::{Row, nat};
use crate::rewrite::context::{Context, Reason};
use crate::rewrite::place::{labelled_as, labelled_part};

use super::row;
use super::support::{Rewritten, again, len, make, make_map, map_over, plain_map, retyped};

/// The rules of this family.
pub const ROWS: &[Row] = &[
    row!("splitJoin" ["splitJoinMap", "toSplitJoin"] (Pieces) "map f → split n ≫ map (map f) ≫ join" "Cuts a map into pieces of length n, which must divide the length: proved, or an obligation of the kernel." "xs |> map(f)" => "xs |> split(32) |> map(|ys| ys |> map(f)) |> join" |e, v, cx| split_map(e, &nat(v, 0)?, cx)),
    row!("splitJoin2" ["splitJoinAfter"] (Nat) "xs → split n ≫ join" "Cuts an array into pieces of length n, which must divide its length, and puts it together again." "xs" => "xs |> split(32) |> join" |e, v, cx| {
        let n = nat(v, 0)?;
        divides(cx, &n, &len(e)?)?;
        Ok(retyped(make(Primitive::Join, [make(Primitive::Split(n), [e.clone()])?])?, e.ty()))
    }),
    row!("peel" ["splitAt"] (Nat) "map f → concat (take m ≫ map f) (drop m ≫ map f)" "Cuts a map into a main part of m elements and a remainder; m must not exceed the length." "xs |> map(f)" => "concat(xs |> take(m) |> map(f), xs |> drop(m) |> map(f))" |e, v, cx| {
        let m = nat(v, 0)?;
        cx.require(Obligation::Le(m.clone(), len(e)?))?;
        peel_map(e, &m)
    }),
    row!("splitPeel" [] (Nat) "map f → concat (take (l − l%n) ≫ split n ≫ map (map f) ≫ join) (drop (l − l%n) ≫ map f)" "Cuts a map into pieces of length n and a remainder: right for all lengths." "xs |> map(f)" => "concat(xs |> take(n / 32 * 32) |> split(32) |> map(|ys| ys |> map(f)) |> join, xs |> drop(n / 32 * 32) |> map(f))" |e, v, cx| split_peel(e, &nat(v, 0)?, cx)),
    row!("splitPad" [] (Nat) "map f → padEmpty r ≫ split n ≫ map (map f) ≫ join ≫ take l" "Cuts a map into pieces of length n after padding it to a multiple; nobody looks at what is computed of the padding." "xs |> map(f)" => "xs |> padEmpty(r) |> split(32) |> map(|ys| ys |> map(f)) |> join |> take(n)" |e, v, cx| split_pad(e, &nat(v, 0)?, cx)),
    row!("splitMask" [] (Nat) "map f → padClamp 0 r ≫ split n ≫ map (map f) ≫ join ≫ take l" "Cuts a map into pieces of length n after repeating its last element up to a multiple; so the function is only applied to elements that are there." "xs |> map(f)" => "xs |> padClamp(0, r) |> split(32) |> map(|ys| ys |> map(f)) |> join |> take(n)" |e, v, cx| split_mask(e, &nat(v, 0)?, cx)),
    row!("splitShift" [] (Nat) "map f → concat (take (l − l%n) ≫ split n ≫ map (map f) ≫ join) (drop (l − n) ≫ map f ≫ toMem ≫ drop (n − l%n))" "Cuts a map into pieces of length n and a last one of the same length that begins n before the end, of which only what is new is kept. Where n ≤ l does not follow from the `where` clause or the condition of a version, what is left over is peeled, which the story of the rewriting says." "xs |> map(f)" => "concat(xs |> take(n / 32 * 32) |> split(32) |> map(|ys| ys |> map(f)) |> join, xs |> drop(n - 32) |> map(f) |> toMem |> drop(32 - n % 32))" |e, v, cx| split_shift(e, &nat(v, 0)?, cx)),
    row!("joinSplit" ["removeSplitJoin"] () "split n ≫ join → id" "Cutting and putting together cancel." "xs |> split(32) |> join" => "xs" |e, _, _| {
        let pieces = super::support::operand(e, |p| matches!(p, Primitive::Join))?;
        let xs = super::support::operand(pieces, |p| matches!(p, Primitive::Split(_)))?;
        Ok(retyped(xs.clone(), e.ty()))
    }),
    row!("splitJoinId" ["removeJoinSplit"] () "join ≫ split m → id, for rows of length m" "Putting together and cutting into the same pieces cancel." "xss |> join |> split(m)" => "xss" |e, _, _| {
        let joined = super::support::operand(e, |p| matches!(p, Primitive::Split(_)))?;
        let xss = super::support::operand(joined, |p| matches!(p, Primitive::Join))?;
        match xss.ty() == e.ty() {
            true => Ok(xss.clone()),
            false => Err(Reason::refused("the pieces have another length than the rows")),
        }
    }),
    row!("takeDropConcat" ["peelArray"] (Nat) "xs → concat (take m xs) (drop m xs)" "Cuts an array after m elements; m must not exceed the length." "xs" => "concat(xs |> take(m), xs |> drop(m))" |e, v, cx| {
        let m = nat(v, 0)?;
        let length = len(e)?;
        cx.require(Obligation::Le(m.clone(), length))?;
        cut(e, &m)
    }),
    row!("mapConcat" ["mapBeforeConcat"] () "concat xs ys ≫ map f → concat (map f xs) (map f ys)" "A map over two parts is two maps." "concat(xs, ys) |> map(f)" => "concat(xs |> map(f), ys |> map(f))" |e, _, _| {
        let map = plain_map(e)?;
        let [xs, ys] = super::support::operands2(map.xs, |p| matches!(p, Primitive::Concat))?;
        let first = labelled_as(make_map(map.form, map.f.clone(), xs.clone())?, &[e]);
        let second = labelled_part(make_map(map.form, crate::expr::refresh_lambda(map.f), ys.clone())?, e, "rest");
        make(Primitive::Concat, [first, second])
    }),
];

/// Demands that a positive `n` divides `length`.
pub fn divides(cx: &mut Context, n: &Nat, length: &Nat) -> Result<(), Reason> {
    if n.as_const() == Some(0) {
        return Err(Reason::refused("pieces of length 0 do not make up an array"));
    }
    cx.require(Obligation::Lt(Nat::lit(0), n.clone()))?;
    cx.require(Obligation::Divides(n.clone(), length.clone()))
}

/// `map f → split n ≫ map (map f) ≫ join`
pub fn split_map(expr: &Expr, n: &Nat, cx: &mut Context) -> Rewritten {
    let map = plain_map(expr)?;
    divides(cx, n, &len(map.xs)?)?;
    let pieces = make(Primitive::Split(n.clone()), [map.xs.clone()])?;
    let outer = map_over(MapForm::Plain, &plural(&map.f.params[0]), pieces, |ys| {
        let inner = make_map(MapForm::Plain, map.f.clone(), ys)?;
        Ok(labelled_part(inner, expr, "inner").with_origin(expr.origin()))
    })?;
    let outer = labelled_part(outer, expr, "outer").with_origin(expr.origin());
    Ok(retyped(make(Primitive::Join, [outer])?, expr.ty()))
}

/// A name for several of what the parameter is one of.
pub fn plural(param: &crate::expr::Param) -> String {
    format!("{}s", param.name.text())
}

/// The largest multiple of `n` that is at most `length`.
pub fn main_part(length: &Nat, n: &Nat) -> Nat {
    length.div(n) * n
}

/// The array as its first `m` elements and the others.
pub fn cut(xs: &Expr, m: &Nat) -> Rewritten {
    let main = make(Primitive::Take(m.clone()), [xs.clone()])?;
    let rest = make(Primitive::Drop(m.clone()), [again(xs)])?;
    Ok(retyped(make(Primitive::Concat, [main, rest])?, xs.ty()))
}

/// The map over the first `m` elements, and the remainder, which is `'l.rest`.
pub fn peel_map(expr: &Expr, m: &Nat) -> Rewritten {
    let map = plain_map(expr)?;
    let main = make(Primitive::Take(m.clone()), [map.xs.clone()])?;
    let main =
        labelled_as(make_map(MapForm::Plain, map.f.clone(), main)?, &[expr]).with_origin(expr.origin());
    let rest = make(Primitive::Drop(m.clone()), [again(map.xs)])?;
    let rest = make_map(MapForm::Plain, crate::expr::refresh_lambda(map.f), rest)?;
    let rest = labelled_part(rest, expr, "rest").with_origin(expr.origin());
    Ok(retyped(make(Primitive::Concat, [main, rest])?, expr.ty()))
}

/// Pieces of length `n` and a remainder; without one where `n` is known to divide.
pub fn split_peel(expr: &Expr, n: &Nat, cx: &mut Context) -> Rewritten {
    let length = len(plain_map(expr)?.xs)?;
    cx.require(Obligation::Lt(Nat::lit(0), n.clone()))?;
    if cx.facts().proves_divides(n, &length) {
        return split_map(expr, n, cx);
    }
    let peeled = peel_map(expr, &main_part(&length, n))?;
    let [main, rest] = super::support::operands2(&peeled, |p| matches!(p, Primitive::Concat))?;
    let main = split_map(main, n, cx)?;
    Ok(retyped(make(Primitive::Concat, [main, rest.clone()])?, expr.ty()))
}

/// Pieces of length `n` of the padded array.
pub fn split_pad(expr: &Expr, n: &Nat, cx: &mut Context) -> Rewritten {
    let map = plain_map(expr)?;
    let length = len(map.xs)?;
    cx.require(Obligation::Lt(Nat::lit(0), n.clone()))?;
    if cx.facts().proves_divides(n, &length) {
        return split_map(expr, n, cx);
    }
    super::support::may_be_undefined(map.xs)?;
    let pieces = length.ceil_div(n);
    let whole = &pieces * n;
    let padded = make(Primitive::PadEmpty(&whole - &length), [map.xs.clone()])?;
    let padded = labelled_as(make_map(MapForm::Plain, map.f.clone(), padded)?, &[expr]);
    let split = split_map(&padded, n, cx)?;
    Ok(retyped(make(Primitive::Take(length), [split])?, expr.ty()))
}

/// Pieces of length `n` of the array with its last element repeated.
pub fn split_mask(expr: &Expr, n: &Nat, cx: &mut Context) -> Rewritten {
    let map = plain_map(expr)?;
    let length = len(map.xs)?;
    cx.require(Obligation::Lt(Nat::lit(0), n.clone()))?;
    if cx.facts().proves_divides(n, &length) {
        return split_map(expr, n, cx);
    }
    // Nothing is repeated where there is nothing: no element of what is padded is read then.
    let whole = length.ceil_div(n) * n;
    let padded = make(Primitive::PadClamp(Nat::lit(0), &whole - &length), [map.xs.clone()])?;
    let padded = labelled_as(make_map(MapForm::Plain, map.f.clone(), padded)?, &[expr]);
    let split = split_map(&padded, n, cx)?;
    Ok(retyped(make(Primitive::Take(length), [split])?, expr.ty()))
}

/// Pieces of length `n` and a last one that overlaps them; peeled where the array may be shorter than a piece.
pub fn split_shift(expr: &Expr, n: &Nat, cx: &mut Context) -> Rewritten {
    let map = plain_map(expr)?;
    let length = len(map.xs)?;
    cx.require(Obligation::Lt(Nat::lit(0), n.clone()))?;
    let facts = cx.facts();
    if facts.proves_divides(n, &length) {
        return split_peel(expr, n, cx);
    }
    if !facts.proves_le(n, &length) {
        cx.note(format!(
            "what is left over is peeled and not shifted, since {n} <= {length} is not known; `where` or `versions` can say so"
        ));
        return split_peel(expr, n, cx);
    }
    let peeled = peel_map(expr, &main_part(&length, n))?;
    let [main, _] = super::support::operands2(&peeled, |p| matches!(p, Primitive::Concat))?;
    let main = split_map(main, n, cx)?;
    let end = retyped(
        make(Primitive::Drop(&length - n), [again(map.xs)])?,
        &crate::types::DataType::array(n.clone(), super::support::element(map.xs)?),
    );
    let last = make_map(MapForm::Plain, crate::expr::refresh_lambda(map.f), end)?;
    let last = labelled_part(last, expr, "rest").with_origin(expr.origin());
    let kept = make(Primitive::Drop(n - length.rem(n)), [make_stored(last)?])?;
    Ok(retyped(make(Primitive::Concat, [main, kept])?, expr.ty()))
}

fn make_stored(piece: Expr) -> Rewritten {
    super::lowering::to_memory(crate::expr::AddressSpace::Private, piece)
}

/// The last piece of [`split_shift`], which is stored as a whole, in another form; where nothing is left over there is none.
pub fn on_shifted(expr: &Expr, f: impl FnOnce(&Expr) -> Rewritten) -> Rewritten {
    let Ok([main, kept]) = super::support::operands2(expr, |p| matches!(p, Primitive::Concat)) else {
        return Ok(expr.clone());
    };
    let Ok(stored) = super::support::operand(kept, |p| matches!(p, Primitive::Drop(_))) else {
        return Ok(expr.clone());
    };
    let Ok(last) = super::support::operand(stored, |p| matches!(p, Primitive::ToMem(_))) else {
        return Ok(expr.clone());
    };
    let end = retyped(super::support::with_args(kept, vec![make_stored(f(last)?)?.into()])?, kept.ty());
    Ok(retyped(super::support::with_args(expr, vec![main.clone().into(), end.into()])?, expr.ty()))
}
