//! The loops of one tile: accumulators in registers while the fold runs.
//!
//! In: two maps around a fold, with labels. Out: the same, where so many rows and vectors as the shape says are
//! folded side by side. Each element is folded in its own order. A product and a sum are contracted.

use crate::expr::{Arg, Binary, Expr, Kind, Lambda, MapForm, Primitive, ReduceForm, Unary, binary, call};
use crate::machine::Machine;
use crate::names::Label;
use crate::nat::Nat;
use crate::rewrite::engine::{Engine, Outcome};
use crate::rewrite::recipes::loops::{fuse_once, split_by};
use crate::rewrite::recipes::nests::sort;
use crate::rewrite::recipes::support::{Tail, at, part};
use crate::rewrite::rules::support::{Rewritten, fold};
use crate::rewrite::rules::{fusion, lowering};
use crate::rewrite::strategy::Path;
use crate::types::Scalar;

/// The bytes of a vector of the language.
pub const VECTOR_BYTES: i64 = 64;

/// Rows of a tile on the widest panel: each is read from memory of its own.
pub const ROWS: i64 = 6;

/// Columns of a piece, whose elements of several steps stay in the first cache while rows come by.
pub const PIECE: i64 = 512;

/// Steps of a fold into an accumulator that is in memory.
const STEPS: i64 = 8;

/// Vectors in a row of the widest panel.
pub const WIDEST: i64 = 8;

/// One vector of one row.
pub const ALONE: Shape = Shape { rows: 1, vectors: 1 };

/// Fewer accumulators than these wait for each other.
const FEWEST: i64 = 4;

/// Rows of a block that is copied: whole tiles of every shape.
pub const BLOCK: i64 = 2 * ROWS;

/// So many rows that lie side by side are in few lines of the cache, and need no blocks.
pub const FEW_ROWS: i64 = 64;

/// What is computed at once.
#[derive(Clone, Copy)]
pub struct Shape {
    /// Rows.
    pub rows: i64,
    /// Vectors in each row.
    pub vectors: i64,
}

impl Shape {
    /// The tile that fills the registers on a panel of so many vectors: an accumulator for each row and vector, a vector
    /// of the panel for each column, and one for an element of the row. Of those, the one that reads least for what it
    /// computes, where what comes from a panel comes from further away than what comes from rows. Few rows whose number is
    /// known are shared out evenly; others may lie in blocks.
    pub fn tile(machine: &Machine, panel: i64, rows: &Nat) -> Shape {
        let each = machine.registers_of(VECTOR_BYTES);
        let free = (machine.registers - 1) / each;
        let known = rows.as_const().filter(|rows| (1..=FEW_ROWS).contains(rows));
        let of_vectors = |vectors: i64| {
            let most = (free / vectors - 1).max(1);
            let tiles = |rows: i64| (rows + most - 1) / most;
            let rows = match known {
                Some(rows) => (rows + tiles(rows) - 1) / tiles(rows),
                None => factors(BLOCK).find(|rows| *rows <= most).unwrap_or(1),
            };
            Shape { rows, vectors }
        };
        let by_read = |shape: &Shape| {
            let columns = each * shape.vectors;
            1000 * shape.rows * columns / (shape.rows + 2 * columns)
        };
        let fitting = factors(panel).filter(|vectors| 2 * vectors <= free);
        fitting.map(of_vectors).max_by_key(by_read).unwrap_or(ALONE)
    }

    /// The tiles of rows on a panel of so many vectors, the largest first and single rows at last. Those of one vector have
    /// more rows for it: so many accumulators hide how long an operation takes.
    pub fn tiles(machine: &Machine, panel: i64, rows: &Nat) -> Vec<Shape> {
        let tile = Shape::tile(machine, panel, rows);
        let fewer = match panel {
            1 => vec![Shape { rows: FEWEST, vectors: 1 }, Shape { rows: FEWEST / 2, vectors: 1 }],
            _ => Shape::fewer(machine, panel),
        };
        std::iter::once(tile).chain(fewer).chain([Shape::alone(machine, panel)]).collect()
    }

