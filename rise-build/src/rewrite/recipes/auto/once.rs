//! What is made of each row of a window alone is made once, and not for each window that the row is part of.
//!
//! ```text
//! slide2D h w ≫ map (map (λnbh. e (map g nbh)))  →  map (slide w ≫ map g) ≫ slide h ≫ map (T ≫ map e)
//! ```
//!
//! In: any term. Out: the same, where such rows are folded. A fold of all elements of a window is one of the folds of its
//! rows, where that is fewer operations (operators are re-associated).

use crate::expr::{
    Arg, Binary, Expr, Lambda, MapForm, Param, Primitive, map_children, nat, occurrences, refresh_lambda,
    substitute,
};
use crate::nat::Nat;
use crate::rewrite::context::Reason;
use crate::rewrite::recipes::separate::Windows;
use crate::rewrite::rules::folds::associative;
use crate::rewrite::rules::operators::{neutral, operator};
use crate::rewrite::rules::support::{
    Rewritten, again, independent, instead, make, make_fold, make_map, map_over, occurs, operand, param1,
    plain_map, retyped,
};

/// What storing and reading what is made of rows costs, in operations.
const STORING: i64 = 4;

/// All such windows inside.
pub fn everywhere(expr: &Expr) -> Expr {
    let expr = map_children(expr, &mut everywhere);
    rows_first(&expr).unwrap_or(expr)
}

fn rows_first(expr: &Expr) -> Option<Expr> {
    let outer = plain_map(expr).ok()?;
    let inner = plain_map(&outer.f.body).ok()?;
    let is_row = inner.xs.is_named(&param1(outer.f).ok()?.name) && independent(&inner.f.body, outer.f);
    let (windows, f) = of_elements(outer.xs, inner.f).unwrap_or_else(|| (outer.xs.clone(), inner.f.clone()));
    let neighbourhood = param1(&f).ok()?;
    let Windows { image, height, width } = Windows::of(&windows).filter(|_| is_row)?;
    let by_rows = by_rows(&f.body, neighbourhood);
    let made = made_of_rows(by_rows.as_ref().unwrap_or(&f.body), neighbourhood)?;
    let across = map_over(MapForm::Plain, "row", image, |row| {
        make_map(MapForm::Plain, made.f, make(Primitive::Slide(width.0, width.1), [row])?)
    });
    let lines = make(Primitive::Slide(height.0, height.1), [across.ok()?]).ok()?;
    let whole = map_over(MapForm::Plain, "rows", lines, |rows| {
        let f = Lambda { params: vec![made.column], body: made.body, ..f.clone() };
        let row = make_map(MapForm::Plain, f, make(Primitive::Transpose, [rows])?)?;
        Ok(row.with_labels(inner.expr.labels().to_vec()).with_origin(inner.expr.origin()))
    });
    let whole = whole.ok()?.with_labels(expr.labels().to_vec()).with_origin(expr.origin());
    Some(retyped(whole, expr.ty()))
}

/// Windows over the elements that those of the windows are made of, one from one, and the function of such a window.
fn of_elements(windows: &Expr, f: &Lambda) -> Option<(Expr, Lambda)> {
    let rows = plain_map(windows).ok()?;
    let each = plain_map(operand(&rows.f.body, |p| *p == Primitive::Transpose).ok()?).ok()?;
    let elements = plain_map(&each.f.body).ok()?;
    if [each.f, rows.f].iter().any(|around| occurs(&elements.f.body, &around.params[0])) {
        return None;
    }
    let slid = Lambda { body: elements.xs.clone(), ..each.f.clone() };
    let of_rows = make(Primitive::Transpose, [make_map(MapForm::Plain, slid, each.xs.clone()).ok()?]).ok()?;
    let outer = Lambda { body: of_rows, ..rows.f.clone() };
    let new = make_map(MapForm::Plain, outer, rows.xs.clone()).ok()?;
    let window = Param::fresh("window", new.ty().as_array()?.1.as_array()?.1.clone());
    let made = make_map(MapForm::Plain, elements.f.clone(), window.expr()).ok()?;
    let body = again(&substitute(&f.body, param1(f).ok()?, &made));
    Some((new, Lambda { params: vec![window], body, ..f.clone() }))
}

