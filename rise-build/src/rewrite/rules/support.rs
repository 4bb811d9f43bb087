//! What rules are written with: matching, building, sharing, side conditions.

use crate::expr::{
    self, Arg, Expr, Kind, Lambda, MapForm, Param, Primitive, ReduceForm, call, free_names, let_in,
    map_children, refresh, substitute,
};
use crate::names::Name;
use crate::nat::{Nat, NatVar};
use crate::rewrite::context::Reason;
use crate::rewrite::lower::Times;
use crate::rewrite::lower::bind::expand;
use crate::rewrite::lower::uses::uses;
use crate::types::DataType;

/// The result of a rule.
pub type Rewritten = Result<Expr, Reason>;

/// A map.
#[derive(Clone, Copy)]
pub struct MapView<'a> {
    /// How it is carried out.
    pub form: MapForm,
    /// The function.
    pub f: &'a Lambda,
    /// The array.
    pub xs: &'a Expr,
    /// The whole.
    pub expr: &'a Expr,
}

/// A fold: `reduce` in some form.
#[derive(Clone, Copy)]
pub struct FoldView<'a> {
    /// How it is carried out.
    pub form: ReduceForm,
    /// Of accumulator and element.
    pub f: &'a Lambda,
    /// The first accumulator.
    pub start: &'a Expr,
    /// The array.
    pub xs: &'a Expr,
    /// The whole.
    pub expr: &'a Expr,
}

/// The term as a map in any form.
pub fn any_map(expr: &Expr) -> Result<MapView<'_>, Reason> {
    match expr.as_prim() {
        Some((Primitive::Map(form), [Arg::Fun(f), Arg::Expr(xs)])) => {
            Ok(MapView { form: *form, f, xs, expr })
        }
        Some((Primitive::Generate, _)) => Err(Reason::mismatch(
            "it is a `generate`, of which `generateZip` or `generateMap` make a map; recipes do so themselves",
        )),
        Some((Primitive::Scan(_), _)) => Err(Reason::mismatch(
            "it is a scan, whose steps each need the one before: it has no parallel form and no vectors",
        )),
        _ => Err(Reason::mismatch("it is no map")),
    }
}

/// The term as a map whose form is open.
pub fn plain_map(expr: &Expr) -> Result<MapView<'_>, Reason> {
    match any_map(expr)? {
        view if view.form == MapForm::Plain => Ok(view),
        _ => Err(Reason::mismatch("it is a map whose form was chosen before")),
    }
}

/// The term as a fold in any form.
pub fn fold(expr: &Expr) -> Result<FoldView<'_>, Reason> {
    match expr.as_prim() {
        Some((Primitive::Reduce(form), [Arg::Fun(f), Arg::Expr(start), Arg::Expr(xs)])) => {
            Ok(FoldView { form: *form, f, start, xs, expr })
        }
        _ => Err(Reason::mismatch("it is no reduction")),
    }
}

/// The operands of a primitive that takes values only.
pub fn operands(expr: &Expr, test: fn(&Primitive) -> bool) -> Result<Vec<&Expr>, Reason> {
    match expr.as_prim() {
        Some((primitive, args)) if test(primitive) => Ok(args.iter().filter_map(Arg::as_expr).collect()),
        _ => Err(Reason::mismatch("it is another pattern")),
    }
}

/// The only operand.
pub fn operand(expr: &Expr, test: fn(&Primitive) -> bool) -> Result<&Expr, Reason> {
    match operands(expr, test)?.as_slice() {
        [one] => Ok(one),
        _ => Err(Reason::mismatch("it is another pattern")),
    }
}

/// Both operands.
pub fn operands2(expr: &Expr, test: fn(&Primitive) -> bool) -> Result<[&Expr; 2], Reason> {
    match operands(expr, test)?.as_slice() {
        [a, b] => Ok([a, b]),
        _ => Err(Reason::mismatch("it is another pattern")),
    }
}

/// A primitive applied to values; an error where it has no type.
pub fn make(primitive: Primitive, args: impl IntoIterator<Item = Expr>) -> Rewritten {
    Ok(expr::apply(primitive, args.into_iter().map(Arg::Expr).collect())?)
}

/// `map(f, xs)`
pub fn make_map(form: MapForm, f: Lambda, xs: Expr) -> Rewritten {
    Ok(expr::apply(Primitive::Map(form), vec![f.into(), xs.into()])?)
}

/// `map(|x| body(x), xs)`
pub fn map_over(form: MapForm, text: &str, xs: Expr, body: impl FnOnce(Expr) -> Rewritten) -> Rewritten {
    let Some((_, element)) = xs.ty().as_array() else { return Err(Reason::mismatch("it is no array")) };
    let param = Param::fresh(text, element.clone());
    let body = body(param.expr())?;
    make_map(form, Lambda { nats: Vec::new(), params: vec![param], body }, xs)
}