    /// The same on a padded copy, beside which it matters little whether two rows wait for each other.
    pub fn padded(machine: &Machine, panel: i64, rows: &Nat) -> Vec<Shape> {
        match panel {
            1 => vec![Shape::tile(machine, 1, rows), Shape { rows: FEWEST, vectors: 1 }, ALONE],
            _ => Shape::tiles(machine, panel, rows),
        }
    }

    /// A row that is alone, in as many vectors at once as there are registers for.
    fn alone(machine: &Machine, panel: i64) -> Shape {
        let free = (machine.registers - 1) / machine.registers_of(VECTOR_BYTES);
        Shape { rows: 1, vectors: factors(panel).find(|vectors| *vectors <= free).unwrap_or(1) }
    }

    /// Tiles of what rows are left over, the largest first, in as many vectors at once as there are registers for with two
    /// rows, but fewer than the widest panel has: with fewer vectors more rows are no more accumulators.
    fn fewer(machine: &Machine, panel: i64) -> Vec<Shape> {
        let free = (machine.registers - 1) / machine.registers_of(VECTOR_BYTES);
        let fits = |rows: i64, vectors: i64| (rows + 1) * vectors < free;
        let vectors = factors(panel).find(|vectors| *vectors < WIDEST && fits(2, *vectors)).unwrap_or(1);
        let rows = (2..ROWS - 1).rev().filter(|rows| fits(*rows, vectors));
        rows.map(|rows| Shape { rows, vectors }).collect()
    }

    /// Rows, and as many columns, each pair of which has an accumulator, beside a vector of each column and one of a row;
    /// then half of that.
    pub fn sides(machine: &Machine) -> Vec<i64> {
        let free = (machine.registers - 1) / machine.registers_of(VECTOR_BYTES);
        let sides = std::iter::successors(Some(FEWEST), |side| Some(side / 2));
        sides.take_while(|side| *side > 1).filter(|side| (side + 1) * side < free).collect()
    }
}

/// The numbers that divide a number, the largest first.
fn factors(of: i64) -> impl Iterator<Item = i64> {
    (1..=of).rev().filter(move |factor| of % factor == 0)
}

/// A nest that was found, by its labels.
pub struct Nest {
    /// The map over rows.
    pub i: Label,
    /// The map over columns.
    pub j: Label,
    /// The fold.
    pub k: Label,
    /// Lanes of a vector.
    pub width: i64,
    /// What is computed at once.
    pub shape: Shape,
    /// In which order.
    pub way: Way,
}

/// In which order the elements of a nest are folded.
#[derive(Clone, Copy)]
pub enum Way {
    /// Several rows at a time, on a panel of so many vectors.
    Within(i64),
    /// Rows one by one, several vectors at a time.
    Along,
    /// Several steps of all folds at a time, in memory: of pieces of the columns, or of all of them.
    Down {
        /// Whether there are whole pieces.
        in_pieces: bool,
    },
}

impl Nest {
    /// The term with the nest in tiles.
    pub fn tile(&self, engine: &mut Engine, expr: &Expr) -> Outcome {
        let k = Path::new(vec![self.k.clone()]);
        let fused = at(engine, expr, &k, "fuse", |node, _| {
            let is_associative = fold(node)?.form == ReduceForm::Plain;
            let mut current = node.clone();
            while let Ok(next) = fuse_once(&current) {
                current = next;
            }
            if is_associative { contracted(&one_by_one(&current)?) } else { contracted(&current) }
        })?;
        match self.way {
            Way::Within(vectors) => self.within(engine, &fused, vectors),
            Way::Along => self.along(engine, &fused),
            Way::Down { in_pieces } => self.down(engine, &fused, in_pieces),
        }
    }

    fn paths(&self) -> [Path; 3] {
        [&self.i, &self.j, &self.k].map(|label| Path::new(vec![label.clone()]))
    }