/// The body, where a fold of the joined neighbourhood goes row by row.
fn by_rows(body: &Expr, neighbourhood: &Param) -> Option<Expr> {
    let Ok(view) = associative(body) else {
        let mut found = None;
        let new = map_children(body, &mut |child| match &found {
            Some(()) => child.clone(),
            None => {
                by_rows(child, neighbourhood).inspect(|_| found = Some(())).unwrap_or_else(|| child.clone())
            }
        });
        return found.map(|()| new);
    };
    let (rows, row) = neighbourhood.ty.as_array()?;
    let (rows, columns) = (rows.as_const()?, row.as_array()?.0.as_const()?);
    if rows + columns + STORING >= rows * columns {
        return None;
    }
    let keeps_one = matches!(operator(view.f), Some(Binary::Min | Binary::Max));
    let folded = |row: Expr| {
        let elements = of_row(view.xs, neighbourhood, row)?;
        let start = match keeps_one {
            true => first(again(&elements))?,
            false => neutral(view)?,
        };
        make_fold(view.form, refresh_lambda(view.f), start, elements)
    };
    let of_rows = map_over(MapForm::Plain, "row", neighbourhood.expr(), folded).ok()?;
    let start = match occurs(view.start, neighbourhood) {
        // It is among the elements.
        true if keeps_one && indices(view.start, neighbourhood) => first(of_rows.clone()).ok()?,
        true => return None,
        false => view.start.clone(),
    };
    let whole = make_fold(view.form, view.f.clone(), start, of_rows).ok()?;
    Some(whole.with_labels(body.labels().to_vec()).with_origin(body.origin()))
}

/// What is made of the elements of a row as of those of the joined neighbourhood.
fn of_row(xs: &Expr, neighbourhood: &Param, row: Expr) -> Rewritten {
    if let Ok(map) = plain_map(xs) {
        if occurs(&map.f.body, neighbourhood) {
            return Err(Reason::mismatch("its elements need others"));
        }
        return make_map(MapForm::Plain, refresh_lambda(map.f), of_row(map.xs, neighbourhood, row)?);
    }
    let rows = operand(xs, |primitive| *primitive == Primitive::Join)?;
    let is_neighbourhood = |xs: &Expr| xs.is_named(&neighbourhood.name);
    match plain_map(rows) {
        _ if is_neighbourhood(rows) => Ok(row),
        Ok(map) if is_neighbourhood(map.xs) && !occurs(&map.f.body, neighbourhood) => {
            let f = refresh_lambda(map.f);
            Ok(substitute(&f.body, param1(&f)?, &row))
        }
        _ => Err(Reason::mismatch("it is another array")),
    }
}

/// The first element.
fn first(xs: Expr) -> Rewritten {
    make(Primitive::Idx, [nat(Nat::lit(0)), xs])
}

/// Whether the term is an element of the neighbourhood.
fn indices(expr: &Expr, neighbourhood: &Param) -> bool {
    match expr.as_prim() {
        Some((Primitive::Idx, [_, Arg::Expr(rows)])) => indices(rows, neighbourhood),
        _ => expr.is_named(&neighbourhood.name),
    }
}

/// What an element is made of.
struct Made {
    /// What is made of a row.
    f: Lambda,
    /// That of all rows of a window.
    column: Param,
    /// The element.
    body: Expr,
}

/// The element, if its only use of the neighbourhood is a map over the rows that folds each.
fn made_of_rows(body: &Expr, neighbourhood: &Param) -> Option<Made> {
    let mapped = rows_of(body, neighbourhood)?;
    let f = plain_map(&mapped).ok()?.f;
    let is_fold = |node: &Expr| matches!(node.as_prim(), Some((Primitive::Reduce(_), _)));
    if !f.body.any(&is_fold) || occurs(&f.body, neighbourhood) {
        return None;
    }
    let column = Param::fresh("column", mapped.ty().clone());
    let new = instead(body, &mapped, &column.expr());
    let is_made_of_it = occurrences(&new, &neighbourhood.name) == 0 && occurrences(&new, &column.name) > 0;
    is_made_of_it.then(|| Made { f: refresh_lambda(f), column, body: new })
}

/// The operand that is a map over the rows of the window.
fn rows_of(expr: &Expr, neighbourhood: &Param) -> Option<Expr> {
    if let Ok(map) = plain_map(expr)
        && map.xs.is_named(&neighbourhood.name)
    {
        return Some(expr.clone());
    }
    let (_, args) = expr.as_prim()?;
    args.iter().filter_map(Arg::as_expr).find_map(|arg| rows_of(arg, neighbourhood))
}
