//! Transpositions between rows that each begin one element further than a line go in slants.
//!
//! ```text
//! for i in 0..m / 32 and line in 0..lines, in blocks
//!   y[n·(32·i) + first + 16·line; n] = transpose(x[m·(first + 16·line) + 32·i; m]), slanted
//! … in squares what rows have before and after these lines
//! … in squares the rows that are left
//! ```
//!
//! In squares each vector would lie in two lines, where it is read and where it is written. Slants read and write whole
//! lines, once each but for those between two slants, so that it does not matter either how these crowd in the cache. The
//! pages of a block are few enough for the CPU to know where they lie.

use crate::expr::{Binary, Compare};
use crate::nat::{Nat, NatVar};
use crate::types::Scalar;

use super::super::ir::*;
use super::crowded::Crossing;
use super::transpose::counted;

/// Elements of a line. Where there are fewer, slants are narrow, and pieces of squares are as good.
const LANES: i64 = 16;

/// Shorter rows, in vectors, have too little between their ends.
const LEAST: i64 = 16;

/// So many times what is large is written past the caches: it takes that before the third one is no better.
const FAR: i64 = 4;

/// From a slant to the one that is asked for, in lines.
const BELOW: i64 = 8;

/// Slants of a block, one above the other in the rows that are written, and lines of each.
const BLOCK: [i64; 2] = [2, 32];