    /// The rows of a panel of so many vectors, several at a time.
    fn within(&self, engine: &mut Engine, expr: &Expr, panel: i64) -> Outcome {
        let [i, j, k] = self.paths();
        let Shape { rows, vectors } = self.shape;
        let several = |vectors: i64| (vectors > 1).then(|| Nat::lit(self.width));
        let tiles = (panel > vectors).then(|| Nat::lit(self.width * vectors));
        let sizes: Vec<Nat> = tiles.clone().into_iter().chain(several(vectors)).collect();
        let mut current = split_by(engine, expr, &j, &sizes, Tail::Exact)?;
        let mut columns = match sizes.len() {
            0 => vec![j],
            1 => vec![part(&j, "outer"), part(&j, "inner")],
            _ => vec![part(&j, "outer"), part(&j, "middle"), part(&j, "inner")],
        };
        let tiles: Vec<Path> = columns.drain(..usize::from(tiles.is_some())).collect();
        let (lines, row) = match rows {
            1 => (i, None),
            _ => {
                current = split_by(engine, &current, &i, &[Nat::lit(rows)], Tail::Exact)?;
                (part(&i, "outer"), Some(part(&i, "inner")))
            }
        };
        let inside: Vec<Path> = row.into_iter().chain(columns).collect();
        let sorted = sort(engine, &current, &[&[lines][..], &tiles, &[k], &inside].concat())?;
        written_out(engine, &sorted, &inside)
    }

    /// Steps of the folds by several.
    fn down(&self, engine: &mut Engine, expr: &Expr, in_pieces: bool) -> Outcome {
        let [i, j, k] = self.paths();
        let steps = split_by(engine, expr, &k, &[Nat::lit(STEPS)], Tail::Peel)?;
        let (outer, inner) = (part(&k, "outer"), part(&k, "inner"));
        let sorted = match in_pieces {
            true => {
                let pieces = split_by(engine, &steps, &j, &[Nat::lit(PIECE)], Tail::Exact)?;
                sort(engine, &pieces, &[part(&j, "outer"), outer, i, part(&j, "inner"), inner.clone()])?
            }
            false => sort(engine, &steps, &[outer, i, j, inner.clone()])?,
        };
        at(engine, &sorted, &inner, "unroll", |node, _| lowering::unroll(node))
    }

    /// Rows one by one, so many columns at a time.
    fn along(&self, engine: &mut Engine, expr: &Expr) -> Outcome {
        let [i, j, k] = self.paths();
        let sizes = [Nat::lit(self.width * self.shape.vectors), Nat::lit(self.width)];
        let tiles = split_by(engine, expr, &j, &sizes, Tail::Exact)?;
        let columns = [part(&j, "middle"), part(&j, "inner")];
        let sorted = sort(engine, &tiles, &[&[part(&j, "outer"), i, k][..], &columns].concat())?;
        written_out(engine, &sorted, &columns)
    }
}

/// The last of the maps in lanes, and those before it written out.
fn written_out(engine: &mut Engine, expr: &Expr, maps: &[Path]) -> Outcome {
    maps.iter().enumerate().try_fold(expr.clone(), |expr, (position, path)| {
        match position + 1 == maps.len() {
            true => at(engine, &expr, path, "mapVec", |node, _| lowering::choose(node, MapForm::Vec)),
            false => at(engine, &expr, path, "unroll", |node, _| lowering::choose(node, MapForm::Unroll)),
        }
    })
}

/// The fold with the sums of products in its step contracted.
pub fn contracted(expr: &Expr) -> Rewritten {
    with_step(expr, contract(&fold(expr)?.f.body))
}

/// The fold, which is associative, with the terms of a sum in its step added to the accumulator one by one.
fn one_by_one(expr: &Expr) -> Rewritten {
    with_step(expr, terms_one_by_one(&fold(expr)?.f.body))
}

fn with_step(expr: &Expr, body: Expr) -> Rewritten {
    let view = fold(expr)?;
    let (Some((primitive, args)), true) = (expr.as_prim(), !body.same(&view.f.body)) else {
        return Ok(expr.clone());
    };
    let mut args = args.to_vec();
    args[0] = Arg::Fun(Lambda { body, ..view.f.clone() });
    Ok(expr.clone().with_kind(Kind::Prim(primitive.clone(), args)))
}

