//! Products by a library: the library wants matrices in memory.

use std::sync::Arc;

use crate::dpia::functional::Phrase;
use crate::expr::{AddressSpace, Binary, Library, Literal};
use crate::names::Name;
use crate::nat::{Nat, NatVar};
use crate::types::{DataType, Scalar};

use super::copy::element_acc;
use super::translate::{Translator, array};
use super::{Acc, Block, Comm, Exp, For, LoopForm, Operation, Product, View};

impl Translator {
    /// Calls the library. What does not lie in memory as it wants it is copied there and back.
    pub(super) fn write_product(
        &mut self,
        phrase: &Phrase,
        (library, factors): (&Arc<Library>, &[Phrase; 2]),
        acc: &Acc,
        out: &mut Block,
    ) {
        let factors = factors.each_ref().map(|factor| {
            let (exp, ty) = (self.read(factor, out), self.ty(&factor.ty));
            (self.in_memory(exp, &ty, out), ty)
        });
        Self::comment(phrase, &library.name, out);
        let call = |acc| Comm::Product(Product { library: library.clone(), acc, factors });
        if is_direct(acc) {
            return out.push(call(acc.clone()));
        }
        let ty = self.ty(&phrase.ty);
        let product = self.declare("product", &ty, AddressSpace::Default, out);
        out.push(call(Acc::Var(product.clone())));
        self.copy(&ty, acc, Exp::Var(product), out);
    }

    /// The matrix itself, or a copy of it.
    fn in_memory(&mut self, exp: Exp, ty: &DataType, out: &mut Block) -> Exp {
        let lies_there = match &exp {
            Exp::View(View::Transpose, operands) => self.is_part(&operands[0].0),
            exp => self.is_part(exp),
        };
        if lies_there {
            return exp;
        }
        let factor = self.declare("factor", ty, AddressSpace::Default, out);
        self.copy(ty, &Acc::Var(factor.clone()), exp, out);
        Exp::Var(factor)
    }

    /// Whether these are rows of a memory or parameter, one behind the other.
    fn is_part(&self, exp: &Exp) -> bool {
        match exp {
            Exp::Var(name) => {
                let is = |(other, ty): &(_, DataType)| other == name && is_matrix(ty);
                self.memories.iter().chain(&self.params).any(is)
            }
            Exp::Idx(_, inner) => self.is_part(inner),
            Exp::View(View::Take(_) | View::Drop(_), operands) => self.is_part(&operands[0].0),
            _ => false,
        }
    }
}

impl Product {
    /// What the call means: sums from left to right.
    pub fn as_commands(&self) -> Block {
        let [(a, a_ty), (b, b_ty)] = &self.factors;
        let ((rows, row), (_, column)) = (array(a_ty), array(b_ty));
        let ((inner, ty), (columns, _)) = (array(row), array(column));
        let [i, j, k] = ["i", "j", "k"].map(NatVar::new);
        let sum = Name::fresh("sum");
        let at = |matrix: &Exp, i: &NatVar, j: &NatVar| {
            Exp::Idx(Nat::var(j), Arc::new(Exp::Idx(Nat::var(i), Arc::new(matrix.clone()))))
        };
        let binary = |op, x: Exp, y: Exp| {
            Exp::Scalar(Operation::Binary(op), ty.clone(), Arc::from([(x, ty.clone()), (y, ty.clone())]))
        };
        let product = binary(Binary::Mul, at(a, &i, &k), at(b, &k, &j));
        let step = binary(Binary::Add, Exp::Var(sum.clone()), product);
        let looped = |var: &NatVar, count: &Nat, body: Block| {
            Comm::For(For { var: var.clone(), count: count.clone(), form: LoopForm::Seq, body })
        };
        let zero = Literal::zero(ty.scalar().unwrap_or(Scalar::F32));
        let acc = element_acc(Nat::var(&j), &element_acc(Nat::var(&i), &self.acc));
        let element = vec![
            Comm::New(sum.clone(), ty.clone(), AddressSpace::Private),
            Comm::Assign(Acc::Var(sum.clone()), Exp::Literal(zero)),
            looped(&k, inner, vec![Comm::Assign(Acc::Var(sum.clone()), step)]),
            Comm::Assign(acc, Exp::Var(sum)),
        ];
        vec![looped(&i, rows, vec![looped(&j, columns, element)])]
    }
}

/// Whether it is made of arrays and scalars alone.
fn is_matrix(ty: &DataType) -> bool {
    match ty {
        DataType::Scalar(_) => true,
        DataType::Array(_, element) => is_matrix(element),
        _ => false,
    }
}

/// Whether rows are written one behind the other.
fn is_direct(acc: &Acc) -> bool {
    match acc {
        Acc::Var(_) => true,
        Acc::Idx(_, inner) => is_direct(inner),
        Acc::Proj(..) | Acc::Tuple(_) | Acc::View { .. } | Acc::Map { .. } => false,
    }
}
