//! Rows that go through products and more go layer by layer: all rows through one, then all through the next.
//!
//! ```text
//! map (λx. let h = map (λw. dot w x) W in map (λu. dot u h) U) xs
//!   →  let hs = toMem (map (λx. map (λw. dot w x) W) xs) in map (λh. map (λu. dot u h) U) hs
//! ```
//!
//! In: any term. Out: the same, where each product is one of matrices, between which what the rows become is stored, if
//! that is little enough; a few rows go one by one. What is done to the elements of a product alone is part of it.

use crate::expr::{
    AddressSpace, Arg, Expr, Kind, Lambda, MapForm, Param, Primitive, let_in, map_children, refresh,
    substitute, to_mem,
};
use crate::nat::Nat;
use crate::rewrite::rules::fusion::fuse_maps;
use crate::rewrite::rules::support::{
    beta_copy, component, fold, fun1, independent, len, make_map, map_over, occurs, param1, parts, plain_map,
    retyped, tuple, zip_all,
};
use crate::types::DataType;

use super::before::takes_loops;
use super::rows::{element_of, leaves_of};
use super::tile::only_fold;
use super::{When, all_hold, flat};

/// Rows from which on panels of columns are worth their copies.
const MANY: i64 = 3;

/// Columns and steps that products have at least: of fewer, rows make no matrices.
const FEWEST: i64 = 8;

/// Most numbers that are stored between layers.
const STORED: i64 = 1 << 26;

/// All such maps inside.
pub fn everywhere(expr: &Expr) -> Expr {
    layered(expr).unwrap_or_else(|| map_children(expr, &mut everywhere))
}

/// The map in layers.
fn layered(expr: &Expr) -> Option<Expr> {
    let mut all = expr.clone();
    while let Some(first) = plain_map(&all).ok().and_then(|map| plain_map(map.xs).ok())
        && takes_loops(&first.f.body)
    {
        all = fuse_maps(&all).ok()?;
    }
    let map = plain_map(&all).ok()?;
    let x = param1(map.f).ok().filter(|x| x.nat.is_none())?;
    let mut steps = Steps { bound: vec![x.clone()], steps: Vec::new() };
    let result = steps.expr(&map.f.body);
    let (layers, result) = steps.layers(result)?;
    if layers.is_empty() && (result.same(&map.f.body) || !all.same(expr)) {
        return None;
    }
    let mut rows = Rows::of(x, map.xs);
    for (position, layer) in layers.iter().enumerate() {
        let later = layers[position + 1..].iter().flatten().map(|step| &step.value).chain([&result]);
        let later: Vec<&Expr> = later.collect();
        let is_needed = |step: &&Step| later.iter().any(|value| occurs(value, &step.param));
        let gives: Vec<&Param> = layer.iter().filter(is_needed).map(|step| &step.param).collect();
        if gives.is_empty() {
            continue;
        }
        let value = around(layer, tuple_of(gives.iter().map(|param| param.expr()).collect()));
        let values = rows.all(&value)?;
        rows.store(gives, to_mem(AddressSpace::Default, values));
    }
    let whole = rows.all(&result)?;
    let stored = rows.stored.iter().fold(Nat::lit(0), |sum, (param, _)| sum + numbers(&param.ty));
    let when = all_hold([(Nat::lit(MANY), len(map.xs).ok()?), (stored, Nat::lit(STORED))]);
    let whole = super::before::around(rows.stored, whole);
    let whole = retyped(whole, expr.ty()).with_labels(expr.labels().to_vec()).with_origin(expr.origin());
    match when {
        // Nothing is stored, or it was written so.
        _ if layers.is_empty() || !all.same(expr) => Some(whole),
        When::Never => None,
        when => when.select(|| Ok(whole), expr).ok(),
    }
}

/// How many numbers there are.
fn numbers(ty: &DataType) -> Nat {
    match ty {
        DataType::Array(length, element) => length * numbers(element),
        DataType::Tuple(parts) => parts.iter().fold(Nat::lit(0), |sum, part| sum + numbers(part)),
        _ => Nat::lit(1),
    }
}

/// What is computed of a row, and has a name.
struct Step {
    param: Param,
    value: Expr,
    is_product: bool,
}

/// The steps, and then the term: the last step alone if that is what the term is.
fn around(steps: &[Step], expr: Expr) -> Expr {
    match steps {
        [step] if is_named(&expr, &step.param) => step.value.clone(),
        _ => steps.iter().rev().fold(expr, |body, step| let_in(step.param.clone(), step.value.clone(), body)),
    }
}

fn is_named(expr: &Expr, param: &Param) -> bool {
    matches!(expr.kind(), Kind::Var(name) if *name == param.name)
}

/// A row, step by step.
struct Steps {
    /// The row, and what the steps are called.
    bound: Vec<Param>,
    steps: Vec<Step>,
}

impl Steps {
    /// What is left of the term when products and what has a name are steps.
    fn expr(&mut self, expr: &Expr) -> Expr {
        if let Some(value) = self.product(expr) {
            let param = Param::fresh("layer", expr.ty().clone());
            return self.step(Step { param, value, is_product: true });
        }
        match expr.kind() {
            Kind::Let(param, value, body) if param.nat.is_none() => {
                let value = self.expr(value);
                if let Kind::Var(_) = value.kind() {
                    return self.expr(&substitute(body, param, &value));
                }
                self.step(Step { param: param.clone(), value, is_product: false });
                self.expr(body)
            }
            Kind::Prim(primitive, args) => {
                let args = args.iter().enumerate().map(|(position, arg)| match arg {
                    Arg::Expr(operand) if position == 0 || *primitive != Primitive::Select => {
                        Arg::Expr(self.expr(operand))
                    }
                    arg => arg.clone(),
                });
                let kind = Kind::Prim(primitive.clone(), args.collect());
                expr.clone().with_kind(kind)
            }
            _ => expr.clone(),
        }
    }