/// `reduce(f, start, xs)`
pub fn make_fold(form: ReduceForm, f: Lambda, start: Expr, xs: Expr) -> Rewritten {
    Ok(expr::apply(Primitive::Reduce(form), vec![f.into(), start.into(), xs.into()])?)
}

/// The form of a fold that is not associative any more.
pub fn sequential(form: ReduceForm) -> ReduceForm {
    match form {
        ReduceForm::Plain | ReduceForm::Par => ReduceForm::Seq(expr::AddressSpace::Default),
        chosen => chosen,
    }
}

/// The same primitive with other arguments and its own type again.
pub fn with_args(expr: &Expr, args: Vec<Arg>) -> Rewritten {
    let Some((primitive, _)) = expr.as_prim() else { return Err(Reason::mismatch("it is no primitive")) };
    let new = expr::apply(primitive.clone(), args)?;
    Ok(new.with_labels(expr.labels().to_vec()).with_origin(expr.origin()))
}

/// The term as one of the given type: equal to its own under obligations that were asked for.
pub fn retyped(expr: Expr, ty: &DataType) -> Expr {
    match expr.ty() == ty {
        true => expr,
        false => expr.edit(|node| node.ty = ty.clone()),
    }
}

/// A function of one value.
pub fn fun1(param: Param, body: Expr) -> Lambda {
    Lambda { nats: Vec::new(), params: vec![param], body }
}

/// The only parameter.
pub fn param1(f: &Lambda) -> Result<&Param, Reason> {
    match f.params.as_slice() {
        [param] => Ok(param),
        _ => Err(Reason::mismatch("its function takes several values")),
    }
}

/// Both parameters.
pub fn param2(f: &Lambda) -> Result<[&Param; 2], Reason> {
    match f.params.as_slice() {
        [a, b] => Ok([a, b]),
        _ => Err(Reason::mismatch("its function does not take two values")),
    }
}

/// The function at a value, which is shared where it is used more than once.
pub fn beta(f: &Lambda, values: &[Expr]) -> Expr {
    f.params.iter().zip(values).fold(f.body.clone(), |body, (param, value)| bind(param, value, body))
}

/// The same for a copy of the function.
pub fn beta_copy(f: &Lambda, values: &[Expr]) -> Expr {
    beta(&expr::refresh_lambda(f), values)
}

/// `body` where the variable stands for the value.
pub fn bind(param: &Param, value: &Expr, body: Expr) -> Expr {
    if let Kind::Prim(Primitive::Tuple, parts) = value.kind() {
        let names: Vec<Param> =
            parts.iter().map(|part| Param::fresh(param.name.text(), part.expr().ty().clone())).collect();
        let body = expand(&body, &param.name, &names);
        return names.iter().zip(parts).fold(body, |body, (name, part)| bind(name, part.expr(), body));
    }
    let is_free = is_path(value);
    let times = if is_free { Times::Once } else { uses(&body, &param.name) };
    match times {
        _ if param.nat.is_some() => substitute(&body, param, value),
        // It may still be named, in the value of a `let` that nothing looks at.
        Times::Never if !occurs(&body, param) => body,
        Times::Once => substitute(&body, param, value),
        Times::Never | Times::Many => let_in(param.clone(), value.clone(), body),
    }
}

/// A variable or a component of one: as cheap as a name.
pub fn is_path(expr: &Expr) -> bool {
    match expr.kind() {
        Kind::Var(_) | Kind::Literal(_) | Kind::Nat(_) => true,
        Kind::Prim(Primitive::Proj(_), args) => is_path(args[0].expr()),
        _ => false,
    }
}

/// A component; of a tuple that is written out, its part.
pub fn component(position: usize, tuple: &Expr) -> Expr {
    match tuple.kind() {
        Kind::Prim(Primitive::Tuple, parts) => parts[position].expr().clone(),
        _ => expr::proj(position, tuple.clone()),
    }
}

/// Whether none of the function's variables occurs in the term.
pub fn independent(expr: &Expr, f: &Lambda) -> bool {
    let nats: Vec<&NatVar> =
        f.nats.iter().chain(f.params.iter().filter_map(|param| param.nat.as_ref())).collect();
    let names: Vec<Name> = free_names(expr);
    !f.params.iter().any(|param| names.contains(&param.name))
        && (nats.is_empty() || !mentions_nats(expr, &nats))
}

fn mentions_nats(expr: &Expr, nats: &[&NatVar]) -> bool {
    let in_nat = |nat: &Nat| nats.iter().any(|var| nat.mentions(var));
    expr.any(&|node| {
        let in_kind = match node.kind() {
            Kind::Nat(nat) => in_nat(nat),
            Kind::Prim(primitive, _) => {
                let found = std::cell::Cell::new(false);
                let _ = primitive.map_nats(&|nat| {
                    found.set(found.get() || in_nat(nat));
                    nat.clone()
                });
                found.get()
            }
            _ => false,
        };
        in_kind || type_mentions(node.ty(), &in_nat)
    })
}

