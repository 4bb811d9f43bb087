//! Rows that go through products and more go layer by layer: all rows through one, then all through the next.
//!
//! ```text
//! map (λx. let h = map (λw. dot w x) W in map (λu. dot u h) U) xs
//!   →  let hs = toMem (map (λx. map (λw. dot w x) W) xs) in map (λh. map (λu. dot u h) U) hs
//! ```
//!
//! In: any term. Out: the same, where each product is one of matrices, between which what the rows become is stored, if
//! that is little enough; a few rows go one by one. Rows are those of an array, or known by their numbers. What is done to
//! the elements of a product alone is part of it.

mod steps;

use crate::expr::{
    AddressSpace, Expr, MapForm, Param, Primitive, apply, map_children, nat, refresh, substitute, to_mem,
};
use crate::nat::{Facts, Nat};
use crate::rewrite::rules::chosen::{generated, is_seen};
use crate::rewrite::rules::fusion::fuse_maps;
use crate::rewrite::rules::generate::over_elements;
use crate::rewrite::rules::support::{
    component, fun1, len, make, map_over, occurs, param1, parts, plain_map, retyped, tuple, zip_all,
};
use crate::rewrite::total::is_total;
use crate::types::DataType;

use super::before::takes_loops;
use super::{When, all_hold};
use steps::{Step, Steps, around, layer};

/// Rows from which on panels of columns are worth their copies.
const MANY: i64 = 4;

/// Most numbers that are stored between layers.
const STORED: i64 = 1 << 26;

/// All such maps inside.
pub fn everywhere(expr: &Expr, facts: &Facts) -> Expr {
    layered(expr, facts).unwrap_or_else(|| map_children(expr, &mut |child| everywhere(child, facts)))
}

/// The map in layers.
fn layered(expr: &Expr, facts: &Facts) -> Option<Expr> {
    let all = fused(expr);
    let (mut rows, body) = Rows::of(&all, facts)?;
    let mut steps = Steps::of(rows.names(), facts);
    let result = steps.expr(&body);
    let is_ahead = steps.is_ahead;
    rows.stored.append(&mut steps.same);
    let (layers, result) = steps.layers(result)?;
    if layers.is_empty() && (result.same(&body) || !all.same(expr)) {
        return None;
    }
    for (position, layer) in layers.iter().enumerate() {
        let later = layers[position + 1..].iter().flatten().map(|step| &step.value);
        rows.go_through(layer, &later.chain([&result]).collect::<Vec<_>>())?;
    }
    if is_ahead && !rows.stored.iter().all(|(_, value)| is_total(value, facts)) {
        return None;
    }
    let whole = rows.all(&result)?;
    let stored = rows.stored.iter().fold(Nat::lit(0), |sum, (param, _)| sum + numbers(&param.ty));
    let when = all_hold([(Nat::lit(MANY), len(expr).ok()?), (stored, Nat::lit(STORED))]);
    let whole = super::before::around(rows.stored, whole);
    let whole = retyped(whole, expr.ty()).with_labels(expr.labels().to_vec()).with_origin(expr.origin());
    match when {
        // Nothing is stored, or it was written so.
        _ if layers.is_empty() || !all.same(expr) => Some(whole),
        When::Never => None,
        when => when.select(|| Ok(whole), expr).ok(),
    }
}

