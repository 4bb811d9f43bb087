//! What the transposition of a square or a slant means.

use crate::nat::{Nat, NatVar};

use super::ir::*;

impl Transpose {
    /// The same as plain loops.
    pub fn as_loops(&self) -> Block {
        let [i, j] = ["i", "j"].map(NatVar::new);
        let row = Nat::var(&i);
        let column = match self.shape {
            Shape::Square => Nat::var(&j),
            Shape::Slant => Nat::var(&j) - &row,
        };
        let at = |access: &Access, row: &Nat, column: &Nat, stride: &Nat| Access {
            index: &access.index + row * stride + column,
            ..access.clone()
        };
        let from = Value::Load(at(&self.from, &column, &row, &self.strides[0]));
        let body = vec![Stmt::Store(at(&self.to, &row, &column, &self.strides[1]), from)];
        let looped = |var: NatVar, count: u32, body: Block| {
            Stmt::For(Loop { var, count: Nat::from(count), kind: LoopKind::Seq, body })
        };
        vec![looped(i, self.rows(), vec![looped(j, self.side, body)])]
    }

    /// Rows of the target.
    pub fn rows(&self) -> u32 {
        match self.shape {
            Shape::Square => self.side,
            Shape::Slant => 2 * self.side,
        }
    }
}
