//! Products: two maps around a fold, each of whose operands stays the same along one of the maps.
//!
//! In: any term. Out: the same, where such nests are computed in tiles of rows by vectors whose accumulators live in the
//! machine's registers while the fold runs, on a panel of the second operand that was copied so that it is read straight.
//! Columns that do not fill a panel go vector by vector, in narrower tiles; the last ones, which fill no vector, make up
//! a padded one, or are folded one by one along the rows if they are few. Where their number is known they are a panel of
//! as many vectors as they fill. Rows that do not fill a tile go in smaller ones, and at last one by one. Where there are
//! fewer rows than a tile has, which is known when the kernel runs, and columns that are large for so many rows, these
//! are gone through once: several of their elements at a time, of pieces of the columns. So are rows and columns that are
//! few, both of which lie across and are so long that copies of them would be large. Few columns whose elements lie side
//! by side, or such that few rows meet, stay where they are, and are folded along their elements. So do windows that share
//! elements: tiles read them where they lie.

mod dimensions;
mod pairs;

use crate::expr::{AddressSpace, Arg, Expr, Kind, Lambda, MapForm, Param, Primitive, ReduceForm, to_mem};
use crate::names::Label;
use crate::nat::{Nat, Obligation};
use crate::rewrite::context::{Context, Reason};
use crate::rewrite::engine::{Engine, holds};
use crate::rewrite::recipes::loops::natural_width;
use crate::rewrite::recipes::support::at;
use crate::rewrite::rules::split::peel_map;
use crate::rewrite::rules::support::{
    Rewritten, again, any_map, bind, fold, independent, len, make, make_map, map_over, may_be_undefined,
    occurs, operands2, plain_map, retyped,
};
use crate::rewrite::strategy::Path;
use crate::types::DataType;

use super::before::{Before, around, takes_loops};
use super::flat::with_flat_sums;
use super::lanes;
use super::nest::{ALONE, BLOCK, FEW_ROWS, Nest, PIECE, ROWS, Shape, VECTOR_BYTES, WIDEST, Way};
use super::own::{apart, by_columns, by_panels, columns, with_all, with_columns, with_part};
use super::pack::{in_blocks, in_order, packed, padded, with_padding};
use super::strides::{Known, Leaf, Stride, descend};
use super::{When, all_hold, where_it_works};

/// Vectors in a row of a panel, the widest first. The last ones are as wide as the widest tile; twice as many halve how
/// often rows are read, which may come from far.
const PANELS: [i64; 2] = [WIDEST, 4];

/// Vectors of a panel that the second cache holds beside the rows, also where it is small: 640 KiB.
const HELD: i64 = 10 << 10;

/// Vectors of a panel that the first cache holds beside rows.
const NEAR: i64 = 512;

/// Most columns that cost less one by one, for which the lanes of a vector are added up, than as part of a vector.
const FEW: i64 = 4;

/// Bytes of columns, for each row, from which on they are gone through once: no cache close to a core holds them, and
/// more rows take longer themselves than a tile of them waits for columns.
const LARGE: i64 = 3 << 20;

/// The longest rows and columns of a result that is kept close while folds that are long go by.
const SHORT: i64 = 64;

/// Bytes of copies that no cache keeps, and soon no allocator: to get fresh memory takes longer than the folds.
const LONG: i64 = 28 << 20;

/// Vectors in a row that is computed alone, and in what is left over of it.
const NARROW: &[i64] = &[8, 2];

/// All such nests inside.
pub fn everywhere(engine: &mut Engine, body: &Expr) -> Expr {
    let mut finder = Finder {
        known: Known::default(),
        nests: Vec::new(),
        panels: Vec::new(),
        in_place: false,
        context: &mut engine.context,
    };
    let marked = finder.expr(body);
    let (nests, panels) = (finder.nests, finder.panels);
    if nests.is_empty() {
        return body.clone();
    }
    let tiled = nests.iter().fold(marked, |current, nest| {
        where_it_works(engine, &current, &nest.i, &mut |engine, node| nest.tile(engine, node))
    });
    let packed = panels.into_iter().fold(tiled, |current, panel| {
        let packed = at(engine, &current, &Path::new(vec![panel]), "pack", |node, _| packed(node));
        packed.unwrap_or(current)
    });
    without_marks(&packed)
}

