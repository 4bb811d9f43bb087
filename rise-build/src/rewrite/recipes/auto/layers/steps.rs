//! What a row becomes, step by step: products, and what lies between them.
//!
//! In: what is computed of a row. Out: products and what has a name, in order, and the result made of these. A product may
//! stand inside of a choice that its row and column make, or beside other products in one element.

use crate::expr::{
    AddressSpace, Arg, Expr, Kind, Lambda, MapForm, Param, Primitive, apply, let_in, refresh, refresh_lambda,
    substitute, to_mem,
};
use crate::nat::{Facts, Nat};
use crate::rewrite::condition::Said;
use crate::rewrite::recipes::auto::before::takes_loops;
use crate::rewrite::recipes::auto::flat;
use crate::rewrite::recipes::auto::rows::{element_of, leaves_of};
use crate::rewrite::recipes::auto::tile::{folds_apart, only_fold};
use crate::rewrite::rules::chosen::{generated, is_seen};
use crate::rewrite::rules::generate::over_elements;
use crate::rewrite::rules::support::{
    beta_copy, fold, fun1, independent, instead, len, make, make_map, map_operands, map_over, param1, parts,
    plain_map, retyped, zip_all,
};

/// Columns and steps that products have at least: of fewer, rows make no matrices.
const FEWEST: i64 = 8;

/// What is computed of a row, and has a name.
pub struct Step {
    pub param: Param,
    pub value: Expr,
    is_product: bool,
}

/// The steps, and then the term: the last step alone if that is what the term is.
pub fn around(steps: &[Step], expr: Expr) -> Expr {
    match steps {
        [step] if expr.is_named(&step.param.name) => step.value.clone(),
        _ => steps.iter().rev().fold(expr, |body, step| let_in(step.param.clone(), step.value.clone(), body)),
    }
}

/// A row, step by step.
pub struct Steps<'a> {
    facts: &'a Facts,
    /// The row, and what the steps are called.
    bound: Vec<Param>,
    found: Vec<Step>,
    /// What is the same for all rows.
    pub same: Vec<(Param, Expr)>,
    /// Whether anything is computed before it is known to be needed.
    pub is_ahead: bool,
}

impl<'a> Steps<'a> {
    /// None of a row of that name so far.
    pub fn of(names: Vec<Param>, facts: &'a Facts) -> Self {
        Steps { facts, bound: names, found: Vec::new(), same: Vec::new(), is_ahead: false }
    }

    /// What is left of the term when products and what has a name are steps.
    pub fn expr(&mut self, expr: &Expr) -> Expr {
        if let Some(value) = self.product(expr) {
            return self.step(Step { param: layer(&value), value, is_product: true });
        }
        if let Some(rest) = self.chosen(expr).or_else(|| self.several(expr)) {
            return rest;
        }
        let Kind::Let(param, value, body) = expr.kind() else {
            return map_operands(expr, &mut |operand| self.expr(operand));
        };
        if param.nat.is_some() {
            return expr.clone();
        }
        let value = self.expr(value);
        if is_seen(&value) {
            return self.expr(&substitute(body, param, &value));
        }
        self.step(Step { param: param.clone(), value, is_product: false });
        self.expr(body)
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

    /// The same where elements are made of several products, or of one and of what is the same for all rows, or use one more
    /// than once: each is computed for itself.
    ///
    /// ```text
    /// map (λ(w, u). dot w x + dot u h) (zip W U)  →  let p = map (λ(w, u). dot w x) (zip W U), q = … in map (+) (zip p q)
    /// map (λw. let z = dot w x in e z z) W  →  let p = map (λw. dot w x) W in map (λz. e z z) p
    /// ```
    fn several(&mut self, expr: &Expr) -> Option<Expr> {
        let whole = whole(expr)?;
        let map = plain_map(&whole).ok()?;
        let (column, body) = (param1(map.f).ok()?, flat::sums(&map.f.body));
        let folds = folds_apart(&body)?;
        let row = variables_of(&self.bound, expr);
        let each = folds.iter().map(|found| {
            let f = refresh_lambda(&fun1(column.clone(), found.clone()));
            let value = make_map(MapForm::Plain, f, map.xs.clone()).ok()?;
            let product = self.product(&value);
            let is_same = independent(&value, &row) && !independent(found, map.f);
            product.map(|value| (value, true)).or(is_same.then_some((value, false)))
        });
        let each = each.collect::<Option<Vec<_>>>()?;
        let is_named = matches!(body.kind(), Kind::Let(..));
        if each.len() < 2 && !is_named || !each.iter().any(|(_, is_product)| *is_product) {
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
    pub fn layers(self, result: Expr) -> Option<(Vec<Vec<Step>>, Expr)> {
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
        let is_end = |layer: &mut Vec<Step>| !layer[0].is_product || result.is_named(&layer[0].param.name);
        let result = match layers.pop_if(is_end) {
            Some(last) => around(&last, result),
            None => result,
        };
        Some((layers, result))
    }
}

/// What a layer is called.
pub fn layer(value: &Expr) -> Param {
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
