//! Nests of loops: interchanging neighbours, maps with maps and maps with folds.

use crate::expr::{
    Arg, Expr, Kind, Lambda, MapForm, Param, Primitive, ReduceForm, occurrences, refresh_lambda,
};
use crate::rewrite::catalog::Row;
use crate::rewrite::context::{Context, Reason};
use crate::rewrite::lower::bind::expand;
use crate::rewrite::place::{labelled_as, labelled_part};
use crate::rewrite::total::may_leave;

use super::fusion::fuse_fold;
use super::operators::{commutative, neutral, operator, starts_neutral};
use super::row;
use super::support::{
    FoldView, MapView, Rewritten, again, any_map, beta, component, element, fold, fun1, independent, is_path,
    len, make, make_fold, make_map, map_over, operands2, param1, param2, parts, plain_map, retyped,
    same_function, sequential, tuple, zip_all,
};

/// The rules of this family.
pub const ROWS: &[Row] = &[
    row!("interchange" ["loopInterchange", "interchangeMaps"] () "map (λx. map (λy. e) ys) xs → map (λy. map (λx. e) xs) ys ≫ transpose" "Swaps two maps directly inside each other, layouts between them included; where ys depends on x, the columns of all ys take its place, so its length must not depend on x." "xs |> map(|x| ys |> map(|y| x * y))" => "ys |> map(|y| xs |> map(|x| x * y)) |> transpose" |e, _, cx| {
        swap(e, cx, &|inner| plain_map(inner).is_ok())
    }),
    row!("liftFold" ["liftReduce"] () "map (λx. reduceSeq f z ys) xs → reduceSeq (λaccs c. map f (zip accs c)) (map (λx. z) xs) (columns of ys)" "A map of folds becomes a fold of maps: one accumulator an element, each of which depends on its own old value alone. The length of ys must not depend on x." "xss |> map(|xs| xs |> reduceSeq(f, z))" => "xss |> transpose |> reduceSeq(|accs, c| zip(accs, c) |> map(|(a, x)| f(a, x)), xss |> map(|xs| z))" |e, _, cx| {
        swap(e, cx, &|inner| fold(inner).is_ok())
    }),
    row!("liftScan" [] () "map (λx. scan f z ys) xs → scan (λaccs c. map f (zip accs c)) (map (λx. z) xs) (columns of ys) ≫ transpose" "A map of scans becomes a scan of maps: one accumulator an element. The length of ys must not depend on x." "xss |> map(|xs| xs |> scan(f, z))" => "xss |> transpose |> scan(|accs, c| zip(accs, c) |> map(|(a, x)| f(a, x)), xss |> map(|xs| z)) |> transpose" |e, _, cx| lift_scan(e, cx)),
    row!("interchangeFolds" ["swapFolds"] () "map (λx. reduce f e ys) xs ≫ reduce f z ≈ map (λy. reduce f e (column)) (columns of ys) ≫ reduce f z" "Swaps two reductions by one operator that is known or declared to be commutative and has a known neutral element e; where the inner ones start from something else that is folded first. The length of ys must not depend on x." "xss |> map(|xs| xs |> reduce(add, 0.0)) |> reduce(add, z)" => "xss |> transpose |> map(|xs| xs |> reduce(add, 0.0)) |> reduce(add, z)" |e, _, cx| {
        swap_folds(fold(e)?, cx, &|inner| fold(inner).is_ok())
    }),
    row!("mapOfConcat" ["distributeConcat"] () "map (λx. concat a b) → transpose (concat (transpose (map (λx. a))) (transpose (map (λx. b))))" "A map whose results have two parts is two maps." "xs |> map(|x| concat(f(x), g(x)))" => "concat(xs |> map(f) |> transpose, xs |> map(g) |> transpose) |> transpose" |e, _, _| {
        let map = plain_map(e)?;
        let [a, b] = operands2(&map.f.body, |p| matches!(p, Primitive::Concat))?;
        let first = labelled_as(split_body(map, a)?, &[e]);
        let second = labelled_part(copy_body(map, b)?, e, "rest");
        concat_columns(first, second, e)
    }),
];

