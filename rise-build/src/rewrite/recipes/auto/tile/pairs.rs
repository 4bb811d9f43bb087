//! Rows and columns whose elements lie side by side, where one of them are few: each pair has an accumulator of one
//! vector, whose lanes are added up in the end.
//!
//! ```text
//! for i in 0..n / 4                      four rows
//!   for j in 0..m / 4                    four columns
//!     for k in 0..steps / 16             sixteen accumulators, from eight vectors
//! ```
//!
//! Nothing is copied. A panel of columns that few rows meet, or of few columns, is not worth what it takes to make it.

use crate::expr::{Expr, MapForm, Param, Primitive};
use crate::nat::Nat;
use crate::rewrite::recipes::auto::nest::Shape;
use crate::rewrite::recipes::auto::own::by_panels;
use crate::rewrite::recipes::auto::pack::in_order;
use crate::rewrite::recipes::auto::{When, all_hold, lanes};
use crate::rewrite::rules::split::peel_map;
use crate::rewrite::rules::support::{
    Rewritten, bind, len, make, make_map, map_over, operands2, plain_map, retyped,
};

use super::{Finder, Layout};

/// Most rows for which columns are not copied to panels.
const FEW_ALONG: i64 = 20;

/// The fewest steps for each of them: folds in lanes end with adding these up.
const STEPS_OF_EACH: i64 = 8;

/// Folds of fewer steps are not worth lanes of their own: vectors of columns are.
const LONG: i64 = 64;

/// Columns that are kept while rows come by: several times as many as go side by side.
const TOGETHER: i64 = 48;

/// When this is better than panels.
pub(super) fn are_worth_it(rows: &Nat, columns: &Nat, steps: &Nat, width: i64, layout: Layout) -> When {
    let number = fewest(rows, columns, width, layout);
    let long = (Nat::lit(LONG), steps.clone());
    let longer = (&number * STEPS_OF_EACH, steps.clone());
    all_hold([(number, Nat::lit(FEW_ALONG)), long, longer])
}

/// The number of rows, or of the columns where these are fewer and do not fill a vector of so many lanes, which counts as
/// [`FEW_ALONG`] rows do. Rows that lie across are copied, so they have to be few themselves.
fn fewest(rows: &Nat, columns: &Nat, width: i64, layout: Layout) -> Nat {
    let columns = columns + (FEW_ALONG + 1 - width);
    let is_few = |nat: &Nat| nat.as_const().is_some_and(|number| number <= FEW_ALONG);
    match layout {
        Layout::Along if is_few(&columns) && !is_few(rows) => columns,
        Layout::Along if !is_few(rows) => Nat::min(rows, &columns),
        _ => rows.clone(),
    }
}

impl Finder<'_> {
    /// The same along the elements of rows and columns; rows that lie across are copied first.
    pub(super) fn beside(&mut self, expr: &Expr, layout: Layout) -> Rewritten {
        let Layout::Across = layout else { return self.together(expr) };
        let outer = plain_map(expr)?;
        let value = in_order(outer.xs)?;
        let copy = Param::fresh("rows", value.ty().clone());
        let whole = make_map(MapForm::Plain, outer.f.clone(), copy.expr())?;
        let whole = whole.with_labels(expr.labels().to_vec()).with_origin(expr.origin());
        Ok(bind(&copy, &value, self.together(&whole)?))
    }

    /// Columns by several, on which all rows go while the second cache holds them.
    fn together(&mut self, expr: &Expr) -> Rewritten {
        let size = Nat::lit(TOGETHER);
        let sides = Shape::sides(self.context.machine());
        let most = sides.first().copied().unwrap_or(1);
        let whole = |finder: &mut Self, part: &Expr| {
            let blocks = by_panels(part, &size, |block| {
                make(Primitive::Transpose, [finder.in_pairs(&block, &sides, most).unwrap_or(block)])
            })?;
            make(Primitive::Transpose, [make(Primitive::Join, [blocks])?])
        };
        self.side_by_side(expr, &size, whole, |finder, rest| {
            Ok(finder.in_pairs(rest, &sides, most).unwrap_or_else(|_| rest.clone()))
        })
    }

    /// As many rows as there are of the first side, with as many columns, then of the next one; single rows are left to
    /// reductions.
    fn in_pairs(&mut self, expr: &Expr, sides: &[i64], columns: i64) -> Rewritten {
        let Some((side, fewer)) = sides.split_first() else { return Ok(expr.clone()) };
        let rows = len(plain_map(expr)?.xs)?;
        let main = rows.div(&Nat::lit(*side)) * *side;
        if main.is_zero() {
            return self.in_pairs(expr, fewer, columns);
        }
        if main == rows {
            return self.of_group(expr, *side, columns);
        }
        let peeled = peel_map(expr, &main)?;
        let [first, rest] = operands2(&peeled, |p| matches!(p, Primitive::Concat))?;
        let first = self.of_group(first, *side, columns)?;
        let rest = self.in_pairs(rest, fewer, columns)?;
        Ok(retyped(make(Primitive::Concat, [first, rest])?, expr.ty()))
    }

    /// Groups of so many rows, each with columns by several, and then with single ones.
    fn of_group(&mut self, expr: &Expr, rows: i64, columns: i64) -> Rewritten {
        let outer = plain_map(expr)?;
        let groups = make(Primitive::Split(Nat::lit(rows)), [outer.xs.clone()])?;
        let groups = map_over(MapForm::Plain, "rows", groups, |group| {
            let nest = make_map(MapForm::Plain, outer.f.clone(), group)?;
            self.pairs_with(&nest, columns)
        })?;
        Ok(retyped(make(Primitive::Join, [groups])?, expr.ty()))
    }

    /// Columns by so many, and then single ones, with all rows of a group.
    fn pairs_with(&mut self, expr: &Expr, columns: i64) -> Rewritten {
        let size = Nat::lit(columns);
        let whole = |finder: &mut Self, part: &Expr| {
            let tiles = by_panels(part, &size, |tile| {
                make(Primitive::Transpose, [lanes::in_pairs_of(&tile, &mut finder.known)?])
            })?;
            make(Primitive::Transpose, [make(Primitive::Join, [tiles])?])
        };
        self.side_by_side(expr, &size, whole, |finder, rest| finder.pairs_with(rest, 1))
    }
}
