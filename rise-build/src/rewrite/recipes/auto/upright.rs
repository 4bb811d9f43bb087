//! What is done to each column is done to whole rows, which lie side by side.
//!
//! ```text
//! T ≫ map (split k ≫ map g ≫ join) ≫ T                →  split k ≫ map (T ≫ map g ≫ T) ≫ join
//! T ≫ map (λc. concat (f c) (g c)) ≫ T                →  λx. concat (… x) (… x)
//! T ≫ map (scan f z ≫ map g) ≫ T                      →  (T ≫ map (scan f z) ≫ T) ≫ map (map g)
//! ```
//!
//! In: any term. Out: the same, where columns are cut, put together, or scanned on the way to something else. Each number
//! of a column becomes a row of such numbers; what is computed of some of them is mapped over the columns of their rows.

use crate::expr::{
    Arg, Expr, Kind, Lambda, MapForm, Param, Primitive, apply, let_in, map_children, refresh, substitute,
};
use crate::names::Name;
use crate::nat::Nat;
use crate::rewrite::context::Reason;
use crate::rewrite::rules::support::{
    Rewritten, again, bind, inner_len, make, make_map, map_over, occurs, param1, parts, plain_map, retyped,
    zip_all,
};
use crate::types::DataType;

use super::lanes::generate;
use super::pack::{inward, outward};

/// Rows of fewer numbers fill no vectors.
const FEWEST: i64 = 8;

/// All such maps inside.
pub fn everywhere(expr: &Expr) -> Expr {
    let expr = map_children(expr, &mut everywhere);
    upright(&expr).unwrap_or(expr)
}

fn upright(expr: &Expr) -> Option<Expr> {
    let (Primitive::Transpose, [Arg::Expr(mapped)]) = expr.as_prim()? else { return None };
    let map = plain_map(mapped).ok()?;
    let (Primitive::Transpose, [Arg::Expr(rows)]) = map.xs.as_prim()? else { return None };
    // Scans alone are found where they are.
    if matches!(map.f.body.as_prim(), Some((Primitive::Scan(_), _))) {
        return None;
    }
    let width = inner_len(rows).ok().filter(|width| width.as_const().is_none_or(|width| width >= FEWEST))?;
    let mut rower = Rower { width, rows: Vec::new(), gains: false };
    let name = Param::fresh("rows", rows.ty().clone());
    rower.rows.push((param1(map.f).ok()?.clone(), name.expr()));
    let new = rower.array(&map.f.body).ok()?;
    rower.gains.then(|| bind(&name, rows, retyped(new, expr.ty())))
}

/// Makes rows of what is made of a column.
struct Rower {
    /// How many columns there are.
    width: Nat,
    /// What stands for a part of a column, and the rows of those of all columns: an array of rows for an array.
    rows: Vec<(Param, Expr)>,
    /// Whether a column is taken apart or put together.
    gains: bool,
}

impl Rower {
    /// The rows of an array, or of a tuple that holds arrays.
    fn array(&mut self, expr: &Expr) -> Rewritten {
        use Primitive::*;
        if expr.ty().is_small() {
            return self.row(expr);
        }
        if !self.depends(expr) {
            return self.of_all(expr);
        }
        match expr.kind() {
            Kind::Var(name) => self.of_name(name),
            Kind::Let(param, value, body) => {
                let value = self.array(value)?;
                let name = Param::fresh(param.name.text(), value.ty().clone());
                let body = self.with(param, name.expr(), |rower| rower.array(body))?;
                Ok(let_in(name, value, body))
            }
            Kind::Prim(primitive, args) => match (primitive, args.as_slice()) {
                (Split(_) | Join | Take(_) | Drop(_) | Concat | MakeArray, _) => {
                    self.gains = true;
                    self.same(primitive, args)
                }
                (Slide(..) | Reorder(..) | Transpose | Tuple | Proj(_) | PadClamp(..), _) => {
                    self.same(primitive, args)
                }
                (Zip, [a, b]) => {
                    let both =
                        [a, b].map(|side| side.expr().ty().as_array().is_some_and(|(_, of)| of.is_small()));
                    let zipped = self.same(primitive, args)?;
                    match both {
                        [true, true] => map_over(MapForm::Plain, "rows", zipped, |rows| {
                            make(Zip, [0, 1].map(|side| crate::expr::proj(side, rows.clone())))
                        }),
                        _ => Ok(zipped),
                    }
                }
                (PadCst(before, behind), [Arg::Expr(value), Arg::Expr(xs)]) => {
                    self.gains = true;
                    let (value, xs) = (self.row(value)?, self.array(xs)?);
                    let row = Param::fresh("row", value.ty().clone());
                    let padded = make(Concat, [generate(before.clone(), row.expr()), xs])?;
                    let padded = make(Concat, [padded, generate(behind.clone(), row.expr())])?;
                    Ok(bind(&row, &value, padded))
                }
                (Idx, [Arg::Expr(index), Arg::Expr(xs)]) if !self.depends(index) => {
                    make(Idx, [index.clone(), self.array(xs)?])
                }
                (Map(MapForm::Plain), [Arg::Fun(f), Arg::Expr(xs)]) => {
                    let (xs, x) = (self.array(xs)?, param1(f)?);
                    map_over(MapForm::Plain, x.name.text(), xs, |rows| {
                        self.with(x, rows, |rower| rower.array(&f.body))
                    })
                }
                (Scan(_), [Arg::Fun(f), Arg::Expr(start), Arg::Expr(xs)])
                    if !self.depends_on_rows(f, start) =>
                {
                    self.gains = true;
                    let columns = columns_of(self.array(xs)?, xs.ty())?;
                    let scanned = map_over(MapForm::Plain, "column", columns, |column| {
                        Ok(apply(
                            primitive.clone(),
                            vec![f.clone().into(), start.clone().into(), column.into()],
                        )?)
                    })?;
                    rows_of(scanned, expr.ty())
                }
                _ => self.by_columns(expr),
            },
            _ => self.by_columns(expr),
        }
    }

