//! Columns and lanes of a nest as one row, and several rows side by side.
//!
//! In: a nest, with copies of what repeats along its lanes. Out: loops over its columns away from their borders, and what
//! is at the borders, column by column. Bands of several rows load once what all of them read.

use std::collections::HashSet;

use crate::expr::Compare;
use crate::nat::{Nat, NatVar};

use super::super::super::ir::*;
use super::super::super::walk::{self, VisitMut};
use super::super::copy::Copier;
use super::super::interior::Middle;
use super::super::strip;
use super::{MANY, Nest, Replace, lane, named};

/// Rows of those that are left over.
const FEW: i64 = 4;

/// Columns and lanes of a nest as one.
pub(super) struct Row<'a> {
    pub nest: &'a Nest<'a>,
    /// What repeats, and where its copies begin.
    pub copies: Vec<(Access, Access)>,
    /// How many columns there are away from borders.
    pub done: Nat,
}

impl Row<'_> {
    /// The columns away from their borders, of which a body is one.
    pub fn line(&self, column: &[Stmt], buffers: &mut Vec<Buffer>) -> Loop {
        let Nest { columns, lanes, inside, .. } = self.nest;
        let var = NatVar::new(lanes.var.text());
        let at = Nat::var(&var).rem(&lanes.count);
        let mut body = lane(column).to_vec();
        Replace(&mut |access| {
            if let Some((_, copy)) = self.copies.iter().find(|(from, _)| from == access) {
                *access = Access { index: &copy.index + &at, ..copy.clone() };
            }
        })
        .block(&mut body);
        let copier = Copier::new(buffers).with(&columns.var, inside.start());
        let body = copier.with(&lanes.var, Nat::var(&var)).copy(&body);
        Loop { var, count: &self.done * &lanes.count, kind: LoopKind::Vec, body }
    }

    /// The columns at the borders, one by one, each in so many rows from one on.
    pub fn borders(&self, row: &Nat, count: &Nat, buffers: &mut Vec<Buffer>) -> Option<Stmt> {
        let Nest { rows, columns, lanes, inside, .. } = self.nest;
        if inside.is_whole() {
            return None;
        }
        let [var, place] = [columns.var.text(); 2].map(NatVar::new);
        let at = inside.around(&Nat::var(&var), &self.done);
        let mut copier = Copier::new(buffers).with(&columns.var, Nat::var(&place));
        let each = match rows {
            None => copier.copy(&lanes.body),
            Some(rows) => vec![Stmt::For(one_by_one(rows, row, count, &lanes.body, copier))],
        };
        let column = Loop { body: each, ..(*lanes).clone() };
        let mut body = vec![Stmt::LetNat(place, Value::Nat(at))];
        body.extend(strip::once(&column, buffers));
        let kind = if rows.is_some() { LoopKind::Seq } else { columns.kind };
        Some(Stmt::For(Loop { var, count: &columns.count - &self.done, kind, body }))
    }

    /// Bands of rows side by side away from their borders, then one by one what is around them.
    pub fn side_by_side(&self, rows: &Loop, away: &Middle, out: &mut Block, buffers: &mut Vec<Buffer>) {
        let len = named("inside", away.len(&rows.count), out);
        // None at all, if there are not enough of them.
        let enough = Nat::min(&Nat::lit(1), &len.div(&Nat::lit(FEW)));
        let done = named("banded", len * enough, out);
        let bands = named("bands", (&done + (MANY - FEW)).div(&Nat::lit(MANY)), out);
        let around = &rows.count - &done;
        let at = Nat::var(&rows.var);
        let mut body = self.band(rows, away, [&done, &bands], buffers);
        if !around.is_zero() {
            let row = NatVar::new(rows.var.text());
            let place = Value::Nat(away.around(&(&at - &bands), &done));
            let line = strip::once(&self.line(&self.nest.inside.body, buffers), buffers);
            let mut single = Copier::new(buffers).with(&rows.var, Nat::var(&row)).copy(&line);
            single.insert(0, Stmt::LetNat(row.clone(), place));
            single.extend(self.borders(&Nat::var(&row), &Nat::lit(1), buffers));
            body = vec![Stmt::If(Value::CompareNat(Compare::Lt, at, bands.clone()), body, single)];
        }
        out.push(Stmt::For(Loop { count: bands + around, body, ..rows.clone() }));
    }

    /// Many rows side by side; the last band, of half as many or up to half as many more, ends in bands of few rows,
    /// the last of which overlaps what the band has done before.
    fn band(&self, rows: &Loop, away: &Middle, [done, bands]: [&Nat; 2], buffers: &mut Vec<Buffer>) -> Block {
        let line = self.line(&away.body, buffers);
        let first = away.start();
        let mut beside = |start: &Nat, count: i64| {
            let body = several(rows, &line.body, &(&first + start), count, buffers);
            Stmt::For(Loop { body, ..line.clone() })
        };
        let start = Nat::var(&rows.var) * MANY;
        let many = beside(&start, MANY);
        let more = (Nat::var(&rows.var) + 1).div(bands) * (done - bands * MANY);
        let mut all = Block::new();
        let mut end = &start + MANY;
        if more.is_zero() {
            all.push(many);
        } else {
            let whole = end.clone();
            end = named("end", end + more, &mut all);
            all.push(Stmt::If(Value::CompareNat(Compare::Le, whole, end.clone()), vec![many], Block::new()));
            let rest = (&end - &start).rem(&Nat::lit(MANY));
            let [var, few] = [rows.var.text(), "start"].map(NatVar::new);
            let place = Nat::min(&(&end - &rest + Nat::var(&var) * FEW), &(&end - FEW));
            let body = vec![Stmt::LetNat(few.clone(), Value::Nat(place)), beside(&Nat::var(&few), FEW)];
            all.push(Stmt::For(Loop {
                var,
                count: rest.ceil_div(&Nat::lit(FEW)),
                kind: LoopKind::Seq,
                body,
            }));
        }
        all.extend(self.borders(&(&first + &start), &(end - &start), buffers));
        all
    }
}

