//! Products: two maps around a fold, each of whose operands stays the same along one of the maps.
//!
//! In: any term. Out: the same, where such nests are computed in tiles of rows by vectors whose accumulators live in
//! the machine's registers while the fold runs, on a panel of the second operand that was copied so that it is read
//! straight. Each element is folded in its own order. A product and a sum are contracted. Columns that
//! do not fill a tile are padded; rows that do not fill one go one by one, in several vectors.

use crate::expr::{Arg, Expr, Kind, Lambda, MapForm, Param, Primitive, ReduceForm};
use crate::machine::Machine;
use crate::names::Label;
use crate::nat::Nat;
use crate::rewrite::context::Context;
use crate::rewrite::engine::{Engine, Outcome};
use crate::rewrite::recipes::loops::{fuse_once, natural_width, split_by};
use crate::rewrite::recipes::nests::sort;
use crate::rewrite::recipes::support::{Tail, at, part};
use crate::rewrite::rules::split::peel_map;
use crate::rewrite::rules::support::{
    Rewritten, again, any_map, fold, len, make, make_map, operands2, plain_map, retyped,
};
use crate::rewrite::rules::{fusion, lowering};
use crate::rewrite::strategy::Path;
use crate::types::DataType;

use super::flat::flattened;
use super::pack::packed;
use super::strides::{Known, Stride};

/// The bytes of a vector of the language.
const VECTOR_BYTES: i64 = 64;

/// Most rows of a tile: each is read from memory of its own.
const ROWS: i64 = 6;

/// Vectors in a row that is computed alone, and in what is left over of it.
const NARROW: &[i64] = &[8, 2];

/// What is computed at once.
#[derive(Clone, Copy)]
struct Shape {
    rows: i64,
    /// In each row.
    vectors: i64,
    /// What becomes of columns that do not fill a tile.
    tail: Tail,
}

impl Shape {
    /// The tile that fills the registers: an accumulator for each row and vector, a vector of the panel for each
    /// column, and one for an element of the row.
    fn tile(machine: &Machine) -> Shape {
        let each = machine.registers_of(VECTOR_BYTES);
        let free = machine.registers - 1;
        let vectors = (free / (each * (ROWS + 1))).max(1);
        let rows = (free / (each * vectors) - 1).clamp(1, ROWS);
        Shape { rows, vectors, tail: Tail::Exact }
    }
}

/// A nest that was found, by its labels.
struct Nest {
    i: Label,
    j: Label,
    k: Label,
    width: i64,
    shape: Shape,
}

/// All such nests inside.
pub fn everywhere(engine: &mut Engine, body: &Expr) -> Expr {
    let mut finder = Finder { known: Known::default(), nests: Vec::new(), context: &mut engine.context };
    let marked = finder.expr(body);
    let nests = finder.nests;
    if nests.is_empty() {
        return body.clone();
    }
    let required = engine.context.required.len();
    let tiled = nests.iter().fold(marked, |current, nest| {
        let tiled = nest.tile(engine, &current).unwrap_or_else(|_| current.clone());
        // Nothing is asked of the caller.
        let asked = engine.context.required.len() > required;
        engine.context.required.truncate(required);
        if asked { current } else { tiled }
    });
    without_marks(&tiled)
}

struct Finder<'c> {
    known: Known,
    nests: Vec<Nest>,
    context: &'c mut Context,
}

