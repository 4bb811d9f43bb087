//! What functions give for each column alone is a table that all rows read.
//!
//! ```text
//! map (λa. map (λb. a · exp b) ys) xs  →  let t = toMem (map exp ys) in map (λa. map (λ(b, e). a · e) (zip ys t)) xs
//! ```
//!
//! In: any term. Out: the same, where the columns are the same for all rows, and an element of the table takes a function or
//! a root.

use crate::expr::{
    AddressSpace, Arg, Expr, Kind, Lambda, MapForm, Param, Primitive, apply, map_children, nat, refresh,
    refresh_lambda, substitute, to_mem,
};
use crate::nat::{Facts, Nat};
use crate::rewrite::rules::support::{
    beta_copy, fun1, independent, len, make, map_operands, map_over, occurs, param1, parts, plain_map,
    retyped, zip_all,
};
use crate::rewrite::total::{inside, is_total};

use super::abreast::{is_elementary, is_root};
use super::before::around;
use super::rows::{element_of, leaves_of};

/// All such loops inside.
pub fn everywhere(expr: &Expr, facts: &Facts) -> Expr {
    let Some((primitive, args)) = expr.as_prim() else {
        return map_children(expr, &mut |child| everywhere(child, facts));
    };
    let xs = args.last().and_then(Arg::as_expr);
    let are_rows = matches!(primitive, Primitive::Map(MapForm::Plain) | Primitive::Generate)
        && len(expr).is_ok_and(|rows| rows.as_const() != Some(1));
    let mut tables = Vec::new();
    let args = args.iter().map(|arg| match arg {
        Arg::Expr(operand) => Arg::Expr(everywhere(operand, facts)),
        Arg::Fun(f) => {
            let mut rows = Rows { row: f, bound: Vec::new(), facts, tables: &mut tables };
            let body = if are_rows { rows.expr(&f.body) } else { f.body.clone() };
            Arg::Fun(Lambda { body: everywhere(&body, &inside(f, xs, facts)), ..f.clone() })
        }
    });
    let kind = Kind::Prim(primitive.clone(), args.collect());
    let rest = expr.clone().with_kind(kind);
    around(tables, rest)
}

/// What is computed of each row.
struct Rows<'a> {
    row: &'a Lambda,
    /// What is bound inside, around this place.
    bound: Vec<Param>,
    facts: &'a Facts,
    tables: &'a mut Vec<(Param, Expr)>,
}

impl Rows<'_> {
    fn expr(&mut self, expr: &Expr) -> Expr {
        if let Some(new) = self.columns(expr) {
            return new;
        }
        let Kind::Let(param, value, body) = expr.kind() else {
            return map_operands(expr, &mut |operand| self.expr(operand));
        };
        let value = self.expr(value);
        self.bound.push(param.clone());
        let body = self.expr(body);
        self.bound.pop();
        expr.clone().with_kind(Kind::Let(param.clone(), value, body))
    }

    /// The loop over columns, if it reads tables.
    fn columns(&mut self, expr: &Expr) -> Option<Expr> {
        let hidden = self.row.params.iter().chain(&self.bound).cloned().collect();
        let hidden = Lambda { nats: self.row.nats.clone(), params: hidden, body: expr.clone() };
        let columns = Columns::of(expr, &hidden)?;
        let mut elements = Elements { hidden, columns: columns.shared(), found: Vec::new() };
        let body = elements.expr(&columns.body);
        let tables =
            elements.found.iter().map(|(_, element)| columns.table(element)).collect::<Option<Vec<_>>>()?;
        if tables.is_empty() || !tables.iter().all(|table| is_total(table, self.facts)) {
            return None;
        }
        let tables: Vec<(Param, Expr)> =
            tables.into_iter().map(|table| (Param::fresh("table", table.ty().clone()), table)).collect();
        let names = elements
            .found
            .into_iter()
            .map(|(name, _)| name)
            .zip(tables.iter().map(|(table, _)| table.expr()));
        let new = columns.reading(&body, names.collect())?;
        self.tables
            .extend(tables.into_iter().map(|(table, values)| (table, to_mem(AddressSpace::Default, values))));
        Some(retyped(new, expr.ty()).with_labels(expr.labels().to_vec()).with_origin(expr.origin()))
    }
}

/// A loop over columns, which are known by their number or are elements of arrays, each under a name.
struct Columns {
    number: Option<Param>,
    /// With whether it is the same for all rows.
    arrays: Vec<(Param, Expr, bool)>,
    body: Expr,
}

