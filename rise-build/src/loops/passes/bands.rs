//! Rows that are made of several rows of a temporary go in bands of columns, so that a row which is read again for the next
//! one is still in the first cache.
//!
//! ```text
//! for i in 0..32                           for b in 0..(w + 1023) / 1024
//!   for lanes j in 0..w               →      for i in 0..32
//!     y[w·i + j] = t[w·i + j]                  for lanes j in 0..min(1024, w - 1024·b)
//!       + … + t[w·i + 4·w + j]                   y[w·i + 1024·b + j] = …
//! ```
//!
//! Loops that walk through memory as one are [flattened](super::flatten) where rows are shorter than that. There tasks are
//! pieces of rows, in the order of bands, or as many elements as a task has, no matter where rows end:
//!
//! ```text
//! let tasks = if w >= 1536 { 32 · (w + 1023) / 1024 } else { (32·w + 4095) / 4096 }
//! for task in 0..tasks
//!   let start = if w >= 1536 { w · (task % 32) + 1024 · (task / 32) } else { 4096 · task }
//!   let length = …
//!   for lanes j in 0..length
//!     y[start + j] = t[start + j] + … + t[start + 4·w + j]
//! ```
//!
//! That is done of what lies inside of a loop, as strips do: other temporaries are in no cache, where a row is best read to
//! its end.

use std::collections::{BTreeMap, BTreeSet};

use crate::expr::Compare;
use crate::nat::{Facts, Nat, NatVar};
use crate::types::Scalar;

use super::super::facts::{decide, iterating};
use super::super::ir::*;
use super::super::walk::{self, VisitLoops};
use super::copy::Copier;
use super::{Options, TooLarge, flatten};

/// Bytes of the first cache that rows may take.
const HELD: i64 = 20 << 10;

/// Columns of a band are a multiple of so many.
const COLUMNS: i64 = 256;

/// So few rows are not read again often enough, and more are no strip.
const ROWS: std::ops::RangeInclusive<i64> = 8..=256;

#[allow(clippy::unnecessary_wraps)]
pub(super) fn run(kernel: &mut Kernel, options: &Options) -> Result<(), TooLarge> {
    if !options.device {
        let mut body = std::mem::take(&mut kernel.body);
        Bands { buffers: &mut kernel.buffers, depth: 0 }.block(&mut body, kernel.facts.clone());
        kernel.body = body;
    }
    Ok(())
}

struct Bands<'a> {
    buffers: &'a mut Vec<Buffer>,
    /// How many loops there are around.
    depth: usize,
}

impl VisitLoops for Bands<'_> {
    fn looped(&mut self, mut looped: Loop, facts: &mut Facts, out: &mut Block) {
        if self.depth > 0
            && let Some(bands) = self.in_bands(&looped, facts)
        {
            return out.extend(bands);
        }
        self.depth += 1;
        self.body(&mut looped, facts);
        self.depth -= 1;
        out.push(Stmt::For(looped));
    }
}