impl Finder<'_> {
    fn expr(&mut self, expr: &Expr) -> Expr {
        if let Some(marked) = self.nest(expr).or_else(|| self.flat_nest(expr)) {
            return marked;
        }
        let kind = match expr.kind() {
            Kind::Var(_) | Kind::Literal(_) | Kind::Nat(_) => return expr.clone(),
            Kind::Let(param, value, body) => {
                let reads = self.known.reads(value);
                let value = self.expr(value);
                self.known.push(&param.name, reads);
                let body = self.expr(body);
                self.known.pop();
                Kind::Let(param.clone(), value, body)
            }
            Kind::Prim(primitive, args) => {
                let xs = args.last().and_then(Arg::as_expr);
                let args = args.iter().map(|arg| match arg {
                    Arg::Expr(inner) => Arg::Expr(self.expr(inner)),
                    Arg::Fun(f) => {
                        let entered = xs.is_some_and(|xs| self.known.enter(f, xs));
                        let body = self.expr(&f.body);
                        if entered {
                            self.known.pop();
                        }
                        Arg::Fun(Lambda { body, ..f.clone() })
                    }
                });
                Kind::Prim(primitive.clone(), args.collect())
            }
        };
        expr.clone().with_kind(kind)
    }

    /// The nest with its remainders apart and labels in place, if the term is one.
    fn nest(&mut self, expr: &Expr) -> Option<Expr> {
        let outer = plain_map(expr).ok()?;
        let inner = plain_map(&outer.f.body).ok()?;
        let scalar = matches!(inner.f.body.ty(), DataType::Scalar(scalar) if scalar.bytes() >= 4);
        let found = only_fold(&inner.f.body)?;
        if !scalar || !self.is_product(expr) {
            return None;
        }
        let width = natural_width(&found);
        let tile = Shape::tile(self.context.machine());
        self.mark(expr, width, tile).ok()
    }

    /// The nest that is left where maps around its rows are one map with them.
    fn flat_nest(&mut self, expr: &Expr) -> Option<Expr> {
        let (flat, length) = flattened(expr)?;
        let nest = self.nest(&flat).or_else(|| self.flat_nest(&flat))?;
        Some(retyped(make(Primitive::Split(length), [nest]).ok()?, expr.ty()))
    }

    fn is_product(&mut self, expr: &Expr) -> bool {
        let (Ok(outer), Some(x)) = (plain_map(expr), param(expr)) else { return false };
        let (Ok(inner), Some(y)) = (plain_map(&outer.f.body), param(&outer.f.body)) else { return false };
        let Some(found) = only_fold(&inner.f.body) else { return false };
        let Ok(view) = fold(&found) else { return false };
        let leaves = self.known.under(outer.f, outer.xs, |known| {
            known.under(inner.f, inner.xs, |known| known.folded(view.f, view.xs))
        });
        let by = |name: &Param| leaves.iter().any(|leaf| leaf.along(&name.name) != Stride::Same);
        let split = leaves
            .iter()
            .all(|leaf| leaf.along(&x.name) == Stride::Same || leaf.along(&y.name) == Stride::Same);
        split && by(&x) && by(&y)
    }

    /// Whole tiles of rows, then the rows that are left over.
    fn mark(&mut self, expr: &Expr, width: i64, tile: Shape) -> Rewritten {
        let rows = len(plain_map(expr)?.xs)?;
        let main = rows.div(&Nat::lit(tile.rows)) * tile.rows;
        if main == rows {
            return self.columns(expr, width, tile);
        }
        if main.is_zero() {
            return self.narrow(expr, width, NARROW);
        }
        let peeled = peel_map(expr, &main)?;
        let [first, rest] = operands2(&peeled, |p| matches!(p, Primitive::Concat))?;
        let (first, rest) = (self.columns(first, width, tile)?, self.narrow(rest, width, NARROW)?);
        Ok(retyped(make(Primitive::Concat, [first, rest])?, expr.ty()))
    }

    /// Whole tiles, then columns of one vector, the last of which is padded.
    fn columns(&mut self, expr: &Expr, width: i64, tile: Shape) -> Rewritten {
        let rest = Shape { vectors: 1, tail: Tail::Pad, ..tile };
        self.side_by_side(expr, width, tile, |finder, rest_of| finder.labelled(rest_of, width, rest))
    }

    /// Rows one after the other, in ever fewer vectors.
    fn narrow(&mut self, expr: &Expr, width: i64, vectors: &[i64]) -> Rewritten {
        let Some((first, others)) = vectors.split_first() else { return Ok(expr.clone()) };
        let shape = Shape { rows: 1, vectors: *first, tail: Tail::Exact };
        self.side_by_side(expr, width, shape, |finder, rest| finder.narrow(rest, width, others))
    }

    /// As many columns as fill whole tiles, and what the function makes of the others.
    fn side_by_side(
        &mut self,
        expr: &Expr,
        width: i64,
        shape: Shape,
        others: impl FnOnce(&mut Self, &Expr) -> Rewritten,
    ) -> Rewritten {
        let outer = plain_map(expr)?;
        let columns = len(plain_map(&outer.f.body)?.xs)?;
        let tile = Nat::lit(width * shape.vectors);
        let main = columns.div(&tile) * &tile;
        if main == columns {
            return self.labelled(expr, width, shape);
        }
        if main.is_zero() {
            return others(self, expr);
        }
        let whole = with_columns(expr, |ys| make(Primitive::Take(main.clone()), [ys]))?;
        let rest = again(&with_columns(expr, |ys| make(Primitive::Drop(main.clone()), [ys]))?);
        let whole = make(Primitive::Transpose, [self.labelled(&whole, width, shape)?])?;
        let rest = make(Primitive::Transpose, [others(self, &rest)?])?;
        let both = make(Primitive::Concat, [whole, rest])?;
        Ok(retyped(make(Primitive::Transpose, [both])?, expr.ty()))
    }

    fn labelled(&mut self, expr: &Expr, width: i64, shape: Shape) -> Rewritten {
        let number = self.nests.len();
        let label = |text: &str| Label::new(&format!("{MARK}{text}{number}"));
        let nest = Nest { i: label("i"), j: label("j"), k: label("k"), width, shape };
        let outer = plain_map(expr)?;
        let inner = plain_map(&outer.f.body)?;
        let body = mark_fold(&inner.f.body, &nest.k);
        let inner_map = make_map(MapForm::Plain, Lambda { body, ..inner.f.clone() }, inner.xs.clone())?;
        let inner_map = with(inner_map, &outer.f.body, &nest.j);
        let whole =
            make_map(MapForm::Plain, Lambda { body: inner_map, ..outer.f.clone() }, outer.xs.clone())?;
        let whole = with(whole, expr, &nest.i);
        self.nests.push(nest);
        Ok(whole)
    }
}

