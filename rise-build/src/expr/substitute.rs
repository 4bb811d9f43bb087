//! Capture-avoiding substitution.
//!
//! Names are unique numbers, so a substituted term cannot be captured unless the same binder is copied;
//! whoever copies a term with binders calls [`refresh`] on the copy.

use crate::names::Name;
use crate::nat::{Nat, NatVar};
use crate::types::DataType;

use super::term::{Arg, Expr, Kind, Lambda, Param};
use super::traverse::map_children;
use super::{NatFun, Primitive, build};

/// `body` with `param` replaced by `value`.
///
/// An index that is not known as a natural is bound by a `let` instead, for it may occur in types.
pub fn substitute(body: &Expr, param: &Param, value: &Expr) -> Expr {
    match (&param.nat, value.kind()) {
        (None, _) => substitute_name(body, &param.name, value),
        (Some(var), Kind::Nat(nat)) => substitute_nat(body, &[(var.clone(), nat.clone())]),
        (Some(_), _) => build::let_in(param.clone(), value.clone(), body.clone()),
    }
}

fn substitute_name(expr: &Expr, name: &Name, value: &Expr) -> Expr {
    match expr.kind() {
        Kind::Var(other) if other == name => value.clone(),
        _ => map_children(expr, &mut |child| substitute_name(child, name, value)),
    }
}

/// The expression with size or index variables replaced, in naturals, primitives and types.
pub fn substitute_nat(expr: &Expr, by: &[(NatVar, Nat)]) -> Expr {
    if by.is_empty() {
        return expr.clone();
    }
    let apply = |nat: &Nat| nat.subst_all(by);
    let mapped = map_children(expr, &mut |child| substitute_nat(child, by));
    mapped.edit(|node| {
        node.ty = node.ty.map_nats(&apply);
        match &mut node.kind {
            Kind::Nat(nat) => *nat = apply(nat),
            Kind::Let(param, _, _) => param.ty = param.ty.map_nats(&apply),
            Kind::Prim(primitive, args) => {
                *primitive = primitive.map_nats(&apply);
                for arg in args {
                    if let Arg::Fun(lambda) = arg {
                        for param in &mut lambda.params {
                            param.ty = param.ty.map_nats(&apply);
                        }
                    }
                }
            }
            Kind::Var(_) | Kind::Literal(_) => {}
        }
    })
}

/// A copy in which every binder is new.
pub fn refresh(expr: &Expr) -> Expr {
    Refresh::default().expr(expr)
}

/// A copy of a function in which every binder is new.
pub fn refresh_lambda(lambda: &Lambda) -> Lambda {
    Refresh::default().lambda(lambda)
}

/// Renames in one walk: what the binders around the current place are called in the copy.
#[derive(Default)]
struct Refresh {
    names: Vec<(Name, Name)>,
    nats: Vec<(NatVar, Nat)>,
}

impl Refresh {
    fn nat(&self, nat: &Nat) -> Nat {
        if self.nats.is_empty() { nat.clone() } else { nat.subst_all(&self.nats) }
    }

    fn expr(&mut self, expr: &Expr) -> Expr {
        let kind = match expr.kind() {
            Kind::Literal(_) => return expr.clone(),
            Kind::Var(name) => match self.names.iter().rev().find(|(old, _)| old == name) {
                Some((_, new)) => Kind::Var(new.clone()),
                None => return expr.clone(),
            },
            Kind::Nat(_) if self.nats.is_empty() => return expr.clone(),
            Kind::Nat(nat) => Kind::Nat(self.nat(nat)),
            Kind::Let(param, value, body) => {
                let value = self.expr(value);
                let (names, nats) = (self.names.len(), self.nats.len());
                let param = self.param(param);
                let body = self.expr(body);
                self.leave(names, nats);
                Kind::Let(param, value, body)
            }
            Kind::Prim(primitive, args) => {
                let args = args.iter().map(|arg| self.arg(arg)).collect();
                let primitive = match self.nats.is_empty() {
                    true => primitive.clone(),
                    false => primitive.map_nats(&|nat| self.nat(nat)),
                };
                Kind::Prim(primitive, args)
            }
        };
        let ty = self.ty(expr.ty());
        expr.clone().edit(|node| {
            node.kind = kind;
            node.ty = ty;
        })
    }

    fn ty(&self, ty: &DataType) -> DataType {
        if self.nats.is_empty() || matches!(ty, DataType::Scalar(_)) {
            return ty.clone();
        }
        ty.map_nats(&|nat| self.nat(nat))
    }

    fn arg(&mut self, arg: &Arg) -> Arg {
        match arg {
            Arg::Expr(expr) => Arg::Expr(self.expr(expr)),
            Arg::Fun(lambda) => Arg::Fun(self.lambda(lambda)),
        }
    }

    fn lambda(&mut self, lambda: &Lambda) -> Lambda {
        let (names, depth) = (self.names.len(), self.nats.len());
        let fresh = |var: &NatVar| NatVar::new(var.text());
        let nats: Vec<NatVar> = lambda.nats.iter().map(fresh).collect();
        self.nats.extend(lambda.nats.iter().cloned().zip(nats.iter().map(Nat::var)));
        let params = lambda.params.iter().map(|param| self.param(param)).collect();
        let body = self.expr(&lambda.body);
        self.leave(names, depth);
        Lambda { nats, params, body }
    }

    fn param(&mut self, param: &Param) -> Param {
        let fresh = Param {
            name: param.name.refresh(),
            nat: param.nat.as_ref().map(|nat| NatVar::new(nat.text())),
            ty: self.ty(&param.ty),
        };
        self.names.push((param.name.clone(), fresh.name.clone()));
        if let (Some(old), Some(new)) = (&param.nat, &fresh.nat) {
            self.nats.push((old.clone(), Nat::var(new)));
        }
        fresh
    }

    fn leave(&mut self, names: usize, nats: usize) {
        self.names.truncate(names);
        self.nats.truncate(nats);
    }
}

impl Primitive {
    /// The primitive with its naturals replaced by `f` of them.
    #[must_use]
    pub fn map_nats(&self, f: &dyn Fn(&Nat) -> Nat) -> Primitive {
        let fun = |fun: &NatFun| NatFun { var: fun.var.clone(), body: f(&fun.body) };
        match self {
            Primitive::Cast(ty) => Primitive::Cast(ty.map_nats(f)),
            Primitive::Iterate(k) => Primitive::Iterate(f(k)),
            Primitive::Split(n) => Primitive::Split(f(n)),
            Primitive::Slide(size, step) => Primitive::Slide(f(size), f(step)),
            Primitive::Take(n) => Primitive::Take(f(n)),
            Primitive::Drop(n) => Primitive::Drop(f(n)),
            Primitive::PadClamp(l, r) => Primitive::PadClamp(f(l), f(r)),
            Primitive::PadCst(l, r) => Primitive::PadCst(f(l), f(r)),
            Primitive::PadEmpty(r) => Primitive::PadEmpty(f(r)),
            Primitive::Reorder(forward, back) => Primitive::Reorder(fun(forward), fun(back)),
            Primitive::CircularBuffer(alloc, size) => Primitive::CircularBuffer(f(alloc), f(size)),
            Primitive::RotateValues(size) => Primitive::RotateValues(f(size)),
            Primitive::Partition(parts, lengths) => Primitive::Partition(f(parts), fun(lengths)),
            _ => self.clone(),
        }
    }
}
