//! `take` and `drop` of something that is written: what nobody wants is not computed.
//!
//! `take(n) ∘ map(f) = map(f) ∘ take(n)`, and so for the other terms that make elements one by one.

use crate::diagnostics::Origin;
use crate::expr::{Arg, Expr, Kind, Lambda, MapForm, Param, Primitive, substitute_nat};
use crate::nat::Nat;
use crate::types::DataType;

use super::super::Access;
use super::{Builder, Made, phrase};

impl Builder {
    pub(super) fn crop(&mut self, expr: &Expr, primitive: &Primitive, args: &[Arg]) -> Made {
        let array = args[0].expr();
        let len = expr.ty().as_array().map(|(len, _)| len.clone());
        if let Some(cropped) = len.and_then(|len| Crop { primitive, len }.of_written(array)) {
            return self.demand(&cropped, Access::Write);
        }
        if self.is_made_of_pieces(array) {
            let operands = self.all(args, Access::Write)?;
            return Some(phrase(
                expr,
                super::super::Kind::View(super::layout::view(primitive), operands),
                Access::Write,
            ));
        }
        self.read(array)?;
        self.blame_copy(expr)
    }

    /// Whether loops behind layouts write the value: its last piece is computed as a whole, and what nobody wants
    /// of it is not stored.
    fn is_made_of_pieces(&self, expr: &Expr) -> bool {
        match expr.kind() {
            Kind::Var(name) => self.written.contains(name),
            Kind::Prim(Primitive::Map(MapForm::Plain), args) => self.is_made_of_pieces(args[1].expr()),
            Kind::Prim(Primitive::Map(_), _) => true,
            Kind::Prim(
                Primitive::Join
                | Primitive::Split(_)
                | Primitive::Transpose
                | Primitive::Take(_)
                | Primitive::Drop(_),
                args,
            ) => self.is_made_of_pieces(args[0].expr()),
            _ => false,
        }
    }
}

/// A `take` or `drop`, and how long its result is.
struct Crop<'a> {
    primitive: &'a Primitive,
    len: Nat,
}

impl Crop<'_> {
    /// The cropped term, if its elements are made one by one.
    fn of_written(&self, expr: &Expr) -> Option<Expr> {
        let (primitive, args) = match expr.kind() {
            Kind::Let(param, value, body) => {
                let body = self.of_written(body)?;
                return Some(self.with(expr, Kind::Let(param.clone(), value.clone(), body)));
            }
            Kind::Prim(primitive, args) => (primitive, args.as_slice()),
            _ => return None,
        };
        let args = match (primitive, args) {
            (Primitive::Map(_), [f, xs]) => vec![f.clone(), self.of_any(xs)],
            (Primitive::Zip, [xs, ys]) => vec![self.of_any(xs), self.of_any(ys)],
            (Primitive::Scan(_), [f, start, xs]) if self.is_take() => {
                vec![f.clone(), start.clone(), self.of_any(xs)]
            }
            (Primitive::Select, [condition, then, otherwise]) => {
                vec![condition.clone(), self.of_any(then), self.of_any(otherwise)]
            }
            (Primitive::Generate, [Arg::Fun(f)]) => vec![Arg::Fun(self.shifted(f)?)],
            (Primitive::ToMem(_), [xs]) => return self.of_written(xs.expr()),
            _ => return None,
        };
        Some(self.with(expr, Kind::Prim(primitive.clone(), args)))
    }

    fn is_take(&self) -> bool {
        matches!(self.primitive, Primitive::Take(_))
    }

    /// The crop applied to an operand.
    fn of_any(&self, xs: &Arg) -> Arg {
        let xs = xs.expr();
        let ty = self.ty(xs.ty());
        let kind = Kind::Prim(self.primitive.clone(), vec![Arg::Expr(xs.clone())]);
        Arg::Expr(Expr::new(kind, ty, Origin::NONE).with_origin(xs.origin()))
    }

    fn with(&self, expr: &Expr, kind: Kind) -> Expr {
        let ty = self.ty(expr.ty());
        expr.clone().edit(|node| {
            node.kind = kind;
            node.ty = ty;
        })
    }

    fn ty(&self, ty: &DataType) -> DataType {
        match ty {
            DataType::Array(_, element) => DataType::Array(self.len.clone(), element.clone()),
            other => other.clone(),
        }
    }

    /// A function of an index, at the indices that are left.
    fn shifted(&self, f: &Lambda) -> Option<Lambda> {
        let [Param { name, nat: Some(var), .. }] = f.params.as_slice() else { return None };
        let body = match self.primitive {
            Primitive::Drop(n) => substitute_nat(&f.body, &[(var.clone(), Nat::var(var) + n)]),
            _ => f.body.clone(),
        };
        let ty = DataType::Idx(self.len.clone());
        let params = vec![Param { name: name.clone(), nat: Some(var.clone()), ty }];
        Some(Lambda { nats: Vec::new(), params, body })
    }
}