/// `acc + (a + b) → (acc + a) + b`, and `acc + (a - b * c) → (acc + a) + -b * c`, where a sum is associative: a product
/// and a sum are then one operation for each term.
pub fn terms_one_by_one(expr: &Expr) -> Expr {
    let Some([acc, term]) = operands_of(expr, Binary::Add) else { return expr.clone() };
    let add = |acc: &Expr, term: &Expr| {
        let sum = terms_one_by_one(&binary(Binary::Add, acc.clone(), term.clone()));
        sum.with_origin(expr.origin())
    };
    if let Some([a, b]) = operands_of(term, Binary::Add) {
        return add(&add(acc, a), b);
    }
    let Some([a, b]) = operands_of(term, Binary::Sub) else { return expr.clone() };
    match operands_of(b, Binary::Mul) {
        Some([b, c]) => {
            let negative = call(Primitive::Unary(Unary::Neg), [b.clone()]);
            add(&add(acc, a), &binary(Binary::Mul, negative, c.clone()))
        }
        None => expr.clone(),
    }
}

/// The operands of an operation on floats.
fn operands_of(expr: &Expr, op: Binary) -> Option<[&Expr; 2]> {
    match expr.as_prim()? {
        (Primitive::Binary(own), [a, b])
            if *own == op && expr.ty().scalar().is_some_and(Scalar::is_float) =>
        {
            Some([a.expr(), b.expr()])
        }
        _ => None,
    }
}

/// The term with the sums of products in it contracted.
pub fn contract(expr: &Expr) -> Expr {
    let inside = crate::expr::map_children(expr, &mut |child| contract(child));
    fusion::contract(&inside).unwrap_or(inside)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::MACHINES;
    use crate::nat::NatVar;

    /// Those whose registers differ.
    fn machines() -> impl Iterator<Item = &'static Machine> {
        MACHINES[..2].iter()
    }

    fn numbers(shapes: Vec<Shape>) -> Vec<(i64, i64)> {
        shapes.into_iter().map(|Shape { rows, vectors }| (rows, vectors)).collect()
    }

    #[test]
    fn tiles_fill_the_registers_and_no_more() {
        for machine in MACHINES {
            let each = machine.registers_of(VECTOR_BYTES);
            for panel in 1..=WIDEST {
                for number in [Nat::var(&NatVar::new("n")), Nat::lit(100), Nat::lit(8), Nat::lit(1)] {
                    for Shape { rows, vectors } in Shape::tiles(machine, panel, &number) {
                        let used = if rows == 1 { vectors } else { (rows + 1) * vectors } * each;
                        assert!(used < machine.registers, "{rows} by {vectors} on {}", machine.name);
                        assert_eq!(panel % vectors, 0);
                        assert!(BLOCK % rows == 0 || number == Nat::lit(8), "{rows}");
                    }
                }
            }
        }
        let of_rows = |panel: i64, rows: i64| {
            let shapes = machines().map(|machine| Shape::tile(machine, panel, &Nat::lit(rows)));
            numbers(shapes.collect())
        };
        let on = |panel: i64| of_rows(panel, 1000);
        assert_eq!([of_rows(3, 8), of_rows(4, 10)], [[(8, 3), (4, 1)], [(5, 4), (5, 1)]]);
        let [widest, five, three, two] = [WIDEST, 5, 3, 2].map(on);
        assert_eq!([widest, five], [[(6, 4), (6, 1)], [(4, 5), (6, 1)]]);
        assert_eq!([three, two], [[(6, 3), (6, 1)], [(12, 2), (6, 1)]]);
        let fewer = |panel: i64| machines().map(move |machine| numbers(Shape::fewer(machine, panel)));
        assert!(fewer(4).eq(fewer(WIDEST)));
        assert!(fewer(4).eq([vec![(4, 4), (3, 4), (2, 4)], vec![(2, 2)]]));
        let alone: Vec<i64> = machines().map(|machine| Shape::alone(machine, WIDEST).vectors).collect();
        assert_eq!(alone, [8, 4]);
    }
}
