//! Zips, pairs, array literals and choices.

use crate::expr::{Arg, Expr, MapForm, Primitive, alpha_equal, proj, refresh_lambda};
use crate::rewrite::catalog::Row;
use crate::rewrite::context::Reason;

use super::row;
use super::support::{
    Rewritten, again, beta, component, independent, len, make, map_over, operand, operands, operands2,
    plain_map, tuple,
};

const fn is_zip(p: &Primitive) -> bool {
    matches!(p, Primitive::Zip)
}

/// The rules of this family.
pub const ROWS: &[Row] = &[
    row!("zipSame" [] () "zip a a → map (λx. (x, x)) a" "An array with itself." "zip(a, a)" => "a |> map(|x| (x, x))" |e, _, _| {
        let [a, b] = operands2(e, is_zip)?;
        if !alpha_equal(a, b) {
            return Err(Reason::mismatch("the two arrays differ"));
        }
        map_over(MapForm::Plain, "x", a.clone(), |x| Ok(tuple([x.clone(), x])))
    }),
    row!("zipSwap" [] () "zip a b → map swap (zip b a)" "The other way round." "zip(a, b)" => "zip(b, a) |> map(|p| (p.1, p.0))" |e, _, _| {
        let [a, b] = operands2(e, is_zip)?;
        map_over(MapForm::Plain, "p", make(Primitive::Zip, [b.clone(), a.clone()])?, |p| {
            Ok(tuple([proj(1, p.clone()), proj(0, p)]))
        })
    }),
    row!("zipRotateLeft" [] () "zip a (zip b c) → map assoc (zip (zip a b) c)" "Pairs of pairs the other way." "zip(a, zip(b, c))" => "zip(zip(a, b), c) |> map(|p| (p.0.0, (p.0.1, p.1)))" |e, _, _| {
        let [a, bc] = operands2(e, is_zip)?;
        let [b, c] = operands2(bc, is_zip)?;
        let left = make(Primitive::Zip, [make(Primitive::Zip, [a.clone(), b.clone()])?, c.clone()])?;
        map_over(MapForm::Plain, "p", left, |p| {
            let ab = proj(0, p.clone());
            Ok(tuple([proj(0, ab.clone()), tuple([proj(1, ab), proj(1, p)])]))
        })
    }),
    row!("zipRotateRight" [] () "zip (zip a b) c → map assoc (zip a (zip b c))" "Pairs of pairs the other way." "zip(zip(a, b), c)" => "zip(a, zip(b, c)) |> map(|p| ((p.0, p.1.0), p.1.1))" |e, _, _| {
        let [ab, c] = operands2(e, is_zip)?;
        let [a, b] = operands2(ab, is_zip)?;
        let right = make(Primitive::Zip, [a.clone(), make(Primitive::Zip, [b.clone(), c.clone()])?])?;
        map_over(MapForm::Plain, "p", right, |p| {
            let bc = proj(1, p.clone());
            Ok(tuple([tuple([proj(0, p), proj(0, bc.clone())]), proj(1, bc)]))
        })
    }),
    row!("mapOutsideZip" [] () "zip (map f a) (map g b) → zip a b ≫ map (λp. (f p.0, g p.1))" "Two maps of a zip become one." "zip(a |> map(f), b |> map(g))" => "zip(a, b) |> map(|p| (f(p.0), g(p.1)))" |e, _, _| {
        let [a, b] = operands2(e, is_zip)?;
        let (f, g) = (plain_map(a)?, plain_map(b)?);
        map_over(MapForm::Plain, "p", make(Primitive::Zip, [f.xs.clone(), g.xs.clone()])?, |p| {
            Ok(tuple([beta(f.f, &[component(0, &p)]), beta(g.f, &[component(1, &p)])]))
        })
    }),
    row!("mapOutsidePair" [] () "(map f a, map g b) → unzip (map (λp. (f p.0, g p.1)) (zip a b))" "Two maps of equal length become one." "(a |> map(f), b |> map(g))" => "zip(a, b) |> map(|p| (f(p.0), g(p.1))) |> unzip" |e, _, cx| {
        let [a, b] = operands2(e, |p| matches!(p, Primitive::Tuple))?;
        let (f, g) = (plain_map(a)?, plain_map(b)?);
        super::identity::equal(cx, &len(a)?, &len(b)?)?;
        let both = map_over(MapForm::Plain, "p", make(Primitive::Zip, [f.xs.clone(), g.xs.clone()])?, |p| {
            Ok(tuple([beta(f.f, &[component(0, &p)]), beta(g.f, &[component(1, &p)])]))
        })?;
        make(Primitive::Unzip, [both])
    }),
    row!("unzipZip" ["unzipZipIsPair"] () "unzip (zip a b) → (a, b)" "Unzipping undoes zipping." "zip(a, b) |> unzip" => "(a, b)" |e, _, _| {
        let [a, b] = operands2(operand(e, |p| matches!(p, Primitive::Unzip))?, is_zip)?;
        Ok(tuple([a.clone(), b.clone()]))
    }),
    row!("zipUnzip" ["unzipZipIdentity"] () "zip (unzip x).0 (unzip x).1 → x" "Zipping undoes unzipping." "zip(unzip(x).0, unzip(x).1)" => "x" |e, _, _| {
        let [a, b] = operands2(e, is_zip)?;
        let half = |e: &Expr, wanted: usize| match e.as_prim() {
            Some((Primitive::Proj(position), [Arg::Expr(pair)])) if *position == wanted => {
                operand(pair, |p| matches!(p, Primitive::Unzip)).ok().cloned()
            }
            _ => None,
        };
        match (half(a, 0), half(b, 1)) {
            (Some(x), Some(y)) if alpha_equal(&x, &y) && x.ty() == e.ty() => Ok(x),
            _ => Err(Reason::mismatch("it does not zip the two halves of one unzip")),
        }
    }),
    row!("slideOutsideZip" [] () "zip (slide n m a) (slide n m b) → map (λw. …) (slide n m (zip a b))" "Windows of two arrays are windows of their pairs." "zip(a |> slide(3, 1), b |> slide(3, 1))" => "zip(a, b) |> slide(3, 1) |> map(unzip)" |e, _, cx| {
        let [a, b] = operands2(e, is_zip)?;
        match (a.as_prim(), b.as_prim()) {
            (Some((p @ Primitive::Slide(..), [Arg::Expr(xs)])), Some((q, [Arg::Expr(ys)]))) if p == q => {
                super::identity::equal(cx, &len(xs)?, &len(ys)?)?;
                let windows = make(p.clone(), [make(Primitive::Zip, [xs.clone(), ys.clone()])?])?;
                map_over(MapForm::Plain, "w", windows, |w| make(Primitive::Unzip, [w]))
            }
            _ => Err(Reason::mismatch("it is no zip of two equal slides")),
        }
    }),
    row!("slideInsideZip" [] () "slide n m (zip a b) → map zip (zip (slide n m a) (slide n m b))" "Windows of pairs are pairs of windows." "zip(a, b) |> slide(3, 1)" => "zip(a |> slide(3, 1), b |> slide(3, 1)) |> map(|p| zip(p.0, p.1))" |e, _, _| match e.as_prim() {
        Some((primitive @ Primitive::Slide(..), [Arg::Expr(inner)])) => {
            let [a, b] = operands2(inner, is_zip)?;
            let both = make(Primitive::Zip, [make(primitive.clone(), [a.clone()])?, make(primitive.clone(), [b.clone()])?])?;
            map_over(MapForm::Plain, "p", both, |p| make(Primitive::Zip, [proj(0, p.clone()), proj(1, p)]))
        }
        _ => Err(Reason::mismatch("it is no slide")),
    }),
    row!("mapOutsideMakeArray" [] () "[map f1 e, …, map fk e] → e ≫ map (λx. [f1 x, …, fk x]) ≫ T" "Several maps of one array become one." "[e |> map(f), e |> map(g)]" => "e |> map(|x| [f(x), g(x)]) |> transpose" |e, _, _| {
        let parts = operands(e, |p| matches!(p, Primitive::MakeArray))?;
        let maps: Vec<_> = parts.iter().map(|part| plain_map(part)).collect::<Result<_, _>>()?;
        let [first, rest @ ..] = maps.as_slice() else { return Err(Reason::mismatch("it has no elements")) };
        if !rest.iter().all(|map| alpha_equal(map.xs, first.xs)) {
            return Err(Reason::mismatch("the maps work on different arrays"));
        }
        let all = map_over(MapForm::Plain, "x", first.xs.clone(), |x| {
            make(Primitive::MakeArray, maps.iter().map(|map| beta(map.f, std::slice::from_ref(&x))))
        })?;
        make(Primitive::Transpose, [all])
    }),
    row!("mapOutsideSelect" [] () "if c { map f e } else { map g e } → e ≫ map (λx. if c { f x } else { g x })" "A choice of maps of one array is a map of choices; c is computed once." "if c { e |> map(f) } else { e |> map(g) }" => "e |> map(|x| if c { f(x) } else { g(x) })" |e, _, _| {
        match operands(e, |p| matches!(p, Primitive::Select))?.as_slice() {
            [c, a, b] => {
                let (f, g) = (plain_map(a)?, plain_map(b)?);
                if !alpha_equal(f.xs, g.xs) {
                    return Err(Reason::mismatch("the maps work on different arrays"));
                }
                let condition = crate::expr::Param::fresh("c", c.ty().clone());
                let all = map_over(MapForm::Plain, "x", f.xs.clone(), |x| {
                    let branches = [beta(f.f, std::slice::from_ref(&x)), beta(g.f, std::slice::from_ref(&x))];
                    make(Primitive::Select, [condition.expr()].into_iter().chain(branches))
                })?;
                Ok(super::support::bind(&condition, c, all))
            }
            _ => Err(Reason::mismatch("it is no choice")),
        }
    }),
    row!("functionOutsideSelect" ["fOutsideSelect"] () "if c { f a } else { f b } → f (if c { a } else { b })" "The same operation in both branches is done once." "if c { -a } else { -b }" => "-(if c { a } else { b })" |e, _, _| {
        match operands(e, |p| matches!(p, Primitive::Select))?.as_slice() {
            [c, a, b] => outside_select(c, a, b),
            _ => Err(Reason::mismatch("it is no choice")),
        }
    }),
    row!("fBeforeZipMap" [] () "zip a b ≫ map (λx. zip (f x.0) (g x.1)) → zip (map f a) (map g b) ≫ map zip" "The two halves are computed apart; neither may mention the other half." "zip(a, b) |> map(|x| zip(f(x.0), g(x.1)))" => "zip(a |> map(f), b |> map(g)) |> map(|p| zip(p.0, p.1))" |e, _, _| f_before_zip_map(e)),
];

