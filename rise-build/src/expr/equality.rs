//! Equality up to the names of bound variables. Origins and labels do not count.

use crate::names::Name;
use crate::nat::{Nat, NatVar};
use crate::types::DataType;

use super::term::{Arg, Expr, Kind, Param};

/// Whether both compute the same by the same term.
pub fn alpha_equal(a: &Expr, b: &Expr) -> bool {
    Renaming::default().expr(a, b)
}

/// Bound variables of the right term and what they are called on the left.
#[derive(Default)]
struct Renaming {
    names: Vec<(Name, Name)>,
    nats: Vec<(NatVar, Nat)>,
}

impl Renaming {
    fn nat(&self, a: &Nat, b: &Nat) -> bool {
        a == b || (!self.nats.is_empty() && *a == b.subst_all(&self.nats))
    }

    fn ty(&self, a: &DataType, b: &DataType) -> bool {
        a == b || (!self.nats.is_empty() && *a == b.map_nats(&|nat| nat.subst_all(&self.nats)))
    }

    fn expr(&mut self, a: &Expr, b: &Expr) -> bool {
        if a.same(b) && self.names.is_empty() && self.nats.is_empty() {
            return true;
        }
        match (a.kind(), b.kind()) {
            (Kind::Var(x), Kind::Var(y)) => self.name(x, y),
            (Kind::Literal(x), Kind::Literal(y)) => x == y,
            (Kind::Nat(x), Kind::Nat(y)) => self.nat(x, y) && self.ty(a.ty(), b.ty()),
            (Kind::Let(x, v, e), Kind::Let(y, w, f)) => {
                self.expr(v, w)
                    && self.under(&[], std::slice::from_ref(x), &[], std::slice::from_ref(y), e, f)
            }
            (Kind::Prim(p, xs), Kind::Prim(q, ys)) => {
                let renamed = q.map_nats(&|nat| nat.subst_all(&self.nats));
                *p == renamed && xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| self.arg(x, y))
            }
            _ => false,
        }
    }

    fn name(&self, x: &Name, y: &Name) -> bool {
        match self.names.iter().rev().find(|(right, left)| right == y || left == x) {
            Some((right, left)) => right == y && left == x,
            None => x == y,
        }
    }

    fn arg(&mut self, a: &Arg, b: &Arg) -> bool {
        match (a, b) {
            (Arg::Expr(a), Arg::Expr(b)) => self.expr(a, b),
            (Arg::Fun(a), Arg::Fun(b)) => {
                self.under(&a.nats, &a.params, &b.nats, &b.params, &a.body, &b.body)
            }
            _ => false,
        }
    }

    fn under(
        &mut self,
        ns: &[NatVar],
        xs: &[Param],
        ms: &[NatVar],
        ys: &[Param],
        a: &Expr,
        b: &Expr,
    ) -> bool {
        if ns.len() != ms.len() || xs.len() != ys.len() {
            return false;
        }
        let (names, nats) = (self.names.len(), self.nats.len());
        self.nats.extend(ns.iter().zip(ms).map(|(n, m)| (m.clone(), Nat::var(n))));
        let mut equal = true;
        for (x, y) in xs.iter().zip(ys) {
            equal &= self.ty(&x.ty, &y.ty);
            self.names.push((y.name.clone(), x.name.clone()));
            if let (Some(left), Some(right)) = (&x.nat, &y.nat) {
                self.nats.push((right.clone(), Nat::var(left)));
            }
        }
        equal = equal && self.expr(a, b);
        self.names.truncate(names);
        self.nats.truncate(nats);
        equal
    }
}