    /// The same primitive for rows.
    fn same(&mut self, primitive: &Primitive, args: &[Arg]) -> Rewritten {
        let args: Result<Vec<Expr>, Reason> = args.iter().map(|arg| self.array(arg.expr())).collect();
        make(primitive.clone(), args?)
    }

    /// The row of what is computed of one column.
    fn row(&mut self, expr: &Expr) -> Rewritten {
        let used: Vec<(Param, Expr)> =
            self.rows.iter().filter(|(param, _)| occurs(expr, param)).cloned().collect();
        let columns = used.iter().map(|(param, rows)| columns_of(again(rows), &param.ty));
        let columns: Vec<Expr> = columns.collect::<Result<_, _>>()?;
        if columns.is_empty() {
            return Ok(generate(self.width.clone(), expr.clone()));
        }
        let all = zip_all(columns)?;
        let (_, element) = all.ty().as_array().ok_or(Reason::mismatch("it is no array"))?;
        let x = Param::fresh("x", element.clone());
        let values = parts(&x.expr(), used.len());
        let body = used
            .iter()
            .zip(&values)
            .fold(refresh(expr), |body, ((param, _), value)| substitute(&body, param, value));
        make_map(MapForm::Plain, Lambda { nats: Vec::new(), params: vec![x], body }, all)
    }

    /// The rows of an array that is made column by column.
    fn by_columns(&mut self, expr: &Expr) -> Rewritten {
        rows_of(self.row(expr)?, expr.ty())
    }

    fn of_name(&self, name: &Name) -> Rewritten {
        let found = self.rows.iter().rev().find(|(param, _)| param.name == *name);
        found.map(|(_, rows)| again(rows)).ok_or(Reason::mismatch("it is of another column"))
    }

    /// The rows of an array of numbers that is the same for all columns.
    fn of_all(&self, expr: &Expr) -> Rewritten {
        match expr.ty().as_array() {
            Some((_, element)) if element.is_small() => {
                map_over(MapForm::Plain, "v", expr.clone(), |v| Ok(generate(self.width.clone(), v)))
            }
            _ => Err(Reason::refused("it is the same for all columns")),
        }
    }

    fn depends(&self, expr: &Expr) -> bool {
        self.rows.iter().any(|(param, _)| occurs(expr, param))
    }

    fn depends_on_rows(&self, f: &Lambda, start: &Expr) -> bool {
        self.depends(start) || self.depends(&f.body)
    }

    fn with(&mut self, param: &Param, rows: Expr, inner: impl FnOnce(&mut Self) -> Rewritten) -> Rewritten {
        self.rows.push((param.clone(), rows));
        let result = inner(self);
        self.rows.pop();
        result
    }
}

/// The columns of rows of something of that type.
fn columns_of(rows: Expr, ty: &DataType) -> Rewritten {
    match dimensions(ty)? {
        0 => Ok(rows),
        dimensions => outward(rows, dimensions),
    }
}

/// The reverse.
fn rows_of(columns: Expr, ty: &DataType) -> Rewritten {
    match dimensions(ty)? {
        0 => Ok(columns),
        dimensions => inward(columns, dimensions),
    }
}

/// Those of an array of numbers.
fn dimensions(ty: &DataType) -> Result<usize, Reason> {
    match ty.as_array() {
        _ if ty.is_small() => Ok(0),
        Some((_, element)) => Ok(1 + dimensions(element)?),
        None => Err(Reason::refused("it is a tuple of arrays")),
    }
}
