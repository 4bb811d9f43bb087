//! What the transposition of a square means.

use crate::nat::{Nat, NatVar};

use super::ir::*;

impl Transpose {
    /// The same as plain loops.
    pub fn as_loops(&self) -> Block {
        let [i, j] = ["i", "j"].map(NatVar::new);
        let at = |access: &Access, row: &NatVar, column: &NatVar, stride: &Nat| Access {
            index: &access.index + Nat::var(row) * stride + Nat::var(column),
            ..access.clone()
        };
        let from = Value::Load(at(&self.from, &j, &i, &self.strides[0]));
        let body = vec![Stmt::Store(at(&self.to, &i, &j, &self.strides[1]), from)];
        let looped = |var: NatVar, body: Block| {
            Stmt::For(Loop { var, count: Nat::from(self.side), kind: LoopKind::Seq, body })
        };
        vec![looped(i, vec![looped(j, body)])]
    }
}
