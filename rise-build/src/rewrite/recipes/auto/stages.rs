//! Columns of many rows are folded in two stages: blocks of rows in parallel, and then what each block gave.
//!
//! ```text
//! T ≫ map (reduce f z)  →  λx. let partial = toMem (mapPar (T ≫ map (reduce f 0)) (split k (take (n − n%k) x))) in
//!                              map (λ(t, c). reduce f t c) (zip (map (reduce f z) (T partial)) (T (drop (n − n%k) x)))
//! ```
//!
//! In: any term. Out: the same, where no loop is around. What is beside each column stays there, and what goes along all of
//! them is in blocks as well. Where columns turn out to be few when the kernel runs, as many rows at a time as a vector has
//! lanes are one long row. Operators are re-associated, as lengths alone say.

use crate::expr::{
    AddressSpace, Arg, Expr, Kind, MapForm, Param, Primitive, let_in, refresh, refresh_lambda, to_mem,
};
use crate::names::Label;
use crate::nat::{Facts, Nat};
use crate::rewrite::condition::Said;
use crate::rewrite::context::Reason;
use crate::rewrite::predicate::computes;
use crate::rewrite::rules::folds::associative;
use crate::rewrite::rules::operators::neutral;
use crate::rewrite::rules::support::{
    Rewritten, beta_copy, component, independent, len, make, make_fold, make_map, map_over, operand, param1,
    plain_map, retyped,
};

use super::before::named_rows;
use super::narrow::{COLUMNS, Columns};
use super::sideways::fused;
use super::strides::Known;
use super::tile::{MARK, with};
use super::{When, all_hold};

/// Rows of a block.
const ROWS: i64 = 128;

/// Columns that go in pieces however many rows there are: of longer rows the next ones are not asked for early.
const PIECES: i64 = 8192;

/// Fewer columns than these make one piece or two.
const FEW: i64 = 4096;

/// So many times as many columns as rows make as many pieces as blocks.
const WIDE: i64 = 16;

/// Rows of fewer numbers fill no vector.
const SHORT: i64 = 16;

/// Rows at least where there are few columns, whose lanes are folded in the end.
const MANY: i64 = 128;

/// Numbers of a block of few columns.
const BLOCK: i64 = 1 << 16;

/// All such maps that no loop is around.
pub fn everywhere(expr: &Expr, known: &mut Known, facts: &Facts, parallel: bool) -> Expr {
    let kind = match expr.kind() {
        Kind::Var(_) | Kind::Literal(_) | Kind::Nat(_) => return expr.clone(),
        Kind::Let(param, value, body) => {
            let reads = known.named(value);
            let value = everywhere(value, known, facts, parallel);
            let body = known.with(param, reads, |known| everywhere(body, known, facts, parallel));
            Kind::Let(param.clone(), value, body)
        }
        Kind::Prim(primitive, args) => {
            if let Some(named) = named_rows(expr) {
                return everywhere(&named, known, facts, parallel);
            }
            let whole = fused(expr);
            let whole = by_element(&whole).unwrap_or(whole);
            if let Some(all) = Columns::of(&whole, known)
                && let Ok(new) = staged(&all, all.are_alike(known), facts, parallel)
            {
                return new;
            }
            let is_whole = computes(primitive)
                || matches!(
                    primitive,
                    Primitive::Tuple | Primitive::Proj(_) | Primitive::Select | Primitive::ToMem(_)
                );
            let mut chosen = facts.clone();
            if let (Primitive::Select, [Arg::Expr(condition), ..]) = (primitive, &args[..]) {
                Said::by(condition).assume(&mut chosen);
            }
            let args = args.iter().enumerate().map(|(at, arg)| match arg {
                Arg::Expr(inner) if is_whole => {
                    let facts = if at == 1 { &chosen } else { facts };
                    Arg::Expr(everywhere(inner, known, facts, parallel))
                }
                arg => arg.clone(),
            });
            Kind::Prim(primitive.clone(), args.collect())
        }
    };
    expr.clone().with_kind(kind)
}

/// `map g (T (map (map f) x)) → map (λc. g (map f c)) (T x)`
fn by_element(expr: &Expr) -> Rewritten {
    let columns = plain_map(expr)?;
    let rows = plain_map(operand(columns.xs, |primitive| matches!(primitive, Primitive::Transpose))?)?;
    let (row, each) = (param1(rows.f)?, fused(&rows.f.body));
    let each = plain_map(&each)?;
    let is_row = each.xs.is_named(&row.name);
    if !is_row || !independent(&each.f.body, rows.f) {
        return Err(Reason::refused("its rows are not computed element by element"));
    }
    let turned = make(Primitive::Transpose, [rows.xs.clone()])?;
    let turned = map_over(MapForm::Plain, "column", turned, |column| {
        Ok(beta_copy(columns.f, &[make_map(MapForm::Plain, refresh_lambda(each.f), column)?]))
    })?;
    Ok(retyped(turned, expr.ty()).with_labels(expr.labels().to_vec()).with_origin(expr.origin()))
}