impl Bands<'_> {
    /// The same rows, column by column, if they are long and it pays.
    fn in_bands(&mut self, rows: &Loop, facts: &Facts) -> Option<Block> {
        let mut stmts = rows.body.iter().filter(|stmt| !matches!(stmt, Stmt::Comment(_)));
        let (Some(Stmt::For(row)), None) = (stmts.next(), stmts.next()) else { return None };
        let kinds = matches!(rows.kind, LoopKind::Seq | LoopKind::Par)
            && matches!(row.kind, LoopKind::Seq | LoopKind::Vec);
        let are_some = rows.count.as_const().is_some_and(|count| ROWS.contains(&count));
        if !kinds || !are_some || row.count.mentions(&rows.var) || !self.is_in_any_order(rows, row, facts) {
            return None;
        }
        let columns = columns(self.bytes_again(rows, row)?);
        let long = columns + columns / 2;
        let is_long = decide(facts, Compare::Ge, &row.count, &Nat::lit(long));
        if is_long == Some(false) {
            return None;
        }
        if let Some(flat) = flatten::flat(rows, self.buffers) {
            let is_long = Value::CompareNat(Compare::Ge, row.count.clone(), Nat::lit(long));
            return Some(self.tasks(rows, row, &flat, columns, &is_long));
        }
        Some(vec![Stmt::For(self.band(rows, row, columns))])
    }

    /// Whether all elements of all rows may be made in any order.
    fn is_in_any_order(&self, rows: &Loop, row: &Loop, facts: &Facts) -> bool {
        let mut written = BTreeSet::new();
        let mut are_apart = walk::allocated(&row.body).is_empty();
        let inside = iterating(facts, rows);
        walk::accesses(&row.body, &mut |access, writes| {
            if writes {
                written.insert(access.buffer);
                let column = access.index.affine_in(&row.var).filter(|(step, _)| step.is_one());
                let apart = column.and_then(|(_, start)| start.affine_in(&rows.var));
                are_apart &= apart.is_some_and(|(apart, _)| inside.proves_le(&row.count, &apart));
            }
        });
        walk::accesses(&row.body, &mut |access, writes| {
            are_apart &= writes || !written.contains(&access.buffer);
        });
        let mut is_known = true;
        walk::stmts(&row.body, &mut |stmt| {
            is_known &= matches!(
                stmt,
                Stmt::Comment(_)
                    | Stmt::Store(..)
                    | Stmt::Let(..)
                    | Stmt::Var(..)
                    | Stmt::Set(..)
                    | Stmt::For(_)
            );
        });
        are_apart && is_known && written.len() == 1 && sets_its_own(&row.body)
    }

    /// Bytes of temporaries that each column reads for a row, if at least two rows of three are those of the row before.
    fn bytes_again(&self, rows: &Loop, row: &Loop) -> Option<i64> {
        let counts = counts(&row.body);
        let mut places: BTreeMap<BufferId, BTreeMap<Nat, i64>> = BTreeMap::new();
        let mut is_known = true;
        walk::accesses(&row.body, &mut |access, writes| {
            let buffer = &self.buffers[access.buffer.0 as usize];
            if writes || buffer.role != Role::Heap {
                return;
            }
            let Some((apart, start)) = access.index.affine_in(&rows.var) else { return is_known = false };
            // Rows of a border are no rows of their own, and neither are other columns.
            if apart.is_zero() || start.affine_in(&row.var).is_none() {
                return is_known = false;
            }
            let (place, _) = start.divide(&apart);
            let times = place.vars().iter().filter_map(|var| counts.get(var)).product();
            places.entry(access.buffer).or_default().insert(place, times);
        });
        let of = |(id, rows): (&BufferId, &BTreeMap<Nat, i64>)| {
            let bytes = self.buffers[id.0 as usize].scalar_bytes();
            (rows.values().sum::<i64>(), bytes)
        };
        let again = places.iter().map(of).any(|(rows, _)| rows >= 3);
        let bytes = places.iter().map(of).map(|(rows, bytes)| rows * bytes).sum();
        (is_known && again).then_some(bytes)
    }

    /// `for band { for row { for columns of the band } }`
    fn band(&mut self, rows: &Loop, row: &Loop, columns: i64) -> Loop {
        let (band, var, length) = (NatVar::new("band"), NatVar::new(row.var.text()), NatVar::new("length"));
        let start = Nat::var(&band) * columns;
        let (left, count) = (&row.count - &start, row.count.ceil_div(&Nat::lit(columns)));
        let body = Copier::new(self.buffers).with(&row.var, start + Nat::var(&var)).copy(&row.body);
        let row = Loop { var, count: Nat::var(&length), body, kind: row.kind };
        let rows_of_band = Loop { body: vec![Stmt::For(row)], ..rows.clone() };
        let body = vec![
            Stmt::LetNat(length, Value::Nat(Nat::min(&Nat::lit(columns), &left))),
            Stmt::For(rows_of_band),
        ];
        Loop { var: band, count, kind: LoopKind::Seq, body }
    }

    /// Pieces of rows where these are long, and else of all rows as one.
    fn tasks(&mut self, rows: &Loop, row: &Loop, flat: &Loop, columns: i64, is_long: &Value) -> Block {
        let [number, task, start, length] = ["tasks", "task", "start", "length"].map(NatVar::new);
        let (at, size, columns) = (Nat::var(&task), Nat::lit(flatten::TASK), Nat::lit(columns));
        let column = &columns * at.div(&rows.count);
        let either = |long: Nat, short: Nat| {
            let [long, short] = [long, short].map(|nat| Value::FromNat(Scalar::U64, nat));
            Value::Select(ValueType::scalar(Scalar::U64), Box::new([is_long.clone(), long, short]))
        };
        let number_of = either(&rows.count * row.count.ceil_div(&columns), flat.count.ceil_div(&size));
        let start_of = either(&row.count * at.rem(&rows.count) + &column, &at * &size);
        let left = |whole: &Nat, from: &Nat| Nat::max(whole, from) - from;
        let length_of = either(
            Nat::min(&columns, &left(&row.count, &column)),
            Nat::min(&size, &left(&flat.count, &(&at * &size))),
        );
        let var = NatVar::new(flat.var.text());
        let place = Nat::var(&start) + Nat::var(&var);
        let body = Copier::new(self.buffers).with(&flat.var, place).copy(&flat.body);
        let piece = Loop { var, count: Nat::var(&length), kind: flat.kind, body };
        let body = vec![Stmt::LetNat(start, start_of), Stmt::LetNat(length, length_of), Stmt::For(piece)];
        let tasks = Loop { var: task, count: Nat::var(&number), kind: rows.kind, body };
        vec![Stmt::LetNat(number, number_of), Stmt::For(tasks)]
    }
}

/// Columns of a band that reads so many bytes for each.
fn columns(bytes: i64) -> i64 {
    (HELD / bytes / COLUMNS * COLUMNS).max(COLUMNS)
}

/// How often loops inside run, if that is known.
fn counts(block: &[Stmt]) -> BTreeMap<NatVar, i64> {
    let mut counts = BTreeMap::new();
    walk::stmts(block, &mut |stmt| {
        if let Stmt::For(looped) = stmt {
            counts.extend(looped.count.as_const().map(|count| (looped.var.clone(), count)));
        }
    });
    counts
}

/// Whether it sets no variable of what is around.
fn sets_its_own(block: &[Stmt]) -> bool {
    let (mut own, mut set) = (BTreeSet::new(), BTreeSet::new());
    walk::stmts(block, &mut |stmt| match stmt {
        Stmt::Var(name, ..) => _ = own.insert(name.clone()),
        Stmt::Set(name, _) => _ = set.insert(name.clone()),
        _ => {}
    });
    set.is_subset(&own)
}