/// What labels of this strategy begin with.
const MARK: &str = "auto_";

fn with(expr: Expr, like: &Expr, label: &Label) -> Expr {
    let mut labels = like.labels().to_vec();
    labels.push(label.clone());
    expr.with_labels(labels).with_origin(like.origin())
}

fn without_marks(expr: &Expr) -> Expr {
    let inside = crate::expr::map_children(expr, &mut |child| without_marks(child));
    let is_mark = |label: &Label| label.text().starts_with(MARK);
    match inside.labels().iter().any(is_mark) {
        true => {
            let labels = inside.labels().iter().filter(|label| !is_mark(label)).cloned().collect();
            inside.with_labels(labels)
        }
        false => inside,
    }
}

fn param(map: &Expr) -> Option<Param> {
    any_map(map).ok()?.f.params.first().cloned()
}

fn with_columns(expr: &Expr, change: impl FnOnce(Expr) -> Rewritten) -> Rewritten {
    let outer = plain_map(expr)?;
    let inner = plain_map(&outer.f.body)?;
    let map = make_map(MapForm::Plain, inner.f.clone(), change(inner.xs.clone())?)?;
    let map = map.with_labels(outer.f.body.labels().to_vec()).with_origin(outer.f.body.origin());
    let whole = make_map(MapForm::Plain, Lambda { body: map, ..outer.f.clone() }, outer.xs.clone())?;
    Ok(whole.with_labels(expr.labels().to_vec()).with_origin(expr.origin()))
}

/// The only fold, if it is an operand and there is no other loop.
fn only_fold(body: &Expr) -> Option<Expr> {
    let mut found = None;
    let mut others = false;
    body.visit(&mut |node| match node.as_prim() {
        Some((Primitive::Reduce(ReduceForm::Plain | ReduceForm::Seq(_)), _)) if found.is_none() => {
            found = Some(node.clone());
        }
        Some((
            Primitive::Reduce(_)
            | Primitive::Scan(_)
            | Primitive::Iterate(_)
            | Primitive::ToMem(_)
            | Primitive::Select
            | Primitive::Foreign(_),
            _,
        )) => others = true,
        _ => others |= matches!(node.kind(), Kind::Let(..)),
    });
    let found = found.filter(|found| !others && matches!(found.ty(), DataType::Scalar(_)))?;
    is_operand(body, &found).then_some(found)
}

