//! Products by a library: matrices become an address and strides.

use crate::dpia::imperative;
use crate::nat::{Nat, NatVar};
use crate::types::DataType;

use super::super::ir::*;
use super::env::Env;
use super::storage::Place;
use super::{Lowering, Path, Small, Step, bug};

impl Lowering {
    pub(super) fn product(&mut self, product: &imperative::Product, env: &Env, out: &mut Block) {
        let [a, b] = product.factors.each_ref().map(|(exp, ty)| {
            let matrix = self.matrix(|this, path, out| match this.read(exp, env, path, out) {
                Small::Value(Value::Load(access), _) => access,
                other => bug(format_args!("{other:?} is no element of a matrix in memory")),
            });
            (matrix, extent(&env.ty(ty)))
        });
        let result = self.matrix(|this, path, out| match this.target(&product.acc, env, path, out).place {
            Place::Memory(access, ..) => access,
            _ => bug(format_args!("a product goes to a register")),
        });
        let ((a, [rows, inner]), (b, [_, columns])) = (a, b);
        let scalar = self.buffers[a.first.buffer.0 as usize].scalar(&a.first.path);
        out.push(Stmt::Product(Box::new(Product {
            library: product.library.clone(),
            scalar,
            sizes: [rows, columns, inner].map(|size| self.facts.simplify(&size)),
            result,
            factors: [a, b],
        })));
    }

    /// The matrix of which `element` says where the element at a path lies.
    fn matrix(&mut self, element: impl FnOnce(&mut Self, Path, &mut Block) -> Access) -> Matrix {
        let [row, column] = ["row", "column"].map(NatVar::new);
        let mut found = None;
        let before = self.nested(|this, out| {
            this.facts.size(&row);
            this.facts.size(&column);
            let path = vec![Step::Index(Nat::var(&column)), Step::Index(Nat::var(&row))];
            found = Some(element(this, path, out));
        });
        let Some(access) = found.filter(|_| before.is_empty()) else {
            bug(format_args!("a matrix in memory is computed"))
        };
        let at = |i: i64, j: i64| access.index.subst(&row, &Nat::lit(i)).subst(&column, &Nat::lit(j));
        let index = at(0, 0);
        let strides = [(1, 0), (0, 1)].map(|(i, j)| self.facts.simplify(&(at(i, j) - &index)));
        Matrix { first: Access { index: self.facts.simplify(&index), ..access }, strides }
    }
}

/// Rows and columns.
fn extent(ty: &DataType) -> [Nat; 2] {
    let rows = ty.as_array().and_then(|(rows, row)| Some([rows.clone(), row.as_array()?.0.clone()]));
    rows.unwrap_or_else(|| bug(format_args!("{ty} is no matrix")))
}