/// Moves the pattern that the test accepts, directly inside the body of a map, out of it.
pub fn swap(expr: &Expr, cx: &mut Context, wanted: &dyn Fn(&Expr) -> bool) -> Rewritten {
    if let Ok(view) = fold(expr) {
        return swap_folds(view, cx, wanted);
    }
    let map = plain_map(expr)?;
    let body = &map.f.body;
    if wanted(body) {
        return match body.as_prim() {
            Some((Primitive::Map(MapForm::Plain), _)) => swap_maps(map, plain_map(body)?, cx),
            Some((Primitive::Reduce(_), _)) => lift_fold(map, body, cx),
            _ => Err(Reason::refused("what is inside is no map and no fold")),
        };
    }
    match body.as_prim() {
        Some((primitive, [Arg::Expr(inner)]))
            if primitive.rearranges() && independent_of(primitive, map.f) =>
        {
            let swapped = swap(&labelled_as(split_body(map, inner)?, &[expr]), cx, wanted)?;
            map_over(MapForm::Plain, "p", swapped, |p| Ok(retyped(make(primitive.clone(), [p])?, body.ty())))
        }
        Some((Primitive::Concat, [Arg::Expr(a), Arg::Expr(b)])) if contains(a, wanted) => {
            let first = swap(&labelled_as(split_body(map, a)?, &[expr]), cx, wanted)?;
            let second = labelled_as(copy_body(map, b)?, &[expr]);
            // The remainder goes around, so that its copy of the outer pattern is inside it.
            let second = swap(&second, cx, &|inner| plain_map(inner).is_ok())
                .or_else(|_| copy_body(map, b).map(|copy| labelled_part(copy, expr, "rest")))?;
            concat_columns(first, second, expr)
        }
        _ => swap_inside(map, cx, wanted),
    }
}

/// The pattern is an operand somewhere in the body: what is done with its result becomes a map of its own.
fn swap_inside(map: MapView<'_>, cx: &mut Context, wanted: &dyn Fn(&Expr) -> bool) -> Rewritten {
    let mut found = None;
    let hole = |ty: &crate::types::DataType| Param::fresh("r", ty.clone());
    let rest = cut_out(&map.f.body, wanted, &mut |inner| {
        let param = hole(inner.ty());
        found = Some((inner.clone(), param.clone()));
        param.expr()
    });
    let (Some(rest), Some((inner, result))) = (rest, found) else {
        return Err(Reason::refused("there is no such pattern directly inside"));
    };
    let swapped = swap(&labelled_as(split_body(map, &inner)?, &[map.expr]), cx, wanted)?;
    let finish = fun1(result.clone(), rest.clone());
    if independent(&rest, map.f) {
        return Ok(retyped(make_map(MapForm::Plain, finish, swapped)?, map.expr.ty()));
    }
    let both = make(Primitive::Zip, [swapped, again(map.xs)])?;
    let x = param1(map.f)?.clone();
    let finish = refresh_lambda(&Lambda { nats: Vec::new(), params: vec![result, x], body: rest });
    let finished =
        map_over(MapForm::Plain, "p", both, |p| Ok(beta(&finish, &[component(0, &p), component(1, &p)])))?;
    let finished = retyped(finished, map.expr.ty());
    // The remainder of a fold goes the same way as its main part.
    let is_rest = |expr: &Expr| is_remainder(expr) && fold(expr).is_ok();
    match finished.as_prim() {
        Some((_, [Arg::Fun(f), _])) if is_rest(&f.body) => {
            swap(&labelled_as(finished.clone(), &[map.expr]), cx, &is_rest).or(Ok(finished))
        }
        _ => Ok(finished),
    }
}

/// Whether the term is what a peeled pattern has left over.
pub fn is_remainder(expr: &Expr) -> bool {
    expr.labels().iter().any(|label| label.text().ends_with(".rest"))
}