fn is_operand(body: &Expr, wanted: &Expr) -> bool {
    body.same(wanted)
        || body
            .as_prim()
            .is_some_and(|(_, args)| args.iter().filter_map(Arg::as_expr).any(|arg| is_operand(arg, wanted)))
}

fn mark_fold(body: &Expr, label: &Label) -> Expr {
    if fold(body).is_ok() {
        return with(body.clone(), body, label);
    }
    match body.as_prim() {
        Some((primitive, args)) => {
            let args = args.iter().map(|arg| match arg {
                Arg::Expr(inner) => Arg::Expr(mark_fold(inner, label)),
                Arg::Fun(f) => Arg::Fun(f.clone()),
            });
            body.clone().with_kind(Kind::Prim(primitive.clone(), args.collect()))
        }
        None => body.clone(),
    }
}

impl Nest {
    fn tile(&self, engine: &mut Engine, expr: &Expr) -> Outcome {
        let [i, j, k] = [&self.i, &self.j, &self.k].map(|label| Path(vec![label.clone()]));
        let fused = at(engine, expr, &k, "fuse", |node, _| {
            let mut current = node.clone();
            while let Ok(next) = fuse_once(&current) {
                current = next;
            }
            contracted(&current)
        })?;
        let Shape { rows, vectors, tail } = self.shape;
        let sizes = [Nat::lit(self.width * vectors), Nat::lit(self.width)];
        let tiles = split_by(engine, &fused, &j, &sizes, tail)?;
        let columns = [part(&j, "middle"), part(&j, "inner")];
        let tile = if rows > 1 {
            let tiles = split_by(engine, &tiles, &i, &[Nat::lit(rows)], Tail::Exact)?;
            let rows = part(&i, "inner");
            let order = [part(&j, "outer"), part(&i, "outer"), k.clone(), rows.clone()];
            let sorted = sort(engine, &tiles, &[&order[..], &columns].concat())?;
            at(engine, &sorted, &rows, "unroll", |node, _| unroll(node))?
        } else {
            sort(engine, &tiles, &[&[part(&j, "outer"), i.clone(), k.clone()][..], &columns].concat())?
        };
        let lanes =
            at(engine, &tile, &part(&j, "inner"), "mapVec", |node, _| lowering::choose(node, MapForm::Vec))?;
        let tile = at(engine, &lanes, &part(&j, "middle"), "unroll", |node, _| unroll(node))?;
        if rows == 1 {
            return Ok(tile);
        }
        at(engine, &tile, &part(&j, "outer"), "pack", |node, _| packed(node).or_else(|_| Ok(node.clone())))
    }
}

fn unroll(node: &Expr) -> Rewritten {
    lowering::choose(node, MapForm::Unroll)
}

/// The fold with the sums of products in its step contracted.
pub(super) fn contracted(expr: &Expr) -> Rewritten {
    let view = fold(expr)?;
    let body = contract(&view.f.body);
    let (Some((primitive, args)), true) = (expr.as_prim(), !body.same(&view.f.body)) else {
        return Ok(expr.clone());
    };
    let mut args = args.to_vec();
    args[0] = Arg::Fun(Lambda { body, ..view.f.clone() });
    Ok(expr.clone().with_kind(Kind::Prim(primitive.clone(), args)))
}

fn contract(expr: &Expr) -> Expr {
    let inside = crate::expr::map_children(expr, &mut |child| contract(child));
    fusion::contract(&inside).unwrap_or(inside)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::MACHINES;

    #[test]
    fn tiles_fill_the_registers_and_no_more() {
        let shapes: Vec<(i64, i64)> = MACHINES
            .iter()
            .map(|machine| {
                let Shape { rows, vectors, .. } = Shape::tile(machine);
                let each = machine.registers_of(VECTOR_BYTES);
                assert!((rows + 1) * vectors * each < machine.registers, "{}", machine.name);
                (rows, vectors)
            })
            .collect();
        assert_eq!(shapes, [(6, 4), (6, 1), (2, 1)]);
    }
}
