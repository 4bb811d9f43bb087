//! Calls into libraries (RISE in MLIR, 4.3): a composition that a library computes becomes one call of it.

use std::rc::Rc;

use crate::expr::{Binary, Expr, Kind, Library, Literal, Param, Primitive, ReduceForm, free_names};
use crate::rewrite::catalog::{Row, library};
use crate::rewrite::context::Reason;
use crate::rewrite::place::labelled_as;

use super::row;
use super::support::{FoldView, Rewritten, fold, make, operand, operands2, param1, param2, plain_map};

/// The rules of this family.
pub const ROWS: &[Row] = &[
    row!("call" ["callLibrary"] (Library) "map (λa. map (λb. zip a b ≫ map (×) ≫ reduce (+) 0) B) A ≈ f A (transpose B)" "A product of matrices, each transposed or not, is computed by a function that `extern fn` declares; the library adds in an order of its own, so bits may change. Factors that are computed get memory." "a |> map(|row| transpose(b) |> map(|col| zip(row, col) |> map(mult) |> reduce(add, 0.0)))" => "sgemm(a, b)" |e, v, _| product(e, &library(v, 0)?)),
];

fn product(expr: &Expr, library: &Rc<Library>) -> Rewritten {
    let outer = plain_map(expr)?;
    let inner = plain_map(&outer.f.body)?;
    let (row, column) = (param1(outer.f)?, param1(inner.f)?);
    if free_names(inner.xs).contains(&row.name) {
        return Err(Reason::mismatch("the columns depend on the row"));
    }
    is_dot_product(fold(&inner.f.body)?, row, column)?;
    let b = match operand(inner.xs, |p| matches!(p, Primitive::Transpose)) {
        Ok(b) => b.clone(),
        Err(_) => make(Primitive::Transpose, [inner.xs.clone()])?,
    };
    let call = make(Primitive::Product(library.clone()), [outer.xs.clone(), b])?;
    Ok(labelled_as(call, &[expr]))
}

/// Whether the fold is the sum of the products of both arrays' elements.
fn is_dot_product(sum: FoldView<'_>, a: &Param, b: &Param) -> Result<(), Reason> {
    if !is_operation(&sum.f.body, Binary::Add, &param2(sum.f)?.map(Param::expr)) {
        return Err(Reason::mismatch("it is no sum"));
    }
    let products = plain_map(sum.xs)?;
    let pair = param1(products.f)?.expr();
    let parts = [0, 1].map(|position| crate::expr::proj(position, pair.clone()));
    if !is_operation(&products.f.body, Binary::Mul, &parts) {
        return Err(Reason::mismatch("what is added are no products"));
    }
    let zipped = operands2(products.xs, |p| matches!(p, Primitive::Zip))?;
    if !are(zipped, &[a.expr(), b.expr()]) {
        return Err(Reason::mismatch("it is no product of a row and a column"));
    }
    match sum.start.kind() {
        Kind::Literal(Literal::Float(zero, _)) if *zero == 0.0 => {}
        Kind::Literal(Literal::Float(..)) => return Err(Reason::refused("the sum does not start from 0")),
        _ => return Err(Reason::refused("libraries multiply matrices of `f32` and `f64` alone")),
    }
    match sum.form {
        ReduceForm::Plain => Ok(()),
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