    fn step(&mut self, step: Step) -> Expr {
        let name = step.param.expr();
        self.bound.push(step.param.clone());
        self.steps.push(step);
        name
    }

    /// The term as a map over columns that all rows share, each of which is folded with something of the row.
    fn product(&self, expr: &Expr) -> Option<Expr> {
        let whole = whole(expr)?;
        let map = plain_map(&whole).ok()?;
        let row = Lambda { nats: Vec::new(), params: self.bound.clone(), body: expr.clone() };
        let mut columns = Vec::new();
        leaves_of(map.xs, &mut columns);
        let found = only_fold(&flat::sums(&map.f.body))?;
        let is_long = |length: Nat| length.as_const().is_none_or(|length| length >= FEWEST);
        let is_product = map.f.body.ty().scalar().is_some_and(|scalar| scalar.bytes() >= 4)
            && columns.iter().any(|column| independent(column, &row))
            && !independent(&found, map.f)
            && !independent(&found, &row)
            && is_long(len(map.xs).ok()?)
            && is_long(len(fold(&found).ok()?.xs).ok()?);
        is_product.then_some(whole)
    }

    /// The steps that are done for all rows before the next ones, and the rest, if there is a product.
    fn layers(self, result: Expr) -> Option<(Vec<Vec<Step>>, Expr)> {
        let mut layers: Vec<Vec<Step>> = Vec::new();
        for step in self.steps {
            match layers.last_mut() {
                Some(layer) if !step.is_product && !layer[0].is_product => layer.push(step),
                _ => layers.push(vec![step]),
            }
        }
        if !layers.iter().any(|layer| layer[0].is_product) {
            return None;
        }
        let is_end = |layer: &mut Vec<Step>| !layer[0].is_product || is_named(&result, &layer[0].param);
        let result = match layers.pop_if(is_end) {
            Some(last) => around(&last, result),
            None => result,
        };
        Some((layers, result))
    }
}

/// The map with what is done to its elements alone: of arrays beside each other, to those of the only one that takes loops.
fn whole(expr: &Expr) -> Option<Expr> {
    let map = plain_map(expr).ok()?;
    if takes_loops(&map.f.body) {
        return Some(expr.clone());
    }
    let mut leaves = Vec::new();
    leaves_of(map.xs, &mut leaves);
    let inner: Vec<Option<Expr>> = leaves.iter().map(|leaf| whole(leaf)).collect();
    let [at] = (0..leaves.len()).filter(|at| inner[*at].is_some()).collect::<Vec<_>>()[..] else {
        return None;
    };
    let inner = plain_map(inner[at].as_ref()?).ok()?;
    let mut arrays: Vec<Expr> = leaves.into_iter().cloned().collect();
    arrays[at] = inner.xs.clone();
    let (count, arrays) = (arrays.len(), zip_all(arrays).ok()?);
    let (_, element) = arrays.ty().as_array()?;
    let param = Param::fresh(param1(map.f).ok()?.name.text(), element.clone());
    let mut elements = parts(&param.expr(), count);
    elements[at] = beta_copy(inner.f, &[elements[at].clone()]);
    let element = element_of(map.xs, &mut elements.into_iter())?;
    let whole = make_map(MapForm::Plain, fun1(param, beta_copy(map.f, &[element])), arrays).ok()?;
    Some(retyped(whole, expr.ty()).with_labels(expr.labels().to_vec()).with_origin(expr.origin()))
}

/// All rows, and what was computed of each.
struct Rows {
    arrays: Vec<Array>,
    stored: Vec<(Param, Expr)>,
}

/// An array, and what its elements are called: their components, if they are several.
struct Array {
    xs: Expr,
    names: Vec<Param>,
}

impl Rows {
    fn of(x: &Param, xs: &Expr) -> Rows {
        let mut rows = Rows { arrays: Vec::new(), stored: Vec::new() };
        match takes_loops(xs) {
            true => rows.store(vec![x], to_mem(AddressSpace::Default, xs.clone())),
            false => rows.arrays.push(Array { xs: xs.clone(), names: vec![x.clone()] }),
        }
        rows
    }

    fn store(&mut self, names: Vec<&Param>, value: Expr) {
        let param = Param::fresh("layer", value.ty().clone());
        self.arrays.push(Array { xs: param.expr(), names: names.into_iter().cloned().collect() });
        self.stored.push((param, value));
    }

    /// What is computed of each row.
    fn all(&self, value: &Expr) -> Option<Expr> {
        let is_needed = |array: &&Array| array.names.iter().any(|name| occurs(value, name));
        let arrays: Vec<&Array> = self.arrays.iter().filter(is_needed).collect();
        let xs = zip_all(arrays.iter().map(|array| array.xs.clone()).collect()).ok()?;
        let all = map_over(MapForm::Plain, "row", xs, |row| {
            let elements = parts(&row, arrays.len());
            let each = arrays.iter().zip(elements).fold(value.clone(), |value, (array, element)| {
                let named = array.names.iter().enumerate();
                named.fold(value, |value, (position, name)| match array.names.len() {
                    1 => substitute(&value, name, &element),
                    _ => substitute(&value, name, &component(position, &element)),
                })
            });
            Ok(refresh(&each))
        });
        all.ok()
    }
}

/// The only one, or all of them.
fn tuple_of(mut values: Vec<Expr>) -> Expr {
    if values.len() == 1 { values.remove(0) } else { tuple(values) }
}
