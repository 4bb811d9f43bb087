//! What a product by a library means.

use crate::expr::{Binary, Literal};
use crate::names::Name;
use crate::nat::{Nat, NatVar};

use super::ir::*;

impl Product {
    /// The same as plain loops, which add from left to right.
    pub fn as_loops(&self) -> Block {
        let [i, j, k] = ["i", "j", "k"].map(NatVar::new);
        let [rows, columns, inner] = &self.sizes;
        let ty = ValueType::scalar(self.scalar);
        let sum = Name::fresh("sum");
        let load = |matrix: &Matrix, a: &NatVar, b: &NatVar| Box::new(Value::Load(matrix.at(a, b)));
        let [a, b] = &self.factors;
        let term = Value::Binary(Binary::Mul, ty, load(a, &i, &k), load(b, &k, &j));
        let step = Value::Binary(Binary::Add, ty, Box::new(Value::Var(sum.clone())), Box::new(term));
        let looped = |var: &NatVar, count: &Nat, body: Block| {
            Stmt::For(Loop { var: var.clone(), count: count.clone(), kind: LoopKind::Seq, body })
        };
        let element = vec![
            Stmt::Var(sum.clone(), ty, Some(Value::Literal(Literal::zero(self.scalar)))),
            looped(&k, inner, vec![Stmt::Set(sum.clone(), step)]),
            Stmt::Store(self.result.at(&i, &j), Value::Var(sum)),
        ];
        vec![looped(&i, rows, vec![looped(&j, columns, element)])]
    }

    /// Result and factors.
    pub fn matrices(&self) -> [&Matrix; 3] {
        [&self.result, &self.factors[0], &self.factors[1]]
    }
}

impl Matrix {
    fn at(&self, row: &NatVar, column: &NatVar) -> Access {
        let [down, right] = &self.strides;
        let index = &self.first.index + Nat::var(row) * down + Nat::var(column) * right;
        Access { index, ..self.first.clone() }
    }
}