/// Whether a natural in the type has the property.
pub fn type_mentions(ty: &DataType, test: &dyn Fn(&Nat) -> bool) -> bool {
    match ty {
        DataType::Scalar(_) | DataType::Nat | DataType::Vector(..) => false,
        DataType::Idx(bound) => test(bound),
        DataType::Array(len, element) | DataType::DepArray(len, _, element) => {
            test(len) || type_mentions(element, test)
        }
        DataType::Tuple(parts) => parts.iter().any(|part| type_mentions(part, test)),
    }
}

/// How often the variable occurs.
pub fn occurs(expr: &Expr, param: &Param) -> bool {
    !independent(expr, &fun1(param.clone(), expr.clone()))
}

/// The length of an array.
pub fn len(expr: &Expr) -> Result<Nat, Reason> {
    match expr.ty().as_array() {
        Some((len, _)) => Ok(len.clone()),
        None => Err(Reason::mismatch("it is no array")),
    }
}

/// The element type of an array.
pub fn element(expr: &Expr) -> Result<DataType, Reason> {
    match expr.ty().as_array() {
        Some((_, element)) => Ok(element.clone()),
        None => Err(Reason::mismatch("it is no array")),
    }
}

/// Inner length of an array of arrays.
pub fn inner_len(expr: &Expr) -> Result<Nat, Reason> {
    match expr.ty().as_array().and_then(|(_, row)| row.as_array()) {
        Some((len, _)) => Ok(len.clone()),
        None => Err(Reason::mismatch("it is no array of arrays")),
    }
}

/// The primitive with other operands, of those that it always needs: no functions, and no branches of choices.
pub fn map_operands(expr: &Expr, f: &mut dyn FnMut(&Expr) -> Expr) -> Expr {
    let Some((primitive, args)) = expr.as_prim() else { return expr.clone() };
    let args = args.iter().enumerate().map(|(position, arg)| match arg {
        Arg::Expr(operand) if position == 0 || *primitive != Primitive::Select => Arg::Expr(f(operand)),
        arg => arg.clone(),
    });
    let kind = Kind::Prim(primitive.clone(), args.collect());
    expr.clone().with_kind(kind)
}

/// The term with another part in place of that very one.
pub fn instead(expr: &Expr, old: &Expr, new: &Expr) -> Expr {
    if expr.same(old) { new.clone() } else { map_children(expr, &mut |child| instead(child, old, new)) }
}

/// A second copy of a term, with binders of its own.
pub fn again(expr: &Expr) -> Expr {
    refresh(expr)
}

/// `(a, b)`
pub fn tuple(parts: impl IntoIterator<Item = Expr>) -> Expr {
    call(Primitive::Tuple, parts)
}

/// `zip(a, zip(b, c))`
pub fn zip_all(mut arrays: Vec<Expr>) -> Rewritten {
    let Some(last) = arrays.pop() else { return Err(Reason::refused("there is nothing to go over")) };
    arrays.into_iter().rev().try_fold(last, |rest, array| make(Primitive::Zip, [array, rest]))
}

/// The components of an element of [`zip_all`].
pub fn parts(p: &Expr, count: usize) -> Vec<Expr> {
    let mut rest = p.clone();
    let mut parts = Vec::with_capacity(count);
    for _ in 1..count {
        parts.push(component(0, &rest));
        rest = component(1, &rest);
    }
    parts.push(rest);
    parts
}

/// Refuses arrays that must not have elements without a defined value: an undefined index may be out of range.
pub fn may_be_undefined(xs: &Expr) -> Result<(), Reason> {
    fn has_index(ty: &DataType) -> bool {
        match ty {
            DataType::Idx(_) | DataType::Nat => true,
            DataType::Scalar(_) | DataType::Vector(..) => false,
            DataType::Array(_, element) | DataType::DepArray(_, _, element) => has_index(element),
            DataType::Tuple(parts) => parts.iter().any(has_index),
        }
    }
    match has_index(xs.ty()) {
        true => Err(Reason::refused("its elements are indices, which must not be undefined")),
        false => Ok(()),
    }
}

/// Whether both functions are the same term.
pub fn same_function(a: &Lambda, b: &Lambda) -> bool {
    let values: Vec<Expr> = a.params.iter().map(Param::expr).collect();
    a.params.len() == b.params.len() && expr::alpha_equal(&a.body, &beta_copy(b, &values))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::{Binary, Literal, binary, literal};
    use crate::types::Scalar;

    #[test]
    fn what_only_an_unused_name_needs_stays_bound() {
        let two = || literal(Literal::Float(2.0, Scalar::F32));
        let [y, unused] = ["y", "unused"].map(|text| Param::fresh(text, DataType::Scalar(Scalar::F32)));
        let body = let_in(unused, y.expr(), two());
        assert!(free_names(&bind(&y, &binary(Binary::Add, two(), two()), body)).is_empty());
    }
}