/// The map with those before it that take loops.
fn fused(expr: &Expr) -> Expr {
    match (plain_map(expr), fuse_maps(expr)) {
        (Ok(second), Ok(whole))
            if plain_map(second.xs).is_ok_and(|first| takes_loops(&first.f.body))
                && !is_seen(&second.f.body) =>
        {
            fused(&whole)
        }
        _ => expr.clone(),
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

/// All rows, and what was computed of each.
struct Rows<'a> {
    facts: &'a Facts,
    /// What is called by the number of the row, if that is anything, and how many there are.
    index: Option<(Param, Nat)>,
    arrays: Vec<Array>,
    stored: Vec<(Param, Expr)>,
}

/// An array, and what its elements are called: their components, if they are several.
struct Array {
    xs: Expr,
    names: Vec<Param>,
}

impl<'a> Rows<'a> {
    /// The rows of a map, and what is computed of each.
    fn of(all: &Expr, facts: &'a Facts) -> Option<(Rows<'a>, Expr)> {
        let mut rows = Rows { facts, index: None, arrays: Vec::new(), stored: Vec::new() };
        if let Ok(f) = generated(all) {
            rows.index = Some((param1(&f).ok()?.clone(), len(all).ok()?));
            return Some((rows, f.body));
        }
        let map = plain_map(all).ok()?;
        let x = param1(map.f).ok().filter(|x| x.nat.is_none())?;
        match takes_loops(map.xs) {
            true => rows.store(vec![x], to_mem(AddressSpace::Default, map.xs.clone())),
            false => rows.arrays.push(Array { xs: map.xs.clone(), names: vec![x.clone()] }),
        }
        Some((rows, map.f.body.clone()))
    }

    /// What a row is called.
    fn names(&self) -> Vec<Param> {
        let index = self.index.iter().map(|(index, _)| index);
        index.chain(self.arrays.iter().flat_map(|array| &array.names)).cloned().collect()
    }

    fn store(&mut self, names: Vec<&Param>, value: Expr) {
        let param = layer(&value);
        self.arrays.push(Array { xs: param.expr(), names: names.into_iter().cloned().collect() });
        self.stored.push((param, value));
    }

    /// Stores what all rows become in a layer, as far as it is used later.
    fn go_through(&mut self, layer: &[Step], later: &[&Expr]) -> Option<()> {
        let is_needed = |step: &&Step| later.iter().any(|value| occurs(value, &step.param));
        let gives: Vec<&Param> = layer.iter().filter(is_needed).map(|step| &step.param).collect();
        if gives.is_empty() {
            return Some(());
        }
        let value = around(layer, tuple_of(gives.iter().map(|param| param.expr()).collect()));
        let values = self.all(&value)?;
        self.store(gives, to_mem(AddressSpace::Default, values));
        Some(())
    }

    /// What is computed of each row.
    fn all(&self, value: &Expr) -> Option<Expr> {
        let Some((index, count)) = &self.index else {
            let is_needed = |array: &&Array| array.names.iter().any(|name| occurs(value, name));
            let arrays: Vec<&Array> = self.arrays.iter().filter(is_needed).collect();
            let xs = zip_all(arrays.iter().map(|array| array.xs.clone()).collect()).ok()?;
            let all = map_over(MapForm::Plain, "row", xs, |row| {
                let each = arrays.iter().zip(parts(&row, arrays.len()));
                Ok(refresh(
                    &each.fold(value.clone(), |value, (array, element)| array.named(&value, &element)),
                ))
            });
            return all.ok();
        };
        let number = Param::fresh(index.name.text(), DataType::Idx(count.clone()));
        let at = nat(Nat::var(number.nat.as_ref()?));
        let each = self.arrays.iter().try_fold(substitute(value, index, &at), |value, array| {
            Some(array.named(&value, &make(Primitive::Idx, [at.clone(), array.xs.clone()]).ok()?))
        });
        let all = apply(Primitive::Generate, vec![fun1(number, refresh(&each?)).into()]).ok()?;
        Some(over_elements(&all, self.facts).unwrap_or(all))
    }
}

impl Array {
    /// The term with an element of the array in place of its names.
    fn named(&self, value: &Expr, element: &Expr) -> Expr {
        self.names.iter().enumerate().fold(value.clone(), |value, (position, name)| match self.names.len() {
            1 => substitute(&value, name, element),
            _ => substitute(&value, name, &component(position, element)),
        })
    }
}

/// The only one, or all of them.
fn tuple_of(mut values: Vec<Expr>) -> Expr {
    if values.len() == 1 { values.remove(0) } else { tuple(values) }
}
