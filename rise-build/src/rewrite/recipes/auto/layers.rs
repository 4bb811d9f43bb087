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
    AddressSpace, Arg, Expr, Kind, Lambda, MapForm, Param, Primitive, apply, let_in, map_children, nat,
    refresh, refresh_lambda, substitute, to_mem,
};
use crate::nat::{Facts, Nat};
use crate::rewrite::condition::Said;
use crate::rewrite::rules::chosen::{generated, is_seen};
use crate::rewrite::rules::fusion::fuse_maps;
use crate::rewrite::rules::generate::over_elements;
use crate::rewrite::rules::support::{
    beta_copy, component, fold, fun1, independent, len, make, make_map, map_over, occurs, param1, parts,
    plain_map, retyped, tuple, zip_all,
};
use crate::rewrite::total::is_total;
use crate::types::DataType;

use super::before::takes_loops;
use super::rows::{element_of, leaves_of};
use super::tile::{only_fold, only_folds};
use super::{When, all_hold, flat};

/// Rows from which on panels of columns are worth their copies.
const MANY: i64 = 4;

/// Columns and steps that products have at least: of fewer, rows make no matrices.
const FEWEST: i64 = 8;

/// Most numbers that are stored between layers.
const STORED: i64 = 1 << 26;

/// All such maps inside.
pub fn everywhere(expr: &Expr, facts: &Facts) -> Expr {
    layered(expr, facts).unwrap_or_else(|| map_children(expr, &mut |child| everywhere(child, facts)))
}

/// The map in layers.
fn layered(expr: &Expr, facts: &Facts) -> Option<Expr> {
    let mut all = expr.clone();
    while let Ok(second) = plain_map(&all)
        && let Ok(first) = plain_map(second.xs)
        && takes_loops(&first.f.body)
        && !is_seen(&second.f.body)
    {
        all = fuse_maps(&all).ok()?;
    }
    let (mut rows, body) = Rows::of(&all, facts)?;
    let mut steps =
        Steps { facts, bound: rows.names(), found: Vec::new(), same: Vec::new(), is_ahead: false };
    let result = steps.expr(&body);
    let is_ahead = steps.is_ahead;
    rows.stored.append(&mut steps.same);
    let (layers, result) = steps.layers(result)?;
    if layers.is_empty() && (result.same(&body) || !all.same(expr)) {
        return None;
    }
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
        if is_ahead && !is_total(&values, facts) {
            return None;
        }
        rows.store(gives, to_mem(AddressSpace::Default, values));
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
struct Steps<'a> {
    facts: &'a Facts,
    /// The row, and what the steps are called.
    bound: Vec<Param>,
    found: Vec<Step>,
    /// What is the same for all rows.
    same: Vec<(Param, Expr)>,
    /// Whether anything is computed before it is known to be needed.
    is_ahead: bool,
}