/// The map in two stages where that is worth it; several rows are one where all columns are alike.
fn staged(all: &Columns<'_>, are_alike: bool, facts: &Facts, parallel: bool) -> Rewritten {
    let (rows, columns) = (len(all.rows)?, all.count()?);
    let whole = all.map.expr;
    let in_blocks = |all: &Columns<'_>| if parallel { many_in_blocks(all) } else { Ok(all.map.expr.clone()) };
    let at_least = |least: i64| (Nat::lit(least), rows.clone());
    let all_hold = |bounds: &[(Nat, Nat)]| where_known(bounds, facts);
    if let Some(few) = columns.as_const().filter(|columns| are_alike && all.are_in_registers(*columns)) {
        let size = BLOCK / few;
        let worth = if parallel { all_hold(&[at_least(2 * size)]) } else { When::Never };
        return worth.select(|| few_in_blocks(all, &Nat::lit(size)), whole);
    }
    let are_many = columns.as_const().is_none_or(|columns| columns >= COLUMNS);
    // Where several rows are one, few columns are.
    let least = Nat::lit(if are_alike { 0 } else { SHORT });
    let in_no_pieces = match are_many {
        true => all_hold(&[
            (least, columns.clone()),
            (columns.clone(), Nat::lit(PIECES - 1)),
            (columns.clone(), &rows * WIDE + FEW - 1),
        ]),
        false => When::Never,
    };
    let many = in_no_pieces.select(|| in_blocks(all), whole)?;
    let few = all_hold(&[(columns, Nat::lit(COLUMNS - 1)), at_least(MANY)]);
    let are_few = if are_alike { few } else { When::Never };
    are_few.select(|| all.in_long_rows(|lanes| in_blocks(&Columns::view(&lanes)?)), &many)
}

/// When each first number is at most the second one, of which something may be known.
fn where_known(bounds: &[(Nat, Nat)], facts: &Facts) -> When {
    match bounds.iter().any(|(least, most)| facts.proves_lt(most, least)) {
        true => When::Never,
        false => all_hold(bounds.iter().filter(|(least, most)| !facts.proves_le(least, most)).cloned()),
    }
}

/// Blocks of rows, then the rows of what they gave, and then the rows that fill no block.
fn many_in_blocks(all: &Columns<'_>) -> Rewritten {
    let blocks = Blocks::of(all, &Nat::lit(ROWS), row_by_row)?;
    let starts = row_by_row(blocks.folded(all)?);
    let both = make(Primitive::Zip, [starts, all.of_rows(blocks.rest.clone())?])?;
    let each = map_over(MapForm::Plain, "column", both, |both| {
        let column = component(1, &both);
        let total = all.folded(component(0, &both), &column, blocks.rest_along.clone())?;
        Ok(all.made_of(&total, &column))
    })?;
    Ok(let_in(blocks.name, blocks.partial, row_by_row(all.retyped(each))))
}

/// The same of few columns, which are folded one by one.
fn few_in_blocks(all: &Columns<'_>, size: &Nat) -> Rewritten {
    let (view, blocks) = (associative(&all.found)?, Blocks::of(all, size, |columns| columns)?);
    let rest = all.of_rows(blocks.rest.clone())?;
    let rest = map_over(MapForm::Plain, "column", rest, |column| {
        all.folded(neutral(view)?, &column, blocks.rest_along.clone())
    })?;
    let [starts, rest] = [blocks.folded(all)?, rest].map(|folds| to_mem(AddressSpace::Default, folds));
    let [first, second] = ["starts", "rest"].map(|text| Param::fresh(text, starts.ty().clone()));
    let both = make(Primitive::Zip, [first.expr(), second.expr()])?;
    let each = map_over(MapForm::Plain, "column", both, |both| {
        let [first, second] = [0, 1].map(|side| component(side, &both));
        Ok(all.made_of(&beta_copy(view.f, &[first, second.clone()]), &second))
    })?;
    let each = let_in(first, starts, let_in(second, rest, all.retyped(each)));
    Ok(let_in(blocks.name, blocks.partial, each))
}

/// What is folded of the columns in each block of rows, in parallel.
struct Blocks {
    name: Param,
    partial: Expr,
    /// The rows that fill no block, and what goes along them.
    rest: Expr,
    rest_along: Option<Expr>,
}

impl Blocks {
    fn of(all: &Columns<'_>, size: &Nat, columns: fn(Expr) -> Expr) -> Result<Blocks, Reason> {
        let view = associative(&all.found)?;
        let main = len(all.rows)?.div(size) * size;
        let split = |array: &Expr| {
            make(Primitive::Split(size.clone()), [make(Primitive::Take(main.clone()), [array.clone()])?])
        };
        let rest = |array: &Expr| make(Primitive::Drop(main.clone()), [refresh(array)]);
        let rows = split(all.rows)?;
        let blocks = match all.along() {
            Some(along) => make(Primitive::Zip, [rows, split(along)?])?,
            None => rows,
        };
        let partial = map_over(MapForm::Par, "block", blocks, |block| {
            let (rows, along) = match all.along() {
                Some(_) => (component(0, &block), Some(component(1, &block))),
                None => (block, None),
            };
            let each = |column: Expr| all.folded(neutral(view)?, &column, along.clone());
            Ok(columns(map_over(MapForm::Plain, "column", all.of_rows(rows)?, each)?))
        })?;
        let name = Param::fresh("partial", partial.ty().clone());
        let rest_along = all.along().map(rest).transpose()?;
        let partial = to_mem(AddressSpace::Default, partial);
        Ok(Blocks { name, partial, rest: rest(all.rows)?, rest_along })
    }

    /// The folds of what each block gave.
    fn folded(&self, all: &Columns<'_>) -> Rewritten {
        let view = associative(&all.found)?;
        let columns = make(Primitive::Transpose, [self.name.expr()])?;
        map_over(MapForm::Plain, "column", columns, |column| {
            make_fold(view.form, refresh_lambda(view.f), view.start.clone(), column)
        })
    }
}

/// The columns as they are, which are folded row by row without pieces of them.
fn row_by_row(columns: Expr) -> Expr {
    with(columns.clone(), &columns, &rows())
}

/// What says that columns go in no pieces.
pub fn rows() -> Label {
    Label::new(&format!("{MARK}rows"))
}