/// The first operand that the test accepts, outside functions, replaced by what `put` says.
fn cut_out(expr: &Expr, wanted: &dyn Fn(&Expr) -> bool, put: &mut dyn FnMut(&Expr) -> Expr) -> Option<Expr> {
    if wanted(expr) {
        return Some(put(expr));
    }
    let (primitive, args) = expr.as_prim()?;
    for (position, arg) in args.iter().enumerate() {
        if let Arg::Expr(inner) = arg
            && let Some(new) = cut_out(inner, wanted, put)
        {
            let mut args = args.to_vec();
            args[position] = Arg::Expr(new);
            return Some(expr.clone().with_kind(Kind::Prim(primitive.clone(), args)));
        }
    }
    None
}

/// Whether the pattern stands directly inside, through layouts.
fn contains(expr: &Expr, wanted: &dyn Fn(&Expr) -> bool) -> bool {
    cut_out(expr, wanted, &mut Expr::clone).is_some()
}

fn independent_of(primitive: &Primitive, f: &Lambda) -> bool {
    let probe = Expr::new(
        Kind::Prim(primitive.clone(), Vec::new()),
        crate::types::DataType::Nat,
        crate::diagnostics::Origin::NONE,
    );
    independent(&probe, f)
}

/// The map with another body.
fn split_body(map: MapView<'_>, body: &Expr) -> Rewritten {
    make_map(map.form, Lambda { body: body.clone(), ..map.f.clone() }, map.xs.clone())
}

/// The same as a copy.
fn copy_body(map: MapView<'_>, body: &Expr) -> Rewritten {
    let f = refresh_lambda(&Lambda { body: body.clone(), ..map.f.clone() });
    make_map(map.form, f, again(map.xs))
}

/// Arrays of rows side by side.
fn concat_columns(first: Expr, second: Expr, expr: &Expr) -> Rewritten {
    let columns = [make(Primitive::Transpose, [first])?, make(Primitive::Transpose, [second])?];
    let all = make(Primitive::Transpose, [make(Primitive::Concat, columns)?])?;
    Ok(retyped(all, expr.ty()))
}

fn swap_maps(outer: MapView<'_>, inner: MapView<'_>, cx: &Context) -> Rewritten {
    let columns = Columns::of(inner.xs, outer, cx)?;
    let column = Param::fresh(inner.f.params[0].name.text(), element(&columns.array)?);
    let body = columns.over_lanes(outer, &column.expr(), Vec::new(), &inner.f.body, |_, y| {
        (inner.f.params.clone(), vec![y])
    })?;
    let body = labelled_as(body, &[outer.expr]).with_origin(outer.expr.origin());
    let whole = make_map(inner.form, fun1(column, body), columns.array)?;
    let whole = labelled_as(whole, &[inner.expr]).with_origin(inner.expr.origin());
    Ok(retyped(make(Primitive::Transpose, [whole])?, outer.expr.ty()))
}

