//! Calls into libraries (RISE in MLIR, 4.3): a composition that a library computes becomes one call of it.

use std::sync::Arc;

use crate::expr::{
    Binary, Expr, Kind, Library, Literal, MapForm, Param, Primitive, ReduceForm, free_names, map_children,
    proj, substitute,
};
use crate::rewrite::catalog::{Row, library};
use crate::rewrite::context::Reason;
use crate::rewrite::place::labelled_as;

use super::row;
use super::support::{
    FoldView, Rewritten, again, fold, make, map_over, operand, operands2, param1, param2, plain_map,
};

/// The rules of this family.
pub const ROWS: &[Row] = &[
    row!("call" ["callLibrary"] (Library) "map (λa. map (λb. zip a b ≫ map (×) ≫ reduce (+) 0) B) A ≈ f A (transpose B)" "A product of matrices, each transposed or not, is computed by a function that `extern fn` declares; the library adds in an order of its own, so bits may change. Factors that are computed get memory, and so does the product where more is done with its elements: `alpha * dot(row, col) + beta * c` is a call and what is left." "a |> map(|row| transpose(b) |> map(|col| zip(row, col) |> map(mult) |> reduce(add, 0.0)))" => "sgemm(a, b)" |e, v, _| product(e, &library(v, 0)?)),
];

fn product(expr: &Expr, library: &Arc<Library>) -> Rewritten {
    let outer = plain_map(expr)?;
    let inner = plain_map(&outer.f.body)?;
    let (row, column) = (param1(outer.f)?, param1(inner.f)?);
    let (sum, [a, b]) = dot_product(&inner.f.body, row, column)?;
    let (a, b) = (parts(outer.xs, a)?, parts(inner.xs, b)?);
    if free_names(&b).contains(&row.name) {
        return Err(Reason::mismatch("the columns depend on the row"));
    }
    let b = match operand(&b, |p| matches!(p, Primitive::Transpose)) {
        Ok(b) => b.clone(),
        Err(_) => make(Primitive::Transpose, [b])?,
    };
    let call = labelled_as(make(Primitive::Product(library.clone()), [a, b])?, &[expr]);
    if sum.same(&inner.f.body) {
        return Ok(call);
    }
    // What else is done with an element is done when all are there.
    let rows = make(Primitive::Zip, [call, again(outer.xs)])?;
    map_over(MapForm::Plain, row.name.text(), rows, |both| {
        let whole = proj(1, both.clone());
        let columns = substitute(&again(inner.xs), row, &whole);
        let elements = make(Primitive::Zip, [proj(0, both), columns])?;
        let all = map_over(MapForm::Plain, column.name.text(), elements, |both| {
            let body = replaced(&inner.f.body, sum, &proj(0, both.clone()));
            Ok(substitute(&substitute(&body, column, &proj(1, both)), row, &whole))
        })?;
        Ok(labelled_as(all, &[inner.expr]))
    })
}

/// The first sum of products of a part of the row and a part of the column, and these parts.
fn dot_product<'e>(body: &'e Expr, row: &Param, column: &Param) -> Result<(&'e Expr, [&'e Expr; 2]), Reason> {
    let found = match fold(body).and_then(sum_of_products) {
        Ok([a, b]) if is_part(a, row) && is_part(b, column) => return Ok((body, [a, b])),
        Ok([a, b]) if is_part(b, row) && is_part(a, column) => return Ok((body, [b, a])),
        Ok(_) => Reason::mismatch("it is no product of a row and a column"),
        Err(reason) => reason,
    };
    let inside = body.children().into_iter().find_map(|child| dot_product(child, row, column).ok());
    inside.ok_or(found)
}

/// Whether it is the variable or a component of it.
fn is_part(expr: &Expr, of: &Param) -> bool {
    match expr.kind() {
        Kind::Var(name) => *name == of.name,
        Kind::Prim(Primitive::Proj(_), args) => is_part(args[0].expr(), of),
        _ => false,
    }
}

/// That part of each element.
fn parts(xs: &Expr, part: &Expr) -> Rewritten {
    let Some((Primitive::Proj(position), [tuple])) = part.as_prim() else { return Ok(xs.clone()) };
    let tuples = parts(xs, tuple.expr())?;
    match operands2(&tuples, |p| matches!(p, Primitive::Zip)) {
        Ok(halves) => Ok(halves[*position].clone()),
        Err(_) => map_over(MapForm::Plain, "x", tuples, |x| Ok(proj(*position, x))),
    }
}

/// The term with one of its nodes replaced.
fn replaced(expr: &Expr, node: &Expr, by: &Expr) -> Expr {
    if expr.same(node) {
        return by.clone();
    }
    map_children(expr, &mut |child| replaced(child, node, by))
}

/// Both arrays whose elements' products are added.
fn sum_of_products(sum: FoldView<'_>) -> Result<[&Expr; 2], Reason> {
    if !is_operation(&sum.f.body, Binary::Add, &param2(sum.f)?.map(Param::expr)) {
        return Err(Reason::mismatch("it is no sum"));
    }
    let products = plain_map(sum.xs)?;
    let zipped = operands2(products.xs, |p| matches!(p, Primitive::Zip))?;
    let pair = param1(products.f)?.expr();
    let parts = [0, 1].map(|position| proj(position, pair.clone()));
    if !is_operation(&products.f.body, Binary::Mul, &parts) {
        return Err(Reason::mismatch("what is added are no products"));
    }
    match sum.start.kind() {
        Kind::Literal(Literal::Float(zero, _)) if *zero == 0.0 => {}
        Kind::Literal(Literal::Float(..)) => return Err(Reason::refused("the sum does not start from 0")),
        _ => return Err(Reason::refused("libraries multiply matrices of `f32` and `f64` alone")),
    }
    match sum.form {
        ReduceForm::Plain => Ok(zipped),
        _ => Err(Reason::refused("a library adds in an order of its own, and only `reduce` allows that")),
    }
}

fn is_operation(expr: &Expr, operation: Binary, operands: &[Expr; 2]) -> bool {
    match expr.as_prim() {
        Some((Primitive::Binary(found), [a, b])) if *found == operation => {
            are([a.expr(), b.expr()], operands)
        }
        _ => false,
    }
}

/// Whether both are these, in one order or the other.
fn are(found: [&Expr; 2], wanted: &[Expr; 2]) -> bool {
    let is = |a: &Expr, b: &Expr| crate::expr::alpha_equal(a, b);
    let [a, b] = found;
    is(a, &wanted[0]) && is(b, &wanted[1]) || is(a, &wanted[1]) && is(b, &wanted[0])
}