/// A body in each of so many rows from one on, none of which compilers may see together: they would gather elements of
/// several.
fn one_by_one(rows: &Loop, row: &Nat, count: &Nat, body: &[Stmt], copier: Copier) -> Loop {
    let [var, one] = [rows.var.text(); 2].map(NatVar::new);
    let mut all = vec![Stmt::LetNat(one.clone(), Value::Apart(row + Nat::var(&var)))];
    all.append(&mut copier.with(&rows.var, Nat::var(&one)).copy(body));
    Loop { var, count: count.clone(), kind: LoopKind::Seq, body: all }
}

/// What is done in each of so many rows from one on.
pub(super) fn several(
    rows: &Loop,
    body: &[Stmt],
    start: &Nat,
    count: i64,
    buffers: &mut Vec<Buffer>,
) -> Block {
    let row = |row: i64| Copier::new(buffers).with(&rows.var, start + row).copy(body);
    in_turn((0..count).map(row).collect())
}

/// Blocks that know nothing of each other in an order in which what one of them has read is read by others at once, and
/// needs a register no longer.
fn in_turn(blocks: Vec<Block>) -> Block {
    let mut seen: HashSet<Access> = HashSet::new();
    let mut left: Vec<_> = blocks.into_iter().map(|block| block.into_iter().peekable()).collect();
    let mut out = Block::new();
    loop {
        let ready =
            left.iter_mut().position(|block| block.peek().is_some_and(|stmt| read(stmt).is_subset(&seen)));
        let next = ready.or_else(|| left.iter_mut().position(|block| block.peek().is_some()));
        let Some(stmt) = next.and_then(|next| left[next].next()) else { return out };
        seen.extend(read(&stmt));
        out.push(stmt);
    }
}

/// What a statement reads.
fn read(stmt: &Stmt) -> HashSet<Access> {
    let mut found = HashSet::new();
    walk::accesses(std::slice::from_ref(stmt), &mut |access, write| {
        if !write {
            found.insert(access.clone());
        }
    });
    found
}
