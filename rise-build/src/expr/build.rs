//! Typed constructors: what they make has the type that [`synthesize`] gives it.

use crate::diagnostics::Origin;
use crate::nat::Nat;
use crate::types::DataType;

use super::primitive::{AddressSpace, Binary, MapForm, Primitive, ReduceForm};
use super::synthesize::{TypeError, synthesize};
use super::term::{Arg, Expr, Kind, Lambda, Literal, Param};

/// A primitive applied to arguments, if that has a type.
pub fn apply(primitive: Primitive, args: Vec<Arg>) -> Result<Expr, TypeError> {
    let ty = synthesize(&primitive, &args)?;
    Ok(Expr::new(Kind::Prim(primitive, args), ty, Origin::NONE))
}

/// A primitive applied to arguments that are known to fit; a misfit is a bug of the caller.
pub fn prim(primitive: Primitive, args: Vec<Arg>) -> Expr {
    match apply(primitive.clone(), args) {
        Ok(expr) => expr,
        Err(error) => panic!("bug: ill-typed {primitive:?} was built: {error}"),
    }
}

impl From<Expr> for Arg {
    fn from(expr: Expr) -> Self {
        Arg::Expr(expr)
    }
}

impl From<Lambda> for Arg {
    fn from(lambda: Lambda) -> Self {
        Arg::Fun(lambda)
    }
}

/// A primitive of values only.
pub fn call(primitive: Primitive, args: impl IntoIterator<Item = Expr>) -> Expr {
    prim(primitive, args.into_iter().map(Arg::Expr).collect())
}

/// A constant.
pub fn literal(literal: Literal) -> Expr {
    Expr::new(Kind::Literal(literal), DataType::Scalar(literal.scalar()), Origin::NONE)
}

/// A natural as a value of type `Nat`.
pub fn nat(nat: Nat) -> Expr {
    Expr::new(Kind::Nat(nat), DataType::Nat, Origin::NONE)
}

/// `value` shared as `param` in `body`.
pub fn let_in(param: Param, value: Expr, body: Expr) -> Expr {
    let ty = body.ty().clone();
    Expr::new(Kind::Let(param, value, body), ty, Origin::NONE)
}

/// A function of one value.
pub fn lambda(text: &str, ty: DataType, body: impl FnOnce(Expr) -> Expr) -> Lambda {
    let param = Param::fresh(text, ty);
    let body = body(param.expr());
    Lambda { nats: Vec::new(), params: vec![param], body }
}

/// A function of two values.
pub fn lambda2(texts: [&str; 2], types: [DataType; 2], body: impl FnOnce(Expr, Expr) -> Expr) -> Lambda {
    let [first, second] = types;
    let params = vec![Param::fresh(texts[0], first), Param::fresh(texts[1], second)];
    let body = body(params[0].expr(), params[1].expr());
    Lambda { nats: Vec::new(), params, body }
}

/// `map(f, xs)` in the given form.
pub fn map(form: MapForm, f: Lambda, xs: Expr) -> Expr {
    prim(Primitive::Map(form), vec![f.into(), xs.into()])
}

/// `map(|x| body(x), xs)` in the given form.
pub fn map_with(form: MapForm, text: &str, xs: Expr, body: impl FnOnce(Expr) -> Expr) -> Expr {
    let element = element_type(&xs);
    map(form, lambda(text, element, body), xs)
}

/// `reduce(f, start, xs)` in the given form.
pub fn reduce(form: ReduceForm, f: Lambda, start: Expr, xs: Expr) -> Expr {
    prim(Primitive::Reduce(form), vec![f.into(), start.into(), xs.into()])
}

/// `zip(xs, ys)`
pub fn zip(xs: Expr, ys: Expr) -> Expr {
    call(Primitive::Zip, [xs, ys])
}

/// `split(n, xs)`
pub fn split(n: Nat, xs: Expr) -> Expr {
    call(Primitive::Split(n), [xs])
}

/// `join(xss)`
pub fn join(xss: Expr) -> Expr {
    call(Primitive::Join, [xss])
}

/// `transpose(xss)`
pub fn transpose(xss: Expr) -> Expr {
    call(Primitive::Transpose, [xss])
}

/// `toMem(xs)` in the given space.
pub fn to_mem(space: AddressSpace, xs: Expr) -> Expr {
    call(Primitive::ToMem(space), [xs])
}

/// `tuple.position`
pub fn proj(position: usize, tuple: Expr) -> Expr {
    call(Primitive::Proj(position), [tuple])
}

/// `(a, b)`
pub fn pair(a: Expr, b: Expr) -> Expr {
    call(Primitive::Tuple, [a, b])
}

/// `a ∘ b`
pub fn binary(op: Binary, a: Expr, b: Expr) -> Expr {
    call(Primitive::Binary(op), [a, b])
}

/// The element type of an array-typed expression; the expression itself otherwise.
pub fn element_type(xs: &Expr) -> DataType {
    xs.ty().as_array().map_or_else(|| xs.ty().clone(), |(_, element)| element.clone())
}

/// The length of an array-typed expression; zero otherwise.
pub fn length(xs: &Expr) -> Nat {
    xs.ty().as_array().map_or_else(|| Nat::lit(0), |(len, _)| len.clone())
}