impl Steps<'_> {
    /// What is left of the term when products and what has a name are steps.
    fn expr(&mut self, expr: &Expr) -> Expr {
        if let Some(value) = self.product(expr) {
            return self.step(Step { param: layer(&value), value, is_product: true });
        }
        if let Some(rest) = self.chosen(expr).or_else(|| self.several(expr)) {
            return rest;
        }
        match expr.kind() {
            Kind::Let(param, value, body) if param.nat.is_none() => {
                let value = self.expr(value);
                if is_seen(&value) {
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
        self.found.push(step);
        name
    }

    /// The term as a map over columns that all rows share, each of which is folded with something of the row.
    fn product(&self, expr: &Expr) -> Option<Expr> {
        let whole = whole(expr)?;
        let map = plain_map(&whole).ok()?;
        let row = variables_of(&self.bound, expr);
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

    /// The same where elements of a product are chosen by their row and column, as those of a triangle are, of which
    /// about half is needed: all are computed, and then chosen.
    ///
    /// ```text
    /// generate (λj. if j ≤ i then dot w[j] x else c)  →  let p = map (λw. dot w x) w in generate (λj. if j ≤ i then p[j] else c)
    /// ```
    fn chosen(&mut self, expr: &Expr) -> Option<Expr> {
        let f = generated(expr).ok()?;
        let (column, row) = (param1(&f).ok()?, self.bound.first()?.nat.as_ref()?);
        let is_side = |said: &Said| match &said.at_least_zero[..] {
            [bound] => {
                said.rest.is_empty()
                    && bound.mentions(row)
                    && column.nat.as_ref().is_some_and(|column| bound.mentions(column))
            }
            _ => false,
        };
        let found = chosen_fold(&f.body, &|condition| is_side(&Said::by(condition)))?;
        let each = apply(Primitive::Generate, vec![fun1(column.clone(), found.clone()).into()]).ok()?;
        let value = self.product(&over_elements(&refresh(&each), self.facts).ok()?)?;
        let param = layer(&value);
        let element = make(Primitive::Idx, [column.expr(), param.expr()]).ok()?;
        self.is_ahead = true;
        self.step(Step { param, value, is_product: true });
        let f = Lambda { body: instead(&f.body, &found, &element), ..f };
        Some(retyped(apply(Primitive::Generate, vec![refresh_lambda(&f).into()]).ok()?, expr.ty()))
    }

    /// The same where elements are made of several products, or of one and of what is the same for all rows: each is
    /// computed for itself.
    ///
    /// ```text
    /// map (λ(w, u). dot w x + dot u h) (zip W U)  →  let p = map (λ(w, u). dot w x) (zip W U), q = … in map (+) (zip p q)
    /// ```
    fn several(&mut self, expr: &Expr) -> Option<Expr> {
        let whole = whole(expr)?;
        let map = plain_map(&whole).ok()?;
        let (column, body) = (param1(map.f).ok()?, flat::sums(&map.f.body));
        let folds = only_folds(&body);
        let row = variables_of(&self.bound, expr);
        let each = folds.iter().map(|found| {
            let f = refresh_lambda(&fun1(column.clone(), found.clone()));
            let value = make_map(MapForm::Plain, f, map.xs.clone()).ok()?;
            let product = self.product(&value);
            let is_same = independent(&value, &row) && !independent(found, map.f);
            product.map(|value| (value, true)).or(is_same.then_some((value, false)))
        });
        let each = each.collect::<Option<Vec<_>>>()?;
        if each.len() < 2 || !each.iter().any(|(_, is_product)| *is_product) {
            return None;
        }
        let mut arrays = vec![map.xs.clone()];
        for (value, is_product) in each {
            let param = layer(&value);
            arrays.push(param.expr());
            match is_product {
                true => drop(self.step(Step { param, value, is_product })),
                false => self.same.push((param, to_mem(AddressSpace::Default, value))),
            }
        }
        let count = arrays.len();
        let rest = map_over(MapForm::Plain, "column", zip_all(arrays).ok()?, |all| {
            let elements = parts(&all, count);
            let each = folds.iter().zip(&elements[1..]);
            let element = each.fold(body, |body, (found, element)| instead(&body, found, element));
            Ok(refresh(&substitute(&element, column, &elements[0])))
        });
        Some(retyped(rest.ok()?, expr.ty()))
    }

    /// The steps that are done for all rows before the next ones, and the rest, if there is a product.
    fn layers(self, result: Expr) -> Option<(Vec<Vec<Step>>, Expr)> {
        let mut layers: Vec<Vec<Step>> = Vec::new();
        for step in self.found {
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

/// What a layer is called.
fn layer(value: &Expr) -> Param {
    Param::fresh("layer", value.ty().clone())
}

/// A function that binds all of them.
fn variables_of(params: &[Param], body: &Expr) -> Lambda {
    Lambda { nats: Vec::new(), params: params.to_vec(), body: body.clone() }
}

/// The only fold, in a branch of choices by such conditions.
fn chosen_fold(expr: &Expr, is_side: &dyn Fn(&Expr) -> bool) -> Option<Expr> {
    let (primitive, args) = expr.as_prim()?;
    if let (Primitive::Select, [Arg::Expr(condition), branches @ ..]) = (primitive, args) {
        let [taken] = branches.iter().filter(|arg| takes_loops(arg.expr())).collect::<Vec<_>>()[..] else {
            return None;
        };
        let folds = only_fold(taken.expr()).or_else(|| chosen_fold(taken.expr(), is_side));
        return folds.filter(|_| is_side(condition) && !takes_loops(condition));
    }
    let [taken] = args.iter().filter(|arg| takes_loops(arg.expr())).collect::<Vec<_>>()[..] else {
        return None;
    };
    chosen_fold(taken.as_expr()?, is_side)
}

/// The term with another part.
fn instead(expr: &Expr, old: &Expr, new: &Expr) -> Expr {
    if expr.same(old) { new.clone() } else { map_children(expr, &mut |child| instead(child, old, new)) }
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