impl Crossing<'_> {
    /// The nest in slants where rows begin so and lines are written in one step, else as it was: in two steps they take
    /// longer than squares. So many bytes are gone through.
    pub(super) fn in_slants(&self, as_before: Block, bytes: &Nat, buffers: &[Buffer]) -> Block {
        let Some(slanted) = self.is_slanted(buffers) else { return as_before };
        let bool = ValueType::scalar(Scalar::Bool);
        let both = Value::Binary(Binary::And, bool, Box::new(slanted), Box::new(Value::InLines));
        let is_far = Value::Past(bytes.div(&Nat::lit(FAR)));
        let [near, far] = [Some(bytes), None].map(|near| self.slants(near));
        vec![Stmt::If(both, vec![Stmt::If(is_far, far, near)], as_before)]
    }

    /// Whether rows are long and begin one element further than lines; `None` where they never do. What is read between
    /// them is an operand, which nobody else writes.
    fn is_slanted(&self, buffers: &[Buffer]) -> Option<Value> {
        let per_line = self.per_line(buffers).filter(|per_line| *per_line == LANES)?;
        let read = &buffers[self.from.buffer.0 as usize];
        let bool = ValueType::scalar(Scalar::Bool);
        let least = Nat::from(self.nest.side) * LEAST;
        let mut all = Vec::new();
        for stride in &self.strides {
            let off = stride.rem(&Nat::lit(per_line));
            if read.role != Role::Input || off.as_const().is_some_and(|off| off != 1) {
                return None;
            }
            all.push((Compare::Eq, off, Nat::lit(1)));
        }
        for count in [&self.nest.outer.count, &self.nest.inner.count] {
            if count.as_const().zip(least.as_const()).is_some_and(|(count, least)| count < least) {
                return None;
            }
            all.push((Compare::Ge, count.clone(), least.clone()));
        }
        all.dedup();
        let tests = all.into_iter().map(|(compare, a, b)| Value::CompareNat(compare, a, b));
        tests.reduce(|a, b| Value::Binary(Binary::And, bool, Box::new(a), Box::new(b)))
    }

    /// All slants: through the caches, where they go through so many bytes, else past them.
    fn slants(&self, near: Option<&Nat>) -> Block {
        let (side, nest) = (i64::from(self.nest.side), self.nest);
        let (count, columns) = (&nest.outer.count, &nest.inner.count);
        let rows = 2 * side;
        let [ahead, first, lines, slants] = ["ahead", "first", "lines", "slants"].map(NatVar::new);
        let start = Access { lanes: nest.side, ..nest.start(self.to, &Nat::lit(0), &Nat::lit(0)) };
        // The first line that is whole in all rows of a slant.
        let aligned = (Nat::var(&ahead) + 1).rem(&Nat::lit(side)) + (rows - 1);
        let (f, l) = (Nat::var(&first), Nat::var(&lines));
        let lets = [
            Stmt::LetNat(ahead.clone(), Value::ToLine(start, columns.clone())),
            Stmt::LetNat(first.clone(), Value::Nat(aligned)),
            Stmt::LetNat(lines.clone(), Value::Nat((columns - &f).div(&Nat::lit(side)))),
            Stmt::LetNat(slants.clone(), Value::Nat(count.div(&Nat::lit(rows)))),
        ];
        let [high, wide] = BLOCK.map(Nat::lit);
        let strip = NatVar::new(nest.outer.var.text());
        let above = Nat::var(&strip) * &high;
        let in_strip = Nat::min(&high, &(Nat::var(&slants) - &above));
        let top = |slant: Nat| (&above + slant) * rows;
        let blocks = counted("block", l.ceil_div(&wide), |block| {
            let before = block * &wide;
            let in_block = Nat::min(&wide, &(&l - &before));
            vec![counted("slant", in_strip.clone(), |slant| {
                vec![counted("line", in_block, |line| {
                    self.slant(&top(slant), &(&f + (before + line) * side), near)
                })]
            })]
        });
        // The last row ends the furthest to the left.
        let end = &f + &l * side - (rows - 1);
        let ends = counted("square", in_strip.clone() * 2, |square| {
            let row = &above * rows + square * side;
            let before = |column: Nat| Nat::min(&(column * side), &(&f - side));
            let after = |column: Nat| Nat::max(&(columns - (column + 1) * side), &end);
            vec![
                counted("column", Nat::lit(3), |column| vec![self.square(&row, &before(column))]),
                counted("column", Nat::lit(3), |column| vec![self.square(&row, &after(column))]),
            ]
        });
        let body = vec![blocks, ends];
        let strips = Nat::var(&slants).ceil_div(&high);
        let all = Stmt::For(Loop { var: strip, count: strips, kind: nest.outer.kind, body });
        let top = Nat::var(&slants) * rows;
        let left = counted("row", (count - &top).ceil_div(&Nat::lit(side)), |row| {
            let row = Nat::min(&(&top + row * side), &(count - side));
            vec![counted("column", columns.ceil_div(&Nat::lit(side)), |column| {
                vec![self.square(&row, &Nat::min(&(column * side), &(columns - side)))]
            })]
        });
        lets.into_iter().chain([all, left]).collect()
    }

    /// A slant. Through the caches, what is large is asked for a block early; what is written past them leaves them to
    /// what is read.
    fn slant(&self, row: &Nat, column: &Nat, near: Option<&Nat>) -> Block {
        let side = i64::from(self.nest.side);
        let from = self.nest.start(self.from, row, column);
        let ask = |bytes: &Nat| {
            let rows = counted("row", Nat::lit(2 * side), |row| {
                let below = row - (side - 1);
                let index = &from.index + (&below + BELOW * side) * &self.strides[0] - below;
                vec![Stmt::Ask(Access { index, ..from.clone() }, Cache::Second)]
            });
            Stmt::If(Value::Large(bytes.clone()), vec![rows], Block::new())
        };
        let to = Access { streams: near.is_none(), ..self.nest.start(self.to, row, column) };
        near.map(ask).into_iter().chain([self.transpose(row, column, to, Shape::Slant)]).collect()
    }

    fn square(&self, row: &Nat, column: &Nat) -> Stmt {
        self.transpose(row, column, self.nest.start(self.to, row, column), Shape::Square)
    }

    fn transpose(&self, row: &Nat, column: &Nat, to: Access, shape: Shape) -> Stmt {
        let from = self.nest.start(self.from, row, column);
        let strides = self.strides.clone();
        Stmt::Transpose(Box::new(Transpose { from, to, strides, side: self.nest.side, shape }))
    }
}