fn outside_select(c: &Expr, a: &Expr, b: &Expr) -> Rewritten {
    let (Some((p, xs)), Some((q, ys))) = (a.as_prim(), b.as_prim()) else {
        return Err(Reason::mismatch("the branches are no applications of one function"));
    };
    if p != q || xs.len() != ys.len() || matches!(p, Primitive::Select) {
        return Err(Reason::mismatch("the branches are no applications of one function"));
    }
    let same = |(x, y): (&Arg, &Arg)| match (x, y) {
        (Arg::Expr(x), Arg::Expr(y)) => alpha_equal(x, y),
        (Arg::Fun(x), Arg::Fun(y)) => {
            x.params.len() == y.params.len()
                && alpha_equal(
                    &beta(
                        &refresh_lambda(x),
                        &x.params.iter().map(crate::expr::Param::expr).collect::<Vec<_>>(),
                    ),
                    &beta(
                        &refresh_lambda(y),
                        &x.params.iter().map(crate::expr::Param::expr).collect::<Vec<_>>(),
                    ),
                )
        }
        _ => false,
    };
    let different: Vec<usize> = (0..xs.len()).filter(|at| !same((&xs[*at], &ys[*at]))).collect();
    let [position] = different.as_slice() else {
        return Err(Reason::mismatch("the branches differ in more than one operand"));
    };
    let (Arg::Expr(x), Arg::Expr(y)) = (&xs[*position], &ys[*position]) else {
        return Err(Reason::mismatch("the branches apply different functions"));
    };
    if x.ty() != y.ty() {
        return Err(Reason::mismatch("the operands have different types"));
    }
    let mut args = xs.to_vec();
    args[*position] = Arg::Expr(make(Primitive::Select, [c.clone(), x.clone(), y.clone()])?);
    Ok(crate::expr::apply(p.clone(), args)?)
}

fn f_before_zip_map(expr: &Expr) -> Rewritten {
    let map = plain_map(expr)?;
    let [a, b] = operands2(map.xs, is_zip)?;
    let [fx, gx] = operands2(&map.f.body, is_zip)?;
    let half = |body: &Expr, position: usize, xs: &Expr| -> Rewritten {
        let element = super::support::element(xs)?;
        let own = crate::expr::Param::fresh("x", element);
        let parts: Vec<Expr> =
            (0..2).map(|at| if at == position { own.expr() } else { map.f.params[0].expr() }).collect();
        let new = beta(
            &refresh_lambda(&crate::expr::Lambda { body: body.clone(), ..map.f.clone() }),
            &[tuple(parts)],
        );
        if !independent(&new, map.f) {
            return Err(Reason::refused("a half mentions the other one"));
        }
        super::support::make_map(MapForm::Plain, super::support::fun1(own, new), again(xs))
    };
    let both = make(Primitive::Zip, [half(fx, 0, a)?, half(gx, 1, b)?])?;
    map_over(MapForm::Plain, "p", both, |p| make(Primitive::Zip, [proj(0, p.clone()), proj(1, p)]))
}