impl Columns {
    fn of(expr: &Expr, hidden: &Lambda) -> Option<Self> {
        let (_, element) = expr.ty().as_array()?;
        element.scalar()?;
        if let Some((Primitive::Generate, [Arg::Fun(f)])) = expr.as_prim() {
            return Some(Columns {
                number: Some(param1(f).ok()?.clone()),
                arrays: Vec::new(),
                body: f.body.clone(),
            });
        }
        let map = plain_map(expr).ok()?;
        let mut leaves = Vec::new();
        leaves_of(map.xs, &mut leaves);
        let name = param1(map.f).ok()?.name.text().to_owned();
        let named = leaves.into_iter().map(|leaf| {
            let (_, element) = leaf.ty().as_array()?;
            Some((Param::fresh(&name, element.clone()), leaf.clone(), independent(leaf, hidden)))
        });
        let arrays = named.collect::<Option<Vec<_>>>()?;
        let mut elements = arrays.iter().map(|(name, ..)| value_of(name));
        let body = beta_copy(map.f, &[element_of(map.xs, &mut elements)?]);
        Some(Columns { number: None, arrays, body })
    }

    /// What is called by names that are the same for all rows, and others.
    fn shared(&self) -> [Vec<Param>; 2] {
        let (shared, others): (Vec<_>, Vec<_>) = self.arrays.iter().partition(|(.., is_shared)| *is_shared);
        let names =
            |arrays: Vec<&(Param, Expr, bool)>| arrays.into_iter().map(|(name, ..)| name.clone()).collect();
        let mut shared: Vec<Param> = names(shared);
        shared.extend(self.number.clone());
        [shared, names(others)]
    }

    /// The element for all columns.
    fn table(&self, element: &Expr) -> Option<Expr> {
        if let Some(number) = &self.number {
            return generated(number, element);
        }
        let used: Vec<_> = self.arrays.iter().filter(|(name, ..)| occurs(element, name)).collect();
        let names: Vec<Param> = used.iter().map(|(name, ..)| name.clone()).collect();
        over(&names, used.iter().map(|(_, xs, _)| refresh(xs)).collect(), element)
    }

    /// The loop with a body that reads tables under names.
    fn reading(&self, body: &Expr, tables: Vec<(Param, Expr)>) -> Option<Expr> {
        let Some(number) = &self.number else {
            let all = self.arrays.iter().map(|(name, xs, _)| (name.clone(), xs.clone())).chain(tables);
            let (names, arrays): (Vec<Param>, Vec<Expr>) = all.unzip();
            return over(&names, arrays, body);
        };
        let at = value_of(number);
        let body = tables.into_iter().try_fold(body.clone(), |body, (name, table)| {
            Some(substitute(&body, &name, &make(Primitive::Idx, [at.clone(), table]).ok()?))
        });
        generated(number, &body?)
    }
}

/// The name as a term.
fn value_of(name: &Param) -> Expr {
    name.nat.as_ref().map_or_else(|| name.expr(), |var| nat(Nat::var(var)))
}

/// The element for each number.
fn generated(number: &Param, element: &Expr) -> Option<Expr> {
    let f = refresh_lambda(&fun1(number.clone(), element.clone()));
    apply(Primitive::Generate, vec![f.into()]).ok()
}

/// What is made of the elements of arrays, which have such names.
pub fn over(names: &[Param], arrays: Vec<Expr>, body: &Expr) -> Option<Expr> {
    let count = arrays.len();
    let all = map_over(MapForm::Plain, "each", zip_all(arrays).ok()?, |each| {
        let elements = parts(&each, count);
        let named = names.iter().zip(&elements);
        Ok(refresh(&named.fold(body.clone(), |body, (name, element)| substitute(&body, name, element))))
    });
    all.ok()
}

/// The terms that tables are of.
struct Elements {
    /// What differs from row to row.
    hidden: Lambda,
    /// What is the same for all rows, and what else columns are called.
    columns: [Vec<Param>; 2],
    found: Vec<(Param, Expr)>,
}

impl Elements {
    fn expr(&mut self, expr: &Expr) -> Expr {
        if self.is_element(expr) {
            let known = self.found.iter().find(|(_, other)| other.same(expr)).map(|(name, _)| name.expr());
            return known.unwrap_or_else(|| {
                let name = Param::fresh("t", expr.ty().clone());
                self.found.push((name.clone(), expr.clone()));
                name.expr()
            });
        }
        let Kind::Let(param, value, body) = expr.kind() else {
            return map_operands(expr, &mut |operand| self.expr(operand));
        };
        let value = self.expr(value);
        self.columns[1].push(param.clone());
        let body = self.expr(body);
        expr.clone().with_kind(Kind::Let(param.clone(), value, body))
    }

    /// Whether it is a number that takes long, and is made of the column alone.
    fn is_element(&self, expr: &Expr) -> bool {
        let [shared, others] = &self.columns;
        let takes_long = |node: &Expr| is_elementary(node) || is_root(node);
        expr.ty().scalar().is_some()
            && expr.any(&takes_long)
            && independent(expr, &self.hidden)
            && !others.iter().any(|name| occurs(expr, name))
            && shared.iter().any(|name| occurs(expr, name))
    }
}