/// Two reductions by one operator: all rows of columns instead of all columns of rows.
fn swap_folds(outer: FoldView<'_>, cx: &mut Context, wanted: &dyn Fn(&Expr) -> bool) -> Rewritten {
    const OTHERS: Reason = Reason::mismatch(
        "a fold is swapped with a fold whose results it folds, both `reduce` by one operator; folds that were split run in order",
    );
    let rows = plain_map(outer.xs).map_err(|_| OTHERS)?;
    let inner = fold(&rows.f.body).map_err(|_| OTHERS)?;
    if outer.form != ReduceForm::Plain || inner.form != ReduceForm::Plain {
        return Err(OTHERS);
    }
    let one_operator = operator(outer.f).is_some() && operator(outer.f) == operator(inner.f);
    if !one_operator && !same_function(outer.f, inner.f) {
        return Err(OTHERS);
    }
    commutative(outer.f, cx)?;
    match (wanted(inner.expr), contains(inner.start, wanted)) {
        (true, _) if starts_neutral(inner)? => {}
        (false, false) => return Err(OTHERS),
        _ => return swap_parts(outer, rows, inner, cx, wanted),
    }
    if !independent(&crate::expr::nat(len(inner.xs)?), rows.f) {
        return Err(Reason::refused("the length of the inner array depends on the outer element"));
    }
    // What makes the elements goes inside, where it does not depend on the row.
    let made = plain_map(inner.xs).ok().filter(|made| independent(&made.f.body, rows.f));
    let source = made.map_or(inner.xs, |made| made.xs);
    may_leave(source, rows.xs, &cx.facts())?;
    let columns = make(Primitive::Transpose, [over(rows, source)?])?;
    let each = map_over(MapForm::Plain, "column", columns, |column| {
        let column = match made {
            Some(made) => labelled_as(make_map(made.form, refresh_lambda(made.f), column)?, &[made.expr]),
            None => column,
        };
        let fold = make_fold(ReduceForm::Plain, refresh_lambda(inner.f), inner.start.clone(), column)?;
        Ok(labelled_as(fold, &[outer.expr]).with_origin(outer.expr.origin()))
    })?;
    let each = labelled_as(each, &[rows.expr]);
    let whole = make_fold(ReduceForm::Plain, outer.f.clone(), outer.start.clone(), each)?;
    Ok(labelled_as(whole, &[inner.expr]).with_origin(inner.expr.origin()))
}

/// The inner reductions go on from values, those of other reductions where they are remainders of peeled ones: all
/// of those values first, then all of what is behind them.
fn swap_parts(
    outer: FoldView<'_>,
    rows: MapView<'_>,
    inner: FoldView<'_>,
    cx: &mut Context,
    wanted: &dyn Fn(&Expr) -> bool,
) -> Rewritten {
    let named = |whole: Expr| labelled_as(whole, &[outer.expr]).with_origin(outer.expr.origin());
    let mains = labelled_as(split_body(rows, inner.start)?, &[rows.expr]);
    let main = make_fold(ReduceForm::Plain, outer.f.clone(), outer.start.clone(), mains)?;
    let main = match contains(inner.start, wanted) {
        true => swap_folds(fold(&named(main))?, cx, wanted)?,
        false => main,
    };
    let behind = make_fold(ReduceForm::Plain, inner.f.clone(), neutral(outer)?, inner.xs.clone())?;
    let behind = labelled_as(behind, &[inner.expr]).with_origin(inner.expr.origin());
    let behind = labelled_as(copy_body(rows, &behind)?, &[rows.expr]);
    let whole = named(make_fold(ReduceForm::Plain, refresh_lambda(outer.f), main, behind)?);
    swap_folds(fold(&whole)?, cx, &|expr| fold(expr).is_ok())
}

fn lift_fold(outer: MapView<'_>, inner: &Expr, cx: &Context) -> Rewritten {
    // Folds that make the elements go along, so that they stay inside both.
    let fused = match plain_map(fold(inner)?.xs) {
        Ok(made) if made.f.body.any(&|node| fold(node).is_ok()) => Some(fuse_fold(inner)?),
        _ => None,
    };
    let inner = fused.as_ref().unwrap_or(inner);
    let view = fold(inner)?;
    let Lifted { step, starts, columns } = lifted(outer, view.f, view.start, view.xs, cx)?;
    let whole = make_fold(sequential(view.form), step, starts, columns)?;
    Ok(labelled_as(whole, &[inner]).with_origin(inner.origin()))
}

