//! Transpositions between rows that crowd in the cache go through memory in which they do not.
//!
//! ```text
//! for pieces of 144 rows and 528 columns
//!   for squares at i and j
//!     ask for the rows of x below
//!     piece[544·j + i; 544] = transpose(x[m·i + j; m])
//!   for each row j
//!     y[n·j + i ..] = piece[544·j + i ..]
//! ```
//!
//! Where rows begin nearly half a page apart or a multiple of that, the rows of a square share a few sets of the first
//! cache, each line of which is needed again for the next square, and what is read lies at the same places of pages as
//! what has just been written. Rows of pieces are long enough to be written past the cache. No CPU sees rows coming that
//! lie so far apart.

use crate::expr::{Binary, Compare};
use crate::nat::{Nat, NatVar};
use crate::types::Scalar;

use super::super::ir::*;
use super::ask::LINE;
use super::transpose::{Nest, counted};

/// Bytes after which rows come to lie in the same sets of the first cache.
const AROUND: i64 = 2048;

/// Squares of a piece at most, down and along the rows that are written: it stays in the second cache.
const PIECE: [i64; 2] = [9, 33];

/// A copy of all elements from rows to columns.
pub(super) struct Crossing<'a> {
    pub nest: &'a Nest,
    pub from: &'a Access,
    pub to: &'a Access,
    /// From a row to the next, where it is read and where it is written.
    pub strides: [Nat; 2],
}

impl Crossing<'_> {
    /// The nest in pieces where rows crowd, else as it was.
    pub(super) fn in_pieces(&self, as_before: Block, buffers: &mut Vec<Buffer>) -> Block {
        let bytes = buffers[self.to.buffer.0 as usize].scalar_bytes();
        let off = |stride: &Nat| stride.rem(&Nat::lit(AROUND / bytes));
        // One element further on, not even two: those fill two lines with the rows of a square.
        let crowd = |stride: &Nat| Value::CompareNat(Compare::Eq, off(stride), Nat::lit(1));
        if self.strides.iter().any(|stride| off(stride).as_const().is_some_and(|off| off != 1)) {
            return as_before;
        }
        let [a, b] = &self.strides;
        let crowded = match a == b {
            true => crowd(a),
            false => {
                let bool = ValueType::scalar(Scalar::Bool);
                Value::Binary(Binary::And, bool, Box::new(crowd(a)), Box::new(crowd(b)))
            }
        };
        vec![Stmt::If(crowded, self.pieces(buffers), as_before)]
    }

    /// Whether the rows of squares are lines that may be written past the cache; `None` where they are not.
    pub fn lines(&self, buffers: &[Buffer]) -> Option<Value> {
        let off = self.strides[1].rem(&Nat::lit(self.per_line(buffers)?));
        let begin = Value::CompareNat(Compare::Eq, off.clone(), Nat::lit(0));
        off.as_const().is_none_or(|off| off == 0).then_some(begin)
    }

    /// Elements of a line, where rows of squares are lines of the result.
    pub fn per_line(&self, buffers: &[Buffer]) -> Option<i64> {
        let target = &buffers[self.to.buffer.0 as usize];
        let bytes = target.scalar_bytes();
        let are_lines = bytes * i64::from(self.nest.side) == LINE;
        (are_lines && target.role == Role::Output).then_some(LINE / bytes)
    }

    /// Asks for the rows of the square that lies so many squares below one that is read.
    pub fn ask_below(&self, from: &Access, squares: i64) -> Stmt {
        let side = i64::from(self.nest.side);
        counted("row", Nat::lit(side), |row| {
            let index = &from.index + (row + side * squares) * &self.strides[0];
            vec![Stmt::Ask(Access { index, ..from.clone() }, Cache::Second)]
        })
    }

    fn pieces(&self, buffers: &mut Vec<Buffer>) -> Block {
        let side = i64::from(self.nest.side);
        // A square more, so that its own rows do not crowd.
        let [most, stride] = [PIECE[0] * side, (PIECE[1] + 1) * side];
        let old = &buffers[self.to.buffer.0 as usize];
        let (name, len) = (format!("{}_piece", old.name), Nat::lit(most * stride));
        let new = Buffer::scalars(name, old.scalar(&[]), len, Role::Heap);
        let piece = BufferId(buffers.len() as u32);
        buffers.push(new);
        let at = |row: &Nat, column: &Nat| Access::scalar(piece, row * stride + column);

        let [rows, columns] = [&self.nest.outer, &self.nest.inner].map(Cut::new);
        let squares = columns.squares(side, |column| {
            vec![rows.squares(side, |row| {
                let from = self.nest.start(self.from, &rows.at(row), &columns.at(column));
                let strides = [self.strides[0].clone(), Nat::lit(stride)];
                let (to, side) = (at(row, column), self.nest.side);
                let square = Transpose { from, to, strides, side, shape: Shape::Square };
                vec![self.ask_below(&square.from, 1), Stmt::Transpose(Box::new(square))]
            })]
        });
        let copied = counted("row", Nat::var(&rows.len), |row| {
            let lane = NatVar::new("lane");
            let column = Nat::var(&lane);
            let to = self.nest.start(self.to, &rows.at(&row), &columns.at(&column));
            let body = vec![Stmt::Store(to, Value::Load(at(&row, &column)))];
            vec![Stmt::For(Loop { var: lane, count: Nat::var(&columns.len), kind: LoopKind::Vec, body })]
        });
        let along = columns.looped(PIECE[1] * side, LoopKind::Seq, vec![squares, copied]);
        let along = [vec![Stmt::Alloc(piece)], along].concat();
        rows.looped(PIECE[0] * side, self.nest.outer.kind, along)
    }
}

/// A loop in pieces of nearly equal length.
struct Cut<'a> {
    looped: &'a Loop,
    /// A piece, where it begins, and how long it is.
    piece: NatVar,
    start: NatVar,
    len: NatVar,
}

impl<'a> Cut<'a> {
    fn new(looped: &'a Loop) -> Self {
        let [piece, start, len] = ["piece", "start", "len"].map(NatVar::new);
        Self { looped, piece, start, len }
    }

    /// The pieces, of so many iterations at most.
    fn looped(&self, most: i64, kind: LoopKind, body: Block) -> Block {
        let pieces = NatVar::new("pieces");
        let number = Stmt::LetNat(pieces.clone(), Value::Nat(self.looped.count.ceil_div(&Nat::lit(most))));
        let cut = |at: Nat| (at * &self.looped.count).div(&Nat::var(&pieces));
        let start = Value::Nat(cut(Nat::var(&self.piece)));
        let len = Value::Nat(cut(Nat::var(&self.piece) + 1) - Nat::var(&self.start));
        let mut all = vec![Stmt::LetNat(self.start.clone(), start), Stmt::LetNat(self.len.clone(), len)];
        all.extend(body);
        vec![number, Stmt::For(Loop { var: self.piece.clone(), count: Nat::var(&pieces), kind, body: all })]
    }

    /// An iteration of the piece.
    fn at(&self, iteration: &Nat) -> Nat {
        Nat::var(&self.start) + iteration
    }

    /// The squares along a piece, of which the last may overlap the one before.
    fn squares(&self, side: i64, body: impl FnOnce(&Nat) -> Block) -> Stmt {
        let len = Nat::var(&self.len);
        counted("square", len.ceil_div(&Nat::lit(side)), |square| {
            body(&Nat::min(&(square * side), &(len - side)))
        })
    }
}