/// How rows lie in memory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// The elements of a row side by side, or in a way that is not understood.
    Along,
    /// The rows side by side: what a tile of them reads in a step lies together, far from that of the next step.
    Across,
}

/// How the columns of a product lie in memory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Columns {
    /// The elements of a column side by side.
    Along,
    /// The columns side by side: an element of each, far from the next ones.
    Down,
    /// Both: windows that share elements.
    Windows,
    /// Otherwise, or in a way that is not understood.
    Mixed,
}

struct Finder<'c> {
    known: Known,
    nests: Vec<Nest>,
    /// The maps over panels.
    panels: Vec<Label>,
    /// Whether the columns of the nest at hand are read where they lie.
    in_place: bool,
    context: &'c mut Context,
}

impl Finder<'_> {
    fn expr(&mut self, expr: &Expr) -> Expr {
        if let Some(marked) = self
            .nest(expr)
            .or_else(|| self.flat_nest(expr))
            .or_else(|| self.flat_columns(expr))
            .or_else(|| self.nest_for_each(expr))
        {
            return marked;
        }
        descend(self, |finder| &mut finder.known, expr, Self::expr)
    }

    /// The nest with its remainders apart and labels in place, if the term is one.
    fn nest(&mut self, expr: &Expr) -> Option<Expr> {
        let mut before = Before::default();
        let expr = &apart(&with_flat_sums(expr).ok()?).ok()?;
        let expr = &before.nest(expr, &self.context.facts()).ok()?;
        let inner = plain_map(&plain_map(expr).ok()?.f.body).ok()?;
        let scalar = matches!(inner.f.body.ty(), DataType::Scalar(scalar) if scalar.bytes() >= 4);
        let found = only_fold(&inner.f.body)?;
        let (layout, columns) = self.product(expr).filter(|_| scalar)?;
        let width = natural_width(&found);
        let marked = self.mark(expr, width, layout, columns).ok()?;
        let values = before.0.into_iter().map(|(param, value)| (param, self.expr(&value)));
        let values = values.collect();
        Some(around(values, marked))
    }

    /// How rows and columns lie, if the term is a product.
    fn product(&mut self, expr: &Expr) -> Option<(Layout, Columns)> {
        let (Ok(outer), Some(x)) = (plain_map(expr), param(expr)) else { return None };
        let (Ok(inner), Some(y)) = (plain_map(&outer.f.body), param(&outer.f.body)) else { return None };
        let view = only_fold(&inner.f.body)?;
        let view = fold(&view).ok()?;
        let leaves = self.known.under(outer.f, outer.xs, |known| {
            known.under(inner.f, inner.xs, |known| known.folded(view.f, view.xs))
        });
        let step = &view.f.params.last()?.name;
        let by = |leaf: &Leaf, name: &Param| leaf.along(&name.name) != Stride::Same;
        let (of_rows, of_columns): (Vec<&Leaf>, Vec<&Leaf>) =
            leaves.iter().filter(|leaf| by(leaf, &x) || by(leaf, &y)).partition(|leaf| by(leaf, &x));
        if of_rows.is_empty() || of_columns.is_empty() || of_rows.iter().any(|leaf| by(leaf, &y)) {
            return None;
        }
        let across = |leaf: &&Leaf| leaf.along(step) == Stride::Far && leaf.along(&x.name) == Stride::Next;
        let down = |leaf: &&Leaf| leaf.along(step) == Stride::Far && leaf.along(&y.name) == Stride::Next;
        let along = |leaf: &&Leaf| leaf.along(step) == Stride::Next && leaf.along(&y.name) == Stride::Far;
        let both = |leaf: &&Leaf| leaf.along(step) == Stride::Next && leaf.along(&y.name) == Stride::Next;
        let columns = match () {
            () if of_columns.iter().all(both) => Columns::Windows,
            () if of_columns.iter().all(down) => Columns::Down,
            () if of_columns.iter().all(along) => Columns::Along,
            () => Columns::Mixed,
        };
        Some((if of_rows.iter().all(across) { Layout::Across } else { Layout::Along }, columns))
    }

    /// The nest as it is best for any number of columns: few of them, where rows lie across, as few rows are.
    fn mark(&mut self, expr: &Expr, width: i64, layout: Layout, columns: Columns) -> Rewritten {
        let many = self.rows_of(expr, width, layout, columns)?;
        let few = match layout {
            Layout::Across => exchanged(&again(expr)).and_then(|nest| self.down(&nest, width)),
            Layout::Along => return Ok(many),
        };
        let number = len(plain_map(&plain_map(expr)?.f.body)?.xs)?;
        match (few, all_hold([(number, Nat::lit(FEW))])) {
            (Err(_), _) | (_, When::Never) => Ok(many),
            (Ok(few), when) => {
                // Accumulators lie side by side, which elements of the result do not.
                let few = make(Primitive::Transpose, [to_mem(AddressSpace::Default, few)])?;
                let few = map_over(MapForm::Plain, "row", few, |row| map_over(MapForm::Plain, "v", row, Ok))?;
                when.select(|| Ok(retyped(few, expr.ty())), &many)
            }
        }
    }

    /// Tiles on panels, or what is better for fewer rows than a tile has.
    fn rows_of(&mut self, expr: &Expr, width: i64, layout: Layout, columns: Columns) -> Rewritten {
        let outer = plain_map(expr)?;
        let inner = plain_map(&outer.f.body)?;
        let view = only_fold(&inner.f.body).ok_or(Reason::mismatch("there is no fold"))?;
        let (rows, steps) = (len(outer.xs)?, len(fold(&view)?.xs)?);
        let few = (rows.clone(), Nat::lit(ROWS - 1));
        let (of_few, when) = match columns {
            Columns::Down => {
                let (columns, each) = (len(inner.xs)?, &steps * (VECTOR_BYTES / width));
                let large = all_hold([few, (&rows * LARGE, &columns * &each)]);
                let long = match layout {
                    Layout::Across => {
                        let whole = |length: &Nat, of: i64| length.ceil_div(&Nat::lit(of)) * of;
                        let both = (whole(&rows, BLOCK) + whole(&columns, width)) * each;
                        let short = [&rows, &columns].map(|length| (length.clone(), Nat::lit(SHORT)));
                        all_hold(short.into_iter().chain([(Nat::lit(LONG), both)]))
                    }
                    Layout::Along => When::Never,
                };
                (self.down(expr, width)?, large.or(long))
            }
            Columns::Along => {
                let when = match slides(outer.xs).max(slides(inner.xs)) {
                    0 | 1 => pairs::are_worth_it(&rows, &len(inner.xs)?, &steps, width, layout),
                    // Lines of windows lie apart.
                    _ => When::Never,
                };
                (self.beside(expr, layout)?, when)
            }
            Columns::Mixed => (self.narrow(expr, width, NARROW)?, all_hold([few])),
            Columns::Windows => (expr.clone(), When::Never),
        };
        // Copies would share nothing.
        let outside = std::mem::replace(&mut self.in_place, columns == Columns::Windows);
        let tiles = self.tiles(&again(expr), width, layout);
        self.in_place = outside;
        match (when, tiles) {
            (When::Always, _) => Ok(of_few),
            (few, Ok(panels)) => few.select(|| Ok(of_few), &panels),
            (_, Err(_)) => self.narrow(&again(expr), width, NARROW),
        }
    }

    /// Columns in pieces, down which each row goes several steps at a time.
    fn down(&mut self, expr: &Expr, width: i64) -> Rewritten {
        let piece = |way: Way| move |finder: &mut Self, part: &Expr| finder.labelled(part, width, ALONE, way);
        self.side_by_side(
            expr,
            &Nat::lit(PIECE),
            piece(Way::Down { in_pieces: true }),
            piece(Way::Down { in_pieces: false }),
        )
    }

    /// Tiles on panels; rows that lie across are copied first.
    fn tiles(&mut self, expr: &Expr, width: i64, layout: Layout) -> Rewritten {
        let outer = plain_map(expr)?;
        let is_few = len(outer.xs)?.as_const().is_some_and(|rows| rows <= FEW_ROWS);
        if layout == Layout::Along || is_few {
            return self.panels(expr, width);
        }
        in_blocks(outer.xs.clone(), BLOCK, |rows| {
            let whole = make_map(MapForm::Plain, outer.f.clone(), rows)?;
            let whole = whole.with_labels(expr.labels().to_vec()).with_origin(expr.origin());
            self.panels(&whole, width)
        })
    }

    /// Panels, the widest first, then what is left over.
    fn panels(&mut self, expr: &Expr, width: i64) -> Rewritten {
        let all = match len(&columns(expr)?)?.as_const() {
            None => self.from_panels(expr, width, &PANELS[usize::from(self.in_place)..])?,
            Some(length) => {
                let [wide, narrow] = PANELS.map(|most| vectors(length, width).min(most));
                let (machine, rows) = (self.context.machine(), len(plain_map(expr)?.xs)?);
                let [of_wide, of_narrow] = [wide, narrow].map(|panel| Shape::tile(machine, panel, &rows));
                let held = if of_wide.rows < of_narrow.rows { NEAR } else { HELD } / wide;
                match all_hold([(Nat::lit(narrow + 1), Nat::lit(wide)), (steps(expr)?, Nat::lit(held))]) {
                    When::Always => self.known(expr, width, wide)?,
                    held => {
                        let in_narrow = self.known(&again(expr), width, narrow)?;
                        held.select(|| self.known(expr, width, wide), &in_narrow)?
                    }
                }
            }
        };
        Ok(retyped(make(Primitive::Transpose, [all])?, expr.ty()))
    }

    /// A known number of columns in panels of so many vectors, and the others in one, which is padded to whole vectors
    /// where more than a few columns would be left over.
    fn known(&mut self, expr: &Expr, width: i64, panel: i64) -> Rewritten {
        let length = len(&columns(expr)?)?.as_const().ok_or(Reason::mismatch("their number is not known"))?;
        let main = match (length / (width * panel), length % width) {
            (0, _) if length < width => return self.part_of_vector(expr, width),
            (0, few) if few > FEW => return self.padded(expr, width, vectors(length, width)),
            (0, few) => length - few,
            (panels, _) => width * panel * panels,
        };
        let panel = (main / width).min(panel);
        match main == length {
            true => self.exact(expr, width, panel),
            false => self.divided(
                expr,
                &Nat::lit(main),
                |finder, part| finder.exact(part, width, panel),
                |finder, rest| finder.known(rest, width, panel),
            ),
        }
    }

    /// The columns of the result in panels of so many vectors, as long as columns fill any, then of the next number. At
    /// last come panels of one vector, and what is left over of those.
    fn from_panels(&mut self, expr: &Expr, width: i64, panels: &[i64]) -> Rewritten {
        let length = len(&columns(expr)?)?;
        let vectors = panels.first().copied().unwrap_or(1);
        let whole = Nat::lit(width * vectors);
        let main = length.div(&whole) * &whole * held(expr, vectors)?;
        if main == length {
            return self.exact(expr, width, vectors);
        }
        self.divided(
            expr,
            &main,
            |finder, part| finder.exact(part, width, vectors),
            |finder, rest| match panels.split_first() {
                Some((_, narrower)) => finder.from_panels(rest, width, narrower),
                None => finder.part_of_vector(rest, width),
            },
        )
    }

    /// What two functions make of so many columns and of the others, which come after them.
    fn divided(
        &mut self,
        expr: &Expr,
        main: &Nat,
        first: impl FnOnce(&mut Self, &Expr) -> Rewritten,
        others: impl FnOnce(&mut Self, &Expr) -> Rewritten,
    ) -> Rewritten {
        let part =
            |part: fn(Nat) -> Primitive| with_part(expr, |columns| make(part(main.clone()), [columns]));
        let others = others(self, &again(&part(Primitive::Drop)?))?;
        if main.is_zero() {
            return Ok(others);
        }
        make(Primitive::Concat, [first(self, &part(Primitive::Take)?)?, others])
    }

    /// Columns that fill no vector: up to [`FEW`] of them one by one, where the fold can go in lanes, and more as a
    /// padded one.
    fn part_of_vector(&mut self, expr: &Expr, width: i64) -> Rewritten {
        let length = len(&columns(expr)?)?;
        let few = match length.as_const() {
            Some(length) if length > FEW => Err(Reason::refused("they are many")),
            _ => self.one_by_one(expr),
        };
        match few {
            Ok(few) if length.as_const().is_some() => Ok(few),
            Ok(few) => {
                let many = self.padded(&again(expr), width, 1)?;
                let is_few = holds(&Obligation::Le(length, Nat::lit(FEW)));
                make(Primitive::Select, [is_few, few, many])
            }
            Err(_) if is_small(expr, &length)? => Err(Reason::refused("it is computed without vectors")),
            Err(_) => self.padded(expr, width, 1),
        }
    }

    /// The columns of the result, each from a copy of that of the operand: the fold goes along rows, in lanes.
    fn one_by_one(&mut self, expr: &Expr) -> Rewritten {
        let outer = plain_map(expr)?;
        if slides(outer.xs) > 1 {
            return Err(Reason::refused("lines of windows lie apart"));
        }
        by_columns(expr, |column, element| {
            let value = in_order(&column)?;
            let copy = Param::fresh("copy", value.ty().clone());
            let body = element(copy.expr())?;
            let rows = make_map(MapForm::Plain, Lambda { body, ..outer.f.clone() }, outer.xs.clone())?;
            let reads = self.known.reads(&value);
            let rows = self.known.with(&copy, reads, |known| lanes::in_one_vector(&rows, known))?;
            Ok(bind(&copy, &value, rows))
        })
    }

    /// The columns of the result, from a copy of those of the operand that is padded to so many vectors.
    fn padded(&mut self, expr: &Expr, width: i64, vectors: i64) -> Rewritten {
        let columns = columns(expr)?;
        may_be_undefined(plain_map(&plain_map(expr)?.f.body)?.xs)?;
        let length = len(&columns)?;
        let padding = Nat::lit(width * vectors) - &length;
        let tiles = Shape::padded(self.context.machine(), vectors, &len(plain_map(expr)?.xs)?);
        padded(columns, &padding, |columns| {
            let expr = with_columns(expr, columns, |own| with_padding(own, &padding))?;
            let rows = self.rows(&expr, &tiles, &|finder, rows, shape| {
                finder.part_of_tiles(rows, width, shape, vectors, &length)
            })?;
            make(Primitive::Transpose, [rows])
        })
    }

    /// The columns of the result, panel by panel of so many vectors: tiles of rows and then single ones.
    fn exact(&mut self, expr: &Expr, width: i64, vectors: i64) -> Rewritten {
        let label = (!self.in_place).then(|| Label::new(&format!("{MARK}p{}", self.panels.len())));
        self.panels.extend(label.clone());
        let tiles = Shape::tiles(self.context.machine(), vectors, &len(plain_map(expr)?.xs)?);
        let panels = by_panels(expr, &Nat::lit(width * vectors), |panel| {
            let rows = self.rows(&panel, &tiles, &|finder, rows, shape| {
                finder.labelled(rows, width, shape, Way::Within(vectors))
            })?;
            make(Primitive::Transpose, [rows])
        })?;
        make(Primitive::Join, [panels.with_labels(label.into_iter().collect())])
    }

    /// What a function makes of rows that fill whole tiles, the largest ones first; the last shape is that of single rows.
    fn rows(
        &mut self,
        expr: &Expr,
        tiles: &[Shape],
        whole: &dyn Fn(&mut Self, &Expr, Shape) -> Rewritten,
    ) -> Rewritten {
        let Some((shape, others)) = tiles.split_first() else { return Ok(expr.clone()) };
        let rows = len(plain_map(expr)?.xs)?;
        let main = rows.div(&Nat::lit(shape.rows)) * shape.rows;
        if main == rows {
            return whole(self, expr, *shape);
        }
        if main.is_zero() {
            return self.rows(expr, others, whole);
        }
        let peeled = peel_map(expr, &main)?;
        let [first, rest] = operands2(&peeled, |p| matches!(p, Primitive::Concat))?;
        let first = whole(self, first, *shape)?;
        let rest = self.rows(rest, others, whole)?;
        let both = make(Primitive::Concat, [first, rest])?;
        let element = both.ty().as_array().ok_or(Reason::mismatch("it is no array"))?.1.clone();
        Ok(retyped(both, &DataType::array(rows, element)))
    }

    /// Rows that fill tiles on padded columns: each tile is stored, and so many of its columns are taken.
    fn part_of_tiles(
        &mut self,
        expr: &Expr,
        width: i64,
        shape: Shape,
        vectors: i64,
        columns: &Nat,
    ) -> Rewritten {
        let outer = plain_map(expr)?;
        let tiles = make(Primitive::Split(Nat::lit(shape.rows)), [outer.xs.clone()])?;
        let tiles = map_over(MapForm::Plain, "tile", tiles, |tile| {
            let rows = make_map(MapForm::Plain, outer.f.clone(), tile)?;
            let rows = self.labelled(&rows, width, shape, Way::Within(vectors))?;
            map_over(MapForm::Plain, "row", to_mem(AddressSpace::Default, rows), |row| {
                map_over(MapForm::Plain, "v", make(Primitive::Take(columns.clone()), [row])?, Ok)
            })
        })?;
        make(Primitive::Join, [tiles])
    }

    /// Rows one after the other, in ever fewer vectors.
    fn narrow(&mut self, expr: &Expr, width: i64, vectors: &[i64]) -> Rewritten {
        let Some((first, others)) = vectors.split_first() else { return Ok(expr.clone()) };
        let shape = Shape { rows: 1, vectors: *first };
        let tile = Nat::lit(width * shape.vectors);
        let whole = |finder: &mut Self, part: &Expr| finder.labelled(part, width, shape, Way::Along);
        self.side_by_side(expr, &tile, whole, |finder, rest| finder.narrow(rest, width, others))
    }

    /// What the first function makes of as many columns as fill whole tiles, and the second one of the others.
    fn side_by_side(
        &mut self,
        expr: &Expr,
        tile: &Nat,
        whole: impl FnOnce(&mut Self, &Expr) -> Rewritten,
        others: impl FnOnce(&mut Self, &Expr) -> Rewritten,
    ) -> Rewritten {
        let outer = plain_map(expr)?;
        let columns = len(plain_map(&outer.f.body)?.xs)?;
        let main = columns.div(tile) * tile;
        if main == columns {
            return whole(self, expr);
        }
        if main.is_zero() {
            return others(self, expr);
        }
        let cut = |part: &dyn Fn(Expr) -> Rewritten| with_part(expr, part).or_else(|_| with_all(expr, part));
        let first = cut(&|ys| make(Primitive::Take(main.clone()), [ys]))?;
        let rest = again(&cut(&|ys| make(Primitive::Drop(main.clone()), [ys]))?);
        let first = make(Primitive::Transpose, [whole(self, &first)?])?;
        let rest = make(Primitive::Transpose, [others(self, &rest)?])?;
        let both = make(Primitive::Concat, [first, rest])?;
        Ok(retyped(make(Primitive::Transpose, [both])?, expr.ty()))
    }

    fn labelled(&mut self, expr: &Expr, width: i64, shape: Shape, way: Way) -> Rewritten {
        let number = self.nests.len();
        let label = |text: &str| Label::new(&format!("{MARK}{text}{number}"));
        let nest = Nest { i: label("i"), j: label("j"), k: label("k"), width, shape, way };
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

/// 1 where a panel of so many vectors stays in the second cache while rows come by, and 0 where it is a wide one and does
/// not.
fn held(expr: &Expr, vectors: i64) -> Result<Nat, Reason> {
    match vectors < WIDEST {
        true => Ok(Nat::lit(1)),
        false => Ok(Nat::min(&Nat::lit(1), &Nat::lit(HELD / vectors + 1).div(&(steps(expr)? + 1)))),
    }
}

/// How many vectors so many elements fill, the last of them perhaps in part; one for none.
fn vectors(elements: i64, width: i64) -> i64 {
    ((elements + width - 1) / width).max(1)
}

/// Over how much the nest folds.
fn steps(expr: &Expr) -> Result<Nat, Reason> {
    let inner = plain_map(&plain_map(expr)?.f.body)?;
    let view = only_fold(&inner.f.body).ok_or(Reason::mismatch("there is no fold"))?;
    len(fold(&view)?.xs)
}

/// The nest with rows and columns exchanged.
fn exchanged(expr: &Expr) -> Rewritten {
    let outer = plain_map(expr)?;
    let inner = plain_map(&outer.f.body)?;
    if !independent(inner.xs, outer.f) {
        return Err(Reason::refused("each row has columns of its own"));
    }
    let rows = Lambda { body: inner.f.body.clone(), ..outer.f.clone() };
    let body = make_map(MapForm::Plain, rows, outer.xs.clone())?;
    make_map(MapForm::Plain, Lambda { body, ..inner.f.clone() }, inner.xs.clone())
}

/// In how many directions windows slide.
fn slides(xs: &Expr) -> usize {
    let mut found = 0;
    xs.visit(&mut |node| found += usize::from(matches!(node.as_prim(), Some((Primitive::Slide(..), _)))));
    found
}

/// What labels of this strategy begin with.
pub(super) const MARK: &str = "auto_";

pub(super) fn with(expr: Expr, like: &Expr, label: &Label) -> Expr {
    let mut labels = like.labels().to_vec();
    labels.push(label.clone());
    expr.with_labels(labels).with_origin(like.origin())
}

pub(super) fn without_marks(expr: &Expr) -> Expr {
    if !expr.is_labelled() {
        return expr.clone();
    }
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

pub(super) fn param(map: &Expr) -> Option<Param> {
    any_map(map).ok()?.f.params.first().cloned()
}

/// The only fold, if it is an operand and there is no other loop.
pub(super) fn only_fold(body: &Expr) -> Option<Expr> {
    match <[Expr; 1]>::try_from(only_folds(body)) {
        Ok([found]) => Some(found),
        Err(_) => None,
    }
}

/// The only fold to a number or several at once, where scalars that are no folds may have names, and be chosen by conditions.
pub(super) fn only_fold_of_computed(body: &Expr) -> Option<Expr> {
    let is_fold = |node: &Expr| matches!(node.as_prim(), Some((Primitive::Reduce(_), _)));
    let is_computed = |node: &Expr| matches!(node.ty(), DataType::Scalar(_)) && !node.any(&is_fold);
    <[Expr; 1]>::try_from(folds_beside(body, &is_computed, DataType::is_numbers)).ok().map(|[found]| found)
}

/// The folds of scalars, if they are operands and there is no other loop.
pub(super) fn only_folds(body: &Expr) -> Vec<Expr> {
    folds_beside(body, &|_| false, |ty| matches!(ty, DataType::Scalar(_)))
}

/// The folds of scalars, if they are operands, also of what has a name, and none is made of another one.
pub(super) fn folds_apart(element: &Expr) -> Option<Vec<Expr>> {
    let Kind::Let(param, value, body) = element.kind() else {
        let folds = only_folds(element);
        return (!folds.is_empty() || !takes_loops(element)).then_some(folds);
    };
    let (before, behind) = (folds_apart(value)?, folds_apart(body)?);
    let are_apart = !behind.iter().any(|found| occurs(found, param));
    are_apart.then(|| [before, behind].concat())
}

/// The folds to such types, if what has a name or is chosen by a condition is as it may be.
fn folds_beside(body: &Expr, may_be: &dyn Fn(&Expr) -> bool, is_result: fn(&DataType) -> bool) -> Vec<Expr> {
    let (mut folds, mut others) = (0, false);
    body.visit(&mut |node| match node.kind() {
        Kind::Let(..) | Kind::Prim(Primitive::Select, _) if may_be(node) => {}
        Kind::Prim(Primitive::Reduce(_), _) => folds += 1,
        Kind::Let(..)
        | Kind::Prim(
            Primitive::Scan(_)
            | Primitive::Iterate(_)
            | Primitive::Update
            | Primitive::ToMem(_)
            | Primitive::Select
            | Primitive::Foreign(_),
            _,
        ) => others = true,
        _ => {}
    });
    let mut found = Vec::new();
    folded_operands(body, is_result, &mut found);
    if others || folds > found.len() {
        found.clear();
    }
    found
}

fn folded_operands(expr: &Expr, is_result: fn(&DataType) -> bool, out: &mut Vec<Expr>) {
    match expr.as_prim() {
        Some((Primitive::Reduce(ReduceForm::Plain | ReduceForm::Seq(_)), _)) if is_result(expr.ty()) => {
            out.push(expr.clone());
        }
        Some((_, args)) => {
            args.iter().filter_map(Arg::as_expr).for_each(|arg| folded_operands(arg, is_result, out));
        }
        None => {}
    }
}

pub(super) fn mark_fold(body: &Expr, label: &Label) -> Expr {
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

/// Whether rows are folds of few elements to few columns, as of points by a matrix: most of a padded vector would be
/// computed, and stored, for nothing.
fn is_small(expr: &Expr, columns: &Nat) -> Result<bool, Reason> {
    let few = |length: &Nat| length.as_const().is_some_and(|length| length <= FEW);
    Ok(few(columns) && few(&steps(expr)?))
}