/// `map (λx. scan f z ys) xs → scan (λaccs c. map f (zip accs c)) … ≫ transpose`; also used by `auto`.
pub fn lift_scan(expr: &Expr, cx: &Context) -> Rewritten {
    let outer = plain_map(expr)?;
    let inner = &outer.f.body;
    let Some((scan @ Primitive::Scan(_), [Arg::Fun(f), Arg::Expr(start), Arg::Expr(xs)])) = inner.as_prim()
    else {
        return Err(Reason::mismatch("what is inside is no scan"));
    };
    let Lifted { step, starts, columns } = lifted(outer, f, start, xs, cx)?;
    let whole = crate::expr::apply(scan.clone(), vec![step.into(), starts.into(), columns.into()])?;
    let whole = labelled_as(whole, &[inner]).with_origin(inner.origin());
    Ok(retyped(make(Primitive::Transpose, [whole])?, expr.ty()))
}

/// A step for all lanes at once, what they start from, and the array of their elements.
struct Lifted {
    step: Lambda,
    starts: Expr,
    columns: Expr,
}

fn lifted(outer: MapView<'_>, f: &Lambda, start: &Expr, xs: &Expr, cx: &Context) -> Result<Lifted, Reason> {
    let columns = Columns::of(xs, outer, cx)?;
    let starts = over(outer, start)?;
    let [acc, element_of] = param2(f)?;
    let accs = Param::fresh(&super::split::plural(acc), starts.ty().clone());
    let column = Param::fresh(element_of.name.text(), element(&columns.array)?);
    let body = columns.over_lanes(outer, &column.expr(), vec![accs.expr()], &f.body, |lanes, y| {
        (f.params.clone(), vec![lanes[0].clone(), y])
    })?;
    let body = labelled_as(body, &[outer.expr]).with_origin(outer.expr.origin());
    let step = Lambda { nats: Vec::new(), params: vec![accs, column], body };
    Ok(Lifted { step, starts, columns: columns.array })
}

/// `map(|x| value)(xs)`; the array itself where the value is `x` or a component of a pair.
fn over(outer: MapView<'_>, value: &Expr) -> Rewritten {
    let x = param1(outer.f)?;
    match value.kind() {
        Kind::Var(name) if *name == x.name => return Ok(again(outer.xs)),
        Kind::Prim(Primitive::Proj(position), args) if is_path(value) => {
            let of_pair = over(outer, args[0].expr())?;
            if let Some((Primitive::Zip, parts)) = of_pair.as_prim()
                && let Some(part) = parts.get(*position)
            {
                return Ok(part.expr().clone());
            }
        }
        _ => {}
    }
    let (params, arrays, body) = used_leaves(x, outer.xs, value);
    let count = arrays.len();
    let f = refresh_lambda(&Lambda { nats: Vec::new(), params, body });
    let text = if count == 1 { f.params[0].name.text().to_owned() } else { "p".to_owned() };
    map_over(MapForm::Plain, &text, zip_all(arrays)?, |p| Ok(beta(&f, &parts(&p, count))))
}

/// The arrays that a zip is made of, with a variable for the elements of each, as far as the body needs them;
/// one at least.
fn used_leaves(x: &Param, xs: &Expr, body: &Expr) -> (Vec<Param>, Vec<Expr>, Expr) {
    let Ok([a, b]) = operands2(xs, |p| matches!(p, Primitive::Zip)) else {
        return (vec![x.clone()], vec![again(xs)], body.clone());
    };
    let halves: Vec<Param> = [a, b]
        .iter()
        .map(|half| {
            let element = element(half).unwrap_or_else(|_| x.ty.clone());
            Param::fresh(x.name.text(), element)
        })
        .collect();
    let body = expand(body, &x.name, &halves);
    let used = |half: &Param| occurrences(&body, &half.name) > 0;
    match (used(&halves[0]), used(&halves[1])) {
        (true, true) => {
            let (mut params, mut arrays, body) = used_leaves(&halves[0], a, &body);
            let (more, others, body) = used_leaves(&halves[1], b, &body);
            params.extend(more);
            arrays.extend(others);
            (params, arrays, body)
        }
        (true, false) => used_leaves(&halves[0], a, &body),
        _ => used_leaves(&halves[1], b, &body),
    }
}

/// The elements with the same position of all the arrays that an inner pattern works on.
struct Columns {
    /// One element a column.
    array: Expr,
    shape: Shape,
}

/// How a column gives each lane its element.
enum Shape {
    /// The same for all lanes.
    Shared,
    /// An array of lanes.
    Lanes,
    /// A pair of columns.
    Pair(Box<Shape>, Box<Shape>),
}

impl Columns {
    fn of(ys: &Expr, outer: MapView<'_>, cx: &Context) -> Result<Columns, Reason> {
        may_leave(ys, outer.xs, &cx.facts())?;
        let length = len(ys)?;
        let probe = crate::expr::nat(length);
        if !independent(&probe, outer.f) {
            return Err(Reason::refused("the length of the inner array depends on the outer element"));
        }
        if independent(ys, outer.f) {
            return Ok(Columns { array: ys.clone(), shape: Shape::Shared });
        }
        if let Ok([a, b]) = operands2(ys, |p| matches!(p, Primitive::Zip)) {
            let (a, b) = (Columns::of(a, outer, cx)?, Columns::of(b, outer, cx)?);
            let shape = Shape::Pair(Box::new(a.shape), Box::new(b.shape));
            return Ok(Columns { array: make(Primitive::Zip, [a.array, b.array])?, shape });
        }
        let array = make(Primitive::Transpose, [over(outer, ys)?])?;
        Ok(Columns { array, shape: Shape::Lanes })
    }

    /// The outer map as the inner one: over the lanes of a column, of `arrays`, and of the outer array where
    /// the body needs its elements. `bound` says what the body's variables are for the lanes' values.
    fn over_lanes(
        &self,
        outer: MapView<'_>,
        column: &Expr,
        arrays: Vec<Expr>,
        body: &Expr,
        bound: impl FnOnce(&[Expr], Expr) -> (Vec<Param>, Vec<Expr>),
    ) -> Rewritten {
        let given = arrays.len();
        let mut lanes = arrays;
        self.shape.lanes(column, &mut lanes);
        let x = param1(outer.f)?;
        let needs_x = !independent(body, outer.f) || lanes.is_empty();
        let inner = lanes.len();
        let (mut params, arrays, body) = match needs_x {
            true => used_leaves(x, outer.xs, body),
            false => (Vec::new(), Vec::new(), body.clone()),
        };
        lanes.extend(arrays);
        let count = lanes.len();
        let text = if count == 1 && needs_x { x.name.text() } else { "p" };
        map_over(outer.form, text, zip_all(lanes)?, |p| {
            let values = parts(&p, count);
            let mut rest = values[given..inner].iter();
            let y = self.shape.value(column, &mut rest);
            let (bound, mut args) = bound(&values[..given], y);
            // The pattern's own variables go first.
            args.extend(values[inner..].iter().cloned());
            params = bound.into_iter().chain(std::mem::take(&mut params)).collect();
            Ok(beta(&Lambda { nats: Vec::new(), params, body }, &args))
        })
    }
}

impl Shape {
    fn lanes(&self, column: &Expr, lanes: &mut Vec<Expr>) {
        match self {
            Shape::Shared => {}
            Shape::Lanes => lanes.push(column.clone()),
            Shape::Pair(a, b) => {
                a.lanes(&component(0, column), lanes);
                b.lanes(&component(1, column), lanes);
            }
        }
    }

    fn value<'a>(&self, column: &Expr, lanes: &mut impl Iterator<Item = &'a Expr>) -> Expr {
        match self {
            Shape::Shared => column.clone(),
            Shape::Lanes => lanes.next().cloned().unwrap_or_else(|| column.clone()),
            Shape::Pair(a, b) => {
                let first = a.value(&component(0, column), lanes);
                tuple([first, b.value(&component(1, column), lanes)])
            }
        }
    }
}

/// Whether the term is a map or a fold with one of the forms that nests are made of.
pub fn is_loop(expr: &Expr) -> bool {
    any_map(expr).is_ok() || fold(expr).is_ok()
}
